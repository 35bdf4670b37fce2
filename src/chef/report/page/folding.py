"""Very long texts of a sample, folded: both ends in the page, and the whole in a file beside it.

A browser lays out a text of some kilobytes at once, and stops for seconds over megabytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

#: A text with more characters is folded.
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
