"""The sections of a report: tables, drawings and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from chef.frozen import Frozen

#: What a narrow terminal does without, the least important first.
SPARE = ("coverage", "chance", "clusters", "n")


class Cell(Frozen):
    """A cell of a table with more than a text.

    Attributes:
        text: what stands in it.
        filter: where a click leads: the samples shown, as the page's link has them, such as
            ``{"category": "count", "verdict": "wrong"}``; None for no link. Keys: names of fields,
            ``verdict`` (several with commas), ``flip`` (``any``, ``gained``, ``lost``), ``run``
            (from 1), ``against`` (the run that flips are counted from), ``below`` (confidence in
            percent), ``q``, ``sort``, ``order``, ``look`` (``gallery``), ``page`` and ``sample``; a
            field that is called like one of these is ``field.NAME``.
        href: a relative link to another page, such as that of a run of a sweep.
        interval: low, value and high as shares of the axis, 0 to 1, drawn as a bar; None for none.
        tone: ``good``, ``bad`` or empty.
        short: what stands in it where there is no room for ``text``; empty for the same.
        run: the number of the run of the page that it stands for, from 1, so that two such cells
            can be compared; 0 for none.
    """

    text: str
    filter: Mapping[str, str] | None = None
    href: str = ""
    interval: tuple[float, float, float] | None = None
    tone: Literal["", "good", "bad"] = ""
    short: str = ""
    run: int = 0


class Table(Frozen):
    """A table of texts and cells, whose ``note`` stands below it.

    Attributes:
        is_collapsed: whether it is shown only when its heading is opened.
        names: how many of the first columns hold names, not numbers.
        spare: the columns that a narrow terminal does without, the least important first.
        most: so many rows are shown on a terminal; None for all.
    """

    title: str
    headers: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    note: str = ""
    is_collapsed: bool = False
    names: int = 1
    spare: Sequence[str] = SPARE
    most: int | None = None


class Plot(Frozen):
    """A drawing.

    Attributes:
        svg: a well-formed, escaped ``<svg>`` with a ``<title>``, without ``style`` or script. Its
            colours are classes of the page's style sheet (``ink``, ``muted``, ``grid``, ``good``,
            ``bad``, ``series-1`` to ``series-8``), which set ``color``; a shape takes that by
            ``fill="currentColor"`` or ``stroke="currentColor"``.
        text: the same in words or numbers, for people who do not see it.
    """

    title: str
    svg: str
    text: str


class Words(Frozen):
    """Paragraphs of text under a heading: what the figures mean."""

    title: str
    paragraphs: Sequence[str]


Section: TypeAlias = Table | Plot | Words


def text_of(cell: str | Cell, *, is_short: bool = False) -> str:
    """The text of a cell; where there is little room, the short one."""
    if isinstance(cell, str):
        return cell
    return cell.short or cell.text if is_short else cell.text
