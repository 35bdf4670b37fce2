"""Data of a page as JSON that may stand in HTML and in a script, very long texts folded."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from chef.common.jsonable import to_jsonable
from chef.common.redaction import may_hold_secret, redact, redact_data
from chef.common.text import encodable, encodable_data
from chef.reading.text import strip_reasoning
from chef.report.page.content import SampleRow
from chef.report.sample_view import VERDICTS, SampleView

#: What could end the element, or the line of a script, that JSON stands in; all of it can only
#: stand in strings, where the escape means the same.
_ESCAPES = {sign.encode(): f"\\u{ord(sign):04x}".encode() for sign in "<>&\u2028\u2029"}


def page_json(data: Any) -> bytes:
    r"""Plain data as JSON in which nothing ends an element or begins a comment.

    >>> page_json(["</script><!--", float("nan")])
    b'["\\u003c/script\\u003e\\u003c!--",null]'
    """
    text = msgspec.json.encode(data)
    for sign, escape in _ESCAPES.items():
        text = text.replace(sign, escape)
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
    data["fields"] = [clean([str(name), _shown(value)]) for name, value in view.fields.items()]
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


def _shown(value: Any) -> str:
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
