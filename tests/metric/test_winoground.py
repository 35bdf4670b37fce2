"""Winoground: larger is better, and what was swapped is put back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.metric.vqa.winoground import (
    TYPES,
    WinogroundCapMetric,
    WinogroundMetric,
    outcome,
    unshuffled,
)
from chef.types import Prediction, Status

#: Text right, image wrong: image 0 is the better picture of both captions.
TEXT_ONLY = {"c0i0": -1.0, "c0i1": -3.0, "c1i0": -2.0, "c1i1": -2.5}
PERFECT = {"c0i0": -0.1, "c0i1": -5.0, "c1i0": -5.0, "c1i1": -0.1}


def swapped(scores, shuffle):
    """What is measured when the example is shown with this shuffle: swapping is its own inverse."""
    return unshuffled(scores, shuffle)


def questions(scores, shuffle=1, main_id="0", status=Status.OK):
    shown = swapped(scores, shuffle)
    return [
        Prediction(
            f"{main_id}-{kind}",
            status,
            answer="Yes",
            scores={"choice": 0, "ppl_results": [shown[kind], -1.5]},
            sample={
                "options": ["Yes", "No"],
                "gt_choice": int(kind[1] == kind[3]),
                "type": kind,
                "main_id": main_id,
                "shuffle": shuffle,
            },
        )
        for kind in TYPES
    ]


def values(metric, predictions):
    return {name: figure.value for name, figure in metric.evaluate(predictions).metrics.items()}


def test_outcomes_by_hand():
    assert outcome(PERFECT) == {"Text": True, "Image": True, "Group": True}
    assert outcome(TEXT_ONLY) == {"Text": True, "Image": False, "Group": False}
    inverted = {kind: -score for kind, score in PERFECT.items()}
    assert not any(outcome(inverted).values())
    assert not any(outcome(dict.fromkeys(TYPES, 0.0)).values())  # ties are not right


def test_a_swap_of_captions_and_a_swap_of_images():
    shown = {"c0i0": 1.0, "c0i1": 2.0, "c1i0": 3.0, "c1i1": 4.0}
    assert unshuffled(shown, 1) == {"c1i0": 1.0, "c1i1": 2.0, "c0i0": 3.0, "c0i1": 4.0}
    assert unshuffled(shown, 2) == {"c0i1": 1.0, "c0i0": 2.0, "c1i1": 3.0, "c1i0": 4.0}


@pytest.mark.parametrize("shuffle", [1, 2])
def test_a_perfect_model_scores_one(shuffle):
    found = values(WinogroundMetric(), questions(PERFECT, shuffle))
    assert found == {"Text": 1, "Image": 1, "Group": 1, "incomplete_groups": 0}


def test_shares_of_examples():
    answers = [*questions(PERFECT), *questions(TEXT_ONLY, 2, "1")]
    report = WinogroundMetric().evaluate(answers)
    assert {name: report.metrics[name].value for name in ("Text", "Image", "Group")} == {
        "Text": 1,
        "Image": 0.5,
        "Group": 0.5,
    }
    assert report.metrics["Group"].n == 2
    assert report.primary == "Group"


def test_an_example_that_lacks_a_question_is_left_out_and_counted():
    answers = questions(PERFECT)[:3] + questions(TEXT_ONLY, 1, "1")
    found = values(WinogroundMetric(), answers)
    assert (found["Text"], found["Group"], found["incomplete_groups"]) == (1, 0, 1)


def test_written_answers():
    def said(words):
        return [
            Prediction(
                f"0-{kind}",
                Status.OK,
                answer=word,
                sample={"gt_answers": "Yes", "type": kind, "main_id": "0", "shuffle": 1},
            )
            for kind, word in zip(TYPES, words, strict=True)
        ]

    # Shown with the captions swapped: caption 2 goes with image 1.
    assert values(WinogroundMetric(), said(["No", "Yes", "Yes", "No"]))["Group"] == 1
    assert values(WinogroundMetric(), said(["Yes"] * 4))["Group"] == 0
    assert values(WinogroundMetric(), said(["", "Yes", "Yes", "No"]))["Text"] == 0


def captioned(scores, shuffle):
    shown = swapped(scores, shuffle)
    return Prediction(
        "0",
        Status.OK,
        answer="x",
        scores={"choice": 0, "ppl_results": [shown[kind] for kind in TYPES]},
        sample={"options": list("wxyz"), "gt_choice": [1, 2], "shuffle": shuffle},
    )


@pytest.mark.parametrize("shuffle", [1, 2])
def test_statements(shuffle):
    assert values(WinogroundCapMetric(), [captioned(PERFECT, shuffle)]) == {
        "Text": 1,
        "Image": 1,
        "Group": 1,
    }
    assert values(WinogroundCapMetric(), [captioned(TEXT_ONLY, shuffle)])["Text"] == 1


def test_statements_must_be_scored():
    written = Prediction("0", Status.OK, answer="x", sample={"gt_choice": [1, 2], "shuffle": 1})
    report = WinogroundCapMetric().evaluate([written])
    assert report.coverage.errors == 1
    assert "PPL" in report.samples[0]["error"]["message"]


@given(st.lists(st.floats(-20, 0), min_size=4, max_size=4), st.sampled_from([1, 2]))
def test_swapping_twice_is_nothing_and_group_is_both(numbers, shuffle):
    scores = dict(zip(TYPES, numbers, strict=True))
    assert unshuffled(unshuffled(scores, shuffle), shuffle) == scores
    found = outcome(scores)
    assert found["Group"] == (found["Text"] and found["Image"])
    # No model is right both ways round.
    assert not (found["Text"] and outcome(unshuffled(scores, 1))["Text"])
