"""The page of several runs that are not about the same questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chef.document.numbers import interval, quantity
from chef.report.page.content import Cell, PageContent, Section, Table
from chef.report.page.opened import OpenedRun
from chef.report.page.overview import examples_plots, radar_plots, runs_table, scores_plots


def suite_page(runs: Sequence[OpenedRun], links: Sequence[str], made: str) -> PageContent:
    """The content of the page: an overview, drawings, and links to the pages of the runs.

    Args:
        runs: the runs.
        links: relative links to their pages, in order; empty where there is none.
        made: the date and time of now.
    """
    models = dict.fromkeys(run.run.record.model_name for run in runs)
    scored = sum(run.report is not None for run in runs)
    return PageContent(
        kind="suite",
        title=f"{len(runs)} runs of {', '.join(models)}",
        subtitle=f"{scored} of {len(runs)} runs are scored",
        made=made,
        sections=[*_sections(runs, links)],
    )


def _sections(runs: Sequence[OpenedRun], links: Sequence[str]) -> Iterator[Section]:
    yield from _overview(runs, links)
    yield from radar_plots(runs)
    yield from scores_plots(runs)
    yield from examples_plots(runs)
    yield runs_table(runs, links)


def _overview(runs: Sequence[OpenedRun], links: Sequence[str]) -> Iterator[Table]:
    """The main figure of each recipe and model, where there are several models.

    Of several runs of one recipe and model the last one given counts.
    """
    cells: dict[str, dict[str, Cell]] = {}
    for run, link in zip(runs, links, strict=True):
        report, item = run.report, run.primary
        if report is not None and item is not None:
            text = f"{quantity(item)} {interval(item)}".strip()
            row = cells.setdefault(f"{report.label} · {report.primary}", {})
            row[report.model] = Cell(text, href=link)
    models = list(dict.fromkeys(model for row in cells.values() for model in row))
    if len(models) > 1:
        rows = [
            (name, *(found.get(model, "") for model in models)) for name, found in cells.items()
        ]
        yield Table("Models and recipes", ("recipe", *models), rows)
