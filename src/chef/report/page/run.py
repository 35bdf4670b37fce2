"""The page of one run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from chef.common.version import VERSION
from chef.report.page.content import PageContent, Section, Words
from chef.report.page.drawn import drawings
from chef.report.page.figures import (
    coverage_table,
    error_table,
    figures_table,
    judge_tables,
    verdict_table,
)
from chef.report.page.groupings import grouping_plots, grouping_tables
from chef.report.page.looked_at import Looked
from chef.report.page.made import made_tables
from chef.report.page.opened import OpenedRun
from chef.report.page.samples import rows_of


def run_page(
    opened: OpenedRun,
    made: str,
    *,
    by: Sequence[str] = (),
    on_sample: Callable[[], None] = lambda: None,
) -> PageContent:
    """The content of the page: figures, tables, drawings that apply, and the list of samples.

    Args:
        opened: the run; one that is not finished or not scored has a page of what is there.
        made: the date and time of now.
        by: the fields by which scores are shown; empty for all.
        on_sample: is called when a sample is written.

    Raises:
        DataError: a file of the run is damaged.
    """
    record, rows = opened.run.record, rows_of([opened])
    looked = Looked([opened], rows, on_sample)
    recipe = record.results.get("recipe", record.recipe_name)
    return PageContent(
        kind="run",
        title=f"{record.scenario_name}/{recipe} · {record.model_name}",
        subtitle=_subtitle(opened),
        made=made,
        sections=[*_sections(opened, by)],
        runs=[opened.label],
        rows=rows,
        views=looked.views,
        thumbnail=looked.thumbnail,
    )


def _subtitle(opened: OpenedRun) -> str:
    run, report = opened.run, opened.report
    facts = [f"run {run.folder.name}"]
    if sessions := run.environment.get("sessions"):
        facts.append(f"of {str(sessions[-1].get('started', ''))[:10]}")
    if report is None:
        facts.append(f"{len(opened.views.predictions)} answers, not scored")
    else:
        coverage = report.coverage
        facts.append(f"{coverage.scored} of {coverage.total} samples scored")
        if (stopped := report.stopped) is not None:
            facts.append(f"stopped early: the benchmark has {stopped.total}")
        facts.append(f"coverage {100 * coverage.coverage:.1f}%")
    made_by = run.environment.get("versions", {}).get("chef", VERSION)
    return " · ".join([*facts, f"chef {made_by}"])


def _sections(opened: OpenedRun, by: Sequence[str]) -> Iterator[Section]:
    report = opened.report
    if report is None:
        yield Words("This run has no figures yet", [f"{opened.why_unscored}."])
    else:
        if report.stopped is not None:
            yield Words("A part of the benchmark was asked", [report.stopped.why.replace("`", "")])
        yield figures_table(report)
    if report is not None and report.stopped is not None:
        yield Words("Not all samples were asked", [report.stopped.why])
    if opened.views.predictions:
        yield verdict_table(opened)
    if report is not None:
        if (covered := coverage_table(report)) is not None:
            yield covered
        if (failed := error_table(report)) is not None:
            yield failed
        yield from grouping_plots(report, by)
    yield from drawings(opened)
    if report is not None:
        yield from grouping_tables(report, by)
        yield from judge_tables(report)
    for other in opened.others:
        yield figures_table(other, f"Figures by {other.metric_type} ({other.file.name})")
        yield from judge_tables(other)
    yield from made_tables(opened.run)
