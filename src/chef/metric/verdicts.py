"""One reading of what several judges say about an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from chef.common.judgements import JudgementStatus
from chef.frozen import Frozen
from chef.metric.records import UnjudgedError
from chef.reading.text import Reading

Record = dict[str, Any]
#: A judgement as a plain dict.
Plain = Mapping[str, Any]

#: The kinds whose readings are numbers, of which the mean counts.
NUMBERS = ("grade", "rating", "vlmevalkit_grade")
PREFERENCE = "preference"
TIE = 0.5
#: How the reason for an answer without a reading begins where its judges contradict one another.
DISAGREE = "the judges disagree"
NOT_ASKED = "no judge was asked about it"
#: How much of a reply is kept as evidence, in characters.
_EXCERPT = 300


class Verdict(Frozen):
    """What the judges of an answer say together.

    Attributes:
        judges: the names of the judges whose readings are behind it.
        reply: the beginning of what the first of them replied.
        consistent: of preferences, the share of the judges that prefer the same answer in both
            orders, in 0..1; None for other kinds.
    """

    kind: str
    value: Any
    judges: tuple[str, ...]
    reply: str
    consistent: float | None = None

    @property
    def rule(self) -> str:
        """Who has read the answer, in the place of the name of a rule."""
        return f"judge{'s' if len(self.judges) > 1 else ''} {', '.join(self.judges)}"

    def as_extraction(self, value: Any) -> Reading[Any]:
        """What was read, in the form of the metric; None for an answer that means nothing."""
        return Reading(value, self.rule, self.reply)


def verdict(record: Record) -> Verdict | None:
    """What the judges that could be read say about an answer; None if none was to be asked.

    Grades and ratings: their mean. Preferences: an answer wins in both orders or ties, and by
    majority or ties. Others: the reading that more than half share. Raises UnjudgedError without
    any.
    """
    given: Sequence[Plain] | None = record.get("judgements")
    if given is None:
        return None
    readings = readings_by_judge(given)
    if not readings:
        raise UnjudgedError(_why_none(given))
    kind = str(given[0]["kind"])
    values = list(readings.values())
    if kind in NUMBERS:
        return _verdict(kind, fmean(values), list(readings), given)
    value, count = Counter(values).most_common(1)[0]
    if 2 * count <= len(values):
        if kind != PREFERENCE:
            said = ", ".join(f"{judge} says {item}" for (judge, _), item in readings.items())
            raise UnjudgedError(f"{DISAGREE}: {said}")
        value = TIE
    agreeing = [judge for judge, item in readings.items() if item == value]
    return _verdict(kind, value, agreeing or list(readings), given)


def _verdict(
    kind: str, value: Any, judges: Sequence[tuple[str, str]], given: Sequence[Plain]
) -> Verdict:
    first = next(item for item in given if _judge(item) == judges[0])
    consistent = None
    if kind == PREFERENCE:
        consistent = fmean(one == other for one, other in _both_orders(given).values())
    names = tuple(name for name, _ in judges)
    return Verdict(kind, value, names, short(first["reply"]), consistent)


def readings_by_judge(given: Sequence[Plain]) -> dict[tuple[str, str], Any]:
    """Readings by a judge's name and fingerprint; a preference needs both orders."""
    if given and given[0]["kind"] == PREFERENCE:
        pairs = _both_orders(given)
        return {judge: one if one == other else TIE for judge, (one, other) in pairs.items()}
    return {_judge(item): item["reading"] for item in given if _is_read(item)}


def _both_orders(given: Sequence[Plain]) -> dict[tuple[str, str], tuple[Any, Any]]:
    """The two readings of each judge that could be read in both orders."""
    orders = [
        {_judge(item): item["reading"] for item in given if _is_read(item) and item["order"] == at}
        for at in (0, 1)
    ]
    return {
        judge: (reading, orders[1][judge])
        for judge, reading in orders[0].items()
        if judge in orders[1]
    }


def _is_read(item: Plain) -> bool:
    return bool(item["status"] == JudgementStatus.OK)


def _judge(item: Plain) -> tuple[str, str]:
    return str(item["judge"]), str(item["fingerprint"])


def _why_none(given: Sequence[Plain]) -> str:
    """Why an answer has no reading."""
    if not given:
        return NOT_ASKED
    told = {
        JudgementStatus.ERROR: "the request failed",
        JudgementStatus.UNPARSED: "the reply cannot be read",
        JudgementStatus.SKIPPED: "it was not asked, as another answer of the group is wrong",
    }
    parts = []
    for item in given:
        if item["status"] in told:
            message = (item.get("error") or {}).get("message")
            parts.append(
                f"{item['judge']}: {told[item['status']]}" + (f" ({message})" if message else "")
            )
    return "; ".join(dict.fromkeys(parts)) or "only one order of the two answers was judged"


def short(reply: str) -> str:
    """The beginning and the end of a reply, the verdict among it.

    >>> len(short("x" * 1000)), short("Verdict: [[A]]")
    (300, 'Verdict: [[A]]')
    """
    if len(reply) <= _EXCERPT:
        return reply
    half = (_EXCERPT - 3) // 2
    return f"{reply[: _EXCERPT - 3 - half]} … {reply[-half:]}"


def brief(given: Sequence[Plain]) -> list[dict[str, Any]]:
    """Judgements as they stand in a line of scores.jsonl: who says what, and in which words."""
    found = []
    for item in given:
        line = {key: item[key] for key in ("judge", "kind", "status", "reading")}
        if item["kind"] == PREFERENCE:
            line["order"] = item["order"]
        if item["reply"]:
            line["reply"] = short(item["reply"])
        if item.get("error"):
            line["error"] = item["error"].get("message", "")
        found.append(line)
    return found
