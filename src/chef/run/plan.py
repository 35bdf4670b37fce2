"""What a run asks, and the protocols of the runners that ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from chef.config import ModelSpec, Recipe
from chef.engine.engine import Engine, Job
from chef.engine.response_cache import ResponseCache
from chef.engine.verify import Verified
from chef.models import Model
from chef.types import Prediction


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Settings of a run that are not part of the recipe.

    Attributes:
        sample_len: how many samples, drawn without replacement; None for all.
        seed: random seed of the subset and of sampled generation.
        batch_size: samples a batch, overriding the recipe's; None to keep the recipe's.
        verify: how many samples are scored in both of the model's ways before the run.
    """

    sample_len: int | None = None
    seed: int = 0
    batch_size: int | None = None
    verify: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """One recipe ready to be asked: everything that a runner needs, and no evaluator.

    Attributes:
        recipe: the recipe, which a worker in another process reads again from its file.
        options: the settings of the run.
        todo: ids of the samples to ask, in order.
        batch_size: samples a batch; None lets the engine choose.
        journal: the file that the predictions are journaled in.
        prefetch: chooses the in-context examples of these samples together.
        release: frees the memory that choosing examples has taken.
        jobs: makes the jobs of these samples.
        engine: makes the engine that asks a model, with the replies it has given before.
        verify: scores some of these samples in both of the model's ways, if that is wanted.
        provenance: what must be the same wherever the recipe is asked with this model file.
    """

    recipe: Recipe
    options: RunOptions
    todo: Sequence[str]
    batch_size: int | None
    journal: Path
    prefetch: Callable[[Sequence[str]], None]
    release: Callable[[], None]
    jobs: Callable[[Iterable[str]], Iterator[Job]]
    engine: Callable[[Model, ResponseCache | None], Engine]
    verify: Callable[[Model, Sequence[str]], Verified | None]
    provenance: Callable[[ModelSpec], Mapping[str, Any]]


class RunHandle(Protocol):
    """One recipe being asked."""

    def run(self) -> Iterator[Prediction]:
        """The predictions as they come, in no particular order.

        Raises:
            RunError: the run cannot go on.
        """

    def statistics(self) -> Mapping[str, Any]:
        """What it took so far, for the session's entry in environment.json."""


class Runner(Protocol):
    """Asks recipe after recipe: the model in this process, or replicas of it in others."""

    @property
    def notices(self) -> Sequence[str]:
        """What became known of how the model is run, in order; see `Model.notices`."""

    def prepare(self) -> None:
        """Load what is needed; may be called again."""

    def start(self, plan: Plan) -> RunHandle:
        """Get ready to ask the samples of a plan."""

    def summary(self) -> str:
        """How the last recipe went, for a person; empty where there is nothing to say."""
