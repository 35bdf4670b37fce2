"""An SVG element that is put together mark by mark, with legend, scales and axes."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from chef.document.outline import shorten_end
from chef.frozen import Frozen

#: The width of every drawing, in its own units: a phone shows one unit as nearly one pixel, so
#: that text of `SIZE` stays legible there.
WIDTH = 400
SIZE = 12
#: How many series have a colour of their own.
SERIES = 8
_STROKE = 'fill="none" stroke="currentColor" stroke-width="1.5"'
_FILL = 'fill="currentColor"'
#: Characters that XML has no way to hold.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: The mean width of a character, as a share of the size of the text.
_CHARACTER = 0.56

Anchor = Literal["start", "middle", "end"]


class Drawing:
    """An ``<svg>`` element in the making; a screen reader says its title.

    Positions and sizes are in the units of the drawing, `WIDTH` wide; y grows downwards. Classes
    give the colour.
    """

    def __init__(self, title: str, height: float) -> None:
        self._title, self._height = title, height
        self._parts: list[str] = []

    def line(
        self, x1: float, y1: float, x2: float, y2: float, classes: str = "grid",
        *, is_dashed: bool = False,
    ) -> None:  # fmt: skip
        """A straight line; dashes are for what others are compared with."""
        ends = f'x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"'
        dashes = ' stroke-dasharray="4 4"' if is_dashed else ""
        self._parts.append(f"<line class={quoteattr(classes)} {ends} {_STROKE}{dashes}/>")

    def path(
        self, points: list[tuple[float, float]], classes: str, *, closed: bool = False
    ) -> None:
        """Straight lines from point to point."""
        shape = "polygon" if closed else "polyline"
        places = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        self._parts.append(f'<{shape} class={quoteattr(classes)} points="{places}" {_STROKE}/>')

    def rect(
        self, x: float, y: float, width: float, height: float, classes: str,
        *, note: str = "", opacity: float = 1.0,
    ) -> None:  # fmt: skip
        """A filled rectangle; ``note`` is shown when the pointer rests on it."""
        place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
        self._filled("rect", place, classes, note, opacity)

    def circle(self, x: float, y: float, radius: float, classes: str, *, note: str = "") -> None:
        """A filled circle; ``note`` is shown when the pointer rests on it."""
        self._filled("circle", f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"', classes, note, 1.0)

    def text(
        self, x: float, y: float, text: str, classes: str = "ink",
        *, anchor: Anchor = "start", room: float | None = None, size: float = SIZE,
    ) -> None:  # fmt: skip
        """A line of text; ``room`` is the width that it may take, longer ones are cut."""
        shown = text if room is None else fitted(text, room, size)
        note = _note(text) if shown != text else ""
        place = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" text-anchor="{anchor}" {_FILL}'
        self._parts.append(f"<text class={quoteattr(classes)} {place}>{note}{_clean(shown)}</text>")

    def svg(self) -> str:
        """The element."""
        head = f'viewBox="0 0 {WIDTH} {_n(self._height)}" role="img" class="plot"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {head}>{_note(self._title)}'
            f"{''.join(self._parts)}</svg>"
        )

    def _filled(self, shape: str, place: str, classes: str, note: str, opacity: float) -> None:
        share = f' fill-opacity="{_n(opacity)}"' if opacity < 1 else ""
        inner = f">{_note(note)}</{shape}>" if note else "/>"
        self._parts.append(f"<{shape} class={quoteattr(classes)} {place} {_FILL}{share}{inner}")


def series(number: int) -> str:
    """The class of a series by its number from 0 on; colours come again after `SERIES`."""
    return f"series-{number % SERIES + 1}"


def fitted(text: str, room: float, size: float = SIZE) -> str:
    """A text cut to about the width ``room``.

    >>> fitted("a long label of a bar", 70)
    'a long la…'
    """
    return shorten_end(text, max(1, int(room / (size * _CHARACTER))))


def _note(text: str) -> str:
    return f"<title>{_clean(text)}</title>"


def _clean(text: str) -> str:
    return escape(_NO_XML.sub("\ufffd", text))


def _n(number: float) -> str:
    """A number with at most two places behind the point."""
    return f"{number:.2f}".rstrip("0").rstrip(".") if number != int(number) else str(int(number))


_ROW = 18


def legend(drawing: Drawing | None, labels: Sequence[str]) -> float:
    """Draw a line for each label from the top (None: nothing); return the height that they take."""
    for place, label in enumerate(labels if drawing else ()):
        assert drawing is not None
        middle = 10 + _ROW * place
        drawing.circle(14, middle, 5, series(place))
        drawing.text(26, middle + 4, label, room=WIDTH - 34)
    return _ROW * len(labels) + 6.0


class Scale(Frozen):
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


def ticks(low: float, high: float) -> list[float]:
    """About five round values from ``low`` to ``high``.

    >>> ticks(0, 100), ticks(0.2, 1.1)
    ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [0.2, 0.4, 0.6, 0.8, 1.0])
    """
    if not high > low:
        return [low]
    rough = (high - low) / 5
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
