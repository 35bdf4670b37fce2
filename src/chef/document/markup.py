"""Sections as Markdown, LaTeX, HTML, CSV and plain data."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from html import escape
from typing import Any

from chef.document.outline import as_text
from chef.document.sections import Cell, Plot, Section, Table, text_of
from chef.errors import ConfigError, nearest

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


def render(sections: Iterable[Section], form: str, width: int | None = None) -> str:
    """The sections in one of `FORMS`, ``text`` of ``width`` columns or any; raises ConfigError."""
    if form == "text":
        return as_text(sections, width)
    if form not in FORMS:
        hint = nearest(form, ["text", *FORMS])
        raise ConfigError(f"there is no form '{form}' of tables", hint=hint)
    return FORMS[form](sections)


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


def as_html(sections: Iterable[Section]) -> str:
    """Plain HTML without style or script, to be put into another page."""
    return "\n".join(_html(one) for one in sections) + "\n"


def _html(section: Section) -> str:
    head = f"<h2>{escape(section.title)}</h2>" if section.title else ""
    if isinstance(section, Plot):  # a drawing is escaped by what drew it
        return f"<figure>{section.svg}<figcaption>{escape(section.title)}</figcaption></figure>"
    if not isinstance(section, Table):
        return head + "".join(f"<p>{escape(text)}</p>" for text in section.paragraphs)
    heads = "".join(f'<th scope="col">{escape(text)}</th>' for text in section.headers)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(text_of(cell))}</td>" for cell in row) + "</tr>"
        for row in section.rows
    )
    note = f"<p>{escape(section.note)}</p>" if section.note else ""
    return f"{head}<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{note}"


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


def as_data(sections: Iterable[Section]) -> list[dict[str, Any]]:
    """The sections as plain data: the kind of each, and its fields; drawings without their SVG."""
    return [
        {
            "kind": type(one).__name__.lower(),
            **{key: item for key, item in asdict(one).items() if key != "svg"},
        }
        for one in sections
    ]


#: What a report can be written as besides a terminal's text.
FORMS: Mapping[str, Callable[[Sequence[Section] | Iterable[Section]], str]] = {
    "markdown": as_markdown,
    "latex": as_latex,
    "html": as_html,
    "csv": as_csv,
}
