"""The actor of a worker: one replica of the model, which answers one chunk of samples at a time.

A worker reads the model file and the recipe itself and creates its own samples, so weights and
images are never sent. It receives sample ids and sends back lines of the journal.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from chef.common.digest import digest
from chef.common.printing import guard_streams
from chef.common.redaction import redact
from chef.common.user_code import user_place
from chef.config import load_model, load_recipe
from chef.engine.executor import StuckError
from chef.engine.response_cache import ResponseCache
from chef.errors import ChefError, ConfigError, DataError, DependencyError, RunError, message_of
from chef.evaluator import Evaluator
from chef.frozen import Frozen
from chef.models import lifecycle
from chef.run.answers import encode
from chef.run.environment import reply_identity
from chef.run.plan import RunOptions
from chef.shards.asking import Work, do_shard
from chef.shards.settings import Shard
from chef.types import Prediction

#: The path of a YAML file, or the content of one.
Given: TypeAlias = Path | Mapping[str, Any]


class Setup(Frozen):
    """What a worker needs to build its replica; ``neighbours`` share the machine's cores."""

    folder: str
    model: tuple[Given, tuple[str, ...]]
    fingerprint: str
    neighbours: int
    threads: int | None
    response_cache: Path | None


class WorkerTask(Frozen):
    """A recipe for a worker to load, and digests of the driver's provenance to compare with."""

    recipe: tuple[Given, tuple[str, ...]]
    options: RunOptions
    journal: Path
    provenance: Mapping[str, str]


class Started(Frozen):
    """The replica is ready; node, process id and number of threads."""

    node: str
    pid: int
    threads: int


class Done(Frozen):
    """A chunk is finished; what the worker's engine has counted since it told this before."""

    statistics: Mapping[str, int | float]


class Notice(Frozen):
    """A notice of the model for the user; see `Model.notices`."""

    text: str


class Overdue(Frozen):
    """A call of the model took too long and cannot be stopped; the worker has to be ended."""

    reason: str


class ShardDone(Frozen):
    """The part of a shard is in the store; its first bytes, which hold its head."""

    head: bytes


#: What a worker sends: journal lines and notices, then `Done` or an error at the end of a chunk.
Item: TypeAlias = Started | list[bytes] | Notice | Done | Overdue | ShardDone | ChefError
#: Seconds for which answers are gathered: one message of Ray costs as much as asking a sample.
GATHER = 0.05


