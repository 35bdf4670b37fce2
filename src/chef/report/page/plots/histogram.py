"""A histogram: how the scores of the samples are spread."""

from __future__ import annotations

import math
from collections.abc import Sequence

from chef.report.page.content import Plot
from chef.report.page.plots.axes import Scale, bottom_axis, left_axis, plain
from chef.report.page.plots.drawing import WIDTH, Drawing

_LEFT, _RIGHT, _TOP, _HEIGHT = 46, WIDTH - 14, 30, 200


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
    up = Scale(0, max(counts), _TOP + _HEIGHT, _TOP)
    drawing = Drawing(title, _TOP + _HEIGHT + 44)
    left_axis(drawing, up, left=_LEFT, right=_RIGHT, label="samples")
    bottom_axis(drawing, across, top=_TOP + _HEIGHT, bottom=_TOP + _HEIGHT, label=label)
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
