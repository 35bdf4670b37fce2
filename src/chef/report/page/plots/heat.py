"""Heat maps: a value for each pair of a row and a column."""

from __future__ import annotations

from collections.abc import Sequence

from chef.document.numbers import number
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
    unit: str = "%",
    ends: tuple[float, float] | None = None,
    tone: str = "series-1",
    is_signed: bool = False,
    row_label: str = "",
    column_label: str = "",
) -> Plot:
    """A cell for each value, the darker the higher it is, with the number in it.

    Args:
        title: of the drawing.
        rows: names of the rows, from the top.
        columns: names of the columns, from the left.
        values: a value for each row and column; None for an empty cell.
        unit: of the values.
        ends: the values that are shown as lightest and darkest; None for the least and the
            greatest, which are at least 20 points apart.
        tone: the class of the colour.
        is_signed: values are differences: their size gives the shade, their sign the colour, and
            a sign stands before them.
        row_label: what the rows are; may be empty.
        column_label: what the columns are; may be empty.
    """
    known = [value for line in values for value in line if value is not None]
    if is_signed:
        ends = 0.0, max((_SPAN if unit in _POINTS else 0.0, *map(abs, known))) or 1.0
    low, high = ends or _wide(min(known, default=0.0), max(known, default=1.0), unit)
    top = 44.0
    width = (WIDTH - _LEFT - 8) / max(1, len(columns))
    drawing = Drawing(title, top + _ROW * len(rows) + 8)
    drawing.text(_LEFT - 8, top - 8, row_label, "muted", anchor="end", room=_LEFT - 12)
    drawing.text(_LEFT, 14, column_label, "muted", room=WIDTH - _LEFT)
    for place, name in enumerate(columns):
        middle = _LEFT + width * (place + 0.5)
        drawing.text(middle, top - 8, name, anchor="middle", room=width)
    for line, (name, cells) in enumerate(zip(rows, values, strict=True)):
        y = top + _ROW * line
        drawing.text(_LEFT - 8, y + 19, name, anchor="end", room=_LEFT - 12)
        for place, (column, value) in enumerate(zip(columns, cells, strict=True)):
            if value is None:
                continue
            size, shade = (abs(value), _TONES[value < 0]) if is_signed else (value, tone)
            share = (size - low) / (high - low) if high > low else 0.5
            plus = "+" if is_signed and value > 0 else ""
            shown, x = f"{plus}{number(value, unit)}", _LEFT + width * place
            # No darker than this, so that the number in the ink of the text stays legible.
            drawing.rect(
                x + 1, y + 1, width - 2, _ROW - 2, shade,
                note=f"{name}, {column}: {shown}", opacity=0.06 + 0.5 * min(1.0, max(0.0, share)),
            )  # fmt: skip
            drawing.text(x + width / 2, y + 19, shown, anchor="middle", room=width + 4)
    told = [
        f"{name}, {column}: {number(value, unit)}"
        for name, cells in zip(rows, values, strict=True)
        for column, value in zip(columns, cells, strict=True)
    ]
    return Plot(title, drawing.svg(), "; ".join(told))