class Replica:
    """The Ray actor. It sends errors as items instead of raising; the driver reports them."""

    def __init__(self, setup: Setup) -> None:
        guard_streams()  # Ray keeps what is printed here in files
        self.setup = setup
        self._task: WorkerTask | None = None
        self._told: Mapping[str, Any] = {}
        self._responses: ResponseCache | None = None
        self._notices_sent = 0

    def start(self) -> Started | ChefError:
        """Build and load the model."""
        try:
            os.chdir(self.setup.folder)
            threads = _use_threads(self.setup)
            threading.Thread(target=_end_with_parent, args=[os.getppid()], daemon=True).start()
            path, overrides = self.setup.model
            self._spec = load_model(path, overrides)
            self._model = self._spec.model.build()
            if lifecycle.fingerprint(self._model) != self.setup.fingerprint:
                return _differs("weights, or the dtype that 'auto' resolves to, are")
            if self.setup.response_cache is not None:
                identity = reply_identity(
                    self.setup.fingerprint, self._spec.plugins, self._spec.document.secret_digest()
                )
                self._responses = ResponseCache(identity, self.setup.response_cache)
            lifecycle.prepare(self._model)
        except BaseException as error:
            return portable(error)
        return Started(os.uname().nodename, os.getpid(), threads)

    def ask(self, task: WorkerTask, ids: Sequence[str]) -> Iterator[Item]:
        """Ask a chunk: its batches depend only on its samples; what the engine learned stays."""
        lines: list[bytes] = []
        sent = time.monotonic()
        try:
            if task != self._task:
                self._begin(task)
            self._evaluator.prefetch(ids)
            for prediction in self._engine.run(self._evaluator.jobs(ids)):
                yield from self._new_notices()
                lines.append(encode(prediction))
                if time.monotonic() - sent >= GATHER:
                    yield lines
                    lines, sent = [], time.monotonic()
        except GeneratorExit:
            raise  # the driver has closed the stream; a model's own is contained in the engine
        except BaseException as error:
            yield from self._new_notices()
            yield lines
            yield _failure(error)
        else:
            yield lines
            yield self._end()

    def shard(self, task: WorkerTask, work: Work, shard: Shard, one_by_one: bool) -> Iterator[Item]:
        """Ask, score and store a shard; see `chef.shards.asking.do_shard`."""

        def ask(todo: Sequence[str], journal: Path) -> Iterator[Prediction]:
            del journal  # the engine was made with that of the task
            self._evaluator.prefetch(todo)
            return self._engine.run(self._evaluator.jobs(todo))

        try:
            if task != self._task:
                self._begin(task)
            head = do_shard(work, shard, self._evaluator, ask, one_by_one=one_by_one)
        except GeneratorExit:
            raise
        except BaseException as error:
            yield from self._new_notices()
            yield _failure(error)
        else:
            yield from self._new_notices()
            yield ShardDone(head)
            yield self._end()

    def _end(self) -> Done | Overdue:
        if self._engine.executor.is_stuck:
            return Overdue("a call of the model does not end")  # its sample is an error already
        return Done(self._new_counts())

    def _new_counts(self) -> Mapping[str, int | float]:
        """The statistics without those that were told; the largest values of all stay."""
        counts, told = self._engine.executor.record(), self._told
        self._told = counts
        is_count = {key: not key.startswith("largest") for key in counts}
        return {key: counts[key] - is_count[key] * told.get(key, 0) for key in counts}

    def _new_notices(self) -> Iterator[Notice]:
        new = lifecycle.notices(self._model)[self._notices_sent :]
        self._notices_sent += len(new)
        for text in new:
            yield Notice(redact(text))

    def _begin(self, task: WorkerTask) -> None:
        path, overrides = task.recipe
        evaluator = Evaluator(load_recipe(path, overrides), task.options)
        for what, found in digests(evaluator.provenance(self._spec)).items():
            if found != task.provenance[what]:
                raise _differs(f"{what} is")
        self._evaluator = evaluator
        self._engine = evaluator.engine(self._model, self._responses, task.journal)
        self._task, self._told = task, {}


def digests(parts: Mapping[str, Any]) -> dict[str, str]:
    """Return the digest of each part, as 32 hex digits."""
    return {key: digest(value) for key, value in parts.items()}


def _failure(error: BaseException) -> Item:
    """What is sent of an error that ends a chunk or a shard."""
    stuck = isinstance(error.__cause__, StuckError)
    return Overdue(str(error.__cause__)) if stuck else portable(error)


def portable(error: BaseException) -> ChefError:
    """Convert ``error`` to a class that every process can unpickle, unlike those of plugins."""
    place = user_place(error)
    at = "" if place is None else f"\n  at {place}"
    if not isinstance(error, ChefError):
        return RunError(redact(f"{type(error).__name__}: {message_of(error)}{at}"))
    kinds = (DependencyError, RunError, ConfigError, DataError, ChefError)
    kind = next(kind for kind in kinds if isinstance(error, kind))
    where, hint = (text and redact(text) for text in (error.where, error.hint))
    return kind(redact(error.what + at), where=where, hint=hint)


def _differs(what: str) -> RunError:
    return RunError(
        f"its {what} not the same as in the process that started the run",
        hint="use the same files, packages and environment variables on every machine; set dtype "
        "explicitly if only some machines have a GPU",
    )


def _end_with_parent(parent: int) -> None:
    """Exit when the parent process ends; otherwise a killed driver would leave the GPU in use."""
    while os.getppid() == parent:
        time.sleep(1)
    end_agents(os.environ.get("RAY_RAYLET_PID", ""))
    os._exit(1)


def end_agents(raylet: str) -> None:
    """End what a dead raylet (the id of its process) leaves here: agents that try to report it."""
    mark = f"RAY_RAYLET_PID={raylet}".encode()
    for process in Path("/proc").glob("[0-9]*") if raylet else ():
        with suppress(OSError):  # it has ended, or is another user's
            others = process.joinpath("environ").read_bytes().split(b"\0")
            if mark in others and int(process.name) != os.getpid():
                os.kill(int(process.name), signal.SIGKILL)


def _use_threads(setup: Setup) -> int:
    """Set the number of threads: an equal share of the cores, unless the setup says otherwise."""
    cores = len(os.sched_getaffinity(0))
    threads = setup.threads or max(1, cores // setup.neighbours)
    os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(threads)
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_num_threads(threads)
    return threads
