"""What of an answer counts: not what leaks from a next turn, nor what the model takes back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.common.boxes import iou
from chef.reading.boxes.found import BoxMatch
from chef.reading.passage import corrections

#: Marks around a final answer: what is in front of the first of them does not count.
_MARKS = re.compile(r"<answer>|\\boxed\s*\{|<\|begin_of_box\|>", re.IGNORECASE)
_FINAL = re.compile(
    r"^\W{0,6}answer\W{0,3}:|\b(?:final|corrected?|revised|updated)\s+(?:answer|results?|output|list|detections?"
    r"|(?:bounding\s+)?box(?:es)?|coordinates|version)\b",
    re.IGNORECASE | re.MULTILINE,
)
#: Words of correction that only boxes have; the others are in the lexicon.
_REFINED = re.compile(
    r"\b(?:correct(?:ed|ing)|let\s+me\s+(?:fix|adjust|refine|check|re)|revised|updated|adjust(?:ed|ing)"
    r"|refined|more\s+precise(?:ly)?|more\s+accurate(?:ly)?|should\s+(?:instead\s+)?be"
    r"|better\s+estimate|tighter|apologi[sz]e)\b",
    re.IGNORECASE,
)
_ADDS = re.compile(
    r"\b(?:another|also|missed|forgot|one\s+more|additional(?:ly)?|too|as\s+well|a\s+second)\b",
    re.IGNORECASE,
)


def without_corrections(text: str) -> str:
    """``text`` with a full stop and blanks for words of correction, which label no box.

    >>> without_corrections("Scrap that, a cat")
    '.           a cat'
    """
    for start, end in corrections(text):
        text = text[:start] + ".".ljust(end - start) + text[end:]
    return text


def settled(text: str, boxes: Sequence[BoxMatch]) -> list[BoxMatch]:
    """The boxes that the text ends with.

    Boxes in front of a final answer do not count, if it has boxes. After words such as "wait" or
    "corrected", a box replaces those of the same label in front of them, and one at its place.
    """
    return _corrected(text, _final(text, boxes))


def _final(text: str, boxes: Sequence[BoxMatch]) -> list[BoxMatch]:
    marks = [match.start() for match in _MARKS.finditer(text)][:1]
    marks += [match.start() for match in _FINAL.finditer(text)][-1:]
    for mark in sorted(marks, reverse=True):
        behind = [box for box in boxes if box.end > mark]
        if behind:
            return behind
    return list(boxes)


def _corrected(text: str, boxes: Sequence[BoxMatch]) -> list[BoxMatch]:
    kept: list[BoxMatch] = []
    group: list[BoxMatch] = []
    replaces = False
    for i, box in enumerate(boxes):
        gap = text[boxes[i - 1].end : box.start] if i else ""
        if _REFINED.search(gap) or corrections(gap, "comma"):
            kept = _merged(kept, group, replaces)
            group, replaces = [], not _ADDS.search(without_corrections(gap))
        group.append(box)
    return _merged(kept, group, replaces)


def _merged(kept: Sequence[BoxMatch], group: Sequence[BoxMatch], replaces: bool) -> list[BoxMatch]:
    """The boxes so far and those of a correction, with what it replaces left out."""
    if not replaces:
        return [*kept, *group]
    out: list[BoxMatch] = [
        box for box in kept if any(iou(box.corners, new.corners) > 0.95 for new in group)
    ]
    for label in {_plain(box.label) for box in group}:
        new = [box for box in group if _plain(box.label) == label]
        old = [box for box in kept if _plain(box.label) == label]
        if len(new) < len(old):
            # One of several is corrected: the one that is nearest to it.
            old = [max(old, key=lambda box: iou(box.corners, one.corners)) for one in new]
        out += old
    return [*(box for box in kept if box not in out), *group]


def _plain(label: str | None) -> str:
    return (label or "").casefold().rstrip("s")
