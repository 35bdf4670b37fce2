"""The data types that all parts of chef exchange."""

from __future__ import annotations

import dataclasses
import json
import pickle
import subprocess
import sys
from typing import Any

import PIL.Image
import pytest

from chef import types
from chef.errors import SampleError
from chef.image import Image
from chef.types import (
    Generate,
    Prediction,
    Query,
    Sample,
    Score,
    Scored,
    Status,
    Text,
    Turn,
    TurnSpec,
)

SAMPLE = Sample("7", (), "What?", ("(A", "(B"), "(B)", {"gt_choice": 1, "choices": ["cat", "dog"]})


def test_a_turn_is_text_and_images_in_any_order() -> None:
    one, two = Image(b"1"), Image(b"2")
    turn = Turn("user", (Text("a "), one, Text("b"), two))
    assert turn.text == "a b"
    assert turn.images == (one, two)


def test_the_record_of_a_multi_turn_sample_has_the_list_of_chef() -> None:
    turns = (
        TurnSpec(0, options=("a cat", "a dog"), truth="a dog"),
        TurnSpec(1, "dog", truth=["here"], prefix_from=0),
    )
    record = Sample("7", turns=turns).to_record()
    assert record["multi_turn_prefix"] == [
        {
            "prompt_idx": 0,
            "prefix": "",
            "options": ["a cat", "a dog"],
            "gt_choice": 1,
            "gt_answers": "a dog",
        },
        {"prompt_idx": 1, "prefix": "dog", "prefix_from": 0, "gt_answers": ["here"]},
    ]
    assert json.loads(json.dumps(record)) == record
    assert TurnSpec(options=("a",)).gt_choice is None


def test_text_is_never_interpreted_as_a_path() -> None:
    assert Turn("user", (Text("/etc/hosts.png"),)).images == ()


def test_the_record_of_a_sample_has_the_names_of_chef() -> None:
    record = SAMPLE.to_record()
    assert record == {
        "id": "7",
        "question": "What?",
        "options": ["(A", "(B"],
        "gt_answers": "(B)",
        "gt_choice": 1,
        "choices": ["cat", "dog"],
    }
    assert json.loads(json.dumps(record)) == record
    assert Sample("8").to_record() == {"id": "8", "question": "", "gt_answers": None}


def test_the_record_of_a_prediction_has_all_keys_for_metrics() -> None:
    prediction = Prediction(
        "7",
        Status.OK,
        "(A",
        scores={"choice": 0, "ppl_results": [-0.1, -2.0]},
        trace={"query": "What?"},
        sample=SAMPLE.to_record(),
    )
    record = prediction.to_record()
    assert record["answer"] == "(A"
    assert record["gt_answers"] == "(B)"
    assert (record["choice"], record["query"], record["status"]) == (0, "What?", "ok")
    assert type(record["status"]) is str
    assert json.loads(json.dumps(record)) == record


def test_measured_values_take_precedence() -> None:
    prediction = Prediction("7", Status.OK, "x", scores={"a": 2}, sample={"a": 1, "answer": "y"})
    assert prediction.to_record() == {"a": 2, "answer": "x", "status": "ok"}


def test_the_ppl_score_is_the_mean_a_token() -> None:
    assert Scored(-6.0, 4).mean == -1.5


@pytest.mark.parametrize(
    "value",
    [
        SAMPLE,
        Query((Turn("user", (Text("x"),)),), ("a",), "The answer is "),
        Generate((Turn("user", (Text("x"),)),)),
        Score((), ("a", "b")),
        Scored(-1.0, 1),
        Prediction("1", Status.ERROR, error={"type": "ImageError", "message": "gone"}),
    ],
)
def test_values_are_frozen_slotted_and_picklable(value: Any) -> None:
    assert pickle.loads(pickle.dumps(value)) == value
    assert not hasattr(value, "__dict__")
    with pytest.raises(AttributeError):
        setattr(value, dataclasses.fields(value)[0].name, "other")


def test_a_status_is_a_string() -> None:
    assert [str(status) for status in Status] == ["ok", "error", "truncated", "unparsed", "refused"]


def test_types_load_without_torch_and_pillow() -> None:
    code = f"import sys, {types.__name__}; print({{'torch', 'numpy', 'PIL'}} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


@pytest.mark.parametrize("truth", [float("nan"), [1.0, float("inf")], [{"bbox": [float("nan")]}]])
def test_a_truth_that_is_no_number_is_an_error(truth: Any) -> None:
    with pytest.raises(SampleError, match="the right answer is"):
        Sample("1", answer=truth)
    with pytest.raises(SampleError, match="right answer of a turn"):
        TurnSpec(truth=truth)


def test_the_truth_of_a_turn_is_one_of_its_options() -> None:
    assert TurnSpec(options=("a cat", "a dog"), truth="a dog").gt_choice == 1
    assert TurnSpec(options=("a cat", "a dog")).gt_choice is None  # not known
    with pytest.raises(SampleError, match="'dog', and its options are 'a cat', 'a dog'"):
        TurnSpec(options=("a cat", "a dog"), truth="dog")


def test_a_trace_replaces_nothing_that_was_asked() -> None:
    prediction = Prediction(
        "1", Status.OK, "A", trace={"gt_choice": 1, "note": 2}, sample={"id": "1", "gt_choice": 0}
    )
    assert prediction.to_record()["gt_choice"] == 0
    assert prediction.to_record()["note"] == 2


@pytest.mark.parametrize(
    ("images", "told"),
    [
        (["a.png"], "'a.png'"),
        ((PIL.Image.new("RGB", (4, 4)),), "an object Image"),
        (PIL.Image.new("RGB", (4, 4)), "an object Image"),
    ],
)
def test_images_that_are_none_of_chefs_are_told_by_their_kind(images: Any, told: str) -> None:
    """Without the address that Python's description of an object has."""
    with pytest.raises(SampleError, match=f"images holds {told}, which is no chef.Image") as caught:
        Sample("7", images=images)
    assert "images=(chef.Image(source),)" in (caught.value.hint or "")
