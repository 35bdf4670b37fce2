"""Values with their intervals: as bars (scores by category), as dots (scores of several runs)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chef.document.numbers import number
from chef.frozen import Frozen
from chef.report.page.content import Plot
from chef.report.page.plots.drawing import (
    WIDTH,
    Drawing,
    Scale,
    around,
    bottom_axis,
    legend,
    series,
)
from chef.stats.estimate import PERCENT, Estimate

_LEFT, _RIGHT, _TOP, _ROW = 8, WIDTH - 12, 8, 36
_DOT_ROW = 16


def dots(
    title: str,
    groups: Mapping[str, Sequence[IntervalMark]],
    *,
    unit: str = "%",
    label: str = "",
    reference: float | None = None,
    ends: tuple[float, float] | None = None,
) -> Plot:
    """A dot with its interval for each mark; groups stand one below the other.

    Marks of the same label have the same colour in all groups, which the legend explains; a group
    with one mark that is called like it needs none.

    Args:
        title: of the drawing.
        groups: the marks of each group, by its name, from the top.
        unit: of their values.
        label: of the axis; the unit if empty.
        reference: a value to compare with, such as 0 of differences; None for none.
        ends: of the axis; None for those of the unit, or of the values.
    """
    labels = list(dict.fromkeys(mark.label for marks in groups.values() for mark in marks))
    alone = all([mark.label for mark in marks] in ([], [name]) for name, marks in groups.items())
    numbers = [item for marks in groups.values() for mark in marks for item in mark.numbers]
    low, high = ends or around([*numbers, *([] if reference is None else [reference])], unit=unit)
    scale = Scale(low, high, _LEFT, _RIGHT)
    above = 0 if alone else legend(None, labels)
    bottom = above + sum(22 + _DOT_ROW * len(marks) for marks in groups.values())
    drawing = Drawing(title, bottom + 44)
    if not alone:
        legend(drawing, labels)
    bottom_axis(drawing, scale, top=above, bottom=bottom, label=label or unit)
    if reference is not None:
        drawing.line(scale(reference), above, scale(reference), bottom, "muted", is_dashed=True)
    y: float = above
    for name, marks in groups.items():
        drawing.text(_LEFT, y + 14, name, room=_RIGHT - _LEFT)
        for place, mark in enumerate(marks):
            color = series(0 if alone else labels.index(mark.label))
            _dot(
                drawing,
                mark,
                scale,
                y + 24 + _DOT_ROW * place,
                classes=color,
                note=mark.words(unit),
            )
        y += 22 + _DOT_ROW * len(marks)
    return Plot(title, drawing.svg(), _words(groups, unit, reference, alone=alone))


def _dot(
    drawing: Drawing, mark: IntervalMark, scale: Scale, y: float, *, classes: str, note: str
) -> None:
    whisker(drawing, mark, scale, y, classes)
    if mark.value is not None:
        drawing.circle(scale(mark.value), y, 5, classes, note=note)


def _words(
    groups: Mapping[str, Sequence[IntervalMark]], unit: str, reference: float | None, *, alone: bool
) -> str:
    told = [
        mark.words(unit) if alone else f"{name}, {mark.words(unit)}"
        for name, marks in groups.items()
        for mark in marks
    ]
    told += [] if reference is None else [f"dashed line: {number(reference, unit)}"]
    return "; ".join(told)


class IntervalMark(Frozen):
    """A value with its interval.

    Attributes:
        label: what it is of.
        value: in the unit of the drawing; None if undefined.
        low, high: the ends of the 95% interval; None if unknown.
        n: on how many items it is based; None if unknown.
    """

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None

    def words(self, unit: str = "%") -> str:
        """The same in words.

        >>> IntervalMark("red", 80.0, 60.0, 90.0, 20).words()
        'red: 80.0% [60.0, 90.0], n=20'
        """
        text = f"{self.label}: {number(self.value, unit)}"
        if self.low is not None and self.high is not None:
            text += (
                f" [{number(self.low, unit).rstrip('%')}, {number(self.high, unit).rstrip('%')}]"
            )
        return text if self.n is None else f"{text}, n={self.n}"

    @property
    def numbers(self) -> list[float]:
        """The value and the ends of its interval, as far as they are known."""
        return [item for item in (self.value, self.low, self.high) if item is not None]


class Point(Frozen):
    """A value with its interval at a place of a numeric axis."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


def mark_of(label: str, item: Estimate) -> IntervalMark:
    """The mark of an estimate; shares are in percent.

    >>> mark_of("red", Estimate(0.5, 8, unit="0-1")).value
    50.0
    """
    factor = PERCENT.get(item.unit, 1.0)

    def times(value: float | None) -> float | None:
        return None if value is None else value * factor

    return IntervalMark(label, times(item.value), times(item.low), times(item.high), item.n)


def unit_of(item: Estimate) -> str:
    """The unit of `mark_of`: ``%`` for every share."""
    return "%" if item.unit in PERCENT else item.unit


def bars(
    title: str,
    marks: Sequence[IntervalMark],
    *,
    unit: str = "%",
    label: str = "",
    references: Sequence[float | None] = (),
) -> Plot:
    """A bar for each mark with its interval; each has its label above it.

    Args:
        title: of the drawing.
        marks: the bars, from the top.
        unit: of their values.
        label: of the axis; the unit if empty.
        references: a value for each bar to compare it with, such as that of guessing, or None;
            empty for none at all.
    """
    numbers = [item for mark in marks for item in mark.numbers]
    compared = [item for item in references if item is not None]
    low, high = around([*numbers, *compared], unit=unit)
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
