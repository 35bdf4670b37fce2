"""Drawings over two axes: lines with intervals, histograms, reliability diagrams, heat maps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from chef.document.numbers import number, with_interval
from chef.frozen import Frozen
from chef.report.compare.verdict import signed
from chef.report.page.content import Plot
from chef.report.page.plots.bars import Point
from chef.report.page.plots.drawing import (
    WIDTH,
    Drawing,
    Scale,
    around,
    bottom_axis,
    left_axis,
    legend,
    plain,
    series,
)
from chef.stats.estimate import Estimate
from chef.stats.scales import wilson

_LEFT, _RIGHT, _TOP, _HEIGHT = 46, WIDTH - 14, 30, 220


def lines(
    title: str,
    curves: Mapping[str, Sequence[Point]],
    *,
    x_label: str,
    unit: str = "%",
    reference: float | None = None,
) -> Plot:
    """A line for each series, with a dot and an interval at each of its points.

    Args:
        title: of the drawing.
        curves: the points of each series, by its name; they are sorted by ``x``.
        x_label: of the lower axis.
        unit: of the values.
        reference: a value to compare with, such as that of guessing; None for none.
    """
    points = [point for curve in curves.values() for point in curve]
    values = [item for p in points for item in (p.y, p.low, p.high) if item is not None]
    low, high = around([*values, *([] if reference is None else [reference])], unit=unit)
    top = _TOP + (legend(None, list(curves)) if len(curves) > 1 else 0)
    places = [point.x for point in points] or [0.0]
    across = Scale(min(places), max(places), _LEFT + 10, _RIGHT - 10)
    up = Scale(low, high, top + _HEIGHT, top)
    drawing = Drawing(title, top + _HEIGHT + 44)
    if len(curves) > 1:
        legend(drawing, list(curves))
    left_axis(drawing, up, left=_LEFT, right=_RIGHT, label=unit)
    _lower_axis(drawing, across, top + _HEIGHT, sorted(set(places)), x_label)
    if reference is not None:
        drawing.line(_LEFT, up(reference), _RIGHT, up(reference), "muted", is_dashed=True)
    for place, (name, curve) in enumerate(curves.items()):
        ordered = sorted(curve, key=lambda point: point.x)
        drawing.path([(across(point.x), up(point.y)) for point in ordered], series(place))
        for point in ordered:
            note = f"{name}, {plain(point.x)}: {number(point.y, unit)}"
            _dot(drawing, point, across, up, classes=series(place), note=note)
    return Plot(title, drawing.svg(), _words(curves, x_label, unit))


def _lower_axis(
    drawing: Drawing, scale: Scale, bottom: float, places: Sequence[float], label: str
) -> None:
    """The places themselves where they are few, else round numbers."""
    if len(places) > 8:
        bottom_axis(drawing, scale, top=bottom, bottom=bottom, label=label)
        return
    for place in places:
        drawing.text(scale(place), bottom + 16, plain(place), "muted", anchor="middle")
    drawing.text((scale.start + scale.end) / 2, bottom + 34, label, anchor="middle", room=WIDTH)


def _dot(
    drawing: Drawing, point: Point, across: Scale, up: Scale, *, classes: str, note: str
) -> None:
    x = across(point.x)
    if point.low is not None and point.high is not None:
        drawing.line(x, up(point.low), x, up(point.high), classes)
    drawing.circle(x, up(point.y), 4, classes, note=note)


def _words(curves: Mapping[str, Sequence[Point]], x_label: str, unit: str) -> str:
    told = []
    for name, curve in curves.items():
        values = [f"{number(p.y, unit)} at {plain(p.x)}" for p in sorted(curve, key=lambda p: p.x)]
        told.append(f"{name}: {', '.join(values)}")
    return f"{'; '.join(told)} ({x_label})"


_BINS_HEIGHT = 200


def histogram(
    title: str,
    values: Sequence[float],
    *,
    label: str,
    ends: tuple[float, float] | None = None,
    bins: int = 10,
) -> Plot:
    """The number of values in each of ``bins`` equally wide bins.

    Args:
        title: of the drawing.
        values: at least one that is finite.
        label: what the values are.
        ends: of the axis; None for the least and the greatest value.
        bins: their number, at least 1. Each holds its lower end, the last its upper end too.
    """
    found = [value for value in values if math.isfinite(value)]
    low, high = ends or (min(found), max(found))
    high = high if high > low else low + 1.0
    width = (high - low) / bins
    counts = [0] * bins
    for value in found:
        counts[min(bins - 1, max(0, int((value - low) / width)))] += 1
    across = Scale(low, high, _LEFT, _RIGHT)
    up = Scale(0, max(counts), _TOP + _BINS_HEIGHT, _TOP)
    drawing = Drawing(title, _TOP + _BINS_HEIGHT + 44)
    left_axis(drawing, up, left=_LEFT, right=_RIGHT, label="samples")
    bottom_axis(drawing, across, top=_TOP + _BINS_HEIGHT, bottom=_TOP + _BINS_HEIGHT, label=label)
    told = []
    for place, count in enumerate(counts):
        start, end = low + width * place, low + width * (place + 1)
        told.append(f"{plain(start)} to {plain(end)}: {count}")
        if count:
            drawing.rect(
                across(start) + 1, up(count), across(end) - across(start) - 2, up(0) - up(count),
                "series-1", note=told[-1], opacity=0.7,
            )  # fmt: skip
    return Plot(title, drawing.svg(), "; ".join(told))


_SQUARE, _COUNTS = 250, 50


class Bin(Frozen):
    """Answers of like confidence.

    Attributes:
        confidence: their mean confidence, 0 to 1.
        right: the share of them that are right, 0 to 1.
        n: their number.
    """

    confidence: float
    right: float
    n: int


def reliability(title: str, bins: Sequence[Bin], error: Estimate | None = None) -> Plot:
    """Confidence against the share of right answers, with Wilson intervals; the counts below.

    Points on the diagonal are calibrated; those below it are answers given too confidently.

    Args:
        title: of the drawing.
        bins: by rising confidence.
        error: the expected calibration error, shown above; None for none.
    """
    bottom = _TOP + _SQUARE
    across, up = Scale(0, 100, _LEFT, _RIGHT), Scale(0, 100, bottom, _TOP)
    drawing = Drawing(title, bottom + 44 + _COUNTS)
    left_axis(drawing, up, left=_LEFT, right=_RIGHT, label="right, %")
    bottom_axis(drawing, across, top=_TOP, bottom=bottom, label="confidence, %")
    drawing.line(across(0), up(0), across(100), up(100), "muted", is_dashed=True)
    told = [f"ECE {with_interval(error)}"] if error else []
    if told:
        drawing.text(_RIGHT, _TOP - 12, told[0], anchor="end", room=WIDTH / 2)
    most = max((one.n for one in bins), default=1)
    base = bottom + 44 + _COUNTS - 4
    spots = [(across(100 * one.confidence), up(100 * one.right)) for one in bins]
    drawing.path(spots, "series-1")
    for one, (x, y) in zip(bins, spots, strict=True):
        low, high = wilson(one.right, one.n)
        drawing.line(x, up(100 * low), x, up(100 * high), "series-1")
        told.append(f"confidence {100 * one.confidence:.1f}%: {100 * one.right:.1f}% right "
                    f"[{100 * low:.1f}, {100 * high:.1f}], n={one.n}")  # fmt: skip
        drawing.circle(x, y, 4, "series-1", note=told[-1])
        height = (_COUNTS - 18) * one.n / most
        drawing.rect(x - 3, base - height, 6, height, "muted", note=f"n={one.n}")
    drawing.text(4, base, "count", "muted")
    return Plot(title, drawing.svg(), "; ".join(told))


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
