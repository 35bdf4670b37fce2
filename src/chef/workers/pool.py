"""A pool of Ray workers: start them, replace those that die, and receive what they send."""

from __future__ import annotations

import os
import time
from collections import deque
from itertools import count
from pathlib import Path
from typing import Any

from chef.common.checked import whole_number
from chef.common.logs import logger
from chef.config import ModelSpec
from chef.errors import ChefError, RunError
from chef.run.plan import Plan
from chef.workers.cluster import Cluster, check_ray, connect, environment, gpus_each
from chef.workers.dispatch import QUARANTINE_AFTER, Dispatch, Lost, Worker
from chef.workers.replica import Item, Notice, Overdue, Replica, Setup, Started

_log = logger(__name__)
#: Maximum replacements of dead workers per recipe and requested worker.
REPLACEMENTS = 2
#: Seconds without any started worker after which a warning is logged.
START_TIMEOUT = 60.0


class RayPool:
    """Replicas of a model in Ray workers (None: one a GPU or machine); runs recipe after recipe."""

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
        self._ready: deque[Worker] = deque()
        #: Notices of the model from all workers, without duplicates; see `Model.notices`.
        self.notices: list[str] = []
        self._replacements = 0
        self._answered = True  # since the last time a quarantined sample killed a worker
        self._reason = "none was started"
        self._numbers = count(1)
        self._options: dict[str, Any] = {}
        self._setup: Setup | None = None

    def prepare(self) -> None:
        """Start Ray and the workers, and wait until the first has loaded; others join later."""
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
        """Create the dispatch that assigns the samples of a plan to workers."""
        plan.release()  # the workers choose the examples
        self._ready.clear()
        self.dispatch = Dispatch(self, plan)
        return self.dispatch

    def receive(self) -> tuple[Worker, Item | Lost]:
        """Wait for the next item of any worker; a dead one is replaced while replacements last."""
        worker = self._next()
        item = self._take(worker)
        if isinstance(item, Overdue):
            item = Lost(item.reason)  # replacing the worker ends its process, and the call with it
        if isinstance(item, ChefError):
            where = f"worker {worker.number}" + (f": {item.where}" if item.where else "")
            raise type(item)(item.what, where=where, hint=item.hint)
        if isinstance(item, Started):
            worker.mark_started(item)
        elif isinstance(item, Notice) and item.text not in self.notices:
            self.notices.append(item.text)
        elif isinstance(item, list):
            self._answered |= any(b'"status":"error"' not in line for line in item)
        elif isinstance(item, Lost):
            self._replace(worker, item)
        return worker, item

    def stop(self, worker: Worker) -> None:
        """Stop a worker."""
        import ray

        self.workers.remove(worker)
        ray.kill(worker.actor, no_restart=True)

    def summary(self) -> str:
        """Return start-up times and throughput of the last recipe as one line of text."""
        return self.dispatch.summary() if self.dispatch is not None else ""

    def close(self) -> None:
        """Stop every worker, and Ray if this pool started it."""
        for worker in list(self.workers):
            self.stop(worker)
        if self.cluster is not None:
            self.cluster.close()
            self.cluster = None

    # -- one worker -------------------------------------------------------------------------

    def _set_up(self, cluster: Cluster) -> None:
        """Prepare the options and the setup of the workers."""
        options = self.spec.model.options
        each = whole_number(options["gpus"], "gpus", 1) if "gpus" in options else 0
        limit = self.wanted if self.address is None else None  # a cluster may grow
        gpus = gpus_each(options.get("device"), limit, cluster.gpus, each)
        if self.wanted is None:
            self.wanted = max(1, cluster.gpus // gpus) if gpus else cluster.machines
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
        """Wait for a worker that has sent something; all that have are served before one is again.

        Ray is asked once for all of them: asking costs time in proportion to their number.
        """
        import ray

        while self._ready:
            worker = self._ready.popleft()
            if worker in self.workers and worker.awaited is not None:  # else it was stopped
                return worker
        waiting = {worker.awaited: worker for worker in self.workers if worker.awaited is not None}
        if not waiting:
            raise RunError(
                f"every worker died, including the replacements; the last one: {self._reason}",
                hint="check the memory that this number of replicas needs, and Ray's logs (by "
                "default in /tmp/ray/session_latest/logs); the same command resumes the run",
            )
        refs = list(waiting)
        running = any(worker.started for worker in self.workers)
        ready, _ = ray.wait(refs, timeout=None if running else START_TIMEOUT)
        if not ready:
            _log.warning("no worker has started yet; check that the cluster has a free CPU or GPU")
            ready, _ = ray.wait(refs)
        if len(refs) > 1:
            ready, _ = ray.wait(refs, num_returns=len(refs), timeout=0)
        self._ready.extend(waiting[ref] for ref in ready)
        return self._ready.popleft()

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
            # The sample caused this death and the earlier ones, so they do not use up replacements.
            # Without any answer since the last such death, the fault may lie elsewhere.
            self._answered = False
            self._replacements += QUARANTINE_AFTER + 1
        if self._replacements:
            self._replacements -= 1
            self._start_one()
