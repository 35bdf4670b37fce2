"""Who answers a recipe's samples: the model in this process, or replicas of it in others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

from chef.engine import Engine
from chef.models import TestBase
from chef.responses import ResponseCache
from chef.types import Prediction
from chef.verifying import Verified

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

    @property
    def notices(self) -> Sequence[str]:
        """What became known of how the model is run, in order; see `TestBase.notices`."""

    def prepare(self) -> None:
        """Load what is needed; may be called again."""

    def asking(self, evaluator: Evaluator, todo: Sequence[str]) -> Asking:
        """Get ready to ask the samples ``todo`` of a recipe."""

    def describe(self) -> str:
        """How the recipe asked last went, for a person; empty where there is nothing to say."""


@dataclass(frozen=True, slots=True)
class InProcess:
    """Asks the model in this process, unless it has replied to the same before.

    Attributes:
        model: answers.
        responses: what it has generated before.
        tell: told what the user should know before the first answer.
    """

    model: TestBase
    responses: ResponseCache | None = None
    tell: Callable[[str], None] | None = None

    @property
    def notices(self) -> Sequence[str]:
        return self.model.notices

    def prepare(self) -> None:
        self.model.prepare()

    def asking(self, evaluator: Evaluator, todo: Sequence[str]) -> Asking:
        evaluator.expect(todo)
        if evaluator.retriever is not None:
            evaluator.retriever.release()  # the model needs the memory
        verified = evaluator.verify(self.model, todo)
        if verified is not None and self.tell is not None:
            self.tell(str(verified))
        engine = evaluator.engine(self.model, self.responses)
        return _EngineAsking(engine, evaluator, todo, verified)

    def describe(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class _EngineAsking:
    engine: Engine
    evaluator: Evaluator
    todo: Sequence[str]
    verified: Verified | None

    def run(self) -> Iterator[Prediction]:
        return self.engine.run(self.evaluator.jobs(self.todo))

    def account(self) -> dict[str, Any]:
        verified = {} if self.verified is None else {"verification": self.verified.to_json()}
        notices = list(self.engine.model.notices)
        return {**asdict(self.engine.caller.statistics), "notices": notices, **verified}
