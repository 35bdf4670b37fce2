"""The page of a comparison of runs that were asked the same questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from chef.report.compare.comparison import (
    Comparison,
    Difference,
    Pair,
    evidence,
    group_tables,
    pair_table,
    people_tables,
)
from chef.report.compare.verdict import is_decided, verdict
from chef.report.page.content import Cell, PageContent, Plot, Section, Table, Words
from chef.report.page.opened import Looked, OpenedRun, rows_of
from chef.report.page.overview import examples_plots, flattened, scores_plots
from chef.report.page.plots import dots, heat_map, mark_of
from chef.report.runs import line_of, runs_table
from chef.stats.estimate import PERCENT

#: So many ids of samples are listed; the list of samples has all.
_SHOWN = 20
#: What stands below the figures of a pair.
_DETECTABLE = (
    "Differences are paired, those of shares in points; detectable is the smallest true difference "
    "that so many samples find with a power of 80%."
)
#: More groups than these are not drawn.
_DRAWN = 40


def comparison_page(
    comparison: Comparison,
    runs: Sequence[OpenedRun],
    made: str,
    *,
    by: Sequence[str] = (),
    on_sample: Callable[[], None] = lambda: None,
) -> PageContent:
    """The content of the page: differences, flips and groups, and the samples of all runs.

    ``runs`` are in the order of `Comparison.runs`, ``made`` is the date and time of now; ``by`` has
    the fields of the differences that are shown, all by default. DataError if a file is damaged.
    """
    rows = rows_of(runs)
    looked = Looked(runs, rows, on_sample)
    return PageContent(
        kind="comparison",
        title=" against ".join(comparison.runs) if len(runs) == 2 else f"{len(runs)} runs compared",
        subtitle=f"{comparison.primary} · {len(rows)} samples",
        made=made,
        sections=[*_sections(comparison, runs, by)],
        runs=list(comparison.runs),
        rows=rows,
        views=looked.views,
        thumbnail=looked.thumbnail,
        picture=looked.picture,
        commands=looked.commands,
    )


def _sections(
    comparison: Comparison, runs: Sequence[OpenedRun], by: Sequence[str]
) -> Iterator[Section]:
    notes = [*comparison.notes]
    if comparison.allowed:
        notes.append(f"Allowed to differ: {', '.join(comparison.allowed)}.")
    for item in comparison.pairs:
        notes += [f"{item.first} → {item.second}: {note}." for note in item.notes]
    found = [verdict(item, comparison.primary) for item in comparison.pairs]
    yield Words("What was found", [*found, *notes])
    for place, pair in enumerate(comparison.pairs):
        table = pair_table(pair, [*evidence(pair), *([] if place else [_DETECTABLE])])
        yield replace(table, is_collapsed=len(comparison.pairs) > 1)
    yield from people_tables(comparison)
    yield from _difference_plot(comparison)
    if len(comparison.runs) > 2:
        yield _matrix(comparison)
    yield from scores_plots(runs)
    yield from examples_plots(runs)
    if len(comparison.pairs) == 1:
        yield from _group_plots(comparison.main, comparison, by)
    yield from _flips(comparison)
    for pair in comparison.pairs:
        for table in group_tables(comparison, pair, by or list(pair.by)):
            yield replace(table, is_collapsed=len(comparison.pairs) > 1)
    yield replace(runs_table([line_of(run.run.folder) for run in runs]), title="Runs")
    yield from _configurations(comparison, runs)


def _difference_plot(comparison: Comparison) -> Iterator[Plot]:
    """The differences of the main figure, where there are several pairs."""
    found = {
        f"{pair.first} → {pair.second}": pair.deciding(comparison.primary)
        for pair in comparison.pairs
        if comparison.primary in pair.differences
    }
    if len(found) > 1:
        yield _dots(f"Differences of {comparison.primary}", found)


def _dots(title: str, found: Mapping[str, Difference]) -> Plot:
    unit = next(iter(found.values())).difference.unit
    marks = {name: [mark_of(name, item.difference)] for name, item in found.items()}
    shown = "points" if unit in PERCENT else unit
    return dots(title, marks, unit=shown, label=f"difference, {shown}", reference=0.0)


def _matrix(comparison: Comparison) -> Plot:
    """The difference of each pair, column minus row; in colour where verdict and gate show it."""
    known: dict[tuple[str, str], float] = {}
    decided: dict[tuple[str, str], float] = {}
    unit = ""
    for pair in comparison.pairs:
        item = pair.differences.get(comparison.primary)
        if item is None or item.difference.value is None:
            continue
        factor = PERCENT.get(item.difference.unit, 1.0)
        unit = "points" if item.difference.unit in PERCENT else item.difference.unit
        both = {
            (pair.first, pair.second): item.difference.value * factor,
            (pair.second, pair.first): -item.difference.value * factor,
        }
        known |= both
        decided |= both if is_decided(pair.deciding(comparison.primary)) else {}
    names = list(comparison.runs)
    values, shades = (
        [[of.get((row, column)) for column in names] for row in names] for of in (known, decided)
    )
    title = f"{comparison.primary} of the column minus that of the row"
    return heat_map(
        title, names, names, values, shades=shades, unit=unit, is_signed=True,
        note="coloured where a difference is shown",
    )  # fmt: skip


def _flips(comparison: Comparison) -> Iterator[Table]:
    """Which samples flip."""
    rows = []
    for pair in comparison.pairs:
        for what, ids in (("gained", pair.gained), ("lost", pair.lost)):
            shown = ", ".join(ids[:_SHOWN]) + (" …" if len(ids) > _SHOWN else "")
            leads = _flip_filter(what, pair, comparison.runs) if ids else None
            rows.append((f"{pair.first} → {pair.second}", what, Cell(str(len(ids)), leads), shown))
    if any(pair.mcnemar or pair.gained or pair.lost for pair in comparison.pairs):
        note = "Gained: wrong in the first run and right in the second; lost: the other way round."
        yield Table("Flips", ("runs", "flip", "samples", "ids"), rows, note)


def _flip_filter(what: str, pair: Pair, runs: Sequence[str]) -> dict[str, str]:
    """The filter of the flips of a pair; the page takes the first run if it names no other."""
    first, second = list(runs).index(pair.first) + 1, list(runs).index(pair.second) + 1
    against = {} if first == 1 else {"against": str(first)}
    return {"flip": what, "run": str(second), **against}


def _group_plots(pair: Pair, comparison: Comparison, by: Sequence[str]) -> Iterator[Plot]:
    """The differences of the main figure of each group, drawn."""
    for field, groups in pair.by.items():
        if (not by or field in by) and 2 <= len(groups) <= _DRAWN:
            yield _dots(f"Differences of {comparison.primary} by {field}", groups)


def _configurations(comparison: Comparison, runs: Sequence[OpenedRun]) -> Iterator[Section]:
    """The keys of config.yaml that are not the same in all runs."""
    found = [dict(flattened(run.run.config)) for run in runs]
    keys = dict.fromkeys(key for one in found for key in one)
    rows = [
        (key, *(one.get(key, "") for one in found))
        for key in keys
        if len({one.get(key) for one in found}) > 1
    ]
    title = "What the configurations differ in"
    if rows:
        yield Table(title, ("key", *comparison.runs), rows)
    else:
        yield Words(title, ["Nothing: all runs have the same configuration."])
