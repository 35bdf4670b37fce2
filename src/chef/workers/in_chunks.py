"""A runner that asks the samples of a plan chunk by chunk: what comes next is decided late."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from chef.engine.executor_base import Statistics
from chef.engine.verify import Verified
from chef.models import Model
from chef.models.api.statistics import latency
from chef.run.plan import Plan, RunHandle, Runner
from chef.types import Prediction

_COUNTS = frozenset(asdict(Statistics()))
_NO_SUM = ("largest", "bare_examples")


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


def added(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The statistics of chunks together: counts and times add up, of all else the last stays.

    >>> added({"batches": 2, "largest_batch": 9, "notices": []}, {"batches": 1, "largest_batch": 4})
    {'batches': 3, 'largest_batch': 9, 'notices': []}
    """
    found = {**before, **now}
    for key in _COUNTS & before.keys() & now.keys():
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
