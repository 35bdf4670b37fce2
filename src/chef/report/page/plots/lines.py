"""Lines with intervals: a score against a number, such as that of in-context examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chef.document.numbers import number
from chef.report.page.content import Plot
from chef.report.page.plots.axes import Scale, around, bottom_axis, left_axis, plain
from chef.report.page.plots.drawing import WIDTH, Drawing, series
from chef.report.page.plots.legend import legend
from chef.report.page.plots.marks import Point

_LEFT, _RIGHT, _HEIGHT = 46, WIDTH - 14, 220


def lines(
    title: str,
    curves: Mapping[str, Sequence[Point]],
    *,
    x_label: str,
    unit: str = "%",
    y_label: str = "",
    reference: float | None = None,
) -> Plot:
    """A line for each series, with a dot and an interval at each of its points.

    Args:
        title: of the drawing.
        curves: the points of each series, by its name; they are sorted by ``x``.
        x_label: of the lower axis.
        unit: of the values.
        y_label: of the left axis; the unit if empty.
        reference: a value to compare with, such as that of guessing; None for none.
    """
    points = [point for curve in curves.values() for point in curve]
    values = [item for p in points for item in (p.y, p.low, p.high) if item is not None]
    low, high = around([*values, *([] if reference is None else [reference])], unit=unit)
    top = 30 + (legend(None, list(curves)) if len(curves) > 1 else 0)
    places = [point.x for point in points] or [0.0]
    across = Scale(min(places), max(places), _LEFT + 10, _RIGHT - 10)
    up = Scale(low, high, top + _HEIGHT, top)
    drawing = Drawing(title, top + _HEIGHT + 44)
    if len(curves) > 1:
        legend(drawing, list(curves))
    left_axis(drawing, up, left=_LEFT, right=_RIGHT, label=y_label or unit)
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
