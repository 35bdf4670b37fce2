"""When the next request may be sent: what the limiter, the budget and a stop of the run allow.

All of it runs in the thread of the model's connections, so nothing here needs a lock.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Protocol, TypeAlias

from chef.errors import ChefError
from chef.models.api.failures import RequestFailedError
from chef.models.api.limiter import Limiter
from chef.models.api.statistics import TrafficStatistics
from chef.models.api.traffic import NO_TOKENS, Spent, TokenCounts, Traffic, budget_error, lacking


@dataclass(frozen=True, slots=True)
class Waits:
    """The time of the dispatcher: a clock in seconds, a sleep, and 0..1 for jitter."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    chance: Callable[[], float] = random.random


#: Who waits, in a heap: the place of the sample, then who came first; what it takes; may it pass?
_Waiting: TypeAlias = tuple[int, int, TokenCounts, "asyncio.Future[bool]"]
#: The place in the line of a request that only checks whether the server still answers.
CHECK = -1


class Destination(Protocol):
    """What requests are sent to, a model or another service: its limits, and what is used."""

    traffic: Traffic
    spent: Spent


class Gate:
    """Lets requests pass in the order of their samples.

    Attributes:
        stopping: the error that ends the run; nothing passes any more.
        only: the one place that may pass; None for all. Until the first good reply, the sample that
            is sent first stays alone while it waits to be sent again.
    """

    def __init__(self, model: Destination, waits: Waits, statistics: TrafficStatistics) -> None:
        self._model, self._waits, self._statistics = model, waits, statistics
        self._limiter = Limiter(model.traffic.max_in_flight)
        self._line: list[_Waiting] = []
        self._ticket = count()
        self._rests: set[asyncio.Future[object]] = set()
        self._waker: asyncio.Future[None] | None = None
        self.stopping: ChefError | None = None
        self.only: int | None = None

    @property
    def is_out(self) -> bool:
        """Whether the server is gone, so that a failure says nothing about its request."""
        return self._limiter.is_out

    @property
    def has_given_up(self) -> bool:
        """Whether it was gone for longer than a run waits."""
        return self._limiter.has_given_up

    async def enter(self, place: int, estimate: TokenCounts) -> bool:
        """Wait until a request may be sent, in flight until `leave`; False if the run stops."""
        if self.stopping is not None:
            return False
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        heappush(self._line, (place, next(self._ticket), estimate, turn))
        self.update()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.result():
                self.leave(estimate)  # it may pass, and will not
            raise

    def leave(
        self,
        estimate: TokenCounts,
        used: TokenCounts = NO_TOKENS,
        *,
        requests: int = 0,
        is_good: bool = False,
        failure: RequestFailedError | None = None,
        sent_at: float = 0.0,
    ) -> None:
        """A request is not in flight any more, and took ``used`` tokens; `update` is next."""
        if failure is not None:
            now = self._waits.clock()
            self._limiter = self._limiter.failed(failure.failure, sent_at, now, failure.retry_after)
        else:
            self._limiter = self._limiter.succeeded() if is_good else self._limiter.ended()
        self._model.spent = self._model.spent.ended(estimate, used, requests)

    def update(self) -> None:
        """Let those pass that may pass now."""
        while self.stopping is None and (first := self._first()) is not None:
            place, _, estimate, turn = first
            now = self._waits.clock()
            if not self._limiter.may_send(now):
                self._wake_later(self._limiter.paused_until - now)
                return
            if key := lacking(self._model.spent, self._model.traffic, estimate):
                if not self._limiter.in_flight:  # what is reserved for others may be left over
                    self.stop(budget_error(key, self._model.spent, self._model.traffic, estimate))
                return
            self._pass(first)
            if not self._limiter.has_opened:
                self.only = place
            self._limiter = self._limiter.sent(now + self._model.traffic.seconds_between)
            self._model.spent = self._model.spent.started(estimate)
            in_flight = self._limiter.in_flight
            self._statistics.most_in_flight = max(self._statistics.most_in_flight, in_flight)
            turn.set_result(True)

    def _first(self) -> _Waiting | None:
        """The next one that may pass; None if none waits."""
        while self._line and self._line[0][-1].done():  # cancelled
            heappop(self._line)
        if self.only is None:
            return self._line[0] if self._line else None
        alone = (item for item in self._line if item[0] == self.only and not item[-1].done())
        return min(alone, default=None)

    def _pass(self, first: _Waiting) -> None:
        """Take out of the line what `_first` has found."""
        if self._line[0] is first:
            heappop(self._line)
        else:
            self._line.remove(first)
            heapify(self._line)

    def stop(self, error: ChefError) -> None:
        """Let nothing pass any more; what is in flight is finished."""
        self.stopping = self.stopping or error
        for *_, turn in self._line:
            if not turn.done():
                turn.set_result(False)
        self._line.clear()
        for rest in self._rests:
            rest.cancel()

    async def rest(self, seconds: float) -> None:
        """Wait so long, or until the run stops."""
        rest = asyncio.ensure_future(self._waits.sleep(seconds))
        self._rests.add(rest)
        try:
            await asyncio.wait((rest,))
        finally:
            self._rests.discard(rest)
            rest.cancel()

    def _wake_later(self, seconds: float) -> None:
        """Let requests pass again after a pause of all sending."""
        if seconds > 0 and (self._waker is None or self._waker.done()):
            if seconds > self._model.traffic.seconds_between:
                self._statistics.pauses += 1
                self._statistics.paused_seconds += seconds
            self._waker = asyncio.ensure_future(self._wake(seconds))

    async def _wake(self, seconds: float) -> None:
        await self._waits.sleep(seconds)
        self._waker = None
        self.update()
