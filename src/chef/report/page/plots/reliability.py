"""The reliability diagram: how often answers of each confidence are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chef.document.numbers import interval, quantity
from chef.report.page.content import Plot
from chef.report.page.plots.axes import Scale, bottom_axis, left_axis
from chef.report.page.plots.drawing import WIDTH, Drawing
from chef.stats.estimate import Estimate
from chef.stats.scales import wilson

_LEFT, _RIGHT, _TOP, _HEIGHT, _COUNTS = 46, WIDTH - 14, 30, 250, 50


@dataclass(frozen=True, slots=True)
class Bin:
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
    bottom = _TOP + _HEIGHT
    across, up = Scale(0, 100, _LEFT, _RIGHT), Scale(0, 100, bottom, _TOP)
    drawing = Drawing(title, bottom + 44 + _COUNTS)
    left_axis(drawing, up, left=_LEFT, right=_RIGHT, label="right, %")
    bottom_axis(drawing, across, top=_TOP, bottom=bottom, label="confidence, %")
    drawing.line(across(0), up(0), across(100), up(100), "muted", is_dashed=True)
    told = [f"ECE {quantity(error)} {interval(error)}".strip()] if error else []
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
