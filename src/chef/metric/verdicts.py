"""What judges say: one reading of several about an answer, and what stands beside the figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any

from msgspec import field

from chef.common.judgements import JudgementStatus, Judging
from chef.frozen import Frozen
from chef.metric.judgeable import Judgeable, plain
from chef.metric.records import Record, UnjudgedError
from chef.reading.text import Reading
from chef.stats.agreement import Agreement, agreements
from chef.stats.clusters import clusters_of
from chef.types import Prediction, Status

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


#: The rater that is the metric's rule.
RULE = "rule"
#: So many reasons are kept for answers without a judgement.
_MOST_REASONS = 5


class JudgeCounts(Frozen):
    """One judge, by the name and the fingerprint (32 hex digits) of its model, and its judgements
    by status, where a preference counts two, one an order.
    """

    name: str
    fingerprint: str
    ok: int = 0
    unparsed: int = 0
    error: int = 0
    skipped: int = 0

    @property
    def label(self) -> str:
        """Its name and the beginning of its fingerprint.

        >>> JudgeCounts("tiny", "0123456789abcdef").label
        'tiny (01234567)'
        """
        return f"{self.name} ({self.fingerprint[:8]})"


class JudgeSummary(Frozen):
    """The part that judges had in the figures of a metric.

    The answers that the metric could have scored are ``judged + by_rule + skipped + unparsed +
    errors + disagreed + not_asked``; the last four have no judgement, and are not scored.

    Attributes:
        skipped: answers that needed no judge, as another one of their group is wrong.
        unparsed: answers of which no judge's reply can be read.
        errors: answers of which no judge's reply can be read, and a request failed.
        agreement: by kind, between the judges and with the rule.
        reasons: why answers have no judgement, with their number, the most frequent ones.
    """

    judges: Sequence[JudgeCounts]
    kinds: Sequence[str]
    when: str
    judged: int
    by_rule: int
    skipped: int = 0
    unparsed: int = 0
    errors: int = 0
    disagreed: int = 0
    not_asked: int = 0
    agreement: Mapping[str, Sequence[Agreement]] = field(default_factory=dict)
    reasons: Mapping[str, int] = field(default_factory=dict)

    @property
    def had_part(self) -> bool:
        """Whether a judge had a part in the figures: its rule did not read every answer."""
        return self.by_rule < self.total

    @property
    def label(self) -> str:
        """The judges, each with the beginning of its fingerprint."""
        return ", ".join(judge.label for judge in self.judges)

    @property
    def short_label(self) -> str:
        """As `label`; of several judges their number alone, for a column of a table."""
        return self.label if len(self.judges) == 1 else f"{len(self.judges)} judges"

    @property
    def total(self) -> int:
        """The answers that the metric could have scored."""
        return sum(getattr(self, key) for key in ("judged", "by_rule", *_OUTCOMES))

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        data = {**asdict(self), "judges": [asdict(judge) for judge in self.judges]}
        data["kinds"] = list(self.kinds)
        data["agreement"] = {
            kind: [item.to_json() for item in items] for kind, items in self.agreement.items()
        }
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> JudgeSummary:
        """Read what `to_json` gave."""
        return cls(
            **{
                **data,
                "judges": [JudgeCounts(**judge) for judge in data["judges"]],
                "agreement": {
                    kind: [Agreement.from_json(item) for item in items]
                    for kind, items in data["agreement"].items()
                },
            }
        )


_OUTCOMES = ("skipped", "unparsed", "errors", "disagreed", "not_asked")


def summarise(
    judging: Judging,
    entries: Iterable[Mapping[str, Any]],
    predictions: Mapping[str, Prediction],
    metric: Judgeable,
) -> JudgeSummary:
    """Count judgements in entries, and compare the judges with one another and with the rule."""
    known = list(entries)
    judged = {
        entry["id"]: plain(judging.judgements[entry["id"]])
        for entry in known
        if "judgements" in entry
    }
    counts = Counter(
        (item["judge"], item["fingerprint"], item["status"])
        for given in judged.values()
        for item in given
    )
    outcomes = Counter(map(_outcome, known))
    by_kind: dict[str, dict[str, Sequence[Record]]] = {}
    for name, given in judged.items():
        by_kind.setdefault(given[0]["kind"], {})[name] = given
    return JudgeSummary(
        judges=[_counts(judge, counts) for judge in judging.judges],
        kinds=tuple(by_kind),
        when=judging.when,
        judged=outcomes["judged"],
        by_rule=outcomes["by_rule"],
        **{name: outcomes[name] for name in _OUTCOMES},
        reasons=_reasons(known),
        agreement={
            kind: _agreement(kind, judging, given, predictions, metric)
            for kind, given in by_kind.items()
        },
    )


def _counts(judge: tuple[str, str], counts: Mapping[tuple[str, str, str], int]) -> JudgeCounts:
    name, fingerprint = judge
    ok, unparsed, error, skipped = (
        counts[name, fingerprint, str(status)] for status in JudgementStatus
    )
    return JudgeCounts(name, fingerprint, ok, unparsed, error, skipped)


def _outcome(entry: Mapping[str, Any]) -> str:
    """What became of an answer: the name of a count of `JudgeSummary`; empty for none."""
    if entry["status"] == Status.ERROR or "no_truth" in entry:
        return ""
    if "unjudged" not in entry:
        if "skipped" in entry:
            return "skipped"
        return "judged" if "judgements" in entry else "by_rule"
    if "judgements" not in entry:
        return "not_asked"
    if str(entry["unjudged"]).startswith(DISAGREE):
        return "disagreed"
    failed = any(item["status"] == JudgementStatus.ERROR for item in entry["judgements"])
    return "errors" if failed else "unparsed"


def _reasons(entries: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Why answers have no judgement; that judges disagree is told by their agreement."""
    failed = ("unparsed", "errors")
    found = Counter(str(entry["unjudged"]) for entry in entries if _outcome(entry) in failed)
    return dict(found.most_common(_MOST_REASONS))


def _agreement(
    kind: str,
    judging: Judging,
    judged: Mapping[str, Sequence[Record]],
    predictions: Mapping[str, Prediction],
    metric: Judgeable,
) -> list[Agreement]:
    """Between the judges, and with the rule where it reads any of these answers."""
    names = [name for name, _ in judging.judges]
    found = [readings_by_judge(given) for given in judged.values()]
    records = [{"id": name, **predictions[name].to_record()} for name in judged]
    readings: dict[str, list[Any]] = {}
    for name, fingerprint in judging.judges:
        label = name if names.count(name) == 1 and name != RULE else f"{name} ({fingerprint[:8]})"
        readings[label] = [one.get((name, fingerprint)) for one in found]
    by_rule = [_by_rule(record, kind, metric) for record in records]
    if any(item is not None for item in by_rule):
        readings[RULE] = by_rule
    return agreements(readings, clusters_of(records), numbers=kind in NUMBERS, rule=RULE)


def _by_rule(record: Record, kind: str, metric: Judgeable) -> Any:
    """What the rule reads; None where it reads nothing, or something of another kind."""
    try:
        if metric.judge_kind(record) == kind:
            return metric.rule_reading(metric.own_record(record))
    except Exception:  # the judges may have been able to read it all the same
        return None
    return None
