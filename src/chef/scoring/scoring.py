"""Scoring without a model: a metric, whose answers it judges, what it writes, what is wished."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chef.config.spec import Spec
from chef.errors import RunError
from chef.metric import BaseMetric, Report
from chef.types import Prediction

RESULTS, SCORES = "results.json", "scores.jsonl"


class Scoring:
    """How a run's answers are scored.

    Args:
        recipe: the name of the recipe.
        scenario: the name of the scenario.
        spec: the metric and its options.
        random_accuracy: what guessing scores, in 0..1; None where nobody knows.
    """

    def __init__(
        self, recipe: str, scenario: str, spec: Spec[BaseMetric], random_accuracy: float | None
    ) -> None:
        self.recipe, self.scenario, self.spec = recipe, scenario, spec
        self.random_accuracy = random_accuracy
        self.metric = spec.build(scenario)

    @property
    def label(self) -> str:
        """How the summary speaks of it."""
        return f"{self.scenario}/{self.recipe}"

    def score(self, predictions: Iterable[Prediction], expected: int | None, of: Path) -> Report:
        """Judge the answers.

        Args:
            predictions: the answers.
            expected: how many there should be; None: as many as there are.
            of: where they stand, for the error.

        Raises:
            RunError: the metric failed as a whole.
        """
        try:
            return self.metric.evaluate(predictions, expected=expected)
        except Exception as error:
            raise RunError(
                f"the metric {self.spec.name} failed: {type(error).__name__}: {error}",
                where=str(of),
                mend="mend it; the same command scores again and asks nothing again",
            ) from error

    def results(self, report: Report, answers: str) -> dict[str, Any]:
        """The content of results.json.

        Args:
            report: what `score` gave.
            answers: the file of the answers, relative to the file of the results.
        """
        return {
            "recipe": self.recipe,
            "scenario": self.scenario,
            "metric_type": self.spec.name,
            "random_accuracy": self.random_accuracy,
            "answer_path": answers,
            "result": {key: item.value for key, item in report.metrics.items()},
            **report.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Rescored:
    """New scores of old answers.

    Attributes:
        scoring: how they were made.
        of: whose answers they are.
        report: the scores.
        file: where they were written; the entries of the samples are beside it.
        notices: what else there is to say.
    """

    scoring: Scoring
    of: str
    report: Report
    file: Path
    notices: Sequence[str] = ()
