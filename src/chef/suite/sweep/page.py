"""What a sweep found, as sections: of its page, and of the terminal."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from chef.document.numbers import number, p_value
from chef.document.outline import as_text
from chef.document.sections import Cell, Plot, Section, Table, Words
from chef.report.page.content import PageContent
from chef.report.page.plots import IntervalMark, Point, dots, heat_map, lines, mark_of
from chef.suite.sweep.file import FROM_POOL, SEED
from chef.suite.sweep.result import LISTED, PositionBias, SweepResult, runs_table, varied
from chef.suite.sweep.words import (
    BIAS_HEADERS,
    bias_rows,
    chance,
    falls,
    named,
    real,
    sentences,
    told,
)

#: So many heat maps are drawn, those of the largest interactions first.
_MAPS = 3
#: Factors whose numbers are names: between two of them lies nothing.
_NAMES = frozenset((*FROM_POOL, "rotation", SEED))


def sweep_page(found: SweepResult, links: Sequence[str] = (), made: str = "") -> PageContent:
    """The content of the page of a sweep, with links to the pages of its runs (empty: none)."""
    runs = len(found.combinations)
    return PageContent(
        kind="sweep",
        title=found.name,
        subtitle=f"{runs} runs · {', '.join(varied(found))}",
        made=made,
        sections=[*sections(found, links)],
    )


def sweep_table(found: SweepResult, width: int | None = None) -> str:
    """A sweep as text: the runs by their score, the other tables, and what they mean."""
    *others, runs = sections(found)
    words = [one for one in others if isinstance(one, Words)]
    title = Words("", [f"{found.name}: {len(found.combinations)} runs"])
    tables = [one for one in others if isinstance(one, Table)]
    return as_text([title, runs, *tables, *words], width)


def sections(found: SweepResult, links: Sequence[str] = ()) -> Iterator[Section]:
    """Words, tables and drawings, in order."""
    if paragraphs := [*sentences(found), *found.notes]:
        yield Words("What was found", paragraphs)
    if found.shares:
        yield _shares(found)
    yield from _levels(found)
    yield from _against_numbers(found)
    yield from _maps(found)
    if found.stable:
        yield _stable(found)
    for bias in found.biases[:1]:  # of all runs
        yield _letters(bias)
    if rows := bias_rows(found):
        yield Table("Option letters, where a factor changes them", BIAS_HEADERS, rows)
    yield runs_table(found, links)


def _shares(found: SweepResult) -> Table:
    rows: list[list[str | Cell]] = []
    for item in found.shares:
        share, bar = item.share, None
        if share.value is not None and share.low is not None and share.high is not None:
            bar = (share.low, share.value, share.high)
        cells = [told(item.deviation), p_value(item.p_value), told(item.of_answers)]
        rows.append([item.term, Cell(told(share), interval=bar), *cells])
    return Table(
        "What decides the score",
        ("factor", "of runs", "points", "p", "of answers"),
        rows,
        "Of runs: share of the variance between runs. Points: the standard deviation that a factor "
        "gives the score of a run. Of answers: share of the variance of single answers. Variances "
        "are without the noise of the samples. Samples: what of an answer's score is known from "
        "that of another run; rest: what neither the run nor the sample tells.",
        spare=("of answers", "p"),
    )


def _levels(found: SweepResult) -> Iterator[Plot]:
    groups: dict[str, list[IntervalMark]] = {}
    for level in found.levels:
        groups.setdefault(level.factor, []).append(mark_of(level.value, level.effect))
    for factor, marks in groups.items():
        yield dots(
            f"Score by {factor}",
            {mark.label: [mark] for mark in marks},
            unit="points",
            label="points above the mean of all values",
            reference=0.0,
        )


def _against_numbers(found: SweepResult) -> Iterator[Plot]:
    """The score against a factor whose values are numbers, such as the number of examples."""
    for factor in varied(found):
        if factor in _NAMES:
            continue
        levels = [item for item in found.levels if item.factor == factor]
        places = [_number(item.value) for item in levels]
        if len(levels) < 3 or None in places:
            continue
        points = [
            Point(place, item.score.value, item.score.low, item.score.high)
            for place, item in zip(places, levels, strict=True)
            if place is not None and item.score.value is not None
        ]
        unit, drawn = levels[0].score.unit, {"mean of runs": points}
        if other := _partner(found, factor):
            drawn = {
                f"{other} {value}": [
                    Point(place, mean)
                    for place, item in zip(places, levels, strict=True)
                    if place is not None
                    and (mean := _mean(found, {factor: item.value, other: value})) is not None
                ]
                for value in found.factors[other]
            }
        yield lines(f"Score against {factor}", drawn, x_label=factor, unit=unit)


def _partner(found: SweepResult, factor: str) -> str | None:
    """The factor with which this one does most together; None where chance explains it."""
    together = [item.term.split(" × ") for item in real(found) if " × " in item.term]
    return next((a if b == factor else b for a, b in together if factor in (a, b)), None)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _maps(found: SweepResult) -> Iterator[Plot]:
    """The mean score of each pair of values of two factors."""
    factors = varied(found)
    sizes = {item.term: item.deviation.value or 0.0 for item in found.shares if item.deviation}
    pairs = list(itertools.combinations(factors, 2))
    pairs.sort(key=lambda pair: -sizes.get(" × ".join(pair), 0.0))
    unit = found.combinations[0].figure.unit if found.combinations else ""
    for first, second in pairs[:_MAPS]:
        rows, columns = found.factors[first], found.factors[second]
        means = [[_mean(found, {first: row, second: column}) for column in columns] for row in rows]
        yield heat_map(
            f"{first} and {second}", rows, columns, means,
            shades=_without_chance(found, (first, second), means), unit=unit,
            row_label=first, column_label=second, note="coloured by what is more than chance",
        )  # fmt: skip


def _without_chance(
    found: SweepResult, pair: tuple[str, str], means: Sequence[Sequence[float | None]]
) -> list[list[float | None]]:
    """The means of a map, made of the effects alone that change the score by more than chance.

    They are the grand mean, and what row, column and both together add to it where that is shown;
    None everywhere where nothing is.
    """
    terms = {item.term for item in real(found)}
    shown = [name in terms for name in (*pair, " × ".join(pair))]
    lines = [_average(line) for line in means]
    columns = [_average(column) for column in zip(*means, strict=True)]
    grand = _average(lines)

    def tint(value: float | None, row: float, column: float) -> float | None:
        if value is None or not any(shown):
            return None
        effects = row - grand, column - grand, value - row - column + grand
        return grand + sum(one for one, is_shown in zip(effects, shown, strict=True) if is_shown)

    return [
        [tint(value, row, column) for value, column in zip(line, columns, strict=True)]
        for line, row in zip(means, lines, strict=True)
    ]


def _average(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else 0.0


def _mean(found: SweepResult, wanted: dict[str, str]) -> float | None:
    """The mean of the main figures of the runs that have these values."""
    known = [
        item.figure.value
        for item in found.combinations
        if item.figure.value is not None and wanted.items() <= dict(item.values).items()
    ]
    return _average(known) if known else None


def _stable(found: SweepResult) -> Table:
    has_spread = any(item.interval is not None for item in found.stable)
    rows: list[list[str | Cell]] = []
    for item in found.stable:
        words = [*(["chosen"] if item.chosen else []), *(["Pareto front"] if item.on_front else [])]
        first = number(item.first_half, item.accuracy.unit)
        mark = Cell(", ".join(words), tone="good" if words else "")
        spread = [told(item.interval)] if has_spread else []
        rows.append([named(item.values), told(item.accuracy), *spread, first, mark])
    rule = "accuracy less its spread" if has_spread else "accuracy"
    note = (
        f"Figures are of the half of the samples that did not choose; the recipe was chosen on the "
        f"other half by its {rule}. Pareto front: no recipe is better in one and no worse in the "
        "other."
    )
    spread = ["spread (points)"] if has_spread else []
    headers = ("recipe", "accuracy", *spread, "other half", "remark")
    return Table(
        "Recipes, the most stable first", headers, rows, f"{note} {falls(found)}".strip(),
        spare=("other half",), most=LISTED,
    )  # fmt: skip


def _letters(bias: PositionBias) -> Table:
    rows = [
        [item.letter, told(item.chosen), told(item.right), told(item.bias)] for item in bias.letters
    ]
    return Table(
        "Option letters, all runs",
        ("letter", "chosen", "right", "bias (points)"),
        rows,
        chance(bias),
    )
