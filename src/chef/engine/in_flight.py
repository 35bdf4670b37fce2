"""Ask a model behind a server: many requests in flight at once, and no batches.

Where requests fail, the dispatcher finds out whose fault it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from itertools import count
from operator import attrgetter
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

from chef.common.user_code import told
from chef.engine.executor_base import (
    MAX_CONSECUTIVE_FAILURES,
    Executor,
    Outcome,
    PendingRequest,
    checked_reply,
)
from chef.engine.response_cache import ResponseCache
from chef.errors import ChefError, ConfigError, RunError, SampleError
from chef.models.api.client import Sender
from chef.models.api.failures import Failure, RequestFailedError, refusal
from chef.models.api.gate import CHECK, Waits
from chef.models.api.server_model import ServerModel
from chef.models.api.traffic import Effort, TokenCounts
from chef.types import Generate, Generated, Reply, Request

#: So many samples are tried, one after another, with a server that has not answered any.
FIRST_SAMPLES = 2
_TIMEOUT = "--timeout (Python: timeout=)"
_RESUME = "the same command resumes the run"


def error_for_all(
    error: RequestFailedError, model: ServerModel, *, has_answered: bool
) -> ChefError | None:
    """The error that ends the run, if every other request would fail like this one.

    Once a server has answered, a key not allowed, or an address not there, concerns one sample
    alone.
    """
    failure = error.failure
    if not failure.concerns_all:
        return None
    if has_answered and failure in (Failure.FORBIDDEN, Failure.NOT_FOUND):
        return None
    name = getattr(model, "model", None) or model.name
    of = f"the model '{name}'"
    what, hint = refusal(failure, "the server", model.api_key_env, of, "model file")
    kind = RunError if has_answered or failure is Failure.NO_CREDIT else ConfigError
    return kind(f"{what} ({error.what})", where=_address(error, model), hint=error.hint or hint)


def unreachable(error: RequestFailedError, model: ServerModel) -> RunError:
    """The error of a server that cannot be reached at all, or does not answer in time."""
    if error.failure is Failure.TIMEOUT:
        return RunError(
            f"the server does not answer ({error.what})",
            where=_address(error, model),
            hint=f"{error.hint or 'look at what the server logs'}; {_RESUME}",
        )
    return RunError(
        f"the server cannot be reached ({error.what})",
        where=_address(error, model),
        hint=f"start the server, or correct base_url in the model file; {_RESUME}",
    )


def never_answered(error: RequestFailedError, model: ServerModel) -> RunError:
    """The error of a server that failed on the first samples, however often they were sent."""
    if error.failure is Failure.CONNECTION:
        return unreachable(error, model)
    return RunError(
        f"the server answered none of the first {FIRST_SAMPLES} samples (the last: {error.what})",
        where=_address(error, model),
        hint=error.hint or f"look at what the server logs; {_RESUME}",
    )


def always_fails(error: Exception, model: ServerModel) -> RunError:
    """The error of a model that fails on every request, one that it has answered included."""
    return RunError(
        f"{MAX_CONSECUTIVE_FAILURES} requests in a row failed; the last: {told(error)}",
        where=_address(error, model),
        hint=f"fix the server, or the settings of the model file; {_RESUME}",
    )


def _address(error: Exception, model: ServerModel) -> str:
    given = error.where if isinstance(error, ChefError) else None
    return given or model.base_url or model.name


class Dispatcher(Sender[Request]):
    """Gets replies to requests; ``timeout`` is in seconds, the model file's if that is less."""

    def __init__(self, model: ServerModel, timeout: float | None, waits: Waits) -> None:
        usual = model.traffic.request_timeout
        seconds = usual if timeout is None else min(usual, timeout)
        key = "request_timeout in the model file" if seconds == usual else _TIMEOUT
        super().__init__(model, model.name, seconds, waits, f"allow more with {key}")
        self._model = model
        self._failures_in_a_row, self._never_answered = 0, 0
        self._known_good: Request | None = None

    async def probe(self) -> None:
        """Check with the server what the model file says; a ConfigError or RunError if not."""
        for attempts in count(1):
            try:
                await self._in_time(self._model.probe_once)
            except RequestFailedError as error:
                if stop := error_for_all(error, self._model, has_answered=False):
                    raise stop from error
                if (delay := self._gate.delay(error, attempts)) is None:
                    raise unreachable(error, self._model) from error
                self._gate.note(self._model.name, error)
            else:
                return
            await self._waits.sleep(delay)

    async def serve(self, item: PendingRequest, deliver: Callable[[Outcome | None], None]) -> None:
        """Deliver the reply to a request or its error; None when the run stops after it."""
        with self._gate.serving(item.order, deliver):
            reply = await self._reply(item.order, item.request, _estimate(item), item.effort)
            if isinstance(reply, Exception):
                reply = await self._blamed(reply, _estimate(item))
            elif reply is not None:
                self._failures_in_a_row, self._known_good = 0, item.request
            if reply is not None:
                deliver((item, reply))

    def _send(self, item: Request) -> Awaitable[object]:
        return self._model.attempt(item)

    def _checked(self, item: Request, reply: object) -> Reply:
        return checked_reply(reply, item, self._method)

    # -- failures ---------------------------------------------------------------------------

    def _for_all(self, error: RequestFailedError) -> ChefError | None:
        return error_for_all(error, self._model, has_answered=self._known_good is not None)

    def _unreachable(self, error: RequestFailedError) -> RunError:
        return unreachable(error, self._model)

    def _given_up(self, error: RequestFailedError, attempts: int) -> Exception:
        if attempts == 1:
            return error
        what = f"{error.what} (the last of {attempts} attempts)"
        return RequestFailedError(what, error.failure, where=error.where, hint=error.hint)

    async def _blamed(self, error: Exception, estimate: TokenCounts) -> Exception | None:
        """The error of a request that failed by itself; None if all fail, and the run stops."""
        if isinstance(error, SampleError) or self.stopping is not None:
            return error
        if (stop := self._useless(error)) is not None:
            self._gate.stop(stop)
            return None
        self._failures_in_a_row += 1
        if self._failures_in_a_row < MAX_CONSECUTIVE_FAILURES or self._gate.only == CHECK:
            return error
        # Samples that fail for the same reason are often next to each other. If a request that
        # worked before still works, the server is not gone.
        if self._known_good is not None and await self._still_answers(self._known_good, estimate):
            self._failures_in_a_row = 0
            return error
        stop = always_fails(error, self._model)
        stop.__cause__ = error
        self._gate.stop(stop)
        return None

    def _useless(self, error: Exception) -> ChefError | None:
        """The error that ends the run before the server has answered anything."""
        if self._known_good is not None or not isinstance(error, RequestFailedError):
            return None
        self._never_answered += error.failure.is_retried
        if self._never_answered < FIRST_SAMPLES:
            return None
        return never_answered(error, self._model)

    async def _still_answers(self, request: Request, estimate: TokenCounts) -> bool:
        """Whether a request is answered that was answered before; nothing else is sent."""
        self._gate.only = CHECK
        try:
            reply = await self._reply(CHECK, request, estimate, Effort())
        finally:
            self._gate.only = None
        return reply is not None and not isinstance(reply, Exception)


