"""Extract labelled boxes from text."""

from __future__ import annotations

import json
import re
from typing import Any

from chef.common.boxes import Box, upright
from chef.extraction.text import strip_reasoning

_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
_BOX = re.compile(
    r"[\[(<]{1,4}\s*" + r"(?:\s*,\s*|\s+)".join([f"({_NUMBER})"] * 4) + r"\s*[\])>]{1,4}"
)
_EDGES = " \t:=-*\"'`()[]{}<>"
_TAG = re.compile(r"</?\w{1,20}>")
_OBJECT = re.compile(r"\{[^{}]*\}")
_BOX_KEYS = ("bbox", "bbox_2d", "box", "box_2d")
_LABEL_KEYS = ("label", "name", "category", "class")
_LEAD = re.compile(
    r"(?:and|there\s+(?:is|are)|i\s+(?:can\s+)?see|this\s+is|it\s+is|an?|the|another|[0-9]+)\b\W*",
    re.IGNORECASE,
)
_TRAIL = re.compile(
    r"\W*\b(?:is|are|was|located|found|at|in|with|bounding|box|bbox|coordinates|position)\s*\Z",
    re.IGNORECASE,
)
#: The largest distance of a label from its box, in characters.
_REACH = 200


def parse_boxes(answer: str) -> list[Box]:
    """The boxes in a text, in order.

    Two forms are read: JSON objects with a box and a label, and prose in which the label comes
    before its box (or after it, if the text starts with a box). A box without its own label takes
    the label of the previous box.

    >>> [box.label for box in parse_boxes("red circle [0.1, 0.2, 0.3, 0.4]; star [0 0 1 1]")]
    ['red circle', 'star']
    """
    text = strip_reasoning(answer)
    return _from_json(text) or _from_prose(text)


def _from_json(text: str) -> list[Box]:
    boxes = []
    for match in _OBJECT.finditer(text):
        try:
            item = json.loads(match[0])
        except (ValueError, RecursionError):
            continue
        numbers = next((item[key] for key in _BOX_KEYS if key in item), None)
        label = next((item[key] for key in _LABEL_KEYS if key in item), "")
        box = upright(_numbers(numbers))
        if box is not None:
            boxes.append(Box(str(label), box))
    return boxes


def _numbers(item: Any) -> list[float]:
    numeric = isinstance(item, list) and all(
        isinstance(number, int | float) and abs(number) < 1e9 for number in item
    )
    return item if numeric else []


def _from_prose(text: str) -> list[Box]:
    matches = list(_BOX.finditer(text))
    if not matches:
        return []
    edges = [0, *(match.end() for match in matches)]
    gaps = [
        text[edge : match.start()][-_REACH:] for edge, match in zip(edges, matches, strict=False)
    ]
    tail = text[matches[-1].end() :][:_REACH]
    if not _label(gaps[0]) and _label(tail):
        gaps = [*gaps[1:], tail]
    boxes = []
    label = ""
    for gap, match in zip(gaps, matches, strict=True):
        label = _label(gap) or label
        box = upright([float(number) for number in match.groups()])
        if box is not None:
            boxes.append(Box(label, box))
    return boxes


def _label(gap: str) -> str:
    """The noun phrase next to a box: the last piece of the gap, without the words around it."""
    words = _TAG.sub(" ", gap)
    pieces = [piece.strip(_EDGES) for piece in re.split(r"[.;,\n]|\band\b", words)]
    phrase = next((piece for piece in reversed(pieces) if _strip(piece)), "")
    return _strip(phrase)


def _strip(phrase: str) -> str:
    while (match := _LEAD.match(phrase)) or (match := _TRAIL.search(phrase)):
        phrase = (phrase[: match.start()] + phrase[match.end() :]).strip(_EDGES)
    return phrase
