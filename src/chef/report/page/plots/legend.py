"""The legend of a drawing with several series."""

from __future__ import annotations

from collections.abc import Sequence

from chef.report.page.plots.drawing import WIDTH, Drawing, series

_ROW = 18


def legend(drawing: Drawing | None, labels: Sequence[str]) -> float:
    """Draw a line for each label from the top (None: nothing); return the height that they take."""
    for place, label in enumerate(labels if drawing else ()):
        assert drawing is not None
        middle = 10 + _ROW * place
        drawing.circle(14, middle, 5, series(place))
        drawing.text(26, middle + 4, label, room=WIDTH - 34)
    return _ROW * len(labels) + 6.0
