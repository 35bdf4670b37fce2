"""What stands under a table about judges: who judged how much, and how far they agree."""

from __future__ import annotations

from chef.metric.judge_summary import JudgeCounts, JudgeSummary
from chef.report.outline import interval, number, outline
from chef.stats.agreement import Agreement

#: What became of the answers that were neither judged nor read by the rule.
_OTHERS = (
    ("skipped", "skipped (their group is decided)"),
    ("unparsed", "unparsed"),
    ("errors", "errors"),
    ("disagreed", "without a majority"),
    ("not_asked", "not asked yet"),
)


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
