"""The page of one run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from chef.common.options import letters
from chef.common.version import VERSION
from chef.errors import ChefError
from chef.metric.groups import Group
from chef.report.groups import chance_of, group_table
from chef.report.labels.result import of_report
from chef.report.page.content import PageContent, Plot, SampleRow, Section, Table, Words
from chef.report.page.figures import (
    coverage_table,
    error_table,
    figures_table,
    headline,
    judge_tables,
    typical_mistakes,
)
from chef.report.page.opened import Looked, OpenedRun, rows_of
from chef.report.page.overview import made_tables
from chef.report.page.plots import Bin, bars, confusion, histogram, mark_of, reliability
from chef.report.page.plots.bars import unit_of
from chef.report.views.answers import confidence_of
from chef.scoring.result import RunResult
from chef.stats.calibration import calibration_error
from chef.stats.estimate import PERCENT, Estimate

#: With fewer answers a reliability diagram shows noise.
_FEWEST = 10
#: More options than these make no matrix that can be read.
_MOST_LETTERS = 10


def run_page(
    opened: OpenedRun,
    made: str,
    *,
    by: Sequence[str] = (),
    on_sample: Callable[[], None] = lambda: None,
) -> PageContent:
    """The content of the page: figures, tables, drawings that apply, and the list of samples.

    A run that is not finished or not scored has a page of what is there; ``by`` has the fields by
    which scores are shown (empty: all). DataError if a file of the run is damaged.
    """
    record, rows = opened.run.record, rows_of([opened])
    looked = Looked([opened], rows, on_sample)
    return PageContent(
        kind="run",
        title=f"{record.scenario_name}/{record.recipe_name} · {record.model_name}",
        subtitle=_subtitle(opened),
        made=made,
        sections=[*_sections(opened, rows, by)],
        runs=[opened.label],
        rows=rows,
        views=looked.views,
        thumbnail=looked.thumbnail,
        picture=looked.picture,
        commands=looked.commands,
    )


def _subtitle(opened: OpenedRun) -> str:
    run, report = opened.run, opened.report
    facts = [f"run {run.folder.name}"]
    if sessions := run.environment.get("sessions"):
        facts.append(f"of {str(sessions[-1].get('started', ''))[:10]}")
    if report is None:
        facts.append(f"{len(opened.views.predictions)} answers, not scored")
    else:
        facts.append(f"{report.coverage.total} samples")
        if (stopped := report.stopped) is not None:
            facts.append(f"stopped early: the benchmark has {stopped.total}")
    made_by = run.environment.get("versions", {}).get("chef", VERSION)
    return " · ".join([*facts, f"chef {made_by}"])


def _sections(opened: OpenedRun, rows: Sequence[SampleRow], by: Sequence[str]) -> Iterator[Section]:
    report = opened.report
    if report is None:
        yield Words("This run has no figures yet", [f"{opened.why_unscored}."])
    else:
        if report.stopped is not None:
            yield Words("A part of the benchmark was asked", [report.stopped.why.replace("`", "")])
        yield headline(opened, report)
        if (failed := error_table(report)) is not None:
            yield failed
        yield from typical_mistakes(opened, rows)
        if (figures := figures_table(report, without=report.primary)).rows:
            yield figures
        yield from people_tables(report)
        if (covered := coverage_table(report)) is not None:
            yield covered
        yield from grouping_plots(report, by)
    yield from drawings(opened)
    if report is not None:
        yield from grouping_tables(report, by)
        yield from judge_tables(report)
    for other in opened.others:
        yield from people_tables(other)
        yield figures_table(other, f"Figures by {other.metric_type} ({other.file.name})")
        yield from judge_tables(other)
    yield from made_tables(opened.run)


def people_tables(report: RunResult) -> Iterator[Section]:
    """What labels of people make of the score; nothing where there are none, or too few."""
    try:
        result = of_report(report)
    except ChefError as error:
        yield Words("Labels of people", [f"{error.what}."])
        return
    if result is not None:
        yield result.section()


def drawings(run: OpenedRun) -> Iterator[Plot]:
    """Reliability where options have probabilities, confusion of letters, spread of scores."""
    for plot in (_reliability(run), _confusion(run), _spread(run)):
        if plot is not None:
            yield plot


def _reliability(run: OpenedRun) -> Plot | None:
    """Over the bins of the metric, if it has them, else over those of `calibration_error`."""
    title = "Reliability: how often answers of each confidence are right"
    report = run.report
    own = [item for item in report.all_metrics if "Acc_bins" in item.details] if report else []
    if own:
        ece = own[0].metrics.get("ECE")
        if ece is not None and ece.n >= _FEWEST:
            return reliability(title, _own_bins(own[0], ece.n), ece)
    known = [
        (known, run.views.verdicts[name] == "right")
        for name, item in run.views.predictions.items()
        if (known := confidence_of(item)) is not None
        and run.views.verdicts[name] in ("right", "wrong")
    ]
    found = calibration_error([one for one, _ in known], [float(right) for _, right in known])
    if found is None or len(known) < _FEWEST:
        return None
    bins = _bins(found.confidences, found.rights, found.sizes)
    return reliability(title, bins, Estimate(found.error, len(known), unit="0-1"))


def _own_bins(report: RunResult, n: int) -> list[Bin]:
    """The bins of a metric; of earlier results, of nearly equal size."""
    probs = report.details["Prob_bins"]
    even = [n // len(probs) + (place < n % len(probs)) for place in range(len(probs))]
    return _bins(probs, report.details["Acc_bins"], report.details.get("N_bins", even))


def _bins(probs: Sequence[float], rights: Sequence[float], sizes: Sequence[int]) -> list[Bin]:
    return [Bin(*one) for one in zip(probs, rights, sizes, strict=True)]


def _confusion(run: OpenedRun) -> Plot | None:
    """Chosen against right letters, of the samples with one right option."""
    if not run.reads_options:
        return None
    counts: Counter[tuple[str, str]] = Counter()
    for name, (right, chosen) in run.letters.items():
        if right and run.views.verdicts[name] not in ("error", "unscored"):
            counts[right, chosen or "unread"] += 1
    seen = {letter for pair in counts for letter in pair} - {"unread"}
    names = [name for name in letters(26) if name <= max(seen, default="")]
    if not 2 <= len(names) <= _MOST_LETTERS:
        return None
    return confusion("Option letters: chosen against right", names, counts)


def _spread(run: OpenedRun) -> Plot | None:
    """How the scores are spread, where they are more than right and wrong."""
    if "partly" not in run.views.verdicts.values():
        return None
    scores = [
        float(score)
        for entry in run.views.entries.values()
        if isinstance(score := entry.get("score"), int | float)
    ]
    ends = (0.0, 1.0) if all(0 <= score <= 1 for score in scores) else None
    return histogram("Scores of the samples", scores, label="score", ends=ends)


#: The most groups that bars are drawn of.
_DRAWN = 40
#: The coverage of a group that is scored as a whole.
_WHOLE = "100.0%"


def grouping_tables(report: RunResult, by: Sequence[str] = ()) -> Iterator[Table]:
    """For each grouping (of ``by``, or all) a table of every metric."""
    for field in by or report.by:
        for item in report.all_metrics:
            if item.by.get(field):
                yield from _table(item, field, is_main=item is report)


def grouping_plots(report: RunResult, by: Sequence[str] = ()) -> Iterator[Plot]:
    """Bars of the main figure for each grouping; arguments as of `grouping_tables`."""
    for field in by or report.by:
        if (plot := _bars(report, field)) is not None:
            yield plot


def _table(report: RunResult, field: str, *, is_main: bool) -> Iterator[Table]:
    """As the terminal has it, folded where a drawing has the same figures."""
    table = group_table(report, field)
    if table is None:
        return
    headers, rows = table.headers, table.rows
    if all(row[-1] == _WHOLE for row in rows):  # a column that says nothing takes room
        headers, rows = headers[:-1], [row[:-1] for row in rows]
    is_drawn = is_main and _bars(report, field) is not None
    title = table.title if is_main else f"{table.title}, {report.metric_type}"
    yield replace(table, title=title, headers=headers, rows=rows, is_collapsed=is_drawn)


def _bars(report: RunResult, field: str) -> Plot | None:
    """Bars of the groups; None where they are too few or too many to be looked at."""
    key = report.primary
    groups: Mapping[str, Group] = report.by.get(field, {})
    found = {name: group.metrics[key] for name, group in groups.items() if key in group.metrics}
    if not 2 <= len(found) <= _DRAWN:
        return None
    first = next(iter(found.values()))
    chances = [chance_of(report, groups[name]) for name in found] if first.unit in PERCENT else []
    return bars(
        f"{key} by {field}",
        [mark_of(name, item) for name, item in found.items()],
        unit=unit_of(first),
        label=f"{key}, %" if first.unit in PERCENT else key,
        references=[None if item is None else 100 * item for item in chances],
    )
