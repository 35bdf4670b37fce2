"""A box that was found in a text, and the names of its four numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from chef.common.boxes import upright
from chef.frozen import Frozen

#: ``(x1, y1, x2, y2)``, x1 <= x2 and y1 <= y2, in the units of the text.
Corners: TypeAlias = tuple[float, float, float, float]

#: The number of a text. A sign counts only where it cannot be a dash between two numbers.
NUMBER = r"(?:(?<![\w.)\]}%])[+-])?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
#: What may follow it. Percent are hundredths of the image; pixels are the unit of the recipe.
UNIT = r"(?:\s?%|\s?(?:px|pixels?)\b)?"

#: The names that models give to the numbers of a box. ``x, y`` is the corner at the top left.
_NAMES = {
    "x1": "x1 x_1 x0 x_0 xmin x_min minx min_x xtl left x_left left_x x_start start_x",
    "y1": "y1 y_1 y0 y_0 ymin y_min miny min_y ytl top upper y_top top_y y_start start_y",
    "x2": "x2 x_2 xmax x_max maxx max_x xbr right x_right right_x x_end end_x",
    "y2": "y2 y_2 ymax y_max maxy max_y ybr bottom lower y_bottom bottom_y y_end end_y",
    "x": "x",
    "y": "y",
    "w": "w width box_width bbox_width",
    "h": "h height box_height bbox_height",
    "cx": "cx c_x xc x_c x_center x_centre xcenter xcentre center_x centre_x centerx",
    "cy": "cy c_y yc y_c y_center y_centre ycenter ycentre center_y centre_y centery",
}
#: Each name, and which number it stands for.
AXES = {name: slot for slot, names in _NAMES.items() for name in names.split()}
#: Any of the names, the longest first.
AXIS = "|".join(sorted(map(re.escape, AXES), key=lambda name: (-len(name), name)))


class BoxMatch(Frozen):
    """A box in the units of the text, and where it stands; ``label`` is the one that its form holds
    (JSON, a table), else None; ``order`` tells that its numbers had no names.
    """

    corners: Corners
    start: int
    end: int
    label: str | None = None
    order: bool = False


def number(text: str) -> float:
    """A number as `NUMBER` and `UNIT` match it; percent become fractions.

    >>> number("12"), number("1.5e-1"), number("40 %")
    (12.0, 0.15, 0.4)
    """
    if text.endswith("%"):
        return float(text[:-1]) / 100
    return float(text.casefold().partition("p")[0])


def corners_of(named: Mapping[str, float]) -> Corners | None:
    """The box with these named numbers; None if they do not make one.

    A first corner called ``x0, y0`` makes ``x1, y1`` the second one.

    >>> corners_of({"x": 10, "y": 20, "width": 5, "height": 6})
    (10.0, 20.0, 15.0, 26.0)
    """
    zero = {"x0", "x_0", "y0", "y_0"} & set(named)
    slots: dict[str, float] = {}
    for name, value in named.items():
        slot = AXES[name]
        if zero and name in {"x1", "x_1", "y1", "y_1"}:
            slot = f"{slot[0]}2"
        slots.setdefault(slot, value)
    return _from_slots(slots)


def _from_slots(slots: Mapping[str, float]) -> Corners | None:
    if {"cx", "cy", "w", "h"} <= set(slots):
        x, y, w, h = (slots[name] for name in ("cx", "cy", "w", "h"))
        return upright([x - w / 2, y - h / 2, x + w / 2, y + h / 2])
    x1, y1 = slots.get("x1", slots.get("x")), slots.get("y1", slots.get("y"))
    if x1 is None or y1 is None:
        return None
    if {"x2", "y2"} <= set(slots):
        return upright([x1, y1, slots["x2"], slots["y2"]])
    if {"w", "h"} <= set(slots):
        return upright([x1, y1, x1 + slots["w"], y1 + slots["h"]])
    return None


def spanned(points: Sequence[tuple[float, float]]) -> Corners | None:
    """The smallest box that contains the points."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return upright([min(xs), min(ys), max(xs), max(ys)])
