"""Bars with intervals: scores by category."""

from __future__ import annotations

from collections.abc import Sequence

from chef.document.numbers import number
from chef.report.page.content import Plot
from chef.report.page.plots.axes import Scale, around, bottom_axis
from chef.report.page.plots.drawing import WIDTH, Drawing
from chef.report.page.plots.marks import IntervalMark

_LEFT, _RIGHT, _TOP, _ROW = 8, WIDTH - 12, 8, 36


def bars(
    title: str,
    marks: Sequence[IntervalMark],
    *,
    unit: str = "%",
    label: str = "",
    references: Sequence[float | None] = (),
    ends: tuple[float, float] | None = None,
) -> Plot:
    """A bar for each mark with its interval; each has its label above it.

    Args:
        title: of the drawing.
        marks: the bars, from the top.
        unit: of their values.
        label: of the axis; the unit if empty.
        references: a value for each bar to compare it with, such as that of guessing, or None;
            empty for none at all.
        ends: of the axis; None for those of the unit, or of the values.
    """
    numbers = [item for mark in marks for item in mark.numbers]
    compared = [item for item in references if item is not None]
    low, high = ends or around([*numbers, *compared], unit=unit)
    scale = Scale(low, high, _LEFT, _RIGHT)
    bottom = _TOP + _ROW * len(marks)
    drawing = Drawing(title, bottom + 44)
    bottom_axis(drawing, scale, top=_TOP, bottom=bottom, label=label or unit)
    for place, mark in enumerate(marks):
        _bar(drawing, mark, unit, scale, _TOP + _ROW * place)
    for place, item in enumerate(references):
        if item is not None:
            top = _TOP + _ROW * place
            drawing.line(scale(item), top, scale(item), top + _ROW, "muted", is_dashed=True)
    words = [mark.words(unit) for mark in marks]
    if compared:
        shown = [number(item, unit) for item in references]
        words.append(f"dashed lines: {', '.join(dict.fromkeys(shown))}")
    return Plot(title, drawing.svg(), "; ".join(words))


def _bar(drawing: Drawing, mark: IntervalMark, unit: str, scale: Scale, top: float) -> None:
    value = number(mark.value, unit)
    drawing.text(_LEFT, top + 13, mark.label, room=_RIGHT - _LEFT - 70)
    drawing.text(_RIGHT, top + 13, value, anchor="end")
    if mark.value is None:
        return
    zero, end, middle = scale(0.0), scale(mark.value), top + 24
    note = mark.words(unit)
    drawing.rect(
        min(zero, end), middle - 5, abs(end - zero), 10, "series-1", note=note, opacity=0.7
    )
    whisker(drawing, mark, scale, middle, "ink")


def whisker(drawing: Drawing, mark: IntervalMark, scale: Scale, y: float, classes: str) -> None:
    """The interval of a mark as a horizontal line with ends; nothing where it is unknown."""
    if mark.low is None or mark.high is None:
        return
    low, high = scale(mark.low), scale(mark.high)
    drawing.line(low, y, high, y, classes)
    for end in (low, high):
        drawing.line(end, y - 4, end, y + 4, classes)
