"""Hand the shards of one run to Ray workers: each does one at a time, and sends its sums."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator

from chef.errors import ConfigError
from chef.run.plan import Plan
from chef.shards.asking import Work
from chef.shards.cutting import Shard
from chef.shards.run import Workers
from chef.shards.store import Store
from chef.workers.dispatch import WorkerPool, task_of
from chef.workers.replica import Done, ShardDone
from chef.workers.worker import QUARANTINE_AFTER, Lost, Worker


def by_workers(pool: WorkerPool, plan: Plan, work: Work) -> Workers:
    """Does the shards of a run by the workers of a pool.

    A shard whose worker dies goes to another one, which on the same machine goes on where the dead
    one was. After two deaths its samples are asked one by one: one that ends its worker again is
    an error, and the others are answered.

    Args:
        pool: the workers.
        plan: of the recipe; it names no samples.
        work: the run.

    Raises:
        ConfigError: the run is in the memory of this process.
    """
    if Store(work.url).is_of_process:
        raise ConfigError(
            "workers cannot reach the memory of this process",
            where=work.url,
            hint="use s3:// or file://, or leave out --workers",
        )
    task = task_of(plan, pool.spec)

    def do(shards: Iterator[Shard]) -> Iterator[bytes]:
        again: deque[Shard] = deque()
        busy: dict[Worker, Shard] = {}
        deaths: Counter[str] = Counter()
        is_more = True
        pool.prepare()
        try:
            while True:
                for worker in [item for item in pool.workers if item.idle]:
                    shard = again.popleft() if again else next(shards, None) if is_more else None
                    if shard is None:
                        is_more = False
                        break
                    alone = deaths[shard.name] >= QUARANTINE_AFTER
                    stream = worker.actor.shard.options(num_returns="streaming")
                    reply = stream.remote(task, work, shard, alone)
                    worker.assign([shard.name], reply, quarantined=alone)
                    busy[worker] = shard
                if not busy and not is_more:
                    return
                worker, item = pool.receive()
                if isinstance(item, ShardDone):
                    worker.unfinished.clear()
                    yield item.head
                elif isinstance(item, Done):
                    worker.mark_idle()
                    del busy[worker]
                elif isinstance(item, Lost) and worker in busy:
                    shard = busy.pop(worker)
                    if worker.unfinished:  # else its part is there already
                        deaths[shard.name] += 1
                        again.append(shard)
        finally:
            for worker in [item for item in busy if item in pool.workers]:
                pool.stop(worker)  # nothing will read its shard

    return do
