"""Where answers are scored, for metrics that need more than the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import field

from chef.frozen import Frozen
from chef.metric.base import Metric
from chef.models.shared import SharedModels

if TYPE_CHECKING:
    from chef.scenario import Scenario
    from chef.types import Generate, Prediction


class KeptOutputs(Protocol):
    """Outputs of the costly steps of a metric, by sample and key."""

    def get(self, sample_id: str, key: str) -> tuple[Any] | None:
        """The output that was kept, in a tuple; None if there is none."""

    def put(self, sample_id: str, step: str, key: str, output: Any) -> Any:
        """Keep plain data of a sample at once; return it as `get` will.

        ``key`` is a digest of all that decides it, ``step`` for readers. Raises RunError.
        """


class OutputsInMemory:
    """Outputs that are kept as long as this object.

    >>> kept = OutputsInMemory()
    >>> kept.put("1", "rate", "key", 0.5), kept.get("1", "key"), kept.get("2", "key")
    (0.5, (0.5,), None)
    """

    def __init__(self) -> None:
        self._outputs: dict[tuple[str, str], Any] = {}

    def get(self, sample_id: str, key: str) -> tuple[Any] | None:
        """See `KeptOutputs`."""
        place = sample_id, key
        return (self._outputs[place],) if place in self._outputs else None

    def put(self, sample_id: str, step: str, key: str, output: Any) -> Any:
        """See `KeptOutputs`."""
        del step
        self._outputs[sample_id, key] = output
        return output


class AskedJudge(Protocol):
    """The judge of a recipe, for a metric that asks it itself."""

    @property
    def name(self) -> str:
        """The name of its model."""

    @property
    def identity(self) -> str:
        """A digest of what decides its replies: its model, with its weights and settings."""

    def ask(self, request: Generate) -> str:
        """The reply to a request, in any thread; raises RunError."""


@contextmanager
def no_progress(label: str, total: int) -> Iterator[Callable[[int], object]]:
    """A progress bar that shows nothing."""
    del label, total
    yield lambda _: None


class Place(Frozen):
    """Where answers are scored.

    Attributes:
        folder: the folder of files that scoring makes.
        kept: the outputs that metrics keep with the answers; None where nothing is kept.
        models: the networks of evaluators; they are released when the answers are scored.
        progress: makes a progress bar of a label and a total; it is called with each count done.
    """

    folder: Path
    model: str
    scenario: Callable[[], Scenario]
    judge: AskedJudge | None = None
    kept: KeptOutputs | None = None
    models: SharedModels = field(default_factory=SharedModels)
    progress: Callable[[str, int], AbstractContextManager[Callable[[int], object]]] = no_progress


class PlacedMetric(Metric):
    """A metric that needs to know where it scores.

    Attributes:
        asks: whether it asks models or services, or runs code of a user's; a run folder of somebody
            else then has to be trusted.
        place: is set before `evaluate`; None where no run is scored, as in ``--dry-run``.
        may_ask_judge: whether it has a question for the judge of a recipe.
        named_judges: the models that it would ask where the recipe names no judge.
    """

    asks: bool = True
    place: Place | None = None
    may_ask_judge: bool = True
    named_judges: Sequence[str] = ()

    @cached_property
    def is_own(self) -> bool:
        """False: it may ask models, and may hand records to code of others."""
        return False

    def first_prompt(self, answer: Prediction) -> str:
        """What it asks the judge about an answer first; empty where that is not known before."""
        del answer
        return ""
