"""Sections as plain text, for a terminal and for a notebook; as Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Iterable, Sequence
from html import escape
from itertools import takewhile

from chef.document.sections import SPARE, Cell, Plot, Section, Table, text_of

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

    The middle is left out; where that makes names equal, what they begin with alike is, or their
    beginning.

    >>> shortened(["runs/model-a/Shapes/ppl-1", "runs/model-b/Shapes/ppl-1"], 14)
    ['…el-a/Shapes/…', '…el-b/Shapes/…']
    >>> shortened(["Shapes/counting_direct  ACC"], 20)
    ['Shapes/cou…rect  ACC']
    >>> shortened(["m/ppl+wording.0-my_sweep", "m/ppl+wording.1-my_sweep", "m/blind-vision"], 12)
    ['….0-my_sweep', '….1-my_sweep', '…lind-vision']
    """
    long = [name for name in names if len(name) > width]
    width = max(2, width)
    start = max(0, _alike(sorted(long)) - (width - 2) // 4)
    ways = [
        {name: shorten(name, width) for name in long},
        {name: f"…{shorten_end(name[start:], width - 1)}" for name in long},
        {name: f"…{name[1 - width :]}" for name in long},
    ]
    short = max(ways, key=lambda way: len({*way.values()}))  # of equal ones the first
    return [short.get(name, name) for name in names]


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


#: What Markdown would take for markup, and what LaTeX would.
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~])")
#: Spreadsheets take a text that begins like this for a formula; source: OWASP, "CSV Injection".
_FORMULA = re.compile("[=+\\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?%?")
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "±": r"$\pm$", "×": r"$\times$", "·": r"$\cdot$", "…": r"\ldots{}", "<": r"$<$", ">": r"$>$",
}  # fmt: skip


def as_markdown(sections: Iterable[Section]) -> str:
    """GitHub's Markdown; a drawing is told in words."""
    return "\n".join(line for one in sections for line in [*_markdown(one), ""]).rstrip() + "\n"


def _markdown(section: Section) -> list[str]:
    head = [f"## {_marked(section.title)}", ""] if section.title else []
    if isinstance(section, Plot):
        return [*head, _marked(section.text)]
    if not isinstance(section, Table):
        return [*head, *"\n\n".join(map(_marked, section.paragraphs)).split("\n")]
    sides = [":--" if place < section.names else "--:" for place in range(len(section.headers))]
    rows = [section.headers, *section.rows]
    lines = ["| " + " | ".join(_marked(_flat(cell)) for cell in row) + " |" for row in rows]
    note = ["", _marked(section.note)] if section.note else []
    return [*head, lines[0], f"| {' | '.join(sides)} |", *lines[1:], *note]


def _marked(text: str) -> str:
    return _MARKS.sub(r"\\\1", text)


def _flat(cell: str | Cell) -> str:
    return " ".join(text_of(cell).split())


def as_latex(sections: Iterable[Section]) -> str:
    """Tables with booktabs, which a document has to load; a drawing is told in words."""
    return "\n\n".join("\n".join(_latex(one)) for one in sections) + "\n"


def _latex(section: Section) -> list[str]:
    if isinstance(section, Plot):
        return [f"\\paragraph{{{latex(section.title)}}} {latex(section.text)}"]
    if not isinstance(section, Table):
        told = "\n\n".join(map(latex, section.paragraphs))
        return [f"\\paragraph{{{latex(section.title)}}} {told}" if section.title else told]
    columns = "".join(
        "l" if place < section.names else "r" for place in range(len(section.headers))
    )
    head, *rows = (
        " & ".join(latex(_flat(cell)) for cell in row) + r" \\"
        for row in [section.headers, *section.rows]
    )
    caption = ". ".join(filter(None, (section.title, section.note)))
    return [
        r"\begin{table}", r"\centering", f"\\begin{{tabular}}{{{columns}}}", r"\toprule", head,
        r"\midrule", *rows, r"\bottomrule", r"\end{tabular}",
        *([f"\\caption{{{latex(caption)}}}"] if caption else []), r"\end{table}",
    ]  # fmt: skip


def latex(text: str) -> str:
    r"""A text without what LaTeX would take for a command.

    >>> latex("50 % of a_b")
    '50 \\% of a\\_b'
    """
    return "".join(_LATEX.get(sign, sign) for sign in text)


def as_csv(sections: Iterable[Section]) -> str:
    """The tables alone, an empty line between them; an apostrophe begins a text like a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for number, table in enumerate(one for one in sections if isinstance(one, Table)):
        if number:
            writer.writerow([])
        for row in (table.headers, *table.rows):
            writer.writerow([inert(text_of(cell)) for cell in row])
    return text.getvalue()


def inert(text: str) -> str:
    """A text that no spreadsheet takes for a formula; plain numbers are none.

    >>> inert("=1+1"), inert("-0.5"), inert("a=b"), inert("@SUM(A1)")
    ("'=1+1", '-0.5', 'a=b', "'@SUM(A1)")
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text
