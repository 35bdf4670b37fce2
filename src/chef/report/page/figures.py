"""The first screen of a run, and its tables: figures, coverage, what failed, judges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import NormalDist
from typing import Literal

from chef.document.numbers import interval, number, quantity, shares_of, with_interval
from chef.metric.groups import COMMA, Group
from chef.report.groups import chance_of
from chef.report.page.content import Cards, Cell, Headline, Part, SampleRow, Table
from chef.report.page.opened import ERROR, OpenedRun, cause
from chef.report.sample_view import VERDICTS
from chef.scoring.errors import SHOWN
from chef.scoring.figures import (
    FIGURE,
    agreement_table,
    figure_cells,
    judge_lines,
    titled,
    without_empty,
)
from chef.scoring.remarks import blind_note
from chef.scoring.result import RunResult
from chef.stats.estimate import PERCENT, Estimate

#: What the counts of the coverage are called.
_OUTCOMES = {
    "scored": "scored",
    "truncated": "of these cut by the token limit",
    "refused": "of these refused",
    "unparsed": "unread (they count as not right)",
    "skipped": "of these needed no judge",
    "errors": "failed (they never count as wrong)",
    "no_truth": "without a known right answer",
    "unjudged": "not judged",
    "missing": "not asked",
}
#: What methods of intervals are called, where their key alone says little.
_METHODS = {
    "wilson": "Wilson's score interval",
    "wilson, clustered": "Wilson's score interval with whole clusters of samples",
    "log": "on the logarithmic scale",
    "log, clustered": "on the logarithmic scale, with whole clusters of samples",
}


def figures_table(report: RunResult, title: str = "Figures", without: str = "") -> Table:
    """Every figure by every metric with interval, n and chance, without the one shown elsewhere."""
    more = titled(report.all_metrics)
    rows: list[tuple[str | Cell, ...]] = [
        (
            key if item is report else f"{key} by {item.metric_type}",
            *figure_cells(item, key, item.chance, more),
        )
        for item in report.all_metrics
        for key in item.metrics
        if item is not report or key != without
    ]
    headers, cells = without_empty(("figure", *FIGURE, *more), rows, ("clusters", "chance"))
    return Table(title, headers, cells, "" if without else figures_note(report))


def figures_note(report: RunResult) -> str:
    """How free answers were read, and how intervals were computed."""
    notes = [f"Free answers: {item.details['open_answers']}." for item in report.all_metrics
             if item.details.get("open_answers")]  # fmt: skip
    methods = {item.method for one in report.all_metrics for item in one.metrics.values()}
    if known := [_METHODS.get(name, name) for name in sorted(methods - {"none"})]:
        notes.append(f"Intervals: {'; '.join(known)}.")
    return " ".join(dict.fromkeys(notes))


def coverage_table(report: RunResult) -> Table | None:
    """How many samples are scored, and what became of the others; None where all are scored."""
    metrics = report.all_metrics
    counts = [item.coverage for item in metrics]
    rows = []
    for key, name in _OUTCOMES.items():
        found = [int(getattr(one, key)) for one in counts]
        if key == "scored" or any(found):
            shares = (
                f"{n} ({100 * n / one.total:.1f}%)" if one.total else str(n)
                for n, one in zip(found, counts, strict=True)
            )
            rows.append((name, *shares))
    if len(rows) == 1 and all(one.scored == one.total for one in counts):
        return None  # the figures say that all are scored
    rows.append(("all", *(str(one.total) for one in counts)))
    headers = ("samples", *(["number"] if len(metrics) == 1 else [m.metric_type for m in metrics]))
    return Table("Coverage", headers, rows, is_collapsed=True)


def error_table(report: RunResult) -> Table | None:
    """What failed, by cause, with the remedy; None where nothing did."""
    rows = [
        (
            str(len(group.ids)),
            Cell(cause(group), {ERROR: cause(group)}),
            f"{group.at} (in the metric)" if group.stage == "metric" else group.at,
            group.hint,
            ", ".join(map(str, group.ids[:SHOWN])) + (" …" if len(group.ids) > SHOWN else ""),
        )
        for group in report.errors
    ]
    if not rows:
        return None
    return Table("Errors by cause", ("samples", "cause", "at", "remedy", "ids"), rows)


def judge_tables(report: RunResult) -> Iterator[Table]:
    """Who judged how much, and how far judges agree; of each metric that has judges."""
    for item in report.all_metrics:
        judge = item.judge
        if judge is None:
            continue
        of = "" if item is report else f", {item.metric_type}"
        rows = [
            (one.label, str(one.ok), str(one.unparsed), str(one.error), str(one.skipped))
            for one in judge.judges
        ]
        headers = ("judge", "judgements", "unreadable", "failed", "skipped")
        yield Table(f"Judges{of}", headers, rows, "\n".join(judge_lines(judge)))
        if (agreed := agreement_table(judge, f"Agreement of judges{of}")) is not None:
            yield agreed


_VERDICTS = {
    "right": "right",
    "wrong": "wrong",
    "partly": "partly right",
    "unread": "unread",
    "error": "failed",
    "refused": "refused",
    "unscored": "not scored",
}
#: The shares of answers that an interval leaves out, and its ends in standard deviations.
_LEVEL, _ENDS = 0.05, NormalDist().inv_cdf(0.975)
#: Of so many groups the weakest are named, and so many of them.
_GROUPS, _NAMED = range(2, 41), 3
#: So many mistakes are shown.
_TYPICAL = 3


def headline(opened: OpenedRun, report: RunResult) -> Headline:
    """The score with its interval, against guessing, and what became of the answers."""
    counts, note = _counts(opened)
    item, key = opened.primary, report.primary
    told = [report.warning, *_coverage(report), *_weakest(report), figures_note(report), note]
    paragraphs = [text for text in told if text]
    if item is None:
        return Headline("This run has no main figure", "-", counts=counts, paragraphs=paragraphs)
    chance = report.chance.get(key)
    finding, tone = against_chance(item, chance)
    bar = shares_of(item)
    return Headline(
        title=key,
        value=quantity(item),
        interval=interval(item),
        finding=finding,
        tone=tone,
        bar=bar,
        chance=chance if bar else None,
        counts=counts,
        paragraphs=paragraphs,
    )


def against_chance(item: Estimate, chance: float | None) -> tuple[str, Literal["", "good", "bad"]]:
    """Whether a score is above guessing, and the colour of that: none where it is not shown.

    Args:
        item: the score, a share of which more is better.
        chance: what guessing scores, 0 to 1; None where that is not known.

    >>> against_chance(Estimate(19.5, 41, low=10.7, high=32.9, unit="%"), 0.265)
    ('not above guessing, 26.5%', '')
    """
    factor = PERCENT.get(item.unit)
    if chance is None or factor is None or item.value is None:
        return "", ""
    guessed, level = number(chance, "0-1"), 100 * chance / factor
    if item.low is None or item.high is None:
        return f"guessing scores {guessed}", ""
    if item.low > level:
        return f"above guessing, {guessed}", "good"
    if item.high < level:
        return f"below guessing, {guessed}", "bad"
    return f"not above guessing, {guessed}", ""


def _coverage(report: RunResult) -> Iterator[str]:
    counts = report.coverage
    if counts.scored == counts.total:
        yield f"All {counts.total} samples are scored."
    else:
        share = number(counts.coverage, "0-1")
        yield f"{counts.scored} of {counts.total} samples are scored: a coverage of {share}."
    if report.cut is not None:
        yield report.cut.why
    if note := blind_note(report.details):
        yield note


def _counts(opened: OpenedRun) -> tuple[list[Part], str]:
    """How many answers are right, wrong, unread and so on, and what is to be said of that."""
    found = Counter(opened.views.verdicts.values())
    total, start = sum(found.values()), 0
    names = dict(_VERDICTS)
    notes = []
    if found["partly"] and not found["right"] + found["wrong"]:
        names["partly"] = "scored"
        notes.append("By this metric no answer is right or wrong.")
    elif found["partly"]:
        notes.append("Partly right: a score between 0 and 1.")
    if found["refused"] and found["unread"]:
        notes.append("A refused answer is counted with the refused, also where it is unread.")
    parts = []
    for key in VERDICTS:
        if number_ := found[key]:
            text = f"{number_} {names[key]} ({100 * number_ / total:.1f}%)"
            cell = Cell(text, {"verdict": key})
            parts.append(Part(key, start / total, number_ / total, cell))
            start += number_
    return parts, " ".join(notes)


def _weakest(report: RunResult) -> Iterator[str]:
    """The weakest groups of each field, each with what guessing scores in it."""
    whole = report.metrics.get(report.primary)
    if whole is None or whole.value is None or whole.higher_is_better is None:
        return
    for field, groups in report.by.items():
        known = {
            name: (group, item)
            for name, group in groups.items()
            if (item := group.metrics.get(report.primary)) is not None and item.value is not None
        }
        if COMMA in field or len(known) not in _GROUPS:
            continue
        sign = 1 if whole.higher_is_better else -1
        ranked = sorted(known, key=lambda name: sign * _abovechance_of(report, *known[name]))
        weak = [name for name in ranked if is_weaker(known[name][1], whole, among=len(known))][
            :_NAMED
        ]
        told = "; ".join(_told(report, name, *known[name]) for name in weak or ranked[:1])
        if weak:
            yield f"Weakest by {field}: {told}."
        else:
            yield f"No {field} is shown to be weaker than the whole; lowest is {told}."


def is_weaker(item: Estimate, whole: Estimate, *, among: int) -> bool:
    """Whether a group is shown to be below the whole run, jointly with all groups of its field.

    Its interval is made wider for the number of groups (Bonferroni), so that of groups that do not
    differ, one is named in one of twenty runs.

    Args:
        item: the figure of the group.
        whole: that of the run, in the same unit.
        among: the number of groups.

    >>> group = Estimate(40.0, 100, low=30.5, high=50.2, unit="%")
    >>> [is_weaker(group, Estimate(52.0, 900), among=groups) for groups in (1, 9)]
    [True, False]
    """
    if None in (item.value, item.low, item.high, whole.value):
        return False
    value, low, high = item.value or 0.0, item.low or 0.0, item.high or 0.0
    wider = NormalDist().inv_cdf(1 - _LEVEL / (2 * among)) / _ENDS
    if whole.higher_is_better is False:
        return value - wider * (value - low) > (whole.value or 0.0)
    return value + wider * (high - value) < (whole.value or 0.0)


def _abovechance_of(report: RunResult, group: Group, item: Estimate) -> float:
    guessed = chance_of(report, group)
    return (item.value or 0.0) - 100 * (guessed or 0.0) / PERCENT.get(item.unit, 100.0)


def _told(report: RunResult, name: str, group: Group, item: Estimate) -> str:
    guessed = chance_of(report, group)
    text = f"{name} {with_interval(item)}"
    return text if guessed is None else f"{text}, guessing {number(guessed, '0-1')}"


def typical_mistakes(opened: OpenedRun, rows: Sequence[SampleRow]) -> Iterator[Cards]:
    """A few wrong answers, from the groups that have the most of them.

    Of each group it is the one of middle confidence, or the middle one of the list.
    """
    wrong = [row for row in rows if row.runs[0] and row.runs[0].verdict in ("wrong", "unread")]
    if not wrong:
        return
    field = _field(opened, wrong)
    groups: dict[str, list[SampleRow]] = {}
    for row in wrong:
        groups.setdefault(row.fields.get(field, ""), []).append(row)
    most = sorted(groups, key=lambda name: -len(groups[name]))[:_TYPICAL]
    examples = [_middle(groups[name]) for name in most]
    examples += [row for row in wrong[:: max(1, len(wrong) // _TYPICAL)] if row not in examples]
    note = f"From the groups by {field} with the most wrong answers." if len(most) > 1 else ""
    filter_: Mapping[str, str] = {"verdict": "wrong,unread", "look": "gallery"}
    all_ = f"All {len(wrong)} as a gallery" if len(wrong) > 1 else ""
    ids = [row.id for row in examples[:_TYPICAL]]
    yield Cards("Typical wrong answers", ids, note or "There are few.", filter_, all_)


def _field(opened: OpenedRun, wrong: Sequence[SampleRow]) -> str:
    """The first field that parts the wrong answers into groups, but not each from all others."""
    for name in opened.groupings:
        values = {row.fields.get(name, "") for row in wrong}
        if 1 < len(values) <= max(2, len(wrong) // 2):
            return name
    return ""


def _middle(rows: Sequence[SampleRow]) -> SampleRow:
    confidence = [row.runs[0].confidence if row.runs[0] else None for row in rows]
    if None not in confidence:
        rows = sorted(rows, key=lambda row: (row.runs[0].confidence or 0.0) if row.runs[0] else 0.0)
    return rows[len(rows) // 2]
