"""Call the model with batches; one that fails, or does not fit into memory, is halved.

A call may have a time limit (``--timeout``). Python cannot stop a thread: a limited call runs in a
thread of its own; when its time is up, an exception is raised inside it, which ends Python code at
its next instruction, a forward pass between two operations, and a wait for the network only where
it wakes up now and then. A call that still runs after that keeps using the model, so nothing else
may be asked of it: see `StuckError`.
"""

from __future__ import annotations

import ctypes
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Generic, TypeVar

from chef.common.logs import logger
from chef.common.user_code import contained, give_up, told
from chef.engine.executor_base import (
    MAX_CONSECUTIVE_FAILURES,
    Executor,
    Limits,
    Outcome,
    PendingRequest,
    checked_reply,
    next_batch,
)
from chef.engine.response_cache import ResponseCache
from chef.errors import ConfigError, RunError, SampleError
from chef.models.base import Model
from chef.models.hooks.chef import method_name
from chef.models.hooks.replies import rows_of
from chef.types import Generate, Generated, Reply, Request, Score

T = TypeVar("T")

#: How many seconds a call has to end after it was told to.
GRACE = 3.0


class StuckError(TimeoutError):
    """A call took too long and still runs (``earlier``: another one does)."""

    def __init__(self, what: str, *, earlier: bool = False) -> None:
        super().__init__(what)
        self.earlier = earlier


class TimeIsUpError(BaseException):
    """Ends a call from inside; a model's ``except Exception`` lets it pass."""


