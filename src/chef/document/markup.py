"""Sections as Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

from chef.document.sections import Cell, Plot, Section, Table, text_of

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
