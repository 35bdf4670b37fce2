"""Sends the requests of a run to a server: each once more where that may help, until the run stops.

All of it runs in the thread of the model's connections, so nothing here needs a lock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import TypeVar

from chef.common.logs import logger
from chef.common.user_code import exit_error, told
from chef.engine.batching import Effort, PendingRequest
from chef.engine.executor_base import MAX_CONSECUTIVE_FAILURES, Outcome, checked_reply
from chef.errors import ChefError, ConfigError, ReplyError, RunError, SampleError
from chef.models.api.failures import Failure, RequestFailedError, refusal
from chef.models.api.gate import CHECK, Gate, Waits
from chef.models.api.server_model import Received, ServerModel
from chef.models.api.traffic import NO_TOKENS, TokenCounts, TrafficStatistics
from chef.types import Generate, Generated, Reply, Request

#: So many samples are tried, one after another, with a server that has not answered any.
FIRST_SAMPLES = 2
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


def given_up(error: RequestFailedError, attempts: int) -> RequestFailedError:
    """The error of a sample whose request was sent as often as it may be."""
    if attempts == 1:
        return error
    what = f"{error.what} (the last of {attempts} attempts)"
    return RequestFailedError(what, error.failure, where=error.where, hint=error.hint)


def _address(error: Exception, model: ServerModel) -> str:
    given = error.where if isinstance(error, ChefError) else None
    return given or model.base_url or model.name


T = TypeVar("T")
_log = logger(__name__)


class Dispatcher:
    """Gets replies to requests; ``timeout`` is in seconds, the model file's if that is less."""

    def __init__(self, model: ServerModel, timeout: float | None, waits: Waits) -> None:
        self._model, self._waits = model, waits
        limits = (model.traffic.request_timeout, timeout)
        self._seconds = min(limit for limit in limits if limit is not None)
        self._is_option = self._seconds < model.traffic.request_timeout
        self._has_told_outage = False
        self.statistics = TrafficStatistics()
        self._gate = Gate(model, waits, self.statistics)
        self._failures_in_a_row, self._never_answered = 0, 0
        self._known_good: Request | None = None

    @property
    def stopping(self) -> ChefError | None:
        """The error that ends the run, once there is one."""
        return self._gate.stopping

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

    # -- one request ------------------------------------------------------------------------

    async def _reply(
        self, place: int, request: Request, estimate: TokenCounts, effort: Effort
    ) -> Reply | Exception | None:
        """The reply, or how the last attempt failed; None if the run stops before either."""
        attempts = 0
        while await self._gate.enter(place, estimate):
            try:
                return await self._attempt(request, estimate, effort)
            except RequestFailedError as error:
                attempts += not self._gate.is_out
                delay = self._after(error, attempts)
                if not isinstance(delay, float):
                    return delay
            except Exception as error:
                if not isinstance(error, RunError | ConfigError):
                    return error
                self._gate.stop(error)
                break
            effort.retries += 1
            self._gate.update()
            await self._gate.rest(delay)
        return None

    def _after(self, error: RequestFailedError, attempts: int) -> float | Exception | None:
        """Seconds until a failed request is sent again; its error; or None where the run stops."""
        answered = self._known_good is not None
        if stop := error_for_all(error, self._model, has_answered=answered):
            stop.__cause__ = error
            self._gate.stop(stop)
            return None
        if self.stopping is not None and error.failure.is_retried:
            return None
        if self._gate.is_out:  # the request is not at fault, and its attempts are not counted
            return self._after_outage(error)
        if (delay := self._gate.delay(error, attempts)) is None:
            return given_up(error, attempts)
        self.statistics.repeated[error.failure] += 1
        self._gate.note(self._model.name, error)
        return delay

    def _after_outage(self, error: RequestFailedError) -> float | None:
        """What `_after` says where the server is gone: the gate waits, or the run stops."""
        if self._gate.has_given_up:
            self._gate.stop(unreachable(error, self._model))
            return None
        self.statistics.repeated[error.failure] += 1
        if not self._has_told_outage:
            self._has_told_outage = True
            _log.warning(
                "%s: the server cannot be reached any more (%s); the requests wait up to some "
                "three minutes for it", self._model.name, error.what,
            )  # fmt: skip
        return 0.0

    async def _attempt(self, request: Request, estimate: TokenCounts, effort: Effort) -> Reply:
        """Send a request that has passed the gate, once."""
        name = f"{type(self._model).__name__}.attempt"
        sent_at = self._waits.clock()
        try:
            received: object = await self._in_time(lambda: self._model.attempt(request))
        except RequestFailedError as error:
            self.statistics.requests += 1
            effort.requests += 1
            effort.seconds += self._waits.clock() - sent_at
            self._gate.leave(estimate, requests=1, failure=error, sent_at=sent_at)
            raise
        except BaseException:
            self._gate.leave(estimate)
            raise
        if not isinstance(received, Received):
            self._gate.leave(estimate)
            what = f"{name} returned {type(received).__name__}, and not a Received"
            raise ReplyError(what, hint="return Received(reply)")
        used = _tokens(received)
        seconds = self._waits.clock() - sent_at
        self.statistics.add(received.requests, used, seconds)
        effort.requests += received.requests
        effort.seconds += seconds
        effort.prompt_tokens += used.prompt
        effort.completion_tokens += used.completion
        # Where the server does not count, the budget goes by the estimate.
        counted = estimate if used == NO_TOKENS else used
        self._gate.leave(estimate, counted, requests=received.requests, is_good=True)
        return checked_reply(received.reply, request, name)

    async def _in_time(self, call: Callable[[], Awaitable[T]]) -> T:
        """What a method of the model returns; a RequestFailedError if it takes too long."""
        try:
            async with asyncio.timeout(self._seconds):
                return await call()
        except TimeoutError as error:
            what = f"no complete reply came within {self._seconds:g} s"
            key = "--timeout (Python: timeout=)" if self._is_option else "request_timeout"
            place = "" if self._is_option else " in the model file"
            raise RequestFailedError(
                what, Failure.TIMEOUT, hint=f"allow more with {key}{place}"
            ) from error
        except Exception:
            raise
        except BaseException as error:
            task = asyncio.current_task()
            if isinstance(error, asyncio.CancelledError) and task and task.cancelling():
                raise
            raise exit_error(error, f"the model '{self._model.name}'") from error

    # -- failures ---------------------------------------------------------------------------

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


def _tokens(received: Received) -> TokenCounts:
    counted = received.reply.tokens if isinstance(received.reply, Generated) else 0
    return TokenCounts(received.prompt_tokens, received.completion_tokens or counted)
