"""The workers of a run: started, replaced when they die, and told apart."""

from __future__ import annotations

import logging
import os
import time
from itertools import count
from pathlib import Path
from typing import Any

from chef.config import ModelSpec
from chef.errors import ChefError, RunError
from chef.run.plan import Plan
from chef.workers.cluster import Cluster, check_ray, connect, environment, gpus_each
from chef.workers.dispatch import Dispatch
from chef.workers.replica import Item, Replica, Setup, Started, Told
from chef.workers.worker import QUARANTINE_AFTER, Lost, Worker

_log = logging.getLogger(__name__)
#: Replacements of dead workers in one recipe, for each worker wanted.
REPLACEMENTS = 2
#: A person is told when no worker has started after so many seconds.
START_TIMEOUT = 60.0


class RayPool:
    """Replicas of a model, as many as wanted; asks recipe after recipe.

    Args:
        spec: the model file; each worker reads it itself.
        fingerprint: of the model, which every replica must have.
        workers: how many replicas; None for one a GPU, or one a machine where there is none.
        address: of a running Ray cluster; None starts Ray here.
        response_cache: a folder, on each machine, of what was generated before.

    Raises:
        DependencyError: Ray is not installed.
    """

    def __init__(
        self,
        spec: ModelSpec,
        fingerprint: str,
        workers: int | None,
        address: str | None = None,
        *,
        response_cache: Path | None = None,
    ) -> None:
        check_ray()
        self.spec, self.fingerprint = spec, fingerprint
        self.wanted, self.address = workers, address
        self.response_cache = response_cache
        self.cluster: Cluster | None = None
        self.workers: list[Worker] = []
        self.dispatch: Dispatch | None = None
        #: What the workers tell of how the model is run, each text once.
        self.notices: list[str] = []
        self._replacements = 0
        self._answered = True  # since a quarantined sample has last ended a worker
        self._reason = "none was started"
        self._numbers = count(1)
        self._options: dict[str, Any] = {}
        self._setup: Setup | None = None

    def prepare(self) -> None:
        """Start Ray and the workers, and wait until the first has loaded its replica.

        The others join when they are ready; so do those for which the cluster has no room yet.

        Raises:
            ConfigError: the settings of the model are wrong.
            RunError: no worker can be started.
        """
        if self.cluster is None:
            self.cluster = connect(self.wanted, self.address)
            self._set_up(self.cluster)
        assert self.wanted is not None
        self._replacements = REPLACEMENTS * self.wanted
        while len(self.workers) < self.wanted:
            self._start_one()
        while not any(worker.started for worker in self.workers):
            self.receive()

    def start(self, plan: Plan) -> Dispatch:
        """Make the dispatch that hands out the samples of a plan."""
        plan.release()  # examples are chosen in the workers
        self.dispatch = Dispatch(self, plan)
        return self.dispatch

    def receive(self) -> tuple[Worker, Item | Lost]:
        """Wait for the next thing that any worker sends.

        A dead worker has been replaced when this returns, as long as that is allowed.

        Raises:
            ChefError: what a worker failed with, other than dying.
            RunError: no worker is left.
        """
        worker = self._next()
        item = self._take(worker)
        if isinstance(item, ChefError):
            where = f"worker {worker.number}" + (f": {item.where}" if item.where else "")
            raise type(item)(item.what, where=where, hint=item.hint)
        if isinstance(item, Started):
            worker.mark_started(item)
        elif isinstance(item, Told) and item.notice not in self.notices:
            self.notices.append(item.notice)
        elif isinstance(item, bytes):
            self._answered = True
        elif isinstance(item, Lost):
            self._replace(worker, item)
        return worker, item

    def stop(self, worker: Worker) -> None:
        """End a worker."""
        import ray

        self.workers.remove(worker)
        ray.kill(worker.actor, no_restart=True)

    def summary(self) -> str:
        """Start-up and throughput of the last recipe, in a line."""
        return self.dispatch.summary() if self.dispatch is not None else ""

    def close(self) -> None:
        """End every worker, and Ray if it was started here."""
        for worker in list(self.workers):
            self.stop(worker)
        if self.cluster is not None:
            self.cluster.close()
            self.cluster = None

    # -- one worker -------------------------------------------------------------------------

    def _set_up(self, cluster: Cluster) -> None:
        """What every worker gets."""
        device = self.spec.model.options.get("device")
        limit = self.wanted if self.address is None else None  # machines may join a cluster
        gpus = gpus_each(device, limit, cluster.gpus)
        if self.wanted is None:
            self.wanted = cluster.gpus if gpus else cluster.machines
        self._options = {
            "num_cpus": 1,
            "num_gpus": gpus,
            "max_restarts": 0,
            "runtime_env": {"env_vars": environment()},
        }
        threads = os.environ.get("OMP_NUM_THREADS", "")
        document = self.spec.document
        self._setup = Setup(
            folder=str(Path.cwd()),
            model=(document.source, document.overrides),
            fingerprint=self.fingerprint,
            neighbours=-(-self.wanted // cluster.machines),
            threads=int(threads) if threads.isdecimal() else None,
            response_cache=self.response_cache,
        )

    def _start_one(self) -> None:
        import ray

        actor = ray.remote(Replica).options(**self._options).remote(self._setup)
        self.workers.append(
            Worker(next(self._numbers), actor, actor.start.remote(), time.perf_counter())
        )

    def _next(self) -> Worker:
        """The next worker that has something to tell, each in its turn."""
        import ray

        waiting = [worker for worker in self.workers if worker.awaited is not None]
        if not waiting:
            raise RunError(
                f"every worker has died, replacements too; the last: {self._reason}",
                hint="is the memory enough for so many replicas? See Ray's logs, by default under "
                "/tmp/ray/session_latest/logs. The same command goes on from here",
            )
        refs = [worker.awaited for worker in waiting]
        running = any(worker.started for worker in self.workers)
        ready, _ = ray.wait(refs, timeout=None if running else START_TIMEOUT)
        if not ready:
            _log.warning(
                "no worker has started yet; does the cluster have a free processor or GPU for one?"
            )
            ready, _ = ray.wait(refs)
        worker = next(worker for worker in waiting if worker.awaited is ready[0])
        self.workers.remove(worker)
        self.workers.append(worker)
        return worker

    def _take(self, worker: Worker) -> Item | Lost:
        import ray

        ref = worker.awaited
        try:
            item: Item = ray.get(ref if isinstance(ref, ray.ObjectRef) else next(ref))
        except ray.exceptions.RayTaskError as error:
            return RunError(str(error).strip().splitlines()[-1])
        except (ray.exceptions.RayError, StopIteration) as error:
            lines = str(error).strip().splitlines()
            return Lost(lines[0] if lines else type(error).__name__)
        return item

    def _replace(self, worker: Worker, lost: Lost) -> None:
        self._reason = lost.reason
        self.stop(worker)
        if worker.quarantined and self._answered:
            # The sample is at fault, of the deaths before too, unless nothing else works either.
            self._answered = False
            self._replacements += QUARANTINE_AFTER + 1
        if self._replacements:
            self._replacements -= 1
            self._start_one()
