"""Runners of a model in this process: of all samples of a plan, or chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chef.common.logs import logger
from chef.frozen import Frozen
from chef.models import Model, lifecycle
from chef.models.api.traffic import latency
from chef.run.statistics import added

if TYPE_CHECKING:
    from chef.engine.engine import Engine
    from chef.engine.response_cache import ResponseCache
    from chef.engine.verify import Verified
    from chef.run.plan import Plan, RunHandle, Runner
    from chef.types import Prediction

_log = logger(__name__)


class LocalRunner(Frozen):
    """Runs a model in this process, and reuses cached replies to identical requests."""

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


class _LocalRun(Frozen):
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


class InChunks:
    """Runs chunk after chunk of ids by another runner; each may depend on the answers before."""

    def __init__(self, runner: Runner, chunks: Iterator[Sequence[str]]) -> None:
        self._runner, self._chunks = runner, chunks

    @property
    def notices(self) -> Sequence[str]:
        """Notices of the model so far."""
        return self._runner.notices

    def prepare(self) -> None:
        """Load the model."""
        self._runner.prepare()

    def start(self, plan: Plan) -> RunHandle:
        """Prepare the first chunk; ``plan.todo`` is not used."""
        return _Chunked(self._runner, plan, self._chunks)

    def summary(self) -> str:
        """The summary of the last chunk."""
        return self._runner.summary()


class _Chunked:
    def __init__(self, runner: Runner, plan: Plan, chunks: Iterator[Sequence[str]]) -> None:
        self._runner, self._plan, self._chunks = runner, plan, chunks
        self._done: dict[str, Any] = {}
        self._seconds: list[float] = []
        self._handle = self._next()

    def _next(self) -> RunHandle | None:
        chunk = next(self._chunks, None)
        if chunk is None:
            return None
        handle = self._runner.start(replace(self._plan, todo=chunk))
        self._plan = replace(self._plan, verify=_verified)
        return handle

    def run(self) -> Iterator[Prediction]:
        while self._handle is not None:
            yield from self._handle.run()
            done = self.statistics()
            self._seconds.extend(self._handle.latencies())
            self._done, self._handle = done, self._next()

    def statistics(self) -> dict[str, Any]:
        now = {} if self._handle is None else self._handle.statistics()
        found = added(self._done, now)
        if "server" in found:
            found["server"] = {**found["server"], **latency(self.latencies())}
        return found

    def latencies(self) -> Sequence[float]:
        now = () if self._handle is None else self._handle.latencies()
        return [*self._seconds, *now]


def _verified(model: Model, todo: Sequence[str]) -> Verified | None:
    """The scorer was verified before the first chunk."""
    del model, todo
    return None
