"""The engine: runs one program per sample and sends their requests to the model in full batches.

It keeps a bounded window of programs under way. Their requests are grouped by kind, ordered so
that requests about the same images are next to each other and lengths are similar, and cut into
batches. Threads read samples and decode images while the model computes. Which requests share a
batch depends only on the samples, never on timing, so a run can be repeated exactly.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from chef.common.user_code import describe_failure
from chef.engine.batching import Limits, PendingRequest, next_batch
from chef.engine.executor import BatchExecutor
from chef.engine.response_cache import ResponseCache
from chef.errors import ConfigError, RunError, SampleError
from chef.inferencer.base import Answer, Inferencer, Program, checked_request, started
from chef.models.base import Model
from chef.types import Prediction, Reply, Request, Sample, Status

#: How many programs wait for the model at once: enough to fill batches with similar requests.
WINDOW = 128
#: How many decoded pixels they may hold, which bounds the memory for images of any size.
WINDOW_PIXELS = 100_000_000
#: How many threads make samples and decode images.
READERS = 2


@dataclass(frozen=True, slots=True)
class Job:
    """A sample to evaluate: its id, and a function that makes it (called in a reader thread)."""

    sample_id: str
    make: Callable[[], Sample]


@dataclass(slots=True, eq=False)
class _Live:
    """One program under way and its pending request."""

    order: int
    job: Job
    pixels: int = 0
    sample: Sample | None = None
    program: Program | None = None
    pending: PendingRequest | None = None
    failure: Exception | None = None
    answer: Answer | None = None


@dataclass(slots=True)
class Engine:
    """Runs an inferencer's programs against a model.

    Args:
        model: answers lists of requests.
        inferencer: makes the program of each sample.
        batch_size: requests per batch; None fills batches up to the model's token budget.
        window: how many programs are under way at once.
        responses: replies to earlier requests; a request found there needs no batch.
    """

    model: Model
    inferencer: Inferencer
    batch_size: int | None = None
    window: int = WINDOW
    responses: ResponseCache | None = None
    executor: BatchExecutor = field(init=False)

    def __post_init__(self) -> None:
        limits = Limits(self.batch_size, self.model.token_budget)
        self.executor = BatchExecutor(self.model, limits, self.responses)
        if self.inferencer.instruction.drop_example_images(self.model.max_images):
            self.executor.note_dropped_images()
        self.window = max(self.window, 2 * (self.batch_size or 0))

    def run(self, jobs: Iterable[Job]) -> Iterator[Prediction]:
        """Run every job; predictions come as they are made, in no particular order.

        A sample that fails gives a prediction with status ``error``.

        Raises:
            RunError: the model cannot answer any request.
        """
        queue = enumerate(jobs)
        ready: list[_Live] = []
        opening: deque[Future[_Live]] = deque()
        with ThreadPoolExecutor(READERS, thread_name_prefix="reader") as readers:

            def read_ahead(pixels: int | None) -> None:
                """Keep the readers busy, within the memory limit for images of this size."""
                fits = self.window if pixels == 0 else WINDOW_PIXELS // (pixels or WINDOW_PIXELS)
                ahead = max(4 * READERS, min(self.window, fits))
                for item in islice(queue, max(0, ahead - len(opening))):
                    opening.append(readers.submit(self._open, _Live(*item)))

            try:
                pixels = None  # size of the sample read last; not known for the first few
                while True:
                    read_ahead(pixels)
                    # How far the readers are ahead does not affect the batches: programs enter
                    # the window in order, up to a fixed number of programs and pixels.
                    while opening and self._fits_another(ready):
                        live = opening.popleft().result()
                        self._replay(live)
                        pixels = live.pixels
                        read_ahead(pixels)
                        if live.pending is None:
                            yield _prediction(live)
                        else:
                            ready.append(live)
                    if not ready:
                        return
                    yield from self._step(ready)
            finally:
                readers.shutdown(wait=False, cancel_futures=True)

    def _fits_another(self, ready: list[_Live]) -> bool:
        """Whether the window may take one more program."""
        if not ready:
            return True
        return len(ready) < self.window and sum(item.pixels for item in ready) < WINDOW_PIXELS

    # -- one program ------------------------------------------------------------------------

    def _open(self, live: _Live) -> _Live:
        """Make the sample and run its program to the first request (in a reader thread)."""

        def start() -> Request:
            live.sample = live.job.make()
            live.program, request = started(self.inferencer, live.sample)
            return request

        self._run(live, start)
        return live

    def _advance(self, live: _Live, reply: Reply | Exception) -> None:
        """Send the program its reply and run it to its next request or its end."""
        program = live.program
        assert program is not None
        if isinstance(reply, Exception):
            self._run(live, lambda: program.throw(reply))
        else:
            self._run(live, lambda: program.send(reply))

    def _replay(self, live: _Live) -> None:
        """Send the program replies from the response cache as long as there are any.

        This is never done in a reader thread, so that the content of the cache depends only on
        earlier batches.
        """
        while live.pending is not None:
            reply = self.executor.cached_reply(live.pending.request)
            if reply is None:
                return
            self._advance(live, reply)

    def _run(self, live: _Live, step: Callable[[], Request]) -> None:
        """Run one step of a program, to its next request, its end or its failure."""
        live.pending, live.pixels = None, 0
        try:
            request = self.executor.limit_images(checked_request(step()))
            images = [image for turn in request.conversation for image in turn.images]
            # The digest decodes the image, so a corrupt one fails here, and only its sample does.
            by_digest = {image.digest: image for image in images}
            live.pixels = sum(math.prod(image.load().size) for image in by_digest.values())
            cost, rows = self.executor.estimate_cost(request)
            digests = tuple(image.digest for image in images)
            live.pending = PendingRequest(live.order, request, digests, cost, rows)
        except StopIteration as stop:
            live.answer = stop.value
        except (RunError, ConfigError):
            raise
        except Exception as error:
            live.failure = error

    # -- batches ----------------------------------------------------------------------------

    def _step(self, ready: list[_Live]) -> Iterator[Prediction]:
        """Send one batch; yield predictions of programs that end, and keep the others waiting."""
        waiting = {live.order: live for live in ready}
        pending = [live.pending for live in ready if live.pending is not None]
        batch = next_batch(pending, self.executor.limits)
        chosen = {item.order for item in batch}
        ready[:] = [live for live in ready if live.order not in chosen]
        for item, reply in self.executor.ask(batch):
            live = waiting[item.order]
            self._advance(live, reply)
            self._replay(live)
            if live.pending is None:
                yield _prediction(live)
            else:
                ready.append(live)


def _prediction(live: _Live) -> Prediction:
    sample = live.sample.to_record() if live.sample is not None else {"id": live.job.sample_id}
    found = live.answer
    if not isinstance(found, Answer):
        failure = live.failure or SampleError(
            f"infer returned {found!r}, not an Answer",
            hint="end it with `return Answer(text)` (from chef.inferencer.base import Answer)",
        )
        return failed(live.job.sample_id, failure, sample)
    return Prediction(
        live.job.sample_id, found.status, found.answer, found.scores, found.trace, sample
    )


def failed(sample_id: str, failure: Exception, sample: Mapping[str, Any]) -> Prediction:
    """The prediction of a sample that failed."""
    return Prediction(sample_id, Status.ERROR, sample=sample, error=describe_failure(failure))
