"""The engine: runs one program per sample and gives their requests to an executor.

It keeps a bounded window of programs under way. For a model in this process, their requests are
grouped by kind, ordered so that requests about the same images are next to each other and lengths
are similar, and cut into batches. Threads read samples and decode images while the model computes.
Which requests share a batch depends only on the samples, never on timing, so a run can be repeated
exactly. Requests to a model behind a server are sent one by one, many at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any

from chef.common.text import REPLACED
from chef.common.user_code import contained, describe_failure
from chef.engine.executor import BatchExecutor
from chef.engine.executor_base import Executor, Limits, PendingRequest
from chef.engine.response_cache import ResponseCache
from chef.errors import ConfigError, ReplyError, RunError, SampleError
from chef.frozen import Frozen
from chef.image import Image
from chef.inferencer.base import Answer, Inferencer, Program, checked_request, started
from chef.instruction.model_prompt import dataset_of
from chef.models.api.server_model import ServerModel
from chef.models.api.traffic import Effort
from chef.models.base import Model
from chef.types import Generate, Generated, Prediction, Reply, Request, Sample, Status

#: How many programs wait for the model at once: enough to fill batches with similar requests.
WINDOW = 128
#: How many decoded pixels they may hold, which bounds the memory for images of any size.
WINDOW_PIXELS = 100_000_000
#: How many threads make samples and decode images.
READERS = 2
#: So many samples without images are made in one go: to hand over each would take longer.
TOGETHER = 4 * READERS


class Job(Frozen):
    """A sample to evaluate: its id, and a function that makes it (called in a reader thread)."""

    sample_id: str
    make: Callable[[], Sample]


@dataclass(slots=True, eq=False)
class _Live:
    """One program under way and its pending request."""

    order: int
    job: Job
    pixels: int = 0
    record: Mapping[str, Any] | None = None
    images: Sequence[Image] = ()
    program: Program | None = None
    pending: PendingRequest | None = None
    failure: Exception | None = None
    answer: Answer | None = None
    prompts: list[str] = field(default_factory=list)
    replaced: int = 0
    effort: Effort | None = None


@dataclass(slots=True)
class _Window:
    """The programs that wait for the model, by the order of their samples, and their pixels."""

    lives: dict[int, _Live] = field(default_factory=dict)
    pixels: int = 0

    def fits_another(self, most: int) -> bool:
        """Whether the window, of at most so many programs, may take one more."""
        return not self.lives or (len(self.lives) < most and self.pixels < WINDOW_PIXELS)


@dataclass(slots=True)
class Engine:
    """Runs an inferencer's programs against a model.

    Args:
        batch_size: requests per batch; None fills batches up to the model's token budget.
        window: how many programs are under way at once.
        log_prompts: whether the trace of an answer gets ``prompts``, as the model is sent them.
        timeout: the most seconds of one call of the model; None for no limit.
        dataset: the name of the data, for a model whose prompts depend on it.
        is_own: whether programs are chef's, which change nothing within a sample.
        is_safe: whether samples are chef's, too: no code of a user's makes them.
    """

    model: Model
    inferencer: Inferencer
    batch_size: int | None = None
    window: int = WINDOW
    responses: ResponseCache | None = None
    log_prompts: bool = False
    timeout: float | None = None
    executor: Executor = field(init=False)
    dataset: str = field(init=False, default="")
    is_own: bool = field(init=False)
    is_safe: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        if isinstance(self.model, ServerModel):
            from chef.engine.in_flight import ConcurrentExecutor  # it loads asyncio

            self.executor = ConcurrentExecutor(self.model, self.responses, self.timeout)
            self.window = max(self.window, 2 * self.model.traffic.max_in_flight)
        else:
            limits = Limits(self.batch_size, self.model.token_budget)
            self.executor = BatchExecutor(self.model, limits, self.responses, self.timeout)
            self.window = max(self.window, 2 * (self.batch_size or 0))
        is_chefs = type(self.inferencer).__module__.startswith("chef.")
        self.is_own = is_chefs and self.inferencer.instruction.is_own
        if self.inferencer.instruction.drop_example_images(self.model.max_images):
            self.executor.note_dropped_images()
        if self.inferencer.context.scenario is not None:
            name = dataset_of(self.inferencer.context.scenario)
            self.inferencer.instruction.word_for(self.model, name)
            self.is_safe = self.is_own and self.inferencer.context.scenario.is_own
            self.dataset = name if self.model.takes_dataset else ""

    def run(self, jobs: Iterable[Job]) -> Iterator[Prediction]:
        """Run every job; predictions come as they are made, failed ones with status ``error``."""
        queue = enumerate(jobs)
        ready = _Window()
        opening: deque[Future[list[_Live]]] = deque()
        opened: deque[_Live] = deque()
        unread = 0  # how many programs are in the first of these
        with ThreadPoolExecutor(READERS, thread_name_prefix="reader") as readers:

            def read_ahead(pixels: int | None) -> None:
                """Keep the readers busy, within the memory limit for images of this size."""
                nonlocal unread
                fits = self.window if pixels == 0 else WINDOW_PIXELS // (pixels or WINDOW_PIXELS)
                ahead = max(TOGETHER, min(self.window, fits))
                together = TOGETHER if pixels == 0 else 1
                while ahead - unread >= together:
                    lives = [_Live(*item) for item in islice(queue, together)]
                    if not lives:
                        return
                    unread += len(lives)
                    opening.append(readers.submit(self._open_all, lives))

            try:
                pixels = None  # size of the sample read last; not known for the first few
                while True:
                    read_ahead(pixels)
                    # How far the readers are ahead does not affect the batches: programs enter
                    # the window in order, up to a fixed number of programs and pixels.
                    while (opened or unread) and ready.fits_another(self.window):
                        if not opened:
                            waits = self.executor.is_concurrent and ready.lives
                            if waits and not opening[0].done():
                                self.executor.look_after(opening[0])
                                break  # what is ready is sent meanwhile
                            opened.extend(opening.popleft().result())
                            unread -= len(opened)
                            read_ahead(pixels)
                        live = opened.popleft()
                        self._replay(live)
                        pixels = live.pixels
                        if live.pending is None:
                            yield _prediction(live)
                        else:
                            ready.lives[live.order] = live
                            ready.pixels += pixels
                    if not ready.lives:
                        return
                    yield from self._step(ready)
            finally:
                readers.shutdown(wait=False, cancel_futures=True)
                self.executor.close()

    # -- one program ------------------------------------------------------------------------

    def _open_all(self, lives: list[_Live]) -> list[_Live]:
        for live in lives:
            self._open(live)
        return lives

    def _open(self, live: _Live) -> None:
        """Make the sample and run its program to the first request (in a reader thread)."""
        self._run(live, self._first, live)

    def _first(self, live: _Live) -> Request:
        if self.is_safe:
            return self._begun(live, live.job.make())
        with contained("the scenario") as block:
            sample = live.job.make()
            block.what = type(self.inferencer).__name__
            return self._begun(live, sample)

    def _begun(self, live: _Live, sample: Sample) -> Request:
        live.record, live.images = sample.to_record(), sample.images
        if self.executor.is_concurrent:
            live.effort = Effort()
        if self.is_own:
            live.program = self.inferencer.infer(sample)
            return next(live.program)
        # What is journaled stays as it is.
        live.program, request = started(self.inferencer, sample.detached())
        return request

    def _advance(self, live: _Live, reply: Reply | Exception) -> None:
        """Send the program its reply and run it to its next request or its end."""
        program = live.program
        assert program is not None
        if isinstance(reply, Generated):
            live.replaced += reply.replaced
        step: Callable[[Any], Request] = (
            program.throw if isinstance(reply, Exception) else program.send
        )
        if self.is_own:
            self._run(live, step, reply)
        else:
            self._run(live, self._contained, partial(step, reply))

    def _contained(self, step: Callable[[], Request]) -> Request:
        with contained(type(self.inferencer).__name__):
            return checked_request(step())

    def _replay(self, live: _Live) -> None:
        """Send cached replies; never in a reader, as only earlier batches may decide them."""
        while live.pending is not None:
            reply = self.executor.cached_reply(live.pending.request)
            if reply is None:
                return
            self._advance(live, reply)

    def _run(self, live: _Live, step: Callable[[Any], Request], value: Any) -> None:
        """Run one step of a program, to its next request, its end or its failure."""
        live.pending, live.pixels = None, 0
        try:
            request = step(value)
            if self.dataset and isinstance(request, Generate):
                request = replace(request, dataset=self.dataset)
            live.pending = self.executor.pending(live.order, request, live.effort)
            live.pixels = live.pending.pixels
            if self.log_prompts:
                live.prompts += self.executor.prompts_of(live.pending.request)
        except StopIteration as stop:
            live.answer = stop.value
        except (RunError, ConfigError):
            raise
        except Exception as error:
            live.pending, live.failure = None, error

    # -- replies ----------------------------------------------------------------------------

    def _step(self, ready: _Window) -> Iterator[Prediction]:
        """Get some replies; yield predictions of programs that end, and keep the others waiting."""
        pending = [live.pending for live in ready.lives.values() if live.pending is not None]
        for item, reply in self.executor.ask(pending):
            live = ready.lives[item.order]
            ready.pixels -= live.pixels
            self._advance(live, reply)
            if live.pending is not None:
                self._replay(live)
            ready.pixels += live.pixels
            if live.pending is None:
                del ready.lives[item.order]
                yield _prediction(live)


def _prediction(live: _Live) -> Prediction:
    name, found = live.job.sample_id, live.answer
    sample = live.record if live.record is not None else {"id": name}
    if not isinstance(found, Answer):
        failure = live.failure or SampleError(
            f"infer returned {found!r}, not an Answer",
            hint="end it with `return Answer(text)` (from chef.inferencer.base import Answer)",
        )
        return failed(name, failure, sample, live.images, live.effort)
    is_text = type(found.answer) is str
    if not is_text and (wrong := no_answer(found.answer)) is not None:
        return failed(name, wrong, sample, live.images, live.effort)
    trace = dict(found.trace)
    if live.prompts:
        trace["prompts"] = live.prompts
    if live.replaced:
        trace[REPLACED] = live.replaced
    images = tuple([image.to_record() for image in live.images]) if live.images else ()
    return Prediction(
        name, found.status, found.answer, found.scores, trace, sample,
        images=images, effort=live.effort.record() if live.effort else {},
    )  # fmt: skip


def no_answer(answer: Any) -> ReplyError | None:
    """The error of an answer that is not made of texts and numbers (NumPy's count); else None."""
    if answer is not None and (lacking := _unreadable(answer)) is None:
        return None
    kind = "None" if answer is None else f"an object of type {type(lacking).__name__}"
    return ReplyError(
        f"the inferencer gave {kind} as the answer",
        hint="give text, or numbers, lists and mappings of texts",
    )


def _unreadable(answer: Any) -> Any:
    """The first part of an answer that is no plain data; None if there is none."""
    if type(answer) is str:
        return None
    if isinstance(answer, Mapping):
        answer = [*answer.keys(), *answer.values()]
    if isinstance(answer, list | tuple | set | frozenset):
        return next((part for part in map(_unreadable, answer) if part is not None), None)
    is_plain = answer is None or isinstance(answer, str | int | float) or hasattr(answer, "tolist")
    return None if is_plain else answer


def failed(
    sample_id: str,
    failure: Exception,
    sample: Mapping[str, Any],
    images: Sequence[Image] = (),
    effort: Effort | None = None,
) -> Prediction:
    """The prediction of a sample that failed."""
    return Prediction(
        sample_id,
        Status.ERROR,
        sample=sample,
        error=describe_failure(failure),
        images=tuple([image.to_record() for image in images]),
        effort=effort.record() if effort else {},
    )
