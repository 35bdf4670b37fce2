"""The overview of many runs: a matrix, drawings, and a list of the samples of all of them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chef.document.numbers import number
from chef.report.page.content import Cell, PageContent, RunCell, SampleRow, Section, Table, Words
from chef.report.page.opened import OpenedRun
from chef.report.page.overview import examples_plots, radar_plots, scores_plots
from chef.report.page.samples import rows_of
from chef.report.runs import RunLine, matrix, runs_table

#: So many answers of samples a page can search at once; a browser reads them in a second.
_MOST = 200_000


@dataclass(frozen=True, slots=True)
class OverviewRun:
    """A run of an overview.

    ``opened`` is None where it is damaged; ``link`` to its page and the name of its ``sweep`` may
    be empty.
    """

    line: RunLine
    opened: OpenedRun | None = None
    link: str = ""
    sweep: str = ""


def suite_page(
    runs: Sequence[OverviewRun], made: str, sweeps: Mapping[str, str] | None = None, live: str = ""
) -> PageContent:
    """The content of the page: the matrix, drawings, and the samples of all runs to be searched.

    The runs of a sweep are a line together, with its link of ``sweeps``.
    """
    alone = [run for run in runs if not run.sweep]
    opened = [run.opened for run in alone if run.opened is not None]
    models = dict.fromkeys(run.line.model for run in runs)
    scored = sum(run.line.estimate is not None for run in runs)
    answers = sum(len(run.views.predictions) for run in opened)
    return PageContent(
        kind="suite",
        title=f"{len(runs)} runs of {', '.join(models)}" if runs else "No runs yet",
        subtitle=f"{scored} of {len(runs)} runs are scored",
        made=made,
        sections=[*_sections(alone, opened), *_sweeps(runs, sweeps or {}), *_left_out(answers)],
        runs=[run.label for run in opened],
        rows=_rows(opened) if answers <= _MOST else (),
        commands=[shlex.quote(str(run.run.folder)) for run in opened],
        links=[run.link for run in alone if run.opened is not None],
        live=live,
    )


def _sections(runs: Sequence[OverviewRun], opened: Sequence[OpenedRun]) -> Iterator[Section]:
    # Those that can be opened come first, so that a cell's number is that of its run on the page.
    ordered = sorted(runs, key=lambda run: run.opened is None)
    lines, links = [run.line for run in ordered], [run.link for run in ordered]
    table = matrix(lines, links)
    if len(table.rows) > 1:
        yield table
    if lines:
        above = Path(os.path.commonpath([line.path.parent for line in lines]))
        yield replace(runs_table(lines, above, links), title="Runs")
    yield from radar_plots(opened)
    yield from scores_plots(opened)
    yield from examples_plots(opened)


def _sweeps(runs: Sequence[OverviewRun], links: Mapping[str, str]) -> Iterator[Table]:
    """A line for each sweep: how many runs it has, and how far their figures are apart."""
    rows = []
    for name in dict.fromkeys(run.sweep for run in runs if run.sweep):
        lines = [run.line for run in runs if run.sweep == name]
        known = [item for line in lines if (item := line.estimate) and item.value is not None]
        ends = sorted(known, key=lambda item: item.value or 0.0)
        low, high = ([number(one.value, one.unit) for one in (ends[0], ends[-1])]
                     if ends else ("", ""))  # fmt: skip
        models = ", ".join(dict.fromkeys(line.model for line in lines))
        figures = ", ".join(dict.fromkeys(line.figure for line in lines if line.figure))
        rows.append(
            (Cell(name, href=links.get(name, "")), models, str(len(lines)), figures, low, high)
        )
    if rows:
        headers = ("sweep", "models", "runs", "metric", "lowest", "highest")
        yield Table("Sweeps", headers, rows, names=2)


def _left_out(answers: int) -> Iterator[Words]:
    if answers > _MOST:
        text = (
            f"The runs have {answers:,} answers, more than a page can search at once ({_MOST:,}): "
            "give fewer runs, or look at the page of one."
        )
        yield Words("Samples", [text])


def _rows(runs: Sequence[OpenedRun]) -> list[SampleRow]:
    """The samples of all runs; those of one scenario are about the same questions."""
    scenarios: dict[str, list[int]] = {}
    for place, run in enumerate(runs):
        scenarios.setdefault(run.run.record.scenario_name, []).append(place)
    rows = []
    for name, places in scenarios.items():
        for row in rows_of([runs[place] for place in places]):
            cells: list[RunCell | None] = [None] * len(runs)
            for place, cell in zip(places, row.runs, strict=True):
                cells[place] = cell
            more = {"scenario": name} if len(scenarios) > 1 else {}
            rows.append(replace(row, runs=cells, fields={**more, **row.fields}))
    return rows
