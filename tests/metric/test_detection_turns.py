"""Detection in turns, scored by hand."""

from __future__ import annotations

from typing import Any

import pytest

from chef.metric.detection.detection import Detection, KOSMOSDetection
from chef.reading.points import parse_patches
from chef.types import Prediction, Status

CAT = {"label": "cat", "bbox": [0.0, 0.0, 0.5, 0.5]}
CAT_2 = {"label": "cat", "bbox": [0.5, 0.0, 1.0, 0.5]}
DOG = {"label": "dog", "bbox": [0.5, 0.5, 1.0, 1.0]}


def values(report):
    """Without average precision: tests/metric/test_detection.py."""
    items = report.metrics.items()
    return {name: item.value for name, item in items if not name.startswith("COCO")}


def free(name: str, truth: list[Any], there: str, **where: str) -> Prediction:
    """Free-text turns: what is there, then a text for each class."""
    turns = [{"prompt_idx": 0, "prefix": "", "answer": there}]
    turns += [
        {"prompt_idx": 1, "prefix": label.replace("_", " "), "answer": text}
        for label, text in where.items()
    ]
    return Prediction(
        name, Status.OK, [], {"turn_answer": turns}, {}, {"id": name, "gt_answers": truth}
    )


def scored(
    name: str, truth: list[Any], asked: list[tuple[int, int | None]], choices: list[int]
) -> Prediction:
    """Scored turns: (prompt_idx, prefix_from) of each, the right option always 1."""
    specs = [
        {"prompt_idx": idx, "prefix": "", "options": ["a", "b"], "gt_choice": 1}
        | ({} if source is None else {"prefix_from": source})
        for idx, source in asked
    ]
    turns = [
        {"prompt_idx": idx, "prefix": "", "answer": "ab"[choice], "choice": choice}
        for (idx, _), choice in zip(asked, choices, strict=True)
    ]
    sample = {"id": name, "gt_answers": truth, "multi_turn_prefix": specs}
    return Prediction(name, Status.OK, [], {"turn_answer": turns}, {}, sample)


def test_free_text_by_hand() -> None:
    report = Detection().evaluate(
        [
            # both classes count, not the first alone (D13); a box said twice is right once
            free("1", [CAT, DOG], "a cat and a dog",
                 cat="[0, 0, .5, .5]; [0, 0, .5, .5]", dog="[.5, .5, 1, 1]"),
            # the dog was not named: its box does not count
            free("2", [CAT, CAT_2, DOG], "two cats",
                 cat="[0, 0, .5, .5] and [.5, 0, 1, .5]", dog="[.5, .5, 1, 1]"),
            # the place of the dog is no place of the cat
            free("3", [CAT, DOG], "a dog, a cat", cat="[.5, .5, 1, 1]", dog="I see none"),
        ]
    )  # fmt: skip
    # 4 matched, 3 + 2 + 1 predicted, 2 + 3 + 2 true; 2 + 1 + 2 of 6 classes named
    assert values(report) == pytest.approx(
        {
            "mAP@0.5": 400 / 6,
            "mAR@0.5": 400 / 7,
            "f1@0.5": 800 / 13,
            "classification_acc": 500 / 6,
        }
    )
    assert report.primary == "f1@0.5"
    figure = report.metrics["mAP@0.5"]
    assert (figure.n, figure.method, figure.unit) == (3, "wilson", "%")
    assert figure.low < figure.value < figure.high
    assert figure.stderr > 0
    assert [entry["metric_result"] for entry in report.samples] == pytest.approx([4 / 5, 4 / 5, 0])
    assert report.samples[1]["classes_named"] == ["cat"]


def test_a_conversation_is_charged_for_what_is_not_there() -> None:
    report = Detection().evaluate(
        [
            free("1", [CAT], "a big cat and a fox", big_cat="[0, 0, .5, .5]", fox="[0, 0, .5, .5]"),
            # in own words once more: the class is asked about once
            free("2", [CAT], "cats, a cat", cats="[0, 0, .5, .5]", cat="[.5, .5, 1, 1]"),
        ]
    )
    assert values(report) == pytest.approx(
        {"mAP@0.5": 200 / 3, "mAR@0.5": 100, "f1@0.5": 80, "classification_acc": 100}
    )


def test_scored_options_by_hand() -> None:
    two_classes = [(0, None), (0, None), (1, 0), (1, 0), (1, 1)]
    report = Detection().evaluate(
        [
            # both classes right; two of three boxes right
            scored("1", [CAT, CAT_2, DOG], two_classes, [1, 1, 1, 0, 1]),
            # the first class wrong: its boxes do not count, though one was right
            scored("2", [CAT, CAT_2, DOG], two_classes, [0, 1, 1, 0, 1]),
        ]
    )
    # 3 of 4 classes; 2 + 1 hits of 3 + 1 counted turns and of 6 boxes
    assert values(report) == pytest.approx(
        {"grounding_acc": 75, "mAR@0.5": 50, "classification_acc": 75}
    )
    assert report.primary == "grounding_acc"
    assert [entry["metric_result"] for entry in report.samples] == pytest.approx([2 / 3, 1 / 3])
    assert report.samples[0]["turns_right"] == [True, True, True, False, True]
    assert report.metrics["mAR@0.5"].n == 2
    assert report.metrics["mAR@0.5"].low <= 50 <= report.metrics["mAR@0.5"].high


