"""Run the model in this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from chef.common.logs import logger
from chef.engine.engine import Engine
from chef.engine.response_cache import ResponseCache
from chef.engine.verify import Verified
from chef.models import Model, lifecycle
from chef.run.plan import Plan, RunHandle
from chef.types import Prediction

_log = logger(__name__)


@dataclass(frozen=True, slots=True)
class LocalRunner:
    """Runs a model in this process, and reuses cached replies to identical requests.

    Attributes:
        model: the model.
        responses: the cache of generated replies.
    """

    model: Model
    responses: ResponseCache | None = None

    @property
    def notices(self) -> Sequence[str]:
        """Notices of the model; see `Model.notices`."""
        return lifecycle.notices(self.model)

    def prepare(self) -> None:
        """Load the model."""
        lifecycle.prepare(self.model)

    def start(self, plan: Plan) -> RunHandle:
        """Choose in-context examples, verify the fast scorer if requested, and build the engine."""
        plan.prefetch(plan.todo)
        plan.release()  # free the memory for the model
        verified = plan.verify(self.model, plan.todo)
        if verified is not None:
            _log.info("%s", verified)
        return _LocalRun(plan.engine(self.model, self.responses), plan, verified)

    def summary(self) -> str:
        """Return an empty string: there is nothing to add to the scores."""
        return ""


@dataclass(frozen=True, slots=True)
class _LocalRun:
    engine: Engine
    plan: Plan
    verified: Verified | None

    def run(self) -> Iterator[Prediction]:
        return self.engine.run(self.plan.jobs(self.plan.todo))

    def statistics(self) -> dict[str, Any]:
        verified = {} if self.verified is None else {"verification": self.verified.to_json()}
        notices = lifecycle.notices(self.engine.model)
        return {**self.engine.executor.record(), "notices": notices, **verified}

    def latencies(self) -> Sequence[float]:
        return self.engine.executor.latencies
