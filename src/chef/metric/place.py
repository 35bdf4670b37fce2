"""Where answers are scored, for metrics that need more than the answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from chef.metric.base import Metric
from chef.scenario import Scenario
from chef.types import Generate


class AskedJudge(Protocol):
    """The judge of a recipe, for a metric that asks it itself."""

    @property
    def name(self) -> str:
        """The name of its model."""

    def ask(self, request: Generate) -> str:
        """The reply to a request; it may be called by several threads.

        Raises:
            RunError: the judge cannot be loaded, or fails.
        """


@dataclass(frozen=True, slots=True)
class Place:
    """Where answers are scored.

    Attributes:
        folder: the folder of files that scoring makes.
        model: the name of the model that gave the answers.
        scenario: gives the scenario of the run.
        judge: the judge of its recipe; None where it has none.
    """

    folder: Path
    model: str
    scenario: Callable[[], Scenario]
    judge: AskedJudge | None = None


class PlacedMetric(Metric):
    """A metric that needs to know where it scores.

    Attributes:
        place: is set before `evaluate`; None where no run is scored, as in ``--dry-run``.
    """

    place: Place | None = None