def test_the_right_option_is_right_whatever_its_text() -> None:
    """The rounded text of a small box may miss the box itself (D57)."""
    small = [{"label": "cat", "bbox": [0.501, 0.501, 0.504, 0.504]}]
    report = Detection().evaluate([scored("1", small, [(0, None), (1, 0)], [1, 1])])
    assert values(report)["grounding_acc"] == 100
    assert values(report)["mAR@0.5"] == 100


def test_a_given_prefix_needs_no_right_turn_before_it() -> None:
    report = Detection().evaluate([scored("1", [CAT], [(0, None), (1, None)], [0, 1])])
    assert values(report)["grounding_acc"] == 100


def test_nothing_divides_by_zero() -> None:
    nothing_right = scored("1", [CAT], [(0, None), (1, 0)], [0, 1])
    assert values(Detection().evaluate([nothing_right])) == {
        "grounding_acc": None, "mAR@0.5": 0, "classification_acc": 0,
    }  # fmt: skip
    silent = Detection().evaluate([free("1", [CAT], "")])
    assert values(silent) == {
        "mAP@0.5": None, "mAR@0.5": 0, "f1@0.5": 0, "classification_acc": 0,
    }  # fmt: skip
    assert set(values(Detection().evaluate([free("1", [], "nothing")])).values()) == {None}
    for kind in ("direct", "ppl"):
        empty = Detection(inference_type=kind).evaluate([])
        assert set(values(empty).values()) == {None}
    assert "grounding_acc" in values(empty)


def test_a_place_that_cannot_be_read_is_unparsed() -> None:
    report = Detection().evaluate([free("1", [CAT], "a cat", cat="on the left")])
    assert report.coverage.unparsed == 1
    assert Detection().evaluate([free("1", [CAT], "a fox")]).coverage.unparsed == 0


def test_threshold_and_scale() -> None:
    half = [free("1", [CAT], "a cat", cat="[0, 0, 500, 250]")]  # IoU 0.5
    assert values(Detection(box_scale=1000).evaluate(half))["mAP@0.5"] == 0
    report = Detection(threshold=0.4, box_scale=1000).evaluate(half)
    assert values(report)["mAP@0.4"] == 100
    assert report.primary == "f1@0.4"


def test_turns_in_pixels() -> None:
    prediction = free("1", [CAT], "a cat", cat="[0, 0, 320, 120]")
    prediction.sample["image_size"] = [640, 240]
    assert values(Detection(box_scale="pixel").evaluate([prediction]))["mAP@0.5"] == 100
    assert values(Detection(box_scale=1000).evaluate([prediction]))["mAP@0.5"] == 0


def test_answers_that_do_not_fit_are_errors(make) -> None:
    def message(prediction: Prediction, **keys: Any) -> str:
        (entry,) = Detection(**keys).evaluate([prediction]).samples
        return entry["error"]["message"]

    written = free("1", [CAT], "a cat", cat="[0, 0, .5, .5]")
    assert "of inference_type direct" in message(written, inference_type="ppl")
    short = scored("1", [CAT], [(0, None)], [1])
    short.sample["multi_turn_prefix"].append({})
    assert "2 were to be asked" in message(short)


def test_classes_named_by_a_synonym() -> None:
    person = {"label": "person", "bbox": [0.0, 0.0, 0.5, 0.5]}
    report = Detection().evaluate([free("1", [person], "two women", person="[0, 0, .5, .5]")])
    assert values(report)["classification_acc"] == values(report)["mAP@0.5"] == 100


def test_kosmos_by_hand() -> None:
    box = "<object><patch_index_0000><patch_index_0528></object>"
    report = KOSMOSDetection().evaluate(
        [
            free("1", [CAT], "a cat", cat=f"<phrase>cat</phrase>{box}"),
            free("2", [CAT_2], "a cat", cat=box),
        ]
    )
    assert values(report)["mAP@0.5"] == 50
    one = Prediction("1", Status.OK, f"<phrase>a cat</phrase>{box}", sample={"gt_answers": [CAT]})
    assert values(KOSMOSDetection().evaluate([one]))["f1@0.5"] == 100


@pytest.mark.parametrize(
    ("text", "boxes"),
    [
        ("<object><patch_index_0000><patch_index_1056></object>", 0),  # outside the grid
        ("<object><patch_index_0000>", 0),
        ("<object><patch_index_0000><patch_index_0033>", 1),  # cut
        ("<object>" + "<patch_index_0000><patch_index_0033>" * 2 + "</object>", 2),
        ("[0.1, 0.2, 0.3, 0.4]", 0),
    ],
)
def test_the_grammar_of_kosmos(text: str, boxes: int) -> None:
    assert len(parse_patches(text)) == boxes


def test_an_unknown_truth_is_predicted_not_scored() -> None:
    unknown = scored("1", None, [(0, None)], [1])
    assert Detection().evaluate([unknown]).samples[0]["no_truth"]
