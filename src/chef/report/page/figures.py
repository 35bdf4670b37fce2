"""Tables of a run: its figures, its coverage, what failed, and judges."""

from __future__ import annotations

from collections.abc import Iterator

from chef.report.page.content import Cell, Table
from chef.report.page.samples import ERROR, cause
from chef.scoring.errors import SHOWN
from chef.scoring.figures import (
    FIGURE,
    agreement_table,
    figure_cells,
    judge_lines,
    titled,
    without_empty,
)  # fmt: skip
from chef.scoring.result import RunResult

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
            rows.append(
                (name, *(_count(n, one.total) for n, one in zip(found, counts, strict=True)))
            )
    if len(rows) == 1 and all(one.scored == one.total for one in counts):
        return None  # the figures say that all are scored
    rows.append(("all", *(str(one.total) for one in counts)))
    headers = ("samples", *(["number"] if len(metrics) == 1 else [m.metric_type for m in metrics]))
    return Table("Coverage", headers, rows, is_collapsed=True)


def _count(found: int, total: int) -> str:
    return f"{found} ({100 * found / total:.1f}%)" if total else str(found)


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
