"""The plan of a run, and the protocols of the runners that execute it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from chef.common.checked import points, seconds, whole_number
from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.run.subset import chosen_ids, draw_indices, ids_digest, indices_of

if TYPE_CHECKING:
    from chef.config import ModelSpec, Recipe
    from chef.engine.engine import Engine, Job
    from chef.engine.response_cache import ResponseCache
    from chef.engine.verify import Verified
    from chef.models import Model
    from chef.scenario import Scenario
    from chef.types import Prediction


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Settings of a run that are not part of the recipe.

    Attributes:
        sample_len: number of samples, drawn without replacement; None for all.
        seed: of the subset and of sampled generation.
        batch_size: None: the recipe's where answers depend on it, and automatic elsewhere.
        verify: number of samples on which the fast scorer is checked against the reference scorer.
        log_prompts: whether the journal records what is sent to the model (`Model.prompt_text`).
        timeout: the most seconds of one call of the model; None for no limit.
        subset_seed: of the subset alone; None for ``seed``.
        precision: end when the interval of the first figure is at most so many points of percent to
            each side; None asks everything.
        ids: of the samples to ask, instead of ``sample_len``; None for all.
        items: the most samples to ask, drawn by what earlier runs say about them; None for all.

    Raises:
        ConfigError: a number or ``ids`` are unusable, or two choices of samples.
    """

    sample_len: int | None = None
    seed: int = 0
    batch_size: int | None = None
    verify: int = 0
    log_prompts: bool = False
    timeout: float | None = None
    precision: float | None = None
    subset_seed: int | None = None
    ids: Sequence[str] | None = None
    items: int | None = None

    @property
    def drawn_with(self) -> int:
        """The random seed of the subset."""
        return self.seed if self.subset_seed is None else self.subset_seed

    def drawn(self, scenario: Scenario) -> Sequence[int]:
        """The positions of the samples to ask. ConfigError: no sample has one of the ids."""
        if self.ids is not None:
            return indices_of(scenario, self.ids)
        return draw_indices(len(scenario), self.sample_len, self.drawn_with, scenario.group)

    def subset(self, scenario: Scenario, ids: Sequence[str]) -> dict[str, Any]:
        """Which samples are asked, for config.yaml: their number (None: all), and named ones."""
        if self.ids is not None:
            return {"sample_len": len(ids), "ids": ids_digest(ids)}
        is_part = self.sample_len is not None and self.sample_len < len(scenario)
        return {"sample_len": self.sample_len if is_part else None}

    @property
    def seeds(self) -> dict[str, int]:
        """The seeds, for config.yaml."""
        of_subset = {} if self.drawn_with == self.seed else {"subset_seed": self.drawn_with}
        return {"seed": self.seed, **of_subset}

    def of_recipe(self, seed: int | None) -> RunOptions:
        """The same subset, with the seed of a recipe's own where it has one."""
        return self if seed is None else replace(self, seed=seed, subset_seed=self.drawn_with)

    def __post_init__(self) -> None:
        # Numbers of NumPy become ints, as config.yaml and the workers need them.
        for key, name, least, most in (
            ("sample_len", "limit (--limit)", 1, None),
            ("seed", "seed", 0, 2**32 - 1),
            ("batch_size", "batch_size", 1, None),
            ("verify", "verify", 0, None),
            ("items", "items (--items)", 2, None),
        ):
            value = getattr(self, key)
            if value is not None or key in ("seed", "verify"):
                object.__setattr__(self, key, whole_number(value, name, least, most))
        if self.timeout is not None:
            object.__setattr__(self, "timeout", seconds(self.timeout, "timeout (--timeout)"))
        if self.precision is not None:
            object.__setattr__(self, "precision", points(self.precision, "precision (--precision)"))
        if self.ids is not None:
            object.__setattr__(self, "ids", chosen_ids(self.ids))
            if self.sample_len is not None or self.precision is not None:
                raise ConfigError(
                    "the samples are named already",
                    where="ids (--ids)",
                    hint="leave out limit (--limit) and precision (--precision), or the ids",
                )
        if self.items is not None and (self.sample_len is not None or self.ids is not None):
            raise ConfigError(
                "items are drawn from all samples",
                where="items (--items)",
                hint="leave out limit (--limit) and ids (--ids); --items N asks N at most",
            )


class Plan(Frozen):
    """One recipe ready to run: everything that a runner needs, without the evaluator.

    Attributes:
        recipe: workers in other processes load it again from its file.
        todo: ids of the samples to ask, in order.
        batch_size: samples per batch; None lets the engine choose.
        prefetch: chooses the in-context examples of several samples together.
        release: frees the memory used to choose examples.
        engine: creates the engine for a model and a cache of its replies.
        verify: checks the fast scorer against the reference scorer on some samples, if requested.
        provenance: values that must be the same in every process with the same model file.
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
    """A running recipe."""

    def run(self) -> Iterator[Prediction]:
        """Yield the predictions as they arrive, in no particular order.

        RunError: the run failed.
        """

    def statistics(self) -> Mapping[str, Any]:
        """Return the statistics so far, for the session's entry in environment.json."""

    def latencies(self) -> Sequence[float]:
        """How many seconds each good reply of a server took; empty for other models."""


class Runner(Protocol):
    """Runs recipes one after another, with the model in this process or replicas in others."""

    @property
    def notices(self) -> Sequence[str]:
        """Notices of the model so far, in order; see `Model.notices`."""

    def prepare(self) -> None:
        """Load the model. Calling this more than once is allowed."""

    def start(self, plan: Plan) -> RunHandle:
        """Prepare a run of the samples of a plan."""

    def summary(self) -> str:
        """Return a summary of the last recipe for the log; may be empty."""
