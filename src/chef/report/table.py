"""One plain-text table of metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chef.metric import Coverage, Estimate

_HEADERS = ("recipe", "metric", "value", "std. error", "95% interval", "n", "chance", "coverage")
#: What a narrow terminal does without, the least important first; the last line has the counts.
_SPARE = ("std. error", "coverage", "chance", "n")
_COUNTS = (
    ("errors", "errors (not scored)"),
    ("truncated", "truncated"),
    ("refused", "refused"),
    ("unparsed", "unparsed"),
    ("no_truth", "without a reference answer"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """The scores of one run or file of answers.

    Attributes:
        label: the first column.
        metrics: the metrics, one line each.
        primary: the key of the main metric, whose line also shows the chance level.
        coverage: number of samples by outcome.
        random_accuracy: the score of random guessing, in 0..1; None if it is unknown.
        place: location of the scores, shown under the table.
        open_answers: how free answers were compared; empty where there are none.
    """

    label: str
    metrics: Mapping[str, Estimate]
    primary: str
    coverage: Coverage
    random_accuracy: float | None
    place: str
    open_answers: str = ""


def format_table(title: str, rows: Sequence[Row], width: int | None = None) -> str:
    """Format every metric with its uncertainty and coverage, then the sample counts and files.

    Args:
        title: the first line.
        rows: the runs.
        width: the columns of the terminal; columns of the table are left out until it fits. None
            for any number.
    """
    lines = [line for row in rows for line in _lines(row)]
    kept = list(_HEADERS)
    shown = _outline(lines, kept)
    for header in _SPARE:
        if width is None or len(shown.partition("\n")[0]) <= width:
            break
        kept.remove(header)
        shown = _outline(lines, kept)
    return "\n".join([title, shown, *map(_closing, rows)])


def _outline(lines: Sequence[Sequence[str]], headers: Sequence[str]) -> str:
    """The table, with some of its columns."""
    from tabulate import tabulate

    columns = [_HEADERS.index(header) for header in headers]
    cells = [[line[column] for column in columns] for line in lines]
    align = ["left" if column < 2 else "right" for column in columns]
    return tabulate(
        cells, headers, tablefmt="simple_outline", colalign=align, disable_numparse=True
    )


def number(value: float | None, unit: str) -> str:
    """Format a value for the table.

    >>> number(87.25, "%"), number(0.5, "0-1"), number(31.26, "0-100"), number(None, "%")
    ('87.2%', '0.500', '31.3', '-')
    """
    if value is None:
        return "-"
    if unit == "%":
        return f"{value:.1f}%"
    return f"{value:.1f}" if unit.startswith("0-100") else f"{value:.3f}"


def interval(item: Estimate) -> str:
    """Format the 95% interval for the table; empty if it is unknown.

    >>> interval(Estimate(50.0, 9, low=20.0, high=80.0, unit="%"))
    '[20.0, 80.0]'
    """
    if item.low is None or item.high is None:
        return ""
    low, high = (number(end, item.unit).rstrip("%") for end in (item.low, item.high))
    return f"[{low}, {high}]"


def _lines(row: Row) -> list[list[str]]:
    lines = []
    label, coverage = row.label, f"{100 * row.coverage.coverage:.1f}%"
    for key, item in row.metrics.items():
        values = [number(item.value, item.unit), number(item.stderr, item.unit)]
        chance = _chance(row, item) if key == row.primary else ""
        lines.append([label, key, *values, interval(item), str(item.n), chance, coverage])
        label = coverage = ""
    return lines


def _chance(row: Row, item: Estimate) -> str:
    chance = row.random_accuracy
    if chance is None:
        return ""
    return number(100 * chance if item.unit == "%" else chance, item.unit)


def _closing(row: Row) -> str:
    """Return what stands under the table: counts, location, how free answers were compared."""
    counts = row.coverage
    notes = [f"{counts.scored} of {counts.total} samples scored"]
    notes += [f"{count} {what}" for key, what in _COUNTS if (count := getattr(counts, key))]
    line = f"{', '.join(notes)}. {row.place}"
    return f"{line}\nFree answers: {row.open_answers}." if row.open_answers else line
