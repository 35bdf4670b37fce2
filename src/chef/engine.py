"""The engine: thousands of one-sample programs in, full batches out.

It keeps a bounded window of live programs. Whatever they ask for is grouped by kind, ordered so
that requests about the same images are neighbours and lengths are alike, and cut into batches.
Samples are read and images decoded by threads while the model computes. Which requests share a
batch depends on the samples alone, never on timing, so a run can be repeated exactly.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice

from chef.batching import Asked, Limits, next_batch
from chef.errors import ChefError, ConfigError, RunError, SampleError
from chef.inferencer.base import Answer, Inferencer, Program
from chef.models.base import TestBase
from chef.types import Generate, Prediction, Reply, Request, Sample, Score, Status

#: Live programs. Enough to find neighbours and to keep the readers busy, few enough that their
#: decoded images fit in memory.
WINDOW = 256
READERS = 2
#: When this many requests in a row fail inside the model, the fault is not the samples'.
HOPELESS = 16


@dataclass(frozen=True, slots=True)
class Job:
    """A sample to be asked: its id, and how to make it (in a reader's thread)."""

    sample_id: str
    make: Callable[[], Sample]


@dataclass(slots=True)
class Statistics:
    """What the engine did; times in seconds."""

    batches: int = 0
    requests: int = 0
    out_of_memory: int = 0
    model_seconds: float = 0.0
    generated_tokens: int = 0
    largest_batch: int = 0


@dataclass(slots=True, eq=False)
class _Live:
    """One program under way, and what it waits for."""

    order: int
    job: Job
    sample: Sample | None = None
    program: Program | None = None
    asked: Asked | None = None
    failure: Exception | None = None
    answer: Answer | None = None


@dataclass(slots=True)
class Engine:
    """Runs an inferencer's programs against a model.

    Args:
        model: answers lists of requests.
        inferencer: makes the program of each sample.
        batch_size: requests a batch; None fills batches up to the model's token budget.
        window: how many programs are live at once.
    """

    model: TestBase
    inferencer: Inferencer
    batch_size: int | None = None
    window: int = WINDOW
    statistics: Statistics = field(default_factory=Statistics)
    _limits: Limits = field(init=False)
    _failures_in_a_row: int = 0

    def __post_init__(self) -> None:
        self._limits = Limits(self.batch_size, self.model.token_budget)
        self.window = max(self.window, 2 * (self.batch_size or 0))

    def run(self, jobs: Iterable[Job]) -> Iterator[Prediction]:
        """Ask every job; predictions come as they are made, in no particular order.

        A sample that fails becomes a prediction with status ``error``.

        Raises:
            RunError: the model cannot answer at all.
        """
        queue = enumerate(jobs)
        ready: list[_Live] = []
        opening: deque[Future[_Live]] = deque()
        with ThreadPoolExecutor(READERS, thread_name_prefix="reader") as readers:
            try:
                while True:
                    # Readers work on what is submitted here while the model works below.
                    for item in islice(queue, self.window - len(ready) - len(opening)):
                        opening.append(readers.submit(self._open, _Live(*item)))
                    if not ready and not opening:
                        return
                    yield from self._settle(opening, ready)
                    if ready:
                        yield from self._step(self._take(ready), ready)
            finally:
                readers.shutdown(wait=False, cancel_futures=True)

    def _settle(self, opening: deque[Future[_Live]], ready: list[_Live]) -> Iterator[Prediction]:
        """Take programs over from the readers, in order, until half of the window is ready.

        The number depends on counts alone: whoever is quicker, the batches stay the same.
        """
        while opening and len(ready) < max(1, self.window // 2):
            live = opening.popleft().result()
            if live.asked is None:
                yield _prediction(live)
            else:
                ready.append(live)

    def _step(self, batch: list[_Live], ready: list[_Live]) -> Iterator[Prediction]:
        """Ask one batch; programs that end become predictions, the others wait again."""
        for live, reply in zip(batch, self._ask(batch), strict=True):
            self._advance(live, reply)
            if live.asked is None:
                yield _prediction(live)
            else:
                ready.append(live)

    # -- one program ------------------------------------------------------------------------

    def _open(self, live: _Live) -> _Live:
        """Make the sample and run its program to the first request (in a reader's thread)."""

        def start() -> Request:
            live.sample = live.job.make()
            live.program = self.inferencer.infer(live.sample)
            return next(live.program)

        self._run(live, start)
        return live

    def _advance(self, live: _Live, reply: Reply | Exception) -> None:
        """Give the program its reply and run it to the next request or its end."""
        program = live.program
        assert program is not None
        if isinstance(reply, Exception):
            self._run(live, lambda: program.throw(reply))
        else:
            self._run(live, lambda: program.send(reply))

    def _run(self, live: _Live, step: Callable[[], Request]) -> None:
        """One step of a program: it asks, ends or fails."""
        live.asked = None
        try:
            request = step()
            images = [image for turn in request.conversation for image in turn.images]
            # The digest decodes the image, so a corrupt one fails here, alone.
            digests = tuple(image.digest for image in images)
            cost, rows = self.model.cost(request), self.model.rows(request)
            live.asked = Asked(live.order, request, digests, cost, rows)
        except StopIteration as stop:
            live.answer = stop.value
        except (RunError, ConfigError):
            raise
        except Exception as error:
            live.failure = error

    # -- the model --------------------------------------------------------------------------

    def _take(self, ready: list[_Live]) -> list[_Live]:
        by_order = {live.order: live for live in ready}
        asked = [live.asked for live in ready if live.asked is not None]
        batch = [by_order[item.order] for item in next_batch(asked, self._limits)]
        chosen = {live.order for live in batch}
        ready[:] = [live for live in ready if live.order not in chosen]
        return batch

    def _ask(self, batch: Sequence[_Live]) -> list[Reply | Exception]:
        """One model call; on a failure, smaller ones, down to the request that is at fault."""
        asked = [live.asked for live in batch if live.asked is not None]
        try:
            replies = self._call([item.request for item in asked])
        except (RunError, ConfigError):
            raise
        except Exception as error:
            if self.model.is_out_of_memory(error):
                self.statistics.out_of_memory += 1
                self._limits.shrink(asked)
            if len(batch) == 1:
                return [self._blame(error)]
        else:
            self._failures_in_a_row = 0
            return list(replies)
        # The failed call's frames, and the tensors they hold, are gone here: memory is free again.
        middle = len(batch) // 2
        return self._ask(batch[:middle]) + self._ask(batch[middle:])

    def _call(self, requests: Sequence[Request]) -> Sequence[Reply]:
        started = time.perf_counter()
        replies: Sequence[Reply]
        if isinstance(requests[0], Score):
            scores = self.model.score([item for item in requests if isinstance(item, Score)])
            replies = scores
        else:
            texts = self.model.generate([item for item in requests if isinstance(item, Generate)])
            self.statistics.generated_tokens += sum(item.tokens for item in texts)
            replies = texts
        if len(replies) != len(requests):
            raise RunError(
                f"the model gave {len(replies)} replies to {len(requests)} requests",
                where=type(self.model).__name__,
                mend="return one reply a request, in order",
            )
        self.statistics.model_seconds += time.perf_counter() - started
        self.statistics.batches += 1
        self.statistics.requests += len(requests)
        self.statistics.largest_batch = max(self.statistics.largest_batch, len(requests))
        return replies

    def _blame(self, error: Exception) -> Exception:
        if isinstance(error, SampleError):
            return error  # the model says it is the sample's fault
        self._failures_in_a_row += 1
        if self._failures_in_a_row >= HOPELESS:
            raise RunError(
                f"{HOPELESS} requests in a row failed in the model; the last: "
                f"{type(error).__name__}: {error}",
                mend="mend the model or its settings; the same command goes on from here",
            ) from error
        return error


def _prediction(live: _Live) -> Prediction:
    sample = live.sample.to_record() if live.sample is not None else {"id": live.job.sample_id}
    if live.answer is None:
        failure = live.failure or SampleError("the program ended without an answer")
        message = str(failure) if isinstance(failure, ChefError) else repr(failure)
        error = {"type": type(failure).__name__, "message": message}
        return Prediction(live.job.sample_id, Status.ERROR, sample=sample, error=error)
    found = live.answer
    return Prediction(
        live.job.sample_id, found.status, found.answer, found.scores, found.trace, sample
    )
