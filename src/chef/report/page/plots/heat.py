"""Heat maps: a value for each pair of a row and a column, such as of option letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chef.document.numbers import number
from chef.report.compare.verdict import signed
from chef.report.page.content import Plot
from chef.report.page.plots.drawing import WIDTH, Drawing

_LEFT, _ROW = 116, 30
#: The colours of a positive and of a negative difference; neither says which is better.
_TONES = ("series-1", "series-2")
#: The units that go up to 100, and the difference in them that has all of the colour at least.
_POINTS, _SPAN = ("%", "points"), 20.0


def _wide(low: float, high: float, unit: str) -> tuple[float, float]:
    """The ends of the colours: shares that hardly differ do not look as if they did.

    >>> _wide(50.0, 54.0, "%"), _wide(10.0, 90.0, "%"), _wide(0.1, 0.2, "s")
    ((42.0, 62.0), (10.0, 90.0), (0.1, 0.2))
    """
    spare = max(0.0, (_SPAN - (high - low)) / 2) if unit in _POINTS else 0.0
    return low - spare, high + spare


def heat_map(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    *,
    shades: Sequence[Sequence[float | None]] | None = None,
    unit: str = "%",
    ends: tuple[float, float] | None = None,
    is_signed: bool = False,
    row_label: str = "",
    column_label: str = "",
    note: str = "",
) -> Plot:
    """A cell for each value, the darker the higher it is, with the number in it.

    Args:
        title: of the drawing.
        rows: names of the rows, from the top.
        columns: names of the columns, from the left.
        values: a value for each row and column; None for an empty cell.
        shades: the value by which each cell is coloured, such as one without what may be chance;
            None for a cell without colour. Default: ``values``.
        unit: of the values.
        ends: the values that are shown as lightest and darkest; None for the least and the
            greatest, which are at least 20 points apart.
        is_signed: values are differences: their size gives the shade, their sign the colour, and
            a sign stands before them.
        row_label: what the rows are; may be empty.
        column_label: what the columns are; may be empty.
        note: what the colours mean, below the cells; may be empty.
    """
    tints = values if shades is None else shades
    known = [value for line in tints for value in line if value is not None]
    if is_signed:
        ends = 0.0, max((_SPAN if unit in _POINTS else 0.0, *map(abs, known))) or 1.0
    low, high = ends or _wide(min(known, default=0.0), max(known, default=1.0), unit)
    top = 44.0
    width = (WIDTH - _LEFT - 8) / max(1, len(columns))
    bottom = top + _ROW * len(rows)
    drawing = Drawing(title, bottom + (26 if note else 8))
    if note:
        drawing.text(_LEFT, bottom + 18, note, "muted", room=WIDTH - _LEFT)
    drawing.text(_LEFT - 8, top - 8, row_label, "muted", anchor="end", room=_LEFT - 12)
    drawing.text(_LEFT, 14, column_label, "muted", room=WIDTH - _LEFT)
    for place, name in enumerate(columns):
        middle = _LEFT + width * (place + 0.5)
        drawing.text(middle, top - 8, name, anchor="middle", room=width)
    told = [note] if note else []
    for line, (name, cells, colours) in enumerate(zip(rows, values, tints, strict=True)):
        y = top + _ROW * line
        drawing.text(_LEFT - 8, y + 19, name, anchor="end", room=_LEFT - 12)
        for place, (column, value, tint) in enumerate(zip(columns, cells, colours, strict=True)):
            shown, x = (signed if is_signed else number)(value, unit), _LEFT + width * place
            words = f"{name}, {column}: {shown}"
            told.append(words)
            if value is None:
                continue
            share, colour = 0.0, "muted"
            if tint is not None:
                size, colour = (abs(tint), _TONES[tint < 0]) if is_signed else (tint, _TONES[0])
                share = (size - low) / (high - low) if high > low else 0.5
            # No darker than this, so that the number in the ink of the text stays legible.
            opacity = 0.06 + 0.5 * min(1.0, max(0.0, share))
            drawing.rect(x + 1, y + 1, width - 2, _ROW - 2, colour, note=words, opacity=opacity)
            drawing.text(x + width / 2, y + 19, shown, anchor="middle", room=width + 4)
    return Plot(title, drawing.svg(), "; ".join(told))


def confusion(title: str, letters: Sequence[str], counts: Mapping[tuple[str, str], int]) -> Plot:
    """A cell for each true letter (rows) and chosen letter (columns), with the number of answers.

    Args:
        title: of the drawing.
        letters: in order; a last column may stand for answers that could not be read.
        counts: by true and chosen letter; pairs that are absent are 0.
    """
    chosen = [*letters, *(["unread"] if any(seen == "unread" for _, seen in counts) else [])]
    values = [[float(counts.get((right, seen), 0)) for seen in chosen] for right in letters]
    most = max((value for line in values for value in line), default=1.0)
    return heat_map(
        title, letters, chosen, values, unit="count", ends=(0.0, max(1.0, most)),
        row_label="right", column_label="chosen",
    )  # fmt: skip
