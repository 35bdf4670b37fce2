"""Plain text of sections for a terminal, in as many columns as it has, and for a notebook."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from html import escape
from itertools import takewhile

from chef.document.sections import SPARE, Plot, Section, Table, text_of

#: Names and headers are shortened to no fewer characters.
_FEWEST = 6
#: The characters around and between the cells of a table.
_EDGE, _BETWEEN = 4, 3


def as_text(sections: Iterable[Section], width: int | None = None) -> str:
    """The sections as plain text ``width`` columns wide, if any; drawings are left out."""
    shown = (_block(one, width) for one in sections if not isinstance(one, Plot))
    return "\n\n".join(filter(None, shown))


def _block(section: Section, width: int | None) -> str:
    if isinstance(section, Plot):
        return ""
    title = [wrapped(section.title, width)] if section.title else []
    if isinstance(section, Table):
        shown = section.rows[: section.most]
        texts, short = ([[text_of(cell, is_short=one) for cell in row] for row in shown]
                        for one in (False, True))  # fmt: skip
        table = outline(
            section.headers, texts, width,
            names=section.names, spare=section.spare, short=short,
        )  # fmt: skip
        rest = len(section.rows) - len(shown)
        more = [f"and {rest} more"] if rest else []
        notes = [section.note] if section.note else []
        return "\n".join([*title, table, *more, *(wrapped(note, width) for note in notes)])
    return "\n".join([*title, *(wrapped(text, width) for text in section.paragraphs)])


def wrapped(text: str, width: int | None) -> str:
    """Lines that fit the terminal, later ones two columns in; longer words stay whole."""
    if width is None:
        return text
    lines = []
    for line in text.splitlines():
        inner = line[: len(line) - len(line.lstrip())] + "  "
        wrap = textwrap.TextWrapper(
            max(20, width), subsequent_indent=inner, break_long_words=False, break_on_hyphens=False
        )
        lines += wrap.wrap(line) or [""]
    return "\n".join(lines)


def outline(
    headers: Sequence[str],
    lines: Sequence[Sequence[str]],
    width: int | None,
    *,
    names: int,
    spare: Sequence[str] = SPARE,
    short: Sequence[Sequence[str]] | None = None,
) -> str:
    """A table with as many of its columns as fit: ``spare`` ones, the least important first, are
    left out, then names and headers are shortened. The first ``names`` columns hold names, not
    numbers; ``short`` has the cells where there is no room for ``lines``.
    """
    rows = [list(line) for line in lines]
    heads = list(headers)
    kept = list(range(len(heads)))

    def excess() -> int:
        taken = sum(_widest(heads, rows, column) for column in kept)
        return 0 if width is None else taken + _EDGE + _BETWEEN * (len(kept) - 1) - width

    for header in spare:
        if excess() > 0:
            kept = [column for column in kept if heads[column] != header]
    if short is not None and excess() > 0:
        rows = [list(line) for line in short]
    for column, room in _rooms(heads, rows, kept, names, excess()).items():
        if column < names:
            for row, cell in zip(rows, shortened([row[column] for row in rows], room), strict=True):
                row[column] = cell
        heads[column] = shortened(headers, room)[column]
    return _drawn([[row[column] for column in kept] for row in (heads, *rows)], kept, names)


def _drawn(rows: Sequence[Sequence[str]], columns: Sequence[int], names: int) -> str:
    """The box around the rows, of which the first one is the header; numbers are on the right."""
    widths = [max(map(_taken, cells)) for cells in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for text, width, column in zip(row, widths, columns, strict=True):
            room = " " * (width - _taken(text))
            cells.append(f"{text}{room}" if column < names else f"{room}{text}")
        lines.append(f"│ {' │ '.join(cells)} │")
    top, middle, bottom = (
        f"{left}{between.join('─' * (width + 2) for width in widths)}{right}"
        for left, between, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    return "\n".join([top, lines[0], middle, *lines[1:], bottom])


def _taken(text: str) -> int:
    """The columns that a text takes on a terminal: East Asian signs two, accents none."""
    from unicodedata import combining, east_asian_width

    if text.isascii():
        return len(text)
    return sum(0 if combining(one) else 1 + (east_asian_width(one) in "WF") for one in text)


def _widest(heads: Sequence[str], rows: Sequence[Sequence[str]], column: int) -> int:
    return max(_taken(row[column]) for row in (heads, *rows))


def _rooms(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    columns: Sequence[int],
    names: int,
    over: int,
) -> dict[int, int]:
    """How wide the columns that are cut may be, the widest first, to save ``over`` characters:
    names down to `_FEWEST`, headers of numbers to that or to the numbers.
    """
    nothing = [""] * len(heads)
    least = {
        column: _FEWEST if column < names else max(_FEWEST, _widest(nothing, rows, column))
        for column in columns
    }
    rooms = {column: _widest(heads, rows, column) for column in columns}
    whole = dict(rooms)
    for _ in range(over):
        wide = [column for column in columns if rooms[column] > least[column]]
        if not wide:
            break
        rooms[max(wide, key=lambda column: rooms[column])] -= 1
    return {column: room for column, room in rooms.items() if room < whole[column]}


def shortened(names: Sequence[str], width: int) -> list[str]:
    """Names of at most ``width`` characters that keep what they differ in.

    The middle is left out; where names are alike at both ends, what they begin with alike is.

    >>> shortened(["runs/model-a/Shapes/ppl-1", "runs/model-b/Shapes/ppl-1"], 14)
    ['…el-a/Shapes/…', '…el-b/Shapes/…']
    >>> shortened(["Shapes/counting_direct  ACC"], 20)
    ['Shapes/cou…rect  ACC']
    """
    long = {name for name in names if len(name) > width}
    width = max(2, width)
    if len({shorten(name, width) for name in long}) == len(long):
        return [shorten(name, width) for name in names]
    start = max(0, _alike(sorted(long)) - (width - 2) // 4)
    return [
        name if len(name) <= width else f"…{shorten_end(name[start:], width - 1)}" for name in names
    ]


def _alike(names: Sequence[str]) -> int:
    """With how many characters all names begin alike."""
    columns = zip(*names, strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))


def shorten_end(text: str, width: int) -> str:
    """A text that is cut at its end, which is marked.

    >>> shorten_end("a long answer", 7)
    'a long…'
    """
    return text if len(text) <= width else f"{text[: width - 1]}…"


def shorten(line: str, width: int | None) -> str:
    """A line that fits the terminal; what is left out of its middle is marked.

    >>> shorten("Shapes/counting_direct  ACC", 20)
    'Shapes/cou…rect  ACC'
    """
    if width is None or len(line) <= width:
        return line
    tail = (width - 1) // 2
    return f"{line[: width - 1 - tail]}…{line[len(line) - tail :]}"


def shown_in_notebook(result: object) -> str:
    """The text of a result as HTML; a class has it as its ``_repr_html_``."""
    return f"<pre>{escape(str(result))}</pre>"
