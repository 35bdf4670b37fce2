"""Who answers a recipe's samples: the model in this process, or replicas of it in others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

from chef.engine import Engine
from chef.models import TestBase
from chef.responses import ResponseCache
from chef.types import Prediction

if TYPE_CHECKING:
    from chef.evaluator import Evaluator


class Asking(Protocol):
    """One recipe being asked."""

    def run(self) -> Iterator[Prediction]:
        """The predictions as they come, in no particular order.

        Raises:
            RunError: the run cannot go on.
        """

    def account(self) -> dict[str, Any]:
        """What it took so far, for the session's entry in environment.json."""


class Asker(Protocol):
    """Answers recipe after recipe."""

    def prepare(self) -> None:
        """Load what is needed; may be called again."""

    def asking(self, evaluator: Evaluator, todo: Sequence[str]) -> Asking:
        """Get ready to ask the samples ``todo`` of a recipe."""

    def describe(self) -> str:
        """How the recipe asked last went, for a person; empty where there is nothing to say."""


@dataclass(frozen=True, slots=True)
class InProcess:
    """Asks the model in this process, unless it has replied to the same before."""

    model: TestBase
    responses: ResponseCache | None = None

    def prepare(self) -> None:
        self.model.prepare()

    def asking(self, evaluator: Evaluator, todo: Sequence[str]) -> Asking:
        evaluator.expect(todo)
        if evaluator.retriever is not None:
            evaluator.retriever.release()  # the model needs the memory
        return _EngineAsking(evaluator.engine(self.model, self.responses), evaluator, todo)

    def describe(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class _EngineAsking:
    engine: Engine
    evaluator: Evaluator
    todo: Sequence[str]

    def run(self) -> Iterator[Prediction]:
        return self.engine.run(self.evaluator.jobs(self.todo))

    def account(self) -> dict[str, Any]:
        return asdict(self.engine.caller.statistics)
