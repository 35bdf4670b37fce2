"""Boxes and points by ChEF's own rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chef.metric import METRICS
from chef.reading.rules.chef_boxes import boxes_in, patch_boxes, points_in
from chef.types import Prediction, Status

Detection = METRICS.get("Detection", compat="upstream")
InsideBbox = METRICS.get("InsideBbox", compat="upstream")
InsideHumanBbox = METRICS.get("InsideHumanBbox", compat="upstream")
KOSMOSDetection = METRICS.get("KOSMOS_Detection", compat="upstream")

Make = Callable[..., Prediction]
Values = Callable[..., dict[str, Any]]
CAT = {"label": "cat", "bbox": [0.0, 0.0, 0.5, 0.5]}
DOG = {"label": "dog", "bbox": [0.5, 0.5, 1.0, 1.0]}
TABLE = {"label": "diningtable", "bbox": [0.0, 0.5, 0.5, 1.0]}
LEFT, RIGHT = "[0.0, 0.0, 0.5, 0.5]", "[0.5, 0.5, 1.0, 1.0]"
A, B, C, D = 0.1, 0.2, 0.3, 0.4

pytestmark = pytest.mark.usefixtures("lexicon")


@pytest.mark.parametrize(
    ("text", "boxes"),
    [
        ("[0.1, 0.2, 0.3, 0.4]", [(A, B, C, D)]),
        ("(0.3 0.4) [0.1, 0.2]", [(A, B, C, D)]),  # square brackets first
        ("0.1 0.2 0.3 0.4 of 7", [(A, B, C, D)]),  # no brackets at all
        ("2 cats [0.1, 0.2, 0.3, 0.4]", [(A, B, C, D)]),
        ("[0.1, 0.2] and [0.3, 0.4, 9]", [(A, B, C, D)]),  # the ninth is left over
        ("[0.3, 0.4, 0.1, 0.2]", [(A, B, C, D)]),  # flipped
        ("[0.3, 0.2, 0.1, 0.4]", []),  # reversed on one axis
        ("[.1, .2, .3, .4]", [(0.1, 0.2, 0.3, 0.4)]),  # as float() reads them
        (".1, .2, .3, .4", [(1, 2, 3, 4)]),  # without brackets a number starts with a digit
        ("[0.1, 0.2, 0.3", []),
        ("", []),
    ],
)
def test_boxes_are_numbers_in_fours(text: str, boxes: list[tuple[float, ...]]) -> None:
    assert boxes_in(text) == boxes


def test_points_are_numbers_in_twos() -> None:
    assert points_in("(0.1, 0.2) [0.3, 0.4, 0.5]") == [(C, D), (0.5, A)]
    assert points_in("x 0.1 y 0.2") == [(A, B)]


def test_a_patch_outside_the_grid_is_kept() -> None:
    (box,) = patch_boxes("<object><patch_index_0033><patch_index_1056></object>")
    assert box == (1 / 32, 1 / 32, 0, 33 / 32)
    assert patch_boxes("<object><patch_index_0033><patch_index_0066>") == []  # never closed


def test_one_box_finds_all_objects_that_are_named(make: Make, values: Values) -> None:
    twin = {**DOG, "bbox": CAT["bbox"]}
    found = values(
        Detection(),
        # one box for both, whatever it is called; the second box is one too many
        make("1", f"a cat and a dog {LEFT} {LEFT}", gt_answers=[CAT, twin, DOG]),
        make("2", f"a dog {LEFT}", gt_answers=[CAT]),  # the cat is not named
    )
    # 2 true boxes hit, 3 predicted, 4 true
    assert found == pytest.approx({"mAP@0.5": 200 / 3, "mAR@0.5": 50, "f1@0.5": 400 / 7})


def test_the_threshold_itself_is_no_hit(make: Make, values: Values) -> None:
    half = make("1", "a cat [0, 0, 0.5, 0.25]", gt_answers=[CAT])
    assert values(Detection(), half)["mAP@0.5"] == 0
    assert values(Detection(threshold=0.49), half)["mAP@0.49"] == 100


def turned(truth: list[Any], specs: list[dict[str, Any]], answers: list[str]) -> Prediction:
    keys = ("prompt_idx", "prefix")
    turns = [
        {**{key: spec[key] for key in keys}, "answer": text}
        | ({"choice": 0} if "options" in spec else {})
        for spec, text in zip(specs, answers, strict=True)
    ]
    sample = {"id": "1", "gt_answers": truth, "multi_turn_prefix": specs}
    return Prediction("1", Status.OK, [], {"turn_answer": turns}, {}, sample)


def ask(idx: int, prefix: str = "", **more: Any) -> dict[str, Any]:
    return {"prompt_idx": idx, "prefix": prefix, **more}


def test_only_the_first_class_of_a_text_is_scored(values: Values) -> None:
    specs = [ask(0), ask(1, "cat"), ask(1, "dog")]
    said = turned([CAT, DOG], specs, ["dog and cat", f"{LEFT} {LEFT} {RIGHT}", RIGHT])
    # two of three boxes of the cat match, though they are one; two true boxes
    found = values(Detection(), said)
    assert found["mAP@0.5"] == pytest.approx(200 / 3)
    assert found["mAR@0.5"] == 100
    assert found["classification_acc"] == 100


def options(*texts: str) -> dict[str, Any]:
    return {"options": list(texts)}


def test_a_scored_class_is_right_by_its_words(values: Values) -> None:
    specs = [
        ask(0, **options("a cat", "a horse")),
        ask(0, **options("a dog", "a hot_dog")),
        ask(0, **options("a diningtable", "a horse")),
        ask(1, "cat", **options(LEFT, RIGHT)),
        ask(1, "dog", **options(LEFT, RIGHT)),
        ask(1, "diningtable", **options(LEFT, RIGHT)),
    ]
    answers = ["a cat", "a hot_dog", "a diningtable", LEFT, LEFT, "[0.0, 0.5, 0.5, 1.0]"]
    found = values(Detection(inference_type="ppl"), turned([CAT, DOG, TABLE], specs, answers))
    # "hot_dog" is a lemma of dog; diningtable has no synset, so its box does not count
    assert found["classification_acc"] == pytest.approx(200 / 3)
    assert found["grounding_acc"] == found["mAP@0.5"] == 50
    assert found["mAR@0.5"] == pytest.approx(100 / 3)


def test_a_scored_box_is_right_by_its_text(values: Values) -> None:
    small = [{"label": "cat", "bbox": [0.501, 0.501, 0.504, 0.504]}]
    specs = [ask(0, **options("a cat")), ask(1, "cat", **options("[0.5, 0.5, 0.5, 0.5]"))]
    rounded = turned(small, specs, ["a cat", "[0.5, 0.5, 0.5, 0.5]"])
    assert values(Detection(), rounded)["grounding_acc"] == 0
    exact = turned(small, specs, ["a cat", "[0.501, 0.501, 0.504, 0.504]"])
    assert values(Detection(), exact)["grounding_acc"] == 100


def test_turns_that_do_not_fit_the_classes_are_an_error() -> None:
    lacking = turned([CAT, DOG], [ask(0, **options("a cat"))], ["a cat"])
    assert Detection().evaluate([lacking]).coverage.errors == 1


def test_kosmos_boxes_are_counted_unchecked(make: Make, values: Values) -> None:
    box = "<object><patch_index_0000><patch_index_0528></object>"
    odd = "<object><patch_index_0033><patch_index_1056></object>"
    report = KOSMOSDetection().evaluate([make("1", f"a cat {box}{odd}", gt_answers=[CAT])])
    assert report.metrics["mAP@0.5"].value == 50
    assert report.samples[0]["parsed"] == [{"label": "", "bbox": [0, 0, 0.5, 0.5]}]


def test_points_in_boxes_of_classes_that_are_named(make: Make, values: Values) -> None:
    found = values(
        InsideBbox(),
        make("1", "a cat (0.2, 0.2), dogs (0.7, 0.7)", gt_answers=[CAT, DOG]),
        make("2", "a Cat (0.2, 0.2)", gt_answers=[CAT]),  # case is kept
        make("3", "a cat (0.5, 0.2)", gt_answers=[CAT]),  # on the edge
    )
    assert found == {"ACC": 50}


def test_points_on_a_person_are_scaled_by_the_image(make: Make, values: Values) -> None:
    fields = {"gt_answers": [[10, 10], [30, 40, 1]], "image_size": [100, 50]}
    said = [make("1", "at [0.2, 0.5]", **fields), make("2", "at .2 .5", **fields)]
    assert values(InsideHumanBbox(), *said) == {"ACC": 50}
