"""The table of the figures of runs, and what stands under it about judges."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, get_type_hints

import msgspec

from chef.document.numbers import clusters, counted, interval, interval_cell, number, quantity
from chef.document.sections import Cell, Table
from chef.frozen import Frozen
from chef.metric import Report
from chef.metric.verdicts import JudgeCounts, JudgeSummary
from chef.stats.agreement import Agreement
from chef.stats.power import planned

#: The columns of a figure; see `figure_cells`.
FIGURE = ("value", "95% interval", "n", "clusters", "chance", "coverage")
_COUNTS = (
    ("errors", "errors (not scored)"),
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


class FigureLine(Frozen):
    """The scores of one run or file of answers by one metric, as lines of a table.

    ``chance`` is the score of random guessing, in 0..1, by the keys of the metrics it belongs to;
    ``place`` is where the scores are, shown under the table.
    """

    report: Report
    label: str
    chance: Mapping[str, float]
    place: str


def run_table(title: str, lines: Sequence[FigureLine]) -> Table:
    """Every metric with its uncertainty and coverage; below, the sample counts and files."""
    more = titled(line.report for line in lines)
    cells = [row for line in lines for row in _rows(line, more)]
    closing = [text for line in lines for text in _closing(line)]
    meaning = _meaning([line.report for line in lines])
    columns = ("recipe", "metric", *FIGURE, *more, "judge")
    place = columns.index("clusters")
    counts = {row[place] for row in cells}
    if len(counts) == 1 and any(f", {count} clusters" in text for count in counts
                                for text in meaning):  # fmt: skip
        cells = [[*row[:place], "", *row[place + 1 :]] for row in cells]
    headers, rows = without_empty(columns, cells, ("clusters", "judge"))
    note = "\n".join([*closing, *meaning])
    return Table(title, headers, rows, note, names=2)


def titled(reports: Iterable[Report]) -> list[str]:
    """The titles of the fields of results that are shown as columns of their own."""
    kinds = dict.fromkeys(map(type, reports))
    return list(dict.fromkeys(name for kind in kinds for name in _titles(kind)))


def _titles(kind: type[Report]) -> dict[str, str]:
    """The fields of a class by their titles."""
    hints = get_type_hints(kind, include_extras=True) if kind is not Report else {}
    return {
        meta.title: name
        for name in kind.__struct_fields__
        for meta in getattr(hints.get(name), "__metadata__", ())
        if isinstance(meta, msgspec.Meta) and meta.title
    }


def titled_values(report: Report) -> dict[str, Any]:
    """The values of the fields that are shown as columns of their own, by their names."""
    return {name: getattr(report, name) for name in _titles(type(report)).values()}


def shown_field(report: Report, title: str) -> str:
    """The value of the field with a title, as tables show it; empty where it is None."""
    name = _titles(type(report)).get(title)
    item = None if name is None else getattr(report, name)
    return "" if item is None else f"{item:.4g}" if isinstance(item, float) else str(item)


def without_empty(
    headers: Sequence[str], rows: Sequence[Sequence[str | Cell]], names: Collection[str]
) -> tuple[list[str], list[list[str | Cell]]]:
    """The columns and rows without those of some names that are empty in every row."""
    kept = [
        place
        for place, name in enumerate(headers)
        if name not in names or any(row[place] for row in rows)
    ]
    return [headers[place] for place in kept], [[row[place] for place in kept] for row in rows]


def figure_cells(
    report: Report, key: str, chance: Mapping[str, float], more: Sequence[str]
) -> list[str | Cell]:
    """The cells of a figure under `FIGURE`, chance in 0..1, then those of further fields."""
    item = report.metrics[key]
    guessed = number(chance[key], "0-1") if key in chance else ""
    counts = [str(item.n), clusters(item), guessed, f"{100 * report.coverage.coverage:.1f}%"]
    others = [shown_field(report, title) for title in more]
    return [quantity(item), interval_cell(item), *counts, *others]


def _rows(line: FigureLine, more: Sequence[str]) -> Iterator[list[str | Cell]]:
    """A row for each figure; what is of the whole run stands in the first one alone."""
    report = line.report
    judge = report.judge.short_label if report.judge and report.judge.had_part else ""
    for place, key in enumerate(report.metrics):
        cells = figure_cells(report, key, line.chance, more)
        if place:
            cells[len(FIGURE) - 1 :] = [""] * (1 + len(more))
        yield ["" if place else line.label, key, *cells, judge]


def _closing(line: FigureLine) -> list[str]:
    """What stands under the table: counts, location, how free answers were compared, judges."""
    from chef.scoring.remarks import blind_note

    report = line.report
    counts, free = report.coverage, str(report.details.get("open_answers", ""))
    notes = [f"{counts.scored} of {counts.total} samples scored"]
    notes += [counted(count, what) for key, what in _COUNTS if (count := getattr(counts, key))]
    lines = [f"{', '.join(notes)}. {line.place}"]
    lines += [report.stopped.why] if report.stopped else []
    lines += [report.cut.why] if report.cut else []
    lines += filter(None, [blind_note(report.details)])
    lines += [f"Free answers: {free}."] if free else []
    return lines + (judge_lines(report.judge) if report.judge else [])


def _meaning(reports: Sequence[Report]) -> list[str]:
    """What the intervals are of, and the differences that shares so well known show; or nothing.

    A run that stopped early says it by itself.
    """
    known = [
        item
        for report in reports
        if not report.stopped
        and (item := report.metrics.get(report.primary)) is not None
        and item.low is not None
    ]
    if not known:
        return []
    counts = list(dict.fromkeys(map(clusters, known)))
    of = f", {counts[0]} clusters" if len(counts) == 1 and counts[0] else ""
    least = [
        100 * shown[1]
        for item in known
        if item.effective_n and (shown := planned(int(min(item.n, item.effective_n))))
    ]
    if len(least) < len(known):
        return [f"Intervals: of questions like these{of}."]
    ends = dict.fromkeys(f"{end:.{int(end < 10)}f}" for end in (min(least), max(least)))
    show = f"; differences of {'-'.join(ends)} points show"
    return [f"Intervals: of questions like these{of}{show}."]


def judge_lines(judge: JudgeSummary) -> list[str]:
    """Who judged how much, and which judgements could not be read."""
    counts = [f"{judge.judged} of {judge.total} answers"]
    counts += [f"{judge.by_rule} read by rule"] if judge.by_rule else []
    counts += [counted(count, what) for key, what in _OTHERS if (count := getattr(judge, key))]
    who = f"Judged by {judge.label}" if judge.judges else "No judge was asked yet"
    kinds = f"kind {', '.join(judge.kinds)}, " if judge.kinds else ""
    lines = [f"{who}: {', '.join(counts)} ({kinds}when: {judge.when})"]
    unread = sum(one.unparsed for one in judge.judges)
    # Of one judge the counts of answers tell it, unless an answer is scored without its reading.
    if len(judge.judges) > 1 or unread > judge.unparsed:
        lines += [line for one in judge.judges if (line := _failures(one))]
    lines += [f"  {count} without a judgement: {why}" for why, count in judge.reasons.items()]
    return lines


def _failures(judge: JudgeCounts) -> str:
    """The judgements of one judge that have no reading; empty if all have one."""
    told = {"unparsed": judge.unparsed, "errors": judge.error}
    counts = [f"{count} {name}" for name, count in told.items() if count]
    asked = judge.ok + judge.unparsed + judge.error
    return f"  {judge.label}: {', '.join(counts)} of {asked} judgements" if counts else ""


def agreement_table(judge: JudgeSummary, title: str = "") -> Table | None:
    """How far judges agree with each other and with the rule; None where nothing was compared."""
    several = len(judge.agreement) > 1
    items = [
        (item, f" of kind {kind}" if several else "")
        for kind, found in judge.agreement.items()
        for item in found
    ]
    if not items:
        return None
    headers = ("agreement of", "measure", "value", "95% interval", "equal", "n")
    why = [
        f"{_raters(item)}{note}: undefined, {item.reason}" for item, note in items if item.reason
    ]
    rows = [_line(item, note) for item, note in items]
    return Table(title, headers, rows, "\n".join(dict.fromkeys(why)), names=2)


def _line(item: Agreement, note: str) -> tuple[str, ...]:
    equal = "" if item.percent is None else number(item.percent, "%")
    value = number(item.estimate.value, item.estimate.unit)
    spread = interval(item.estimate)
    return _raters(item) + note, item.measure, value, spread, equal, str(item.estimate.n)


def _raters(item: Agreement) -> str:
    return ", ".join(item.raters)