def _estimate(item: PendingRequest) -> TokenCounts:
    """The tokens that a request will take, at most as far as that is known."""
    request, total = item.request, item.cost * item.rows
    completion = request.max_new_tokens if isinstance(request, Generate) else 0
    return TokenCounts(max(0, total - completion), completion)


#: What comes from other threads: an outcome; an empty one where there may be new samples; or that
#: nothing else will come, as None or as an unexpected error.
_Outcomes: TypeAlias = "SimpleQueue[Outcome | tuple[()] | BaseException | None]"
#: The counts of `Statistics` that are not about batches.
_COUNTS = ("requests", "generated_tokens", "cache_hits", "joined_images", "bare_examples")


class ConcurrentExecutor(Executor):
    """Keeps as many requests in flight as the server takes, in the order of the samples."""

    is_concurrent = True

    def __init__(
        self,
        model: ServerModel,
        responses: ResponseCache | None = None,
        timeout: float | None = None,
        waits: Waits | None = None,
    ) -> None:
        super().__init__(model, responses)
        self._server = model
        self._dispatcher = Dispatcher(model, timeout, waits or Waits())
        #: The requests that the dispatcher has, by identity, and the calls that serve them.
        self._flights: dict[int, PendingRequest] = {}
        self._calls: list[Future[None]] = []
        #: As long as it has more than so many, new samples wait; the last one that it was given.
        self._enough = model.traffic.max_in_flight * 3 // 2
        self._furthest = -1
        self._outcomes: _Outcomes = SimpleQueue()
        self._looked_after: object = None
        self._is_probed = False

    def ask(self, waiting: Sequence[PendingRequest]) -> Iterator[Outcome]:
        """Hand on new requests, and yield all replies that are there; a ChefError ends the run."""
        self.probe()
        outcomes = self._outcomes
        new = [item for item in waiting if id(item) not in self._flights]
        # Many at once, as each call wakes the other thread; what goes on with a sample comes first.
        first = min((item.order for item in new), default=self._furthest)
        if new and (len(self._flights) <= self._enough or first < self._furthest):
            self._furthest = max(self._furthest, *(item.order for item in new))
            self._flights |= {id(item): item for item in new}
            self._calls = [call for call in self._calls if not call.done()]
            self._calls.append(self._server.submit(self._serve(new, outcomes)))
            self._calls[-1].add_done_callback(partial(_hand_on_failure, outcomes))
        outcome = outcomes.get()
        while True:
            if outcome is None:
                raise self._dispatcher.stopping or RunError("the requests were cancelled")
            if isinstance(outcome, BaseException):
                raise RunError(
                    f"the requests cannot be sent any more ({told(outcome)})",
                    hint="the same command resumes the run",
                ) from outcome
            if not outcome:
                return
            self._note(outcome)
            yield outcome
            try:
                outcome = outcomes.get_nowait()
            except Empty:
                return

    def look_after(self, opened: Future[Any]) -> None:
        if opened is not self._looked_after:
            self._looked_after, outcomes = opened, self._outcomes
            opened.add_done_callback(lambda _: outcomes.put(()))

    async def _serve(self, items: Sequence[PendingRequest], outcomes: _Outcomes) -> None:
        """Serve requests, started in the order of their samples."""
        inline = sorted(items, key=attrgetter("order"))
        await asyncio.gather(*(self._dispatcher.serve(item, outcomes.put) for item in inline))

    def _note(self, outcome: Outcome) -> None:
        """Count an outcome, and keep a reply."""
        item, reply = outcome
        del self._flights[id(item)]
        if isinstance(reply, Exception):
            return
        self.statistics.requests += 1
        if isinstance(reply, Generated):
            self.statistics.generated_tokens += reply.tokens
        if self.responses is not None:
            self.responses.put(item.request, reply)

    def reply_to(self, item: PendingRequest) -> Reply:
        """The reply to one request, or its error; several threads may wait for one each."""
        outcomes: list[Outcome | None] = []
        self._server.submit(self._dispatcher.serve(item, outcomes.append)).result()
        outcome = outcomes[0] if outcomes else None
        if outcome is None:
            raise self._dispatcher.stopping or RunError("the requests were cancelled")
        _, reply = outcome
        if isinstance(reply, Exception):
            raise reply
        return reply

    def probe(self) -> None:
        """Check with the server, before the first request, what the model file says of it."""
        if self._is_probed:
            return
        future = self._server.submit(self._dispatcher.probe())
        try:
            future.result()
        finally:
            future.cancel()
        self._is_probed = True

    def close(self) -> None:
        """Give up what is in flight; a thread that waits for it gets an error."""
        calls, self._calls, self._flights = self._calls, [], {}
        for call in calls:
            call.cancel()
        outcomes, self._outcomes = self._outcomes, SimpleQueue()
        outcomes.put(None)

    @property
    def latencies(self) -> Sequence[float]:
        """How many seconds each good reply took."""
        return self._dispatcher.statistics.seconds

    def record(self) -> dict[str, Any]:
        """The statistics, for environment.json."""
        counts = {key: getattr(self.statistics, key) for key in _COUNTS}
        return {**counts, "server": self._dispatcher.statistics.record(self._server.traffic)}


def _hand_on_failure(outcomes: _Outcomes, call: Future[None]) -> None:
    """Tell who waits for outcomes that those of a call will not come."""
    if not call.cancelled() and (error := call.exception()) is not None:
        outcomes.put(error)
