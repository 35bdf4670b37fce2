"""Figures of some of the answers of a run, by the metric that scored it, as its report has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from chef.common.judgements import Judging
from chef.errors import ChefError, RunError
from chef.metric import Estimate, Metric
from chef.types import Prediction


class FigureScorer:
    """A metric and all answers of a run, scored once a figure is asked for; asks no judge."""

    def __init__(
        self, metric: Metric, predictions: Sequence[Prediction], judging: Judging | None = None
    ) -> None:
        self.metric, self._judging = metric, judging
        self._predictions = metric.answers_of_run(predictions)

    @cached_property
    def answers(self) -> Mapping[str, dict[str, Any]]:
        """What the metric aggregates, by sample id."""
        return self.metric.scored_answers(self._predictions, self._judging)

    def figures(self, ids: Iterable[str]) -> dict[str, Estimate]:
        """The figures of some samples; none where the metric has no number for them."""
        return self._figures(self.answers, ids)

    def part(self, ids: Sequence[str]) -> dict[str, Estimate]:
        """The same, without scoring the answers to any other samples."""
        wanted = set(ids)
        some = [item for item in self._predictions if item.sample_id in wanted]
        try:
            return self._figures(self.metric.scored_answers(some, self._judging), ids)
        except ChefError:
            return {}

    def _figures(
        self, known: Mapping[str, dict[str, Any]], ids: Iterable[str]
    ) -> dict[str, Estimate]:
        try:  # sorted by id, as in the whole run
            answers = [known[name] for name in sorted(ids) if name in known]
            return self.metric.figures(answers)
        except RunError:  # it returned no number
            return {}
        except Exception as error:
            raise RunError(
                f"the metric {type(self.metric).__name__} failed on a part of the answers: "
                f"{type(error).__name__}: {error}"
            ) from error
