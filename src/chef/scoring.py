"""Scoring without a model: a metric, whose answers it judges, what it writes, what is wished."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chef.config import Recipe
from chef.config.spec import Spec
from chef.errors import ConfigError, RunError
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
class Wish:
    """How answers are to be scored, as far as the command line says so.

    Attributes:
        metric: the name of another metric than the recipe's, with its own defaults.
        options: ``key=value`` of the metric's section.
        recipe: the recipe whose metric it is.
    """

    metric: str | None = None
    options: Sequence[str] = ()
    recipe: Recipe | None = None

    def section(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The metric's section of a recipe, with the changes that are wanted."""
        changes = changed_options(self.options)
        if self.metric is None or self.metric == given.get("metric_type", "basic"):
            return {"metric_type": "basic", **given, **changes}
        return {"metric_type": self.metric, **changes}


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


def changed_options(options: Sequence[str]) -> dict[str, Any]:
    """Options of a metric as the command line gives them, their values read as YAML.

    >>> changed_options(["threshold=0.7", "eval_cfg.metric_cfg.strategy=acc"])
    {'threshold': 0.7, 'strategy': 'acc'}

    Raises:
        ConfigError: of another section, or no ``key=value``.
    """
    from omegaconf import OmegaConf

    changes: dict[str, Any] = {}
    for item in options:
        name, equals, value = item.partition("=")
        key = name.removeprefix("eval_cfg.").removeprefix("metric_cfg.")
        if not equals or not key or "." in key:
            raise ConfigError(
                "only options of the metric can be changed when scoring",
                where=f"override '{name}=...'",
                mend="give them as key=value",
            )
        try:
            changes[key] = OmegaConf.to_container(OmegaConf.from_dotlist([f"{key}={value}"]))[key]  # type: ignore[index,call-overload]
        except Exception as error:
            message = str(error).splitlines()[0]
            raise ConfigError(message, where=f"override '{name}=...'") from None
    return changes
