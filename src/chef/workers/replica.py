"""What runs in a worker: one replica of the model, asked a chunk of samples at a time.

A worker reads the model file and the recipe itself and makes its own samples, so neither weights
nor images travel. What it sends back are lines of the journal, and it is sent nothing but ids.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from chef.common.digest import digest
from chef.config import load_model, load_recipe
from chef.engine.response_cache import ResponseCache
from chef.errors import ChefError, ConfigError, DataError, DependencyError, RunError
from chef.evaluator import Evaluator
from chef.run.environment import reply_identity
from chef.run.folder import encode
from chef.run.plan import RunOptions

#: A YAML file, or its content.
Given: TypeAlias = Path | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker needs to build its replica.

    Attributes:
        folder: the working directory that relative paths start from.
        model: file (or content) and overrides of the model.
        fingerprint: of the weights and settings that the driver sees.
        neighbours: replicas that share the machine's cores.
        threads: of each replica; None for an equal share of the cores.
        response_cache: a folder, on its machine, of what was generated before.
    """

    folder: str
    model: tuple[Given, tuple[str, ...]]
    fingerprint: str
    neighbours: int
    threads: int | None
    response_cache: Path | None


@dataclass(frozen=True, slots=True)
class Task:
    """A recipe as a worker reads it, and digests of what the driver's stands on."""

    recipe: tuple[Given, tuple[str, ...]]
    options: RunOptions
    journal: Path
    provenance: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Started:
    """A replica is ready, and where."""

    node: str
    pid: int
    threads: int


@dataclass(frozen=True, slots=True)
class Done:
    """A chunk is finished; with the statistics of the worker's engine in this recipe."""

    statistics: Mapping[str, int | float]


@dataclass(frozen=True, slots=True)
class Told:
    """What the user should know about how the model is run (see `Model.notices`)."""

    notice: str


#: What a worker sends: lines of the journal, notices among them, then how the chunk ended.
Item: TypeAlias = Started | bytes | Told | Done | ChefError


class Replica:
    """The actor. It raises nothing: a failure is an item, as the driver is to report it."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._task: Task | None = None
        self._responses: ResponseCache | None = None
        self._told = 0  # notices sent so far

    def start(self) -> Started | ChefError:
        """Build and load the model."""
        try:
            os.chdir(self.setup.folder)
            threads = _use_threads(self.setup)
            threading.Thread(target=_end_with_parent, args=[os.getppid()], daemon=True).start()
            path, overrides = self.setup.model
            self._spec = load_model(path, overrides)
            self._model = self._spec.model.build()
            if self._model.fingerprint() != self.setup.fingerprint:
                return _differs("weights, or the dtype that 'auto' stands for, are")
            if self.setup.response_cache is not None:
                identity = reply_identity(self.setup.fingerprint, self._spec.plugins)
                self._responses = ResponseCache(identity, self.setup.response_cache)
            self._model.prepare()
        except Exception as error:
            return portable(error)
        return Started(os.uname().nodename, os.getpid(), threads)

    def ask(self, task: Task, ids: Sequence[str]) -> Iterator[Item]:
        """Ask a chunk of samples.

        Each chunk begins with an empty window, so its batches depend on its samples alone. What
        the engine has learnt of the model (how large a batch may be, whether it answers at all)
        stays.
        """
        try:
            if task != self._task:
                self._begin(task)
            self._evaluator.prefetch(ids)
            for prediction in self._engine.run(self._evaluator.jobs(ids)):
                yield from self._news()
                yield encode(prediction)
        except Exception as error:
            yield from self._news()
            yield portable(error)
        else:
            yield Done(asdict(self._engine.executor.statistics))

    def _news(self) -> Iterator[Told]:
        news = self._model.notices[self._told :]
        self._told += len(news)
        for notice in news:
            yield Told(notice)

    def _begin(self, task: Task) -> None:
        path, overrides = task.recipe
        evaluator = Evaluator(load_recipe(path, overrides), task.options)
        for what, found in digests(evaluator.provenance(self._spec)).items():
            if found != task.provenance[what]:
                raise _differs(f"{what} is")
        self._evaluator = evaluator
        self._engine = evaluator.engine(self._model, self._responses, task.journal)
        self._task = task


def digests(parts: Mapping[str, Any]) -> dict[str, str]:
    """Names each part by 32 hex digits."""
    return {key: digest(value) for key, value in parts.items()}


def portable(error: Exception) -> ChefError:
    """``error`` as one that every process can unpickle: a plugin may have raised its own kind."""
    if not isinstance(error, ChefError):
        return RunError(f"{type(error).__name__}: {error}")
    kinds = (DependencyError, RunError, ConfigError, DataError, ChefError)
    kind = next(kind for kind in kinds if isinstance(error, kind))
    return kind(error.what, where=error.where, hint=error.hint)


def _differs(what: str) -> RunError:
    return RunError(
        f"its {what} not the same as where the run was started",
        hint="give every machine the same files, packages and variables; write the dtype out where "
        "machines with and without a GPU work together",
    )


def _end_with_parent(parent: int) -> None:
    """Where the driver is killed, so is Ray, and this process would keep its GPU for a while."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _use_threads(setup: Setup) -> int:
    """Share the cores between the replicas of this machine, before torch counts them."""
    cores = len(os.sched_getaffinity(0))
    threads = setup.threads or max(1, cores // setup.neighbours)
    os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(threads)
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_num_threads(threads)
    return threads
