"""One plain-text table of metrics, and what stands under it about judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chef.document.numbers import clusters, interval, number, quantity
from chef.document.outline import outline
from chef.metric import Coverage, Estimate
from chef.metric.judge_summary import JudgeCounts, JudgeSummary
from chef.metric.stopped import StoppedEarly
from chef.stats.agreement import Agreement

_HEADERS = ("recipe", "metric", "value", "95% interval", "n", "clusters", "chance", "coverage")
_COUNTS = (
    ("errors", "errors (not scored)"),
    ("truncated", "truncated"),
    ("refused", "refused"),
    ("unparsed", "unparsed"),
    ("no_truth", "without a reference answer"),
    ("unjudged", "without a judgement (not scored)"),
    ("skipped", "not judged, as their group is decided"),
)


#: What became of the answers that were neither judged nor read by the rule.
_OTHERS = (
    ("skipped", "skipped (their group is decided)"),
    ("unparsed", "unparsed"),
    ("errors", "errors"),
    ("disagreed", "without a majority"),
    ("not_asked", "not asked yet"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """The scores of one run or file of answers.

    Attributes:
        label: the first column.
        metrics: the metrics, one line each.
        coverage: number of samples by outcome.
        chance: the score of random guessing, in 0..1, by the keys of the metrics it belongs to.
        place: location of the scores, shown under the table.
        open_answers: how free answers were compared; empty where there are none.
        judge: who judged; None where no judge had a part in the figures.
        stopped: what ended the run before the whole benchmark was asked; None where nothing did.
    """

    label: str
    metrics: Mapping[str, Estimate]
    coverage: Coverage
    chance: Mapping[str, float]
    place: str
    open_answers: str = ""
    judge: JudgeSummary | None = None
    stopped: StoppedEarly | None = None


def format_table(title: str, rows: Sequence[Row], width: int | None = None) -> str:
    """Format every metric with its uncertainty and coverage, then the sample counts and files.

    Args:
        title: the first line.
        rows: the runs.
        width: the columns of the terminal; columns of the table are left out until it fits. None
            for any number.
    """
    judged = any(row.judge and row.judge.had_part for row in rows)
    headers: Sequence[str] = (*_HEADERS, "judge") if judged else _HEADERS
    lines: list[Sequence[str]] = [line[: len(headers)] for row in rows for line in _lines(row)]
    place = headers.index("clusters")
    if not any(line[place] for line in lines):
        headers, lines = _without(headers, place), [_without(line, place) for line in lines]
    closing = [_closing(row, width) for row in rows]
    return "\n".join([title, outline(headers, lines, width, names=2), *closing])


def _without(items: Sequence[str], place: int) -> tuple[str, ...]:
    return tuple(item for number, item in enumerate(items) if number != place)


def _lines(row: Row) -> list[list[str]]:
    lines = []
    judge = row.judge.short_label if row.judge and row.judge.had_part else ""
    label, coverage = row.label, f"{100 * row.coverage.coverage:.1f}%"
    for key, item in row.metrics.items():
        values = [quantity(item), interval(item), str(item.n), clusters(item)]
        chance = number(row.chance[key], "0-1") if key in row.chance else ""
        lines.append([label, key, *values, chance, coverage, judge])
        label = coverage = ""
    return lines


def _closing(row: Row, width: int | None) -> str:
    """What stands under the table: counts, location, how free answers were compared, judges."""
    counts = row.coverage
    notes = [f"{counts.scored} of {counts.total} samples scored"]
    notes += [f"{count} {what}" for key, what in _COUNTS if (count := getattr(counts, key))]
    lines = [f"{', '.join(notes)}. {row.place}"]
    lines += [row.stopped.why] if row.stopped else []
    lines += [f"Free answers: {row.open_answers}."] if row.open_answers else []
    return "\n".join(lines + (judge_lines(row.judge, width) if row.judge else []))


def judge_lines(judge: JudgeSummary, width: int | None) -> list[str]:
    """The line about the judges, and the table of their agreement where there is any.

    Args:
        judge: who judged, and how much.
        width: the columns of the terminal; None for any number.
    """
    counts = [f"{judge.judged} of {judge.total} answers"]
    counts += [f"{judge.by_rule} read by rule"] if judge.by_rule else []
    counts += [f"{count} {what}" for key, what in _OTHERS if (count := getattr(judge, key))]
    who = f"Judged by {judge.label}" if judge.judges else "No judge was asked yet"
    kinds = f"kind {', '.join(judge.kinds)}, " if judge.kinds else ""
    found = [f"{who}: {', '.join(counts)} ({kinds}when: {judge.when})"]
    unread = sum(one.unparsed for one in judge.judges)
    # Of one judge the counts of answers tell it, unless an answer is scored without its reading.
    if len(judge.judges) > 1 or unread > judge.unparsed:
        found += [line for one in judge.judges if (line := _failures(one))]
    found += [f"  {count} without a judgement: {why}" for why, count in judge.reasons.items()]
    return [*found, *_agreement(judge, width)]


def _failures(judge: JudgeCounts) -> str:
    """The judgements of one judge that have no reading; empty if all have one."""
    told = {"unparsed": judge.unparsed, "errors": judge.error}
    counts = [f"{count} {name}" for name, count in told.items() if count]
    asked = judge.ok + judge.unparsed + judge.error
    return f"  {judge.label}: {', '.join(counts)} of {asked} judgements" if counts else ""


def _agreement(judge: JudgeSummary, width: int | None) -> list[str]:
    several = len(judge.agreement) > 1
    items = [
        (item, f" of kind {kind}" if several else "")
        for kind, found in judge.agreement.items()
        for item in found
    ]
    if not items:
        return []
    headers = ("agreement of", "measure", "value", "95% interval", "equal", "n")
    lines = [_line(item, note) for item, note in items]
    why = [
        f"{_raters(item)}{note}: undefined, {item.reason}" for item, note in items if item.reason
    ]
    return [outline(headers, lines, width, names=2), *dict.fromkeys(why)]


def _line(item: Agreement, note: str) -> tuple[str, ...]:
    equal = "" if item.percent is None else number(item.percent, "%")
    value = number(item.estimate.value, item.estimate.unit)
    spread = interval(item.estimate)
    return _raters(item) + note, item.measure, value, spread, equal, str(item.estimate.n)


def _raters(item: Agreement) -> str:
    return ", ".join(item.raters)
