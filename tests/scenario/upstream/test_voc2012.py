"""VOC2012's options, drawn step by step from ChEF's random stream."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from chef.common.boxes import iou
from chef.scenario.upstream.chef import VOC2012, moved

DOG, CAT, SECOND = (0.1, 0.2, 0.6, 0.9), (0.5, 0.5, 1.0, 1.0), (0.05, 0.05, 0.3, 0.3)
Box = tuple[float, float, float, float]


def record(*objects: tuple[str, Box]) -> dict:
    listed = [{"label": label, "bbox": list(box)} for label, box in objects]
    return {"image": "1.jpg", "object": listed, "query": ""}


RECORDS = [
    record(("dog", DOG), ("cat", CAT), ("dog", SECOND)),
    record(("cow", CAT)),
    record(("bird", DOG), ("bus", CAT), ("cow", DOG)),
]


def scenario(root: Path) -> VOC2012:
    (root / "meta_file").mkdir()
    (root / "meta_file" / "Detection_VOC2012.json").write_text(json.dumps(RECORDS))
    return VOC2012(
        base_data_path=str(root), ppl_cfg={"negative_opt_num": 2}, option_template="shikra"
    )


class Script(random.Random):
    """Gives the fractions of a list, in order."""

    def __init__(self, *fractions: float) -> None:
        super().__init__(0)
        self.fractions = list(fractions)

    def random(self) -> float:
        return self.fractions.pop(0)


def test_one_factor_for_both_sides_then_the_shifts_then_the_clip() -> None:
    # The box is 0.4 wide and 0.2 high around (0.5, 0.5). The factor is 0.5 + 0.75 = 1.25.
    # The shifts are -0.2 + 0.4 * 1 and -0.1 + 0.2 * 0.25, so the centre is (0.7, 0.45).
    found = moved((0.3, 0.4, 0.7, 0.6), Script(0.75, 1.0, 0.25))
    assert found == pytest.approx((0.45, 0.325, 0.95, 0.575))
    # A centre of 0.9 and a width of 0.6 reach to 1.2.
    assert moved((0.6, 0.4, 1.0, 0.6), Script(1.0, 0.75, 0.5)) == pytest.approx(
        (0.6, 0.35, 1, 0.65)
    )


def test_classes_come_from_the_file_and_one_list_is_shuffled_again(tmp_path: Path) -> None:
    turns = scenario(tmp_path)[0].turns
    rng = random.Random(0)
    absent = ["cow", "bird", "bus"]  # in the order of the file, not in VOC's
    rng.shuffle(absent)
    assert turns[0].options == ("a dog", f"a {absent[0]}", f"a {absent[1]}")
    rng.shuffle(absent)
    assert turns[1].options == ("a cat", f"a {absent[0]}", f"a {absent[1]}")


def words(label: str, box: Box) -> str:
    return f"{label}[{','.join(f'{edge:.3f}' for edge in box)}]"


def wrong_boxes(label: str, own: list[Box], models: list[Box], rng: random.Random) -> list[str]:
    found = []
    for x1, y1, x2, y2 in models:
        for _ in range(2):
            width, height, factor = x2 - x1, y2 - y1, rng.uniform(0.5, 1.5)
            x = (x1 + x2) / 2 + rng.uniform(-width / 2, width / 2)
            y = (y1 + y2) / 2 + rng.uniform(-height / 2, height / 2)
            half, tall = width * factor / 2, height * factor / 2
            box = (max(0, x - half), max(0, y - tall), min(1, x + half), min(1, y + tall))
            if all(iou(box, other) <= 0.5 for other in own):
                found.append(words(label, box))
    return found


def test_boxes_of_the_class_are_moved_first_then_all_by_class(tmp_path: Path) -> None:
    turns = scenario(tmp_path)[0].turns
    rng = random.Random(0)
    absent = ["cow", "bird", "bus"]
    rng.shuffle(absent)
    rng.shuffle(absent)
    dogs = wrong_boxes("dog", [DOG, SECOND], [DOG, SECOND, DOG, SECOND, CAT], rng)
    for turn, box in zip(turns[2:4], (DOG, SECOND), strict=True):
        rng.shuffle(dogs)  # the same list again for the next box
        assert turn.options == (words("dog", box), *dogs[:2])
    cats = wrong_boxes("cat", [CAT], [CAT, DOG, SECOND, CAT], rng)
    rng.shuffle(cats)
    assert turns[4].options == (words("cat", CAT), *cats[:2])


def test_the_stream_runs_on_from_image_to_image(tmp_path: Path) -> None:
    data = scenario(tmp_path)
    late = data[2].turns
    assert data[0].turns != late
    (tmp_path / "again").mkdir()
    assert scenario(tmp_path / "again")[2].turns == late
    # "dog", "cat": only two classes are absent from the last image
    assert {option for turn in late[:3] for option in turn.options[1:]} == {"a dog", "a cat"}
