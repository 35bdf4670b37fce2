"""A runner that asks the samples of a plan chunk by chunk: what comes next is decided late."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from chef.engine.verify import Verified
from chef.models import Model
from chef.models.api.statistics import latency
from chef.run.plan import Plan, RunHandle, Runner
from chef.run.statistics import added
from chef.types import Prediction


class InChunks:
    """Runs the chunks of one plan after another, each to its end, by another runner.

    Args:
        runner: asks the model.
        chunks: the ids of the samples of each chunk. The next one is taken when all answers of the
            one before are journaled, so it may depend on them; where there is none, the run ends.
    """

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
