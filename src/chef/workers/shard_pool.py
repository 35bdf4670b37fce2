"""Hand the shards of one run to Ray workers: each does one at a time, and sends its sums."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator

from chef.errors import ConfigError
from chef.run.plan import Plan
from chef.shards.asking import Work
from chef.shards.cutting import Shard
from chef.shards.store import Store
from chef.workers.dispatch import WorkerPool, task_of
from chef.workers.replica import Done, ShardDone
from chef.workers.worker import QUARANTINE_AFTER, Lost, Worker


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
