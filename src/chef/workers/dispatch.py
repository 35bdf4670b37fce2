"""Distribute the samples of one recipe, or the shards of a run, to the workers."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from chef.config import ModelSpec
from chef.engine.engine import failed
from chef.engine.executor_base import Statistics
from chef.errors import ConfigError, SampleError
from chef.frozen import Frozen
from chef.run.answers import decode
from chef.run.plan import Plan, added
from chef.shards.asking import Work
from chef.shards.settings import Shard
from chef.shards.store import Store
from chef.types import Prediction
from chef.workers.cluster import Cluster
from chef.workers.replica import Done, Item, ShardDone, Started, WorkerTask, digests


@dataclass(slots=True, eq=False)
class Worker:
    """One worker; what has died with a sample that is ``quarantined`` asks that sample alone."""

    number: int
    actor: Any
    awaited: Any
    started_at: float
    started: Started | None = None
    startup: float = 0.0
    unfinished: dict[str, None] = field(default_factory=dict)
    quarantined: bool = False

    def mark_started(self, started: Started) -> None:
        """Mark the worker as ready for a chunk."""
        self.started, self.awaited = started, None
        self.startup = time.perf_counter() - self.started_at

    def assign(self, ids: Sequence[str], awaited: Any, *, quarantined: bool) -> None:
        """Record the assigned chunk and the stream of its answers."""
        self.unfinished = dict.fromkeys(ids)
        self.awaited, self.quarantined = awaited, quarantined

    def mark_idle(self) -> None:
        """Mark the chunk as finished."""
        self.awaited = None

    @property
    def idle(self) -> bool:
        """Whether the worker is ready for a chunk."""
        return self.started is not None and self.awaited is None

    @property
    def busy(self) -> bool:
        """Whether the worker has a chunk."""
        return self.started is not None and self.awaited is not None


class Lost(Frozen):
    """A worker died."""

    reason: str


#: Number of worker deaths after which the samples involved are asked one by one.
QUARANTINE_AFTER = 2


#: Minimum and maximum samples per chunk, and the parts into which what is left is divided. Large
#: chunks have fewer partly filled batches; small ones at the end let all workers end together.
LEAST, MOST, PARTS = 16, 256, 64


class WorkerPool(Protocol):
    """What a dispatch needs from the pool of workers."""

    spec: ModelSpec
    workers: list[Worker]
    cluster: Cluster | None
    notices: list[str]

    def prepare(self) -> None:
        """Start the workers, and wait until the first is ready."""

    def receive(self) -> tuple[Worker, Item | Lost]:
        """Wait for the next item that any worker sends."""

    def stop(self, worker: Worker) -> None:
        """Stop a worker."""


@dataclass(slots=True)
class WorkerStats:
    """What one worker did for this recipe, in samples and seconds."""

    asked: int = 0
    seconds: float = 0.0
    since: float = 0.0
    statistics: Mapping[str, int | float] = field(default_factory=lambda: asdict(Statistics()))

    @property
    def rate(self) -> float:
        """Samples per second."""
        return self.asked / self.seconds if self.seconds else 0.0


class Dispatch:
    """Assigns the samples of one recipe to workers, and collects the predictions."""

    def __init__(self, pool: WorkerPool, plan: Plan) -> None:
        self.pool = pool
        self.task = task_of(plan, pool.spec)
        self.chunks = deque(chunks(plan.todo, plan.batch_size))
        self.workers: dict[Worker, WorkerStats] = {}
        self.deaths: Counter[str] = Counter()
        self.lost = 0

    def run(self) -> Iterator[Prediction]:
        """Yield the predictions as they arrive; `RunError` where no worker is left."""
        try:
            self._hand_out()
            while self.chunks or any(worker.busy for worker in self.pool.workers):
                worker, item = self.pool.receive()
                if isinstance(item, list):
                    for prediction in map(decode, item):
                        del worker.unfinished[prediction.sample_id]
                        self.workers[worker].asked += 1
                        yield prediction
                    continue
                if isinstance(item, Done):
                    worker.mark_idle()
                    stats = self.workers[worker]
                    stats.statistics = added(stats.statistics, item.statistics)
                    self._stop_clock(worker)
                elif isinstance(item, Lost):
                    self.lost += 1
                    if worker in self.workers:
                        self._stop_clock(worker)
                    yield from self._take_back(worker, item.reason)
                self._hand_out()
        finally:
            for worker in [item for item in self.pool.workers if item.busy]:
                self.pool.stop(worker)  # nothing will read its chunk

    def _hand_out(self) -> None:
        """Assign a chunk to every idle worker."""
        for worker in self.pool.workers:
            if worker.idle and self.chunks:
                ids = self.chunks.popleft()
                stream = worker.actor.ask.options(num_returns="streaming")
                quarantined = len(ids) == 1 and self.deaths[ids[0]] >= QUARANTINE_AFTER
                worker.assign(ids, stream.remote(self.task, ids), quarantined=quarantined)
                self.workers.setdefault(worker, WorkerStats()).since = time.perf_counter()

    def _take_back(self, worker: Worker, reason: str) -> Iterator[Prediction]:
        """Requeue what a dead worker did not answer; a quarantined sample becomes an error."""
        left = list(worker.unfinished)
        self.deaths.update(left)
        if left and worker.quarantined:
            number = self.deaths[left[0]]
            error = SampleError(
                f"{number} workers have died with it, the last one with no other sample ({reason})"
            )
            yield failed(left[0], error, {"id": left[0]})
        elif any(self.deaths[name] >= QUARANTINE_AFTER for name in left):
            self.chunks.extendleft([name] for name in reversed(left))
        elif left:
            self.chunks.appendleft(left)

    def _stop_clock(self, worker: Worker) -> None:
        stats = self.workers[worker]
        stats.seconds += time.perf_counter() - stats.since

    # -- statistics -----------------------------------------------------------------------

    def latencies(self) -> Sequence[float]:
        """Empty: a model behind a server has no workers."""
        return ()

    def statistics(self) -> dict[str, Any]:
        """Return the summed engine statistics, and the start-up time and throughput per worker."""
        total: dict[str, Any] = asdict(Statistics())
        for stats in self.workers.values():
            total = added(total, stats.statistics)
        workers = [
            {
                "worker": worker.number,
                "node": worker.started.node,
                "threads": worker.started.threads,
                "startup_seconds": round(worker.startup, 3),
                "asked": stats.asked,
                "samples_per_second": round(stats.rate, 3),
            }
            for worker, stats in self.workers.items()
            if worker.started is not None
        ]
        cluster = self.pool.cluster
        ray_seconds = round(cluster.seconds, 3) if cluster is not None else None
        return {
            **total,
            "notices": list(self.pool.notices),
            "ray_seconds": ray_seconds,
            "workers_lost": self.lost,
            "workers": workers,
        }

    def summary(self) -> str:
        """Return start-up times and throughput as one line of text."""
        seconds = self.pool.cluster.seconds if self.pool.cluster is not None else 0.0
        startups = ", ".join(f"{worker.startup:.1f}" for worker in self.workers)
        rates = ", ".join(f"{stats.rate:.1f}" for stats in self.workers.values())
        number = len(self.workers)
        lost = f", {self.lost} died" if self.lost else ""
        return (
            f"{number} worker{'s' * (number != 1)}{lost}; start-up: Ray {seconds:.1f} s, "
            f"workers {startups} s; throughput: {rates} samples/s"
        )


def task_of(plan: Plan, spec: ModelSpec) -> WorkerTask:
    """What a worker needs to load the recipe of a plan."""
    document = plan.recipe.document
    source = document.source, document.overrides
    return WorkerTask(source, plan.options, plan.journal, digests(plan.provenance(spec)))


def chunks(todo: Sequence[str], batch_size: int | None) -> list[list[str]]:
    """Split the samples into chunks of consecutive samples, which shrink towards the end.

    Guided self-scheduling (Polychronopoulos and Kuck 1987), but a chunk's size depends on the
    number of samples left and the batch size, not on the number of workers, so that the batches
    are the same for any number of workers.

    >>> [len(chunk) for chunk in chunks([str(number) for number in range(40)], None)]
    [16, 16, 8]
    >>> [len(chunk) for chunk in chunks(["id"] * 10_000, None)][::50]
    [156, 71, 32, 16, 16]
    """
    least = min(MOST, max(LEAST, batch_size or 0))
    result, start = [], 0
    while start < len(todo):
        size = min(MOST, max(least, (len(todo) - start) // PARTS))
        result.append(list(todo[start : start + size]))
        start += size
    return result


class ShardPool:
    """Does the shards of a run by the workers of a pool.

    A shard whose worker dies goes to another one, which on the same machine goes on where the dead
    one was. After two deaths its samples are asked one by one: one that ends its worker again is an
    error, and the others are answered.
    """

    def __init__(self, pool: WorkerPool, plan: Plan, work: Work) -> None:
        if Store(work.url).is_of_process:
            raise ConfigError(
                "workers cannot reach the memory of this process",
                where=work.url,
                hint="use s3:// or file://, or leave out --workers",
            )
        self._pool, self._work, self._task = pool, work, task_of(plan, pool.spec)
        self._again: deque[Shard] = deque()
        self._busy: dict[Worker, Shard] = {}
        self._deaths: Counter[str] = Counter()

    def __call__(self, shards: Iterator[Shard]) -> Iterator[bytes]:
        """Do shards as they come; yield the first bytes of their parts, in any order."""
        self._pool.prepare()
        try:
            while self._hand_out(shards):
                worker, item = self._pool.receive()
                if isinstance(item, ShardDone):
                    worker.unfinished.clear()
                    yield item.head
                elif isinstance(item, Done):
                    worker.mark_idle()
                    del self._busy[worker]
                elif isinstance(item, Lost) and worker in self._busy:
                    shard = self._busy.pop(worker)
                    if worker.unfinished:  # else its part is there already
                        self._deaths[shard.name] += 1
                        self._again.append(shard)
        finally:
            for worker in [item for item in self._busy if item in self._pool.workers]:
                self._pool.stop(worker)  # nothing will read its shard

    def _hand_out(self, shards: Iterator[Shard]) -> bool:
        """Give a shard to each idle worker; return whether anything is still to be done."""
        for worker in [item for item in self._pool.workers if item.idle]:
            shard = self._again.popleft() if self._again else next(shards, None)
            if shard is None:
                break
            alone = self._deaths[shard.name] >= QUARANTINE_AFTER
            stream = worker.actor.shard.options(num_returns="streaming")
            reply = stream.remote(self._task, self._work, shard, alone)
            worker.assign([shard.name], reply, quarantined=alone)
            self._busy[worker] = shard
        return bool(self._busy or self._again)
