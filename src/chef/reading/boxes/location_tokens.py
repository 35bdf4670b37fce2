"""Boxes in the tokens of PaliGemma and Florence-2."""

from __future__ import annotations

import re

from chef.common.boxes import upright
from chef.reading.boxes.found import BoxMatch

_PALIGEMMA = re.compile(r"((?:<loc[0-9]{4}>\s*){4})([^<;\n]{0,80})")
_FLORENCE = re.compile(r"([^<>;\n]{0,80})((?:<loc_[0-9]{1,4}>){4,})")


def token_boxes(text: str) -> list[BoxMatch]:
    """The boxes in tokens of locations, as fractions of the image, with their labels.

    PaliGemma writes ``<loc y1><loc x1><loc y2><loc x2> label``, each in 1024ths of the image
    (Beyer et al. 2024). Florence-2 writes ``label<loc_x1><loc_y1><loc_x2><loc_y2>``, each one of a
    thousand bins (Xiao et al. 2023).

    >>> [box.corners for box in token_boxes("<loc0256><loc0000><loc0512><loc1023> cat")]
    [(0.0, 0.25, 0.9990234375, 0.5)]
    """
    boxes = []
    for match in _PALIGEMMA.finditer(text):
        y1, x1, y2, x2 = (int(number) / 1024 for number in re.findall("[0-9]{4}", match[1]))
        box = upright([x1, y1, x2, y2])
        if box:
            boxes.append(BoxMatch(box, *match.span(1), match[2].strip()))
    for match in _FLORENCE.finditer(text):
        numbers = [int(number) / 1000 for number in re.findall("[0-9]+", match[2])]
        for i in range(0, len(numbers) - 3, 4):
            box = upright(numbers[i : i + 4])
            if box:
                boxes.append(BoxMatch(box, *match.span(2), match[1].strip()))
    return boxes
