"""What a sweep found, as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from chef.document.numbers import interval, number, quantity
from chef.document.outline import outline
from chef.stats.estimate import PERCENT
from chef.suite.sweep.result import SweepResult
from chef.suite.sweep.words import (
    BIAS_HEADERS,
    bias_rows,
    chance,
    falls,
    p_value,
    ranked,
    sentences,
    told,
    varied,
)

#: So many combinations are listed; the others are in the files that the sweep writes.
SHOWN = 30
#: Columns that every terminal gets.
_FEWEST = 2


def sweep_table(found: SweepResult, width: int | None = None) -> str:
    """The runs by their score, the share of each factor, recipes, letters, and what they mean.

    Args:
        found: what the sweep found.
        width: the columns of the terminal; None for any number.
    """
    parts = [*_runs(found, width), *_shares(found, width), *_stable(found, width)]
    parts += [*_positions(found, width), ""]
    parts += [_prose(f"- {line}", width) for line in sentences(found)]
    parts += [_prose(f"note: {line}", width) for line in found.notes]
    return "\n".join(parts)


def _prose(text: str, width: int | None) -> str:
    return text if width is None else textwrap.fill(text, max(40, width), subsequent_indent="  ")


def _runs(found: SweepResult, width: int | None) -> Iterator[str]:
    names = varied(found)
    lines = []
    for place in ranked(found)[:SHOWN]:
        item = found.combinations[place]
        figure, share = item.figure, f"{100 * item.coverage:.1f}%"
        values = [item.values.get(name, "") for name in names]
        lines.append([*values, quantity(figure), interval(figure), str(figure.n), share])
    many = len(found.combinations)
    yield f"{found.name}: {many} runs" + (f", the best {SHOWN}" if many > SHOWN else "")
    headers = (*names, "score", "95% interval", "n", "coverage")
    yield outline(headers, lines, width, names=len(names))


def _shares(found: SweepResult, width: int | None) -> Iterator[str]:
    if all(item.deviation is None for item in found.shares):
        return  # nothing but the noise: the runs do not tell any factor
    rows = []
    for item in found.shares:
        of_runs = "" if item.deviation is None else told(item.share)
        moved = "" if item.deviation is None else told(item.deviation)
        p = "" if item.deviation is None else p_value(item.p_value)
        answers = "-" if item.of_answers is None else _small(item.of_answers.value)
        rows.append([item.term, of_runs, moved, p, answers])
    yield "\nWhat decides the score"
    headers = ("factor", "of runs", "points", "p", "of answers")
    table, columns = _fitting(headers, rows, width, names=1)
    if columns < len(headers):  # the last terms are of answers only
        table = _fitting(headers, [row for row in rows if row[1]], width, names=1)[0]
    yield table
    line = (
        "Of runs: share of the variance between runs. Points: the standard deviation that it gives"
    )
    more = "" if columns < len(headers) else " Of answers: share of the variance of single answers."
    yield _prose(f"{line} a run's score.{more}", width)


def _fitting(
    headers: Sequence[str], rows: Sequence[Sequence[str]], width: int | None, *, names: int
) -> tuple[str, int]:
    """A table with as many of its columns, from the left, as fit; and how many these are.

    Names are shortened only where leaving columns out is not enough.
    """
    for columns in range(len(headers), _FEWEST - 1, -1):
        table = outline(headers[:columns], [row[:columns] for row in rows], None, names=names)
        if width is None or len(table.partition("\n")[0]) <= width:
            return table, columns
    kept = [row[:_FEWEST] for row in rows]
    return outline(headers[:_FEWEST], kept, width, names=names), _FEWEST


def _small(value: float | None) -> str:
    return "-" if value is None else f"{PERCENT['0-1'] * value:.2f}%"


def _stable(found: SweepResult, width: int | None) -> Iterator[str]:
    if not found.stable:
        return
    has_spread = any(item.interval is not None for item in found.stable)
    rows = []
    for item in found.stable[:SHOWN]:
        marks = [*(["chosen"] if item.chosen else []), *(["front"] if item.on_front else [])]
        spread = [told(item.interval)] if has_spread else []
        first = number(item.first_half, item.accuracy.unit)
        name = ", ".join(item.values.values())
        rows.append([name, told(item.accuracy), ", ".join(marks), *spread, first])
    yield "\nRecipes on the half of the samples that did not choose"
    spread = ["spread (points)"] if has_spread else []
    name = ", ".join(found.stable[0].values)
    headers = (name, "accuracy", "", *spread, "other half")
    yield _fitting(headers, rows, width, names=1)[0]
    rule = "accuracy less its spread (one standard deviation)" if has_spread else "accuracy"
    line = f"Chosen: best on the other half by {rule}. Front: no recipe is better in one and no "
    yield _prose(f"{line}worse in the other.", width)
    if found.fall is not None:
        yield _prose(falls(found), width)


def _positions(found: SweepResult, width: int | None) -> Iterator[str]:
    for bias in found.biases[:1]:  # of all runs
        rows = [
            [item.letter, told(item.chosen), told(item.right), told(item.bias)]
            for item in bias.letters
        ]
        yield "\nOption letters, all runs"
        headers = ("letter", "chosen", "right", "bias (points)")
        yield _fitting(headers, rows, width, names=1)[0]
        yield _prose(chance(bias), width)
    if rows := bias_rows(found):
        yield "\nOption letters, where a factor changes them"
        yield _fitting(BIAS_HEADERS, rows, width, names=1)[0]
