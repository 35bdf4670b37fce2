"""Scales, ticks and grids of drawings with axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from chef.report.page.plots.drawing import SIZE, WIDTH, Drawing


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale: from values to positions.

    Attributes:
        low, high: the values at its ends.
        start, end: the positions of these.

    >>> Scale(0, 100, 10, 210)(50)
    110.0
    """

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The position of a value; values beyond the ends stand at them."""
        span = self.high - self.low
        share = (value - self.low) / span if span else 0.5
        return self.start + min(1.0, max(0.0, share)) * (self.end - self.start)


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """About ``count`` round values from ``low`` to ``high``.

    >>> ticks(0, 100), ticks(0.2, 1.1)
    ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [0.2, 0.4, 0.6, 0.8, 1.0])
    """
    if not high > low:
        return [low]
    rough = (high - low) / count
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(place * step, 10) for place in range(first, last + 1)]


def around(values: Sequence[float], *, unit: str = "") -> tuple[float, float]:
    """The ends of an axis that holds the values: those of the unit where it has any.

    >>> around([3.0, 8.0], unit="%"), around([3.0, 8.0])
    ((0.0, 100.0), (0.0, 8.0))
    """
    found = [value for value in values if math.isfinite(value)]
    if unit == "%" and all(-1e-9 <= value <= 100 + 1e-9 for value in found):
        return 0.0, 100.0
    if not found:
        return 0.0, 1.0
    low, high = min(0.0, *found), max(0.0, *found)
    # Less is the rounding of equal values.
    return (low, high) if high - low > 1e-6 else (0.0, 1.0)


def plain(value: float) -> str:
    """A number without needless zeros.

    >>> plain(20.0), plain(0.25), plain(-3.0)
    ('20', '0.25', '-3')
    """
    return f"{value:.6g}"


def bottom_axis(drawing: Drawing, scale: Scale, *, top: float, bottom: float, label: str) -> None:
    """Ticks with grid lines from ``top`` to ``bottom``, their numbers below, and the label."""
    for value in ticks(scale.low, scale.high):
        drawing.line(scale(value), top, scale(value), bottom)
        # A number at an end of the drawing would be cut off in the middle of its tick.
        half = 0.28 * SIZE * len(plain(value))
        middle = min(max(scale(value), half + 2), WIDTH - half - 2)
        drawing.text(middle, bottom + 16, plain(value), "muted", anchor="middle")
    drawing.line(scale.start, bottom, scale.end, bottom, "muted")
    drawing.text((scale.start + scale.end) / 2, bottom + 34, label, anchor="middle", room=WIDTH)


def left_axis(drawing: Drawing, scale: Scale, *, left: float, right: float, label: str) -> None:
    """Ticks with grid lines from ``left`` to ``right``, their numbers, and the label on top."""
    for value in ticks(scale.low, scale.high):
        drawing.line(left, scale(value), right, scale(value))
        drawing.text(left - 6, scale(value) + 4, plain(value), "muted", anchor="end")
    drawing.text(4, min(scale.start, scale.end) - 12, label, room=WIDTH - 8)
