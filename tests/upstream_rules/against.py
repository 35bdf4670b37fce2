"""What the tests share that hold chef's own mode of ChEF's rules against the transcription."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from chef.metric.base import Metric, Report
from chef.types import Prediction, Status
from upstream_rules.random_answers import answer, answers

#: How many random answers each rule reads; CONTRIBUTING.md says when they should be more.
COUNT = int(os.environ.get("CHEF_TEST_ANSWERS", "2500"))
#: What an inferencer measures, as opposed to the fields of a sample and the model's words.
SCORES = ("choice", "ppl_results", "prob", "probs")
WORDS = ("CoT_answer", "turn_answer")

CHOICES = (
    ("a red bus", "two dogs", "None", "1,000 km"),
    ("cat", "the cat", "dog", "a dog and a cat"),
    ("yes", "no"),
    ("A", "B", "I don't know.", "it is (A) or B.", "left"),
)


def name_of(place: int) -> str:
    """An id; ids sort as their places do."""
    return f"{place:06d}"


def prediction(place: int | str, said: Any, **fields: Any) -> Prediction:
    """One answer; every field goes where a run would put it."""
    name = place if isinstance(place, str) else name_of(place)
    scores = {key: fields.pop(key) for key in SCORES if key in fields}
    trace = {key: fields.pop(key) for key in WORDS if key in fields}
    sample = {"id": name, **fields}
    return Prediction(name, Status.OK, answer=said, scores=scores, trace=trace, sample=sample)


def evaluated(metric: Metric, predictions: Sequence[Prediction]) -> Report:
    """The report; every answer is scored."""
    report = metric.evaluate(predictions)
    assert len(report.samples) == len(predictions)
    unread = [entry for entry in report.samples if entry["status"] != "ok" or "no_truth" in entry]
    assert unread == []
    return report


def findings(report: Report, key: str = "metric_result") -> dict[str, Any]:
    """What was found in each answer, by id."""
    return {entry["id"]: entry[key] for entry in report.samples}


def figures(report: Report, names: Sequence[str]) -> dict[str, float | None]:
    """Some of the figures."""
    return {name: report.metrics[name].value for name in names}


def check_figures(report: Report, expected: Mapping[str, float | None]) -> None:
    """The figures are the expected ones; others may be there too."""
    found = figures(report, list(expected))
    assert found == {
        name: value if value is None else pytest.approx(value, rel=1e-9, abs=1e-9)
        for name, value in expected.items()
    }


def check_findings(
    predictions: Sequence[Prediction],
    found: Mapping[str, Any],
    expected: Sequence[float],
) -> None:
    """What was found is what is expected, answer by answer; a few of the differences are shown."""
    rows = zip(predictions, expected, strict=True)
    wrong = [
        (row.sample, row.answer, found[row.sample_id], value)
        for row, value in rows
        if abs(found[row.sample_id] - value) > 1e-9
    ]
    assert wrong[:3] == []


def thought(rng: random.Random, choices: Sequence[str] = ()) -> str | None:
    """A chain of thought, for every fifth answer."""
    return f"{answer(rng, choices)} " if rng.random() < 0.2 else None


def told(thinking: str | None, said: str) -> str:
    """The answer as ChEF stores it: behind its chain of thought."""
    return f"{thinking or ''}{said}"


def texts(seed: int, choices: Sequence[str] = ()) -> list[str]:
    """`COUNT` random answers."""
    return answers(seed, COUNT, choices)
