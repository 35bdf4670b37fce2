"""The plan of a run: its settings and batches, the protocols of its runners, their statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from chef.common.checked import points, seconds, whole_number
from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.inferencer.base import BatchLoopInferencer
from chef.instruction.retriever.upstream import ChefRetriever
from chef.run.subset import chosen_ids, draw_indices, ids_digest, indices_of

if TYPE_CHECKING:
    from chef.config import ModelSpec, Recipe
    from chef.engine.engine import Engine, Job
    from chef.engine.response_cache import ResponseCache
    from chef.engine.verify import Verified
    from chef.models import Model
    from chef.scenario import Scenario
    from chef.types import Prediction


_KEY = ("eval_cfg", "inferencer_cfg", "batch_size")


class Batches(Frozen):
    """The batches of a run.

    Attributes:
        size: samples in a batch; None lets the engine fill batches up to the model's token budget.
        reason: who decided it, for people.

    >>> print(Batches(None, "automatic"), "|", Batches(4, "as on the command line"))
    batch size: automatic | batch size: 4, as on the command line
    """

    size: int | None
    reason: str

    def __str__(self) -> str:
        return f"batch size: {self.reason if self.size is None else f'{self.size}, {self.reason}'}"


def choose_batches(recipe: Recipe, requested: int | None) -> Batches:
    """The batch size of the command line; the recipe's where it decides answers; automatic else.

    Recipes of ChEF have the size that fitted its GPUs, which would only make a run slow elsewhere.
    """
    if requested is not None:
        return Batches(requested, "as on the command line")
    batch_size = recipe.batch_size
    if batch_size is not None and recipe.document.where(*_KEY).startswith("override "):
        return Batches(batch_size, "as on the command line")
    if (user := decided_by_batches(recipe)) is not None:
        if batch_size is None:
            return Batches(None, f"automatic; 1 for {user}, because the recipe gives none")
        return Batches(batch_size, f"of the recipe, because answers of {user} depend on it")
    if batch_size is None:
        return Batches(None, "automatic")
    return Batches(
        None,
        f"automatic; the recipe's {batch_size} is not used, because no answer depends on it "
        f"(--batch_size {batch_size} uses it)",
    )


def decided_by_batches(recipe: Recipe) -> str | None:
    """The ingredient whose results depend on the batch size: a loop of its own, ChEF's in-context
    examples.
    """
    if recipe.inferencer.kind.inference is not BatchLoopInferencer.inference:
        return recipe.inferencer.name
    examples = recipe.incontext
    if examples is not None and issubclass(examples.retriever.kind, ChefRetriever):
        return f"{examples.retriever.name} (compat: upstream)"
    return None


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


_NO_SUM = ("largest", "bare_examples")


def added(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The statistics of chunks together: counts and times add up, of all else the last stays.

    >>> added({"batches": 2, "largest_batch": 9, "notices": []}, {"batches": 1, "largest_batch": 4})
    {'batches': 3, 'largest_batch': 9, 'notices': []}
    """
    from chef.engine.executor_base import Statistics  # no plan needs it

    found, counts = {**before, **now}, asdict(Statistics())
    for key in counts.keys() & before.keys() & now.keys():
        pick = max if key.startswith(_NO_SUM) else sum
        found[key] = pick((before[key], now[key]))
    if isinstance(before.get("server"), Mapping) and isinstance(now.get("server"), Mapping):
        found["server"] = _of_server(before["server"], now["server"])
    if "workers" in before and "workers" in now:
        found["workers"] = _of_workers(before["workers"], now["workers"])
    return found


def _of_workers(
    before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The same of the workers, of whom some may have had nothing to do in a chunk."""
    found = {item["worker"]: dict(item) for item in before}
    for item in now:
        earlier = found.get(item["worker"], {"asked": 0, "samples_per_second": 0.0})
        parts = [one for one in (earlier, item) if one["samples_per_second"]]
        asked = sum(one["asked"] for one in parts)
        seconds = sum(one["asked"] / one["samples_per_second"] for one in parts)
        rate = round(asked / seconds, 3) if seconds else 0.0
        found[item["worker"]] = {
            **item, "asked": earlier["asked"] + item["asked"], "samples_per_second": rate,
        }  # fmt: skip
    return [found[number] for number in sorted(found)]


def _of_server(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The same of the requests to a server; the times of replies do not add up."""
    found = {**before, **now}
    for key, value in now.items():
        earlier = before.get(key)
        if isinstance(value, Mapping) and isinstance(earlier, Mapping):
            every = {*earlier, *value}
            found[key] = {name: earlier.get(name, 0) + value.get(name, 0) for name in sorted(every)}
        elif key.startswith("most"):
            found[key] = max(value, earlier or 0)
        elif isinstance(value, int | float) and earlier is not None and "latency" not in key:
            found[key] = value + earlier
    return found
