"""Boxes and points in answers (section 9.2)."""

from __future__ import annotations

import re

Box = tuple[float, float, float, float]
Point = tuple[float, float]

NUMBER = r"[0-9]+\.?[0-9]*"


def coordinates(text: str) -> list[float]:
    """9.2: numbers in square, then in round brackets; if there is none, all of the text."""
    # Open: "none" means that no number stands in a bracket, not that no group of four came out.
    # Open: a bracket ends at the first closing one of its kind; line breaks inside are allowed.
    inside = re.findall(r"\[([^\]]*)\]", text) + re.findall(r"\(([^)]*)\)", text)
    # Open: a piece that is no number is left out.
    found = [
        float(piece) for part in inside for piece in re.split(r"[,\s]", part) if is_float(piece)
    ]
    return found or [float(number) for number in re.findall(NUMBER, text)]


def is_float(piece: str) -> bool:
    try:
        float(piece)
    except ValueError:
        return False
    return True


def parse_bbox(text: str) -> list[Box]:
    """9.2: groups of four; reversed on both axes is flipped, on one is dropped."""
    numbers = coordinates(text)
    boxes = []
    # Open: an incomplete last group is left out; equal corners are not reversed.
    for start in range(0, len(numbers) - 3, 4):
        x1, y1, x2, y2 = numbers[start : start + 4]
        if x1 > x2 and y1 > y2:
            boxes.append((x2, y2, x1, y1))
        elif not (x1 > x2 or y1 > y2):
            boxes.append((x1, y1, x2, y2))
    return boxes


def parse_keypoints(text: str) -> list[Point]:
    """9.2: groups of two of the same numbers."""
    numbers = coordinates(text)
    return [(numbers[at], numbers[at + 1]) for at in range(0, len(numbers) - 1, 2)]


def parse_kosmos_bbox(text: str) -> list[Box]:
    """9.2: the top-left corners of the patches named in an object, two to a box (D33)."""
    boxes: list[Box] = []
    for content in re.findall(r"<object>(.*?)</object>", text, re.DOTALL):
        patches = [int(index) for index in re.findall(r"<patch_index_(\d+)>", content)]
        corners = [(index % 32 / 32, index // 32 / 32) for index in patches]
        # Open: indices pair up within their object, an odd last one is left out, and a
        # reversed pair is kept as it is.
        pairs = range(0, len(corners) - 1, 2)
        boxes.extend((*corners[at], *corners[at + 1]) for at in pairs)
    return boxes


def check_inside_bbox(point: Point, box: Box) -> bool:
    """9.2: strictly inside."""
    x, y = point
    x1, y1, x2, y2 = box
    return x1 < x < x2 and y1 < y < y2


def cal_iou(first: Box, second: Box) -> float:
    """9.2: intersection over union of two boxes."""
    width = max(0.0, min(first[2], second[2]) - max(first[0], second[0]))
    height = max(0.0, min(first[3], second[3]) - max(first[1], second[1]))
    common = width * height
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (first, second)]
    union = sum(areas) - common
    # Open: two boxes without area have no union; 0 here.
    return common / union if union else 0.0
