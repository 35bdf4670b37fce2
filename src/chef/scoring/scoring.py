"""A metric applied to the answers of a run, and the content of the files it writes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chef.config.spec import Spec
from chef.errors import ChefError, DependencyError, RunError
from chef.metric import Metric, Report
from chef.scoring.errors import group_errors
from chef.types import Prediction

RESULTS, SCORES = "results.json", "scores.jsonl"


class MetricRun:
    """One metric, and the names that its results carry.

    Args:
        recipe: the name of the recipe.
        scenario: the name of the scenario.
        spec: the metric and its options.
        random_accuracy: what guessing scores, in 0..1; None where it is unknown.
    """

    def __init__(
        self, recipe: str, scenario: str, spec: Spec[Metric], random_accuracy: float | None
    ) -> None:
        self.recipe, self.scenario, self.spec = recipe, scenario, spec
        self.random_accuracy = random_accuracy
        self.metric = spec.build(scenario)

    @property
    def label(self) -> str:
        """Its name in the summary: ``scenario/recipe``."""
        return f"{self.scenario}/{self.recipe}"

    def score(self, predictions: Iterable[Prediction], expected: int | None, of: Path) -> Report:
        """Score the answers.

        Args:
            predictions: the answers.
            expected: how many there should be; None: as many as there are.
            of: the file or folder that holds them, for the error.

        Raises:
            DependencyError: a package that scoring needs is missing.
            RunError: the metric failed as a whole.
        """
        try:
            return self.metric.evaluate(predictions, expected=expected)
        except DependencyError:
            raise
        except Exception as error:
            why, remedy = f"{type(error).__name__}: {error}", "correct the metric"
            if isinstance(error, ChefError):
                why, remedy = error.what, error.hint or remedy
            raise RunError(
                f"the metric {self.spec.name} failed: {why}",
                where=str(of),
                hint=f"{remedy}; the same command scores again and asks the model nothing",
            ) from error

    def results(self, report: Report, answers: str) -> dict[str, Any]:
        """The content of results.json.

        Args:
            report: what `score` gave.
            answers: the file of the answers, relative to the file of the results.
        """
        errors = [group.to_json() for group in group_errors(report.samples)]
        return {
            "recipe": self.recipe,
            "scenario": self.scenario,
            "metric_type": self.spec.name,
            "random_accuracy": self.random_accuracy,
            "answer_path": answers,
            "result": {key: item.value for key, item in report.metrics.items()},
            **report.to_json(),
            **({"errors": errors} if errors else {}),
        }


@dataclass(frozen=True, slots=True)
class Rescored:
    """New scores of stored answers.

    Attributes:
        metric_run: the metric that made them.
        of: where the answers come from: the model of a run, or a file.
        report: the scores.
        file: the results file; the file with the scores of the samples is next to it.
    """

    metric_run: MetricRun
    of: str
    report: Report
    file: Path