class Deadline(Generic[T]):
    """Runs calls one after another, each for at most so many seconds; None calls directly.

    All run in one thread until one is ended, because some libraries tie what they open to a thread.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._thread: _Caller[T] | None = None
        self._given_up: _Caller[T] | None = None

    @property
    def is_stuck(self) -> bool:
        """Whether a call that was given up still runs."""
        return self._given_up is not None and self._given_up.is_alive()

    def call(self, function: Callable[[], T]) -> T:
        """What ``function`` returns; a TimeoutError if it was ended, a StuckError if it runs."""
        if self.seconds is None:
            return function()
        if self.is_stuck:
            raise StuckError("an earlier call of the model still runs", earlier=True)
        if self._thread is None:
            self._thread = _Caller()
        thread = self._thread
        thread.asked.put(function)
        try:
            found, error = thread.answered.get(timeout=self.seconds)
        except queue.Empty:
            self._thread = None
            thread.interrupt()
            what = f"the model gave no reply within {self.seconds:g} s (--timeout)"
            if thread.is_alive():
                self._given_up = thread
                give_up(thread.ident or 0)
                raise StuckError(what) from None
            raise TimeoutError(what) from None
        if error is not None:
            raise error
        assert found is not None
        return found

    def close(self) -> None:
        """End the thread, if there is one."""
        if self._thread is not None:
            self._thread.asked.put(None)
            self._thread = None


class _Caller(threading.Thread, Generic[T]):
    """A thread that calls functions; the process does not wait for it."""

    def __init__(self) -> None:
        super().__init__(name="model", daemon=True)
        self.asked: queue.SimpleQueue[Callable[[], T] | None] = queue.SimpleQueue()
        self.answered: queue.SimpleQueue[tuple[T | None, BaseException | None]] = (
            queue.SimpleQueue()
        )
        self.start()

    def run(self) -> None:
        try:
            while (function := self.asked.get()) is not None:
                try:
                    self.answered.put((function(), None))
                except TimeIsUpError:
                    return
                except BaseException as error:
                    self.answered.put((None, error))
        except TimeIsUpError:  # it came when the call had just ended
            return

    def interrupt(self) -> None:
        """Raise an exception in the call, and wait for its end for `GRACE` seconds."""
        self.asked.put(None)
        identity = ctypes.c_ulong(self.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(TimeIsUpError))
        self.join(GRACE)


_log = logger(__name__)
#: Batches grow to at most so many times the model's token budget; an accelerator is fully used long
#: before that.
GROWTH = 16


class BatchExecutor(Executor):
    """Calls a model with batches; ``limits`` rise while memory is left, and fall without."""

    def __init__(
        self,
        model: Model,
        limits: Limits,
        responses: ResponseCache | None = None,
        timeout: float | None = None,
    ) -> None:
        super().__init__(model, responses)
        self.limits = limits
        self._may_grow = True
        self._failures_in_a_row = 0
        self._known_good: Request | None = None
        self._deadline: Deadline[list[Reply]] = Deadline(timeout)

    @property
    def is_stuck(self) -> bool:
        """Whether a call that was given up still runs, so that the model cannot be asked."""
        return self._deadline.is_stuck

    def close(self) -> None:
        """End the thread of the model's calls, if they have a time limit."""
        self._deadline.close()

    def ask(self, waiting: Sequence[PendingRequest]) -> Iterator[Outcome]:
        """Send the next batch of the requests that wait, and yield its replies.

        A model that answers one by one is sent one at a time: a failure or `timeout` is then one
        request's, and each reply goes on before the next request is sent.
        """
        batch = next_batch(waiting, self.limits)
        if len(batch) > 1 and self.model.answers_singly(batch[0].request):
            singles = (self._ask([item]) for item in batch)
            return chain.from_iterable(chain.from_iterable(singles))
        return chain.from_iterable(self._ask(batch))

    def _ask(self, batch: Sequence[PendingRequest]) -> Iterator[Iterable[Outcome]]:
        """Yield the replies to a batch, halved where it fails; a RunError if every request does."""
        try:
            replies = self._call([item.request for item in batch])
        except (RunError, ConfigError):
            raise
        except StuckError as error:
            if len(batch) > 1 or error.earlier:
                raise _stuck(len(batch)) from error
            yield [(batch[0], TimeoutError(str(error)))]
            return  # the run goes on where nothing is left to ask, or the call has ended after all
        except Exception as error:
            failure = error
        else:
            self._failures_in_a_row, self._known_good = 0, batch[0].request
            if self.responses is not None and isinstance(batch[0].request, Generate):
                for item, reply in zip(batch, replies, strict=True):
                    self.responses.put(item.request, reply)
            self._grow(batch)
            yield zip(batch, replies, strict=True)
            return
        exhausted = self._is_out_of_memory(failure)
        self.statistics.out_of_memory += exhausted
        if len(batch) == 1:
            self.statistics.too_large += exhausted
            yield [(batch[0], self._blame(failure))]
            return
        # Release the frames of the failed call, and with them the tensors that they hold.
        failure.__traceback__ = None
        middle, too_large = len(batch) // 2, self.statistics.too_large
        may_grow, self._may_grow = self._may_grow, self._may_grow and not exhausted
        yield from self._ask(batch[:middle])
        yield from self._ask(batch[middle:])
        if exhausted and self.statistics.too_large == too_large:
            self.limits = self.limits.below(batch)
        else:  # a sample that is too large by itself says nothing about other batches
            self._may_grow = may_grow

    def _grow(self, batch: Sequence[PendingRequest]) -> None:
        """Double the token limit if this batch filled half of it and twice as much fits in memory.

        By counts and measured memory, never by time, so that batches can be repeated.
        """
        most = GROWTH * self.model.token_budget
        filled = self.limits.filled(batch)
        if not self._may_grow or self.limits.requests is not None or filled < 0.5:
            return
        tokens = 2 * self.limits.tokens
        if tokens > most:
            return
        try:
            with contained(f"the model '{self.model.name}'"):
                has_room = self.model.memory_headroom() >= 2 / filled
        except Exception as error:  # the answers of this batch are there, and must not be lost
            _log.warning("batches do not grow: memory_headroom failed: %s", told(error))
            self._may_grow = False
            return
        if has_room:
            self.limits = Limits(None, tokens)

    def _is_out_of_memory(self, failure: Exception) -> bool:
        """What the model says of a failed call; its own failure hides nothing."""
        try:
            with contained(f"the model '{self.model.name}'"):
                return bool(self.model.is_out_of_memory(failure))
        except Exception:
            return isinstance(failure, MemoryError)

    def _call(self, requests: Sequence[Request]) -> Sequence[Reply]:
        started = time.perf_counter()
        replies = self._deadline.call(lambda: self._replies(requests))
        self.statistics.generated_tokens += sum(
            [reply.tokens for reply in replies if isinstance(reply, Generated)]
        )
        self.statistics.model_seconds += time.perf_counter() - started
        self.statistics.batches += 1
        self.statistics.requests += len(requests)
        self.statistics.largest_batch = max(self.statistics.largest_batch, len(requests))
        return replies

    def _replies(self, requests: Sequence[Request]) -> list[Reply]:
        """The replies of the model as plain values; a ReplyError if there is not one each."""
        with contained(f"the model '{self.model.name}'", passing=(TimeIsUpError,)):
            return self._checked_replies(requests)

    def _checked_replies(self, requests: Sequence[Request]) -> list[Reply]:
        scores = [item for item in requests if isinstance(item, Score)]
        if not scores:
            name = method_name(self.model, "generate")
            texts = self.model.generate([item for item in requests if isinstance(item, Generate)])
            rows = rows_of(texts, len(requests), name)
            return [
                checked_reply(item, request, name)
                for item, request in zip(rows, requests, strict=True)
            ]
        name = method_name(self.model, "score")
        given = rows_of(self.model.score(list(scores)), len(scores), name)
        return [
            checked_reply(values, request, name)
            for request, values in zip(scores, given, strict=True)
        ]

    def _blame(self, error: Exception) -> Exception:
        """The error of a request that failed by itself; a RunError if every request fails."""
        if isinstance(error, SampleError):
            return error  # the model names the sample as the cause
        self._failures_in_a_row += 1
        if self._failures_in_a_row < MAX_CONSECUTIVE_FAILURES:
            return error
        # Samples that fail for the same reason are often next to each other. If a request that
        # worked before still works, the model is not broken, and its server is not gone.
        if self._known_good is None or not self._answers(self._known_good):
            raise RunError(
                f"{MAX_CONSECUTIVE_FAILURES} requests in a row failed in the model; the last: "
                f"{told(error)}",
                hint="fix the model or its settings; the same command resumes the run",
            ) from error
        self._failures_in_a_row = 0
        return error

    def _answers(self, request: Request) -> bool:
        try:
            self._call([request])
        except Exception:
            return False
        return True


def _stuck(requests: int) -> RunError:
    """The error that stops a run whose model still works on a call that was given up."""
    alone = (
        " With --batch_size 1 the sample at fault is recorded as an error, and asked last."
        if requests > 1
        else ""
    )
    return RunError(
        "a call of the model took too long (--timeout) and cannot be stopped, as it waits outside "
        "of Python",
        hint="run the model in a process of its own, which is ended and replaced: --workers 1."
        f"{alone} The same command resumes the run",
    )
