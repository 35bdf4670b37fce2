"""Lines of scores.jsonl, read without any other file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import chef
from chef.metric import METRICS
from chef.scoring.sample_line import sample_line
from chef.types import Prediction, Status

TINY = ROOT / "configs/models/tiny.yaml"
SHAPES = ROOT / "configs/recipes/Shapes"


def scored(metric: str, prediction: Prediction) -> dict[str, Any]:
    """The line of one answer, as the metric scores it."""
    report = METRICS.get(metric)().evaluate([prediction])
    return sample_line(prediction, report.samples[0])


def asked(answer: Any, status: Status = Status.OK, **record: Any) -> Prediction:
    sample = {"id": "1", "question": "Which?", "gt_answers": "(B)", "gt_choice": 1,
              "choices": ["cat", "dog", "owl"], **record}  # fmt: skip
    return Prediction("1", status, answer, sample=sample)


def test_a_text_is_told_in_words() -> None:
    line = scored("Accuracy", asked("The answer is (C)."))
    assert list(line)[:6] == ["id", "status", "question", "answer", "truth", "score"]
    assert (line["question"], line["answer"], line["truth"]) == (
        "Which?", "The answer is (C).", "(B)"
    )  # fmt: skip
    assert (line["chosen_option"], line["true_option"], line["score"]) == ("owl", "dog", 0.0)


def test_an_answer_that_cannot_be_read_has_chosen_nothing() -> None:
    line = scored("Accuracy", asked("I do not know."))
    assert "chosen_option" not in line
    assert (line["true_option"], line["score"]) == ("dog", 0.0)


def test_a_scored_option_and_several_right_ones() -> None:
    prediction = asked("(A", gt_choice=[1, 2])
    line = scored("Accuracy", chef.Prediction(**{**_fields(prediction), "scores": {"choice": 0}}))
    assert (line["chosen_option"], line["true_option"]) == ("cat", ["dog", "owl"])


def _fields(prediction: Prediction) -> dict[str, Any]:
    return {name: getattr(prediction, name) for name in Prediction.__slots__}


def test_a_count_is_no_index() -> None:
    record = {"choices": ["3", "2", "1"], "gt_answers": 2, "gt_choice": 1}
    assert scored("Counting", asked("1", **record))["chosen_option"] == "1"
    assert "chosen_option" not in scored("Counting", asked("0", **record))


def test_without_a_reference() -> None:
    line = scored("Accuracy", asked("B", gt_answers=None, gt_choice=None))
    assert (line["truth"], line["score"], line["no_truth"]) == (None, None, True)
    assert (line["answer"], line["chosen_option"]) == ("B", "dog")


def test_an_error() -> None:
    failure = {"type": "ImageError", "message": "not an image"}
    prediction = Prediction("1", Status.ERROR, sample=asked("").sample, error=failure)
    line = scored("Accuracy", prediction)
    assert (line["question"], line["answer"], line["truth"]) == ("Which?", None, "(B)")
    assert (line["score"], line["error"]) == (None, failure)


@pytest.mark.parametrize("recipe", ["classification_multi_direct", "detection_conversation_ppl"])
def test_every_turn(recipe: str, tmp_path: Path) -> None:
    report = chef.evaluate(TINY, SHAPES / f"{recipe}.yaml", limit=4, save_dir=tmp_path)
    journal = (report.folder / "predictions.jsonl").read_text().splitlines()
    turns = {item["id"]: item["scores"]["turn_answer"] for item in map(json.loads, journal)}
    specs = {item["id"]: item["sample"]["multi_turn_prefix"] for item in map(json.loads, journal)}
    lines = list(map(json.loads, (report.folder / "scores.jsonl").read_text().splitlines()))
    assert len(lines) == 4
    for line in lines:
        own = turns[line["id"]]
        assert line["question"] == [turn["question"] for turn in own]
        assert line["answer"] == [turn["answer"] for turn in own]
        assert len(line["truth"]) == len(own)
        for truth, turn in zip(line["truth"], own, strict=True):
            spec = specs[line["id"]][turn["turn"]]
            assert truth == (spec["gt_answers"] if spec["prefix"] == turn["prefix"] else None)
        assert line["score"] == line["metric_result"]


def test_the_prompt_is_the_question_where_there_is_no_other(tmp_path: Path) -> None:
    report = chef.evaluate(TINY, SHAPES / "caption_direct.yaml", limit=2, save_dir=tmp_path)
    assert all("caption" in line["question"] for line in report.samples)
