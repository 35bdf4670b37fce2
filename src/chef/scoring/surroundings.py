"""What a metric that scores in its own way may ask of the run: its scenario and its judge."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from functools import cached_property
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from chef.common.jsonable import to_jsonable
from chef.common.printing import progress_bar
from chef.common.text import encodable_data
from chef.common.user_code import told
from chef.common.writing import json_line
from chef.config.judge import JudgeSection
from chef.engine.executor import BatchExecutor
from chef.engine.executor_base import Limits, PendingRequest
from chef.engine.response_cache import ResponseCache
from chef.errors import ChefError, RunError
from chef.models import Model, lifecycle
from chef.models.api.server_model import ServerModel
from chef.run.environment import reply_identity
from chef.run.journal import Lines, load_lines
from chef.types import Generate, Generated, Reply

if TYPE_CHECKING:
    from chef.engine.in_flight import ConcurrentExecutor

#: How many seconds a batch waits for another thread's request; threads that were answered together
#: ask again together.
GATHER = 0.01
_Asked: TypeAlias = tuple[PendingRequest, Future[Reply]]


class RecipeJudge:
    """The first judge of a recipe, loaded when it is first asked; its replies are kept.

    A judge behind a server gets the requests of all threads at once, within the limits of its model
    file, and again where they fail; a model in this process gets them as batches. Without a folder
    replies are kept for this process.
    """

    def __init__(self, section: JudgeSection, replies: Path | None) -> None:
        self._spec, self._replies = section.models[0], replies
        self._lock = threading.Lock()  # of the cache, and of loading
        self._asking = threading.Lock()  # held by the thread that asks a batch
        self._waiting: SimpleQueue[_Asked] = SimpleQueue()
        self._places = count()
        self._is_loaded = False
        self._unloadable: Exception | None = None

    @cached_property
    def _model(self) -> Model:
        return self._spec.model.build()

    @cached_property
    def _executor(self) -> BatchExecutor | ConcurrentExecutor:
        if isinstance(self._model, ServerModel):
            from chef.engine.in_flight import ConcurrentExecutor  # it loads asyncio

            return ConcurrentExecutor(self._model)
        return BatchExecutor(self._model, Limits(None, self._model.token_budget))

    @cached_property
    def _cache(self) -> ResponseCache:
        secrets = self._spec.document.secret_digest()
        fingerprint = lifecycle.fingerprint(self._model)
        identity = reply_identity(fingerprint, self._spec.plugins, secrets)
        return ResponseCache(identity, self._replies)

    @property
    def name(self) -> str:
        """The name of its model."""
        return self._spec.label

    @property
    def identity(self) -> str:
        """A digest of what decides its replies."""
        with self._lock:
            return self._cache.model

    def ask(self, request: Generate) -> str:
        """The reply to a request, from any thread, asked once; RunError if the judge fails."""
        try:
            with self._lock:
                if (known := self._cache.get(request)) is not None:
                    return known.text
                self._load()
            reply = self._asked(request)
            assert isinstance(reply, Generated)
        except Exception as error:
            why = error.what if isinstance(error, ChefError) else told(error)
            hint = error.hint if isinstance(error, ChefError) else None
            raise RunError(f"the judge {self.name} failed: {why}", hint=hint) from error
        with self._lock:
            self._cache.put(request, reply)
        return reply.text

    def close(self) -> None:
        """Release the memory of the model, if it was loaded."""
        with self._lock:
            self._unloadable = None
            if "_cache" in vars(self):
                self._cache.close()
                del self._cache
            if self._is_loaded:
                self._is_loaded = False
                self._executor.close()
                del self._executor
                lifecycle.close(self._model)

    def _load(self) -> None:
        if self._is_loaded:
            return
        if self._unloadable is not None:  # the threads that wait need not try it again
            raise self._unloadable
        try:
            lifecycle.prepare(self._model)
            if not isinstance(self._executor, BatchExecutor):
                self._executor.probe()
        except Exception as error:
            self._unloadable = error
            raise
        self._is_loaded = True

    def _asked(self, request: Generate) -> Reply:
        executor = self._executor
        item = executor.pending(next(self._places), request)
        if not isinstance(executor, BatchExecutor):
            return executor.reply_to(item)
        mine: Future[Reply] = Future()
        self._waiting.put((item, mine))
        while not mine.done():
            if not self._asking.acquire(blocking=False):
                wait([mine], GATHER)  # another thread asks, and a reply is used once it is there
                continue
            try:
                if not mine.done():
                    self._ask_batches(executor)
            finally:
                self._asking.release()
        return mine.result()

    def _ask_batches(self, executor: BatchExecutor) -> None:
        """Ask what waits, until nothing does that was there at the start."""
        replies = self._gathered()
        try:
            while waiting := [item for item, future in replies if not future.done()]:
                for item, reply in executor.ask(waiting):
                    found = next(future for one, future in replies if one is item)
                    if isinstance(reply, Exception):
                        found.set_exception(reply)
                    else:
                        found.set_result(reply)
        except Exception as error:  # it ends every request, not this thread's alone
            for _, future in replies:
                if not future.done():
                    future.set_exception(error)

    def _gathered(self) -> Sequence[_Asked]:
        """The requests that wait, and those that come within moments of each other."""
        found: list[_Asked] = []
        until = time.monotonic() + 10 * GATHER  # threads that never stop asking wait for it, too
        while time.monotonic() < until:
            try:
                found.append(self._waiting.get(timeout=GATHER))
            except Empty:
                break
        return found


@contextmanager
def evaluating(label: str, total: int) -> Iterator[Callable[[int], object]]:
    """A progress bar of the answers that an evaluator is asked about; see `Place.progress`."""
    with progress_bar(label, total, "sample", delay=2.0) as bar:
        yield bar.update


EVALUATIONS = "evaluations.jsonl"


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    evaluator: str
    key: str
    output: Any = None


_DECODER = msgspec.json.Decoder(_Line)


class StoredEvaluations:
    """The outputs of the costly evaluators of one run; see `chef.metric.place.KeptOutputs`.

    The file is opened, and its folder made, when the first output is asked for; this process has
    locked the run folder.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / EVALUATIONS
        self._lines: Lines[_Line] | None = None

    def get(self, sample_id: str, key: str) -> tuple[Any] | None:
        """The output that was kept, in a tuple; None if there is none."""
        line = self._opened().entries.get((sample_id, key))
        return None if line is None else (line.output,)

    def put(self, sample_id: str, step: str, key: str, output: Any) -> Any:
        """Keep an output as soon as it is there; return it as `get` will."""
        lines = self._opened()
        content = {"id": sample_id, "evaluator": step, "key": key, "output": to_jsonable(output)}
        data = json_line(encodable_data(content), keep="key")
        lines.append(data)
        line = _DECODER.decode(data)
        lines.entries[sample_id, key] = line
        return line.output

    def close(self) -> None:
        """Make everything survive a power failure, and close the file; RunError for a full disk."""
        if self._lines is not None:
            self._lines.sync()
            self._lines.close()
            self._lines = None

    def _opened(self) -> Lines[_Line]:
        if self._lines is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lines = Lines(self._path, _DECODER.decode, _key)
        return self._lines


def _key(line: _Line) -> tuple[str, str]:
    return line.id, line.key


def load_evaluations(folder: Path) -> dict[str, list[tuple[str, Any]]]:
    """The name and output of each costly evaluator, by sample id; nothing is changed."""
    evaluations: dict[str, list[tuple[str, Any]]] = {}
    for line in load_lines(folder / EVALUATIONS, _DECODER.decode, _key).values():
        evaluations.setdefault(line.id, []).append((line.evaluator, line.output))
    return evaluations
