"""The HTML of a page: its data as JSON that may stand in it, header, sections, code and style."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from itertools import zip_longest
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape, unescape

import msgspec
from markupsafe import Markup

from chef.common.jsonable import to_jsonable
from chef.common.redaction import may_hold_secret, redact, redact_data
from chef.common.text import encodable, encodable_data
from chef.reading.text import strip_reasoning
from chef.report.page.content import (
    Cards,
    Cell,
    Headline,
    PageContent,
    Plot,
    SampleRow,
    Section,
    Table,
    Words,
)
from chef.report.sample_view import VERDICTS, SampleView

if TYPE_CHECKING:
    from jinja2 import Template
#: What could end the element, or the line of a script, that JSON stands in; all of it can only
#: stand in strings, where the escape means the same.
_ESCAPES = {sign.encode(): f"\\u{ord(sign):04x}".encode() for sign in "<>&\u2028\u2029"}


def page_json(data: Any) -> bytes:
    r"""Plain data as JSON in which nothing ends an element or begins a comment.

    >>> page_json(["</script><!--", float("nan")])
    b'["\\u003c/script\\u003e\\u003c!--",null]'
    """
    text = msgspec.json.encode(data)
    for sign, code in _ESCAPES.items():
        text = text.replace(sign, code)
    return text


def clean(data: Any) -> Any:
    """Plain data without secrets and lone surrogates; the same object where it has none."""
    if isinstance(data, str):
        return redact(encodable(data))
    try:  # as one text, which takes a tenth of the time of a walk
        is_clean = not may_hold_secret(msgspec.json.encode(data))
    except UnicodeEncodeError:  # a lone surrogate
        is_clean = False
    return data if is_clean else redact_data(encodable_data(data))


def index_data(rows: Sequence[SampleRow]) -> dict[str, Any]:
    """The list of samples, short: no key is repeated, and each value of a field stands once.

    ``fields`` has name and values of each; ``rows`` id, question, truth, the index of the value of
    each field (-1 for none), and of each run None or index of verdict, score, confidence, answer.
    """
    names = list(dict.fromkeys(name for row in rows for name in row.fields))
    values: list[dict[str, int]] = [{} for _ in names]
    coded = []
    for row in rows:
        held = [
            found.setdefault(row.fields[name], len(found)) if name in row.fields else -1
            for name, found in zip(names, values, strict=True)
        ]
        runs = [
            cell and [VERDICTS.index(cell.verdict), cell.score, cell.confidence, clean(cell.answer)]
            for cell in row.runs
        ]
        coded.append([*clean([row.id, row.question, row.truth]), held, runs])
    fields = [clean([name, list(found)]) for name, found in zip(names, values, strict=True)]
    return {"fields": fields, "rows": coded}


def view_data(view: SampleView) -> dict[str, Any]:
    """A view as plain data whose keys are all the page's own; ``fields`` is a list of pairs."""
    raw = msgspec.to_builtins(replace(view, fields={}))
    data: dict[str, Any] = clean(raw)
    data["fields"] = clean([[str(name), _redacted(value)] for name, value in view.fields.items()])
    for before, answer in zip(raw["answers"], data["answers"], strict=True):
        answer["span"] = _span(before["text"], answer["text"], before["span"])
        answer["thoughts"] = thoughts_of(answer["text"])
    return data


def thoughts_of(text: str) -> int:
    """How many characters the thoughts have with which an answer begins.

    They are what the readers of answers leave out, of any length; see `strip_reasoning`.

    >>> thoughts_of("<think>A?</think>B"), thoughts_of("A <think>B?</think>")
    (17, 0)
    """
    said = strip_reasoning(text)
    length = len(said) - len(said.lstrip())
    return length if text[:length].strip() else 0


def _redacted(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping | list | tuple):
        return json.dumps(to_jsonable(value), ensure_ascii=False)
    return "" if value is None else str(value)


def _span(before: str, after: str, span: Sequence[int] | None) -> list[int] | None:
    """Where the span is after secrets were removed; None where that cannot be known."""
    if not span:
        return None
    start, end = span
    is_same = len(before) == len(after) or after[:end] == before[:end]
    return [start, end] if is_same and 0 <= start < end <= len(before) else None


#: A text with more characters is folded: browsers stop for seconds over megabytes.
LONGEST = 40_000
#: So many characters of its start, and of its end, stay.
END = 10_000


def folded(view: dict[str, Any], keep: Callable[[str], str]) -> dict[str, Any]:
    """The data of a view (`view_data`) with very long texts folded; ``keep`` stores each whole.

    ``wholes`` has for each folded text, in order, the name of its file and its characters. The span
    of an answer stays where it lies in what is left of the text.
    """
    if len(msgspec.json.encode(view)) <= LONGEST:  # no text of it is longer
        return {**view, "wholes": []}
    wholes: list[list[str | int]] = []

    def fold(data: Any) -> Any:
        if isinstance(data, str):
            if len(data) <= LONGEST:
                return data
            entry: list[str | int] = [keep(data), len(data)]
            if entry not in wholes:
                wholes.append(entry)
            gone = len(data) - 2 * END
            return f"{data[:END]}{_note(gone)}{data[-END:]}"
        if isinstance(data, dict):
            return {key: fold(value) for key, value in data.items()}
        return [fold(item) for item in data] if isinstance(data, list) else data

    shown: dict[str, Any] = fold(view)
    for before, answer in zip(view["answers"], shown["answers"], strict=True):
        length = len(before["text"])
        answer["span"] = _moved(answer["span"], length)
        if length > LONGEST and answer["thoughts"] > END:
            end = _moved([length - 1, answer["thoughts"]], length)
            answer["thoughts"] = end[1] if end and answer["thoughts"] >= length - END else END
    return {**shown, "wholes": wholes}


def _note(gone: int) -> str:
    return f"\n[... {gone:,} characters are left out here: the whole text is in a file ...]\n"


def _moved(span: list[int] | None, length: int) -> list[int] | None:
    """Where a span of a text of that length is once it is folded; None where it is left out."""
    if span is None or length <= LONGEST or span[1] <= END:
        return span
    gone = length - 2 * END
    moved = len(_note(gone)) - gone
    return [span[0] + moved, span[1] + moved] if span[0] >= length - END else None


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
