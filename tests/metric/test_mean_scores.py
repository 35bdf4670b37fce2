"""The scores of answers that are looked at again and again."""

from __future__ import annotations

from typing import Any

import pytest

from chef.errors import DataError
from chef.metric import Metric
from chef.metric.mean_scores import ScoresSoFar
from chef.run.answers import Answers, encode
from chef.stats.figures import share
from chef.types import Prediction, Status


class Share(Metric):
    """The share of answers ``right``; it notes which answers it reads."""

    mean_figure = primary = "share"

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        self.read.append(record["id"])
        return {"metric_result": float(record["answer"] == "right")}

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {"share": share([a["metric_result"] for a in answers], None)}


def answer(name: str, text: str | None) -> Prediction:
    status = Status.ERROR if text is None else Status.OK
    return Prediction(name, status, text, sample={"id": name})


def journaled(*predictions: Prediction, before: Answers | None = None) -> Answers:
    """Answers as a run has them, after others if there are any."""
    answers = before or Answers()
    for one in predictions:
        answers.add(encode(one), one)
    return answers


def test_each_answer_is_read_once() -> None:
    metric = Share()
    so_far = ScoresSoFar(metric)
    answers = journaled(answer("a", "right"), answer("b", "wrong"))
    assert so_far.of(answers, ["a", "b"]) == {"a": 1.0, "b": 0.0}
    journaled(answer("c", "right"), before=answers)
    assert so_far.of(answers, "abc") == {"a": 1.0, "b": 0.0, "c": 1.0}
    assert metric.read == ["a", "b", "c"]


def test_an_answer_that_came_again_takes_the_place_of_the_first() -> None:
    so_far = ScoresSoFar(Share())
    answers = journaled(answer("a", None), answer("b", "right"))
    assert so_far.of(answers, "ab") == {"b": 1.0}
    journaled(answer("a", "wrong"), answer("b", None), before=answers)
    assert so_far.of(answers, "ab") == {"a": 0.0}


def test_a_figure_that_is_no_mean_of_new_answers_is_refused() -> None:
    class Twice(Share):
        def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
            item = super().metric_func(answers)["share"]
            return {"share": item.scaled(0.5, "%")}

    with pytest.raises(DataError, match="the mean of the scores of the samples is 100"):
        ScoresSoFar(Twice()).of(journaled(answer("a", "right")), ["a"])
