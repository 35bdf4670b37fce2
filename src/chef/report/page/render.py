"""The HTML of a page around its data: header, sections, the frame of the list, code and style."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import zip_longest
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape, unescape

from chef.common.redaction import redact
from chef.common.text import encodable
from chef.report.page.content import (
    Cards,
    Cell,
    Headline,
    PageContent,
    Plot,
    Section,
    Table,
    Words,
)
from chef.report.page.encoding import clean, page_json

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

#: The code of the page, in the order in which it is put together.
SCRIPTS = (
    "theme", "dom", "texts", "state", "filters", "controls", "rows", "gallery", "details",
    "pictures", "viewer", "rich", "asked", "answers", "copying", "sample", "tables",
    "matrix", "keys", "live", "labels", "page",
)  # fmt: skip
#: The style sheets of the page, likewise.
STYLES = ("page", "overview", "samples", "sample", "viewer", "paper")
#: Where the data goes; no text of a page can hold it, for `<` is escaped, and no drawing is below.
_PLACE = "<!-- data -->"
#: C0 controls but tab and line feed, which HTML may not hold; they are shown as pictures.
_PICTURES = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"} | {
    0x7F: 0x2421
}
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
#: What could run, load or lead somewhere in a drawing.
_REFUSED_TAGS = {"script", "style", "foreignobject", "image", "use", "a", "animate", "set"}
#: A text between two tags.
_TEXT = re.compile(r"(?<=>)[^<>]+(?=<)")
#: A table of so many characters fits beside another one.
_NARROW = 58
_SAFE_SCHEMES = ("http:", "https:", "file:")


def shell(content: PageContent) -> tuple[bytes, bytes]:
    """The page before and after its data; ValueError if a drawing has what a page must not have."""
    from markupsafe import Markup

    script, style = script_text(), "".join(_read(f"{name}.css") for name in STYLES)
    html = _template().render(
        content=content,
        sections=[
            _section(section)
            for section in content.sections
            if not isinstance(section, Words) or section.paragraphs
        ],
        script=Markup(script),  # noqa: S704 - the package's own code
        style=Markup(style),  # noqa: S704
        script_hash=_hash(script),
        style_hash=_hash(style),
    )
    before, _, after = html.rpartition(_PLACE)
    return before.encode(), after.encode()


@cache
def _template() -> Template:
    """The frame of every page; to compile it takes longer than to fill it."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.globals.update(link=filter_link, address=safe_address, cell=_cell, names=_names)
    return environment.from_string(_read("page.html.j2"))


def script_text() -> str:
    """The code of the page: its parts in one function, so that no name of theirs is global."""
    parts = "\n".join(_read(f"{name}.js") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}}})();\n'


def filter_link(chosen: Mapping[str, str]) -> str:
    """The link that shows the samples that a cell stands for.

    >>> filter_link({"category": "a & b", "verdict": "wrong"})
    '#category=a+%26+b&verdict=wrong'
    """
    return "#" + urlencode({encodable(key): encodable(value) for key, value in chosen.items()})


def safe_address(link: str) -> str:
    r"""``link`` if a click on it opens a file or a page; empty if it could run something.

    >>> safe_address("runs/a.html"), safe_address("java\nscript:alert(1)")
    ('runs/a.html', '')
    """
    # Browsers drop controls and blanks before they look for a scheme.
    scheme = _SCHEME.match(re.sub(r"[\x00-\x20]", "", link))
    return link if scheme is None or scheme[0].lower() in _SAFE_SCHEMES else ""


def drawing(plot: Plot) -> Markup:
    """The drawing of a plot; ValueError for what the page's policy would refuse.

    That is a script, a style, an address, or an ``<svg>`` that is not well-formed.
    """
    from markupsafe import Markup

    # Texts alone: a secret may be a word that names an element or an attribute.
    svg = _TEXT.sub(lambda text: escape(redact(unescape(text[0]))), encodable(plot.svg))
    try:
        root = ET.fromstring(svg)  # noqa: S314 - drawn by chef, which escapes texts
    except ET.ParseError as error:
        raise ValueError(f"the drawing {plot.title!r} is not well-formed: {error}") from None
    for element in root.iter():
        tag = str(element.tag).rpartition("}")[2].lower()
        names = {name.rpartition("}")[2].lower() for name in element.attrib}
        if tag in _REFUSED_TAGS or names & {"style", "href"} or any(n[:2] == "on" for n in names):
            raise ValueError(f"the drawing {plot.title!r} has <{tag}> with {sorted(names)}")
    return Markup(svg)  # noqa: S704 - checked above


def _section(section: Section) -> dict[str, Any]:
    kind = type(section).__name__.lower()
    is_wide = isinstance(section, Words | Headline | Cards) or (
        isinstance(section, Table) and _width(section) > _NARROW
    )
    drawn = drawing(section) if isinstance(section, Plot) else ""
    return {"kind": kind, "section": section, "is_wide": is_wide, "drawing": drawn}


def _width(table: Table) -> int:
    """About how many characters the rows of a table are wide, gaps between columns included."""
    lines = [table.headers, *([_cell(item).text for item in row] for row in table.rows)]
    return sum(max(map(len, column)) + 3 for column in zip_longest(*lines, fillvalue=""))


def _cell(cell: str | Cell) -> Cell:
    return cell if isinstance(cell, Cell) else Cell(cell)


def _names(ids: Sequence[str]) -> str:
    """Ids of samples as the list of samples has them, for an attribute."""
    return page_json(clean(list(ids))).decode()


def _shown(value: Any) -> Any:
    """What a variable of the template is printed as; markup is the package's own."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    return redact(encodable(value)).translate(_PICTURES)


def _hash(text: str) -> str:
    """As a Content-Security-Policy has it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _read(name: str) -> str:
    return resources.files("chef.report.page").joinpath("templates", name).read_text("utf-8")
