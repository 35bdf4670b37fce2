"""When the next request may be sent: what the limiter, the budget and a stop of the run allow.

The limiter is pure functions over a frozen state, with the time as an argument: additive increase,
multiplicative decrease. One request is alone until the first good reply. After it the limit grows
by one with every success (which doubles it in a round trip) until the server first says that this
is too much, and by one in a round trip from then on. While the server is gone, one request at a
time looks for it and the others wait.

The gate runs in the thread of the model's connections, so nothing here needs a lock.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from itertools import count
from typing import NamedTuple, Protocol, TypeAlias

from chef.common.logs import logger
from chef.errors import ChefError
from chef.frozen import Frozen
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.traffic import (
    NO_TOKENS,
    Spent,
    TokenCounts,
    Traffic,
    TrafficStatistics,
    budget_error,
    lacking,
)

_log = logger(__name__)
#: That a server asks to wait for so many seconds is told.
LONG_WAIT = 10.0
#: The limit after the first good reply.
START = 4
#: The most seconds that a server's Retry-After is waited for.
MAX_RETRY_AFTER = 300.0
#: Where a single request is too much, sending pauses for 1, 2, 4, ... seconds, at most so many.
LONGEST_PAUSE = 60.0
#: After so many lost connections in a row, without any reply between them, the server is gone.
OUTAGE_AFTER = 4
#: Then one request at a time looks for it, after 1, 2, 4, ... seconds, at most so many.
LONGEST_OUTAGE_PAUSE = 30.0
#: So often; that is about three minutes.
OUTAGE_TRIES = 10


class Limiter(NamedTuple):
    """How many requests are in flight, and how many may be: ``limit``, from 1 to ``most``.

    Methods return the state after an event. Times are seconds of a clock that never goes back.

    Attributes:
        has_opened: whether a good reply has come.
        is_doubling: whether the limit has never been too high yet.
        successes: good replies since the limit was last changed.
        pauses: pauses in a row because a single request was too much.
        lost: connections lost in a row since the server last said anything.
        outages: pauses in a row because the server was gone.
    """

    most: int
    limit: int = 1
    in_flight: int = 0
    has_opened: bool = False
    is_doubling: bool = True
    successes: int = 0
    decreased_at: float = -math.inf
    paused_until: float = -math.inf
    pauses: int = 0
    lost: int = 0
    outages: int = 0

    @property
    def is_out(self) -> bool:
        """Whether the server is gone: it has answered before, and connections fail in a row."""
        return self.lost >= OUTAGE_AFTER

    @property
    def has_given_up(self) -> bool:
        """Whether it was looked for as long as a run waits for it."""
        return self.outages > OUTAGE_TRIES

    def may_send(self, now: float) -> bool:
        """Whether another request may be sent."""
        return now >= self.paused_until and self.in_flight < self.limit

    def sent(self, next_at: float = -math.inf) -> Limiter:
        """A request was sent; the next one is not sent before ``next_at``."""
        until = max(self.paused_until, next_at)
        return self._replace(in_flight=self.in_flight + 1, paused_until=until)

    def ended(self) -> Limiter:
        """A request ended in a way that tells nothing about how busy the server is."""
        return self._replace(in_flight=self.in_flight - 1)

    def succeeded(self) -> Limiter:
        """A good reply came."""
        was_used = 2 * self.in_flight > self.limit  # else it is not known what the server takes
        limit, successes = self.limit, self.successes
        if not self.has_opened:
            limit = min(START, self.most)
        elif was_used and not self.is_doubling and successes + 1 < limit:
            successes += 1
        elif was_used:
            limit, successes = min(self.most, limit + 1), 0
        return self._replace(
            limit=limit, in_flight=self.in_flight - 1, has_opened=True,
            successes=successes, pauses=0, lost=0, outages=0,
        )  # fmt: skip

    def failed(
        self, failure: Failure, sent_at: float, now: float, retry_after: float | None = None
    ) -> Limiter:
        """A request failed: congestion halves the limit, an outage leaves one that looks for it.

        What was sent before the last decrease tells nothing new: there is one decrease in a round
        trip.
        """
        if failure is Failure.CONNECTION and self.has_opened:
            return self._disconnected(sent_at, now)
        after = self.ended()._replace(lost=0)
        if retry_after is not None:
            after = _paused(after, now + min(max(retry_after, 0.0), MAX_RETRY_AFTER))
        if not failure.is_congestion or sent_at <= self.decreased_at:
            return after
        if self.limit == 1:
            pause = min(LONGEST_PAUSE, 2.0 ** min(self.pauses, 16))
            after = _paused(after, now + pause)._replace(pauses=self.pauses + 1)
        limit = max(1, self.limit // 2)
        return after._replace(limit=limit, is_doubling=False, successes=0, decreased_at=now)

    def _disconnected(self, sent_at: float, now: float) -> Limiter:
        """A connection was lost, of a server that has answered before."""
        after = self.ended()._replace(lost=self.lost + 1)
        if not after.is_out or sent_at <= self.decreased_at:
            return after
        pause = min(LONGEST_OUTAGE_PAUSE, 2.0 ** min(self.outages, 16))
        gone = _paused(after, now + pause)._replace(outages=self.outages + 1)
        # Once it is back, it takes as much as before: the way up is the quick one.
        return gone._replace(limit=1, is_doubling=True, successes=0, decreased_at=now)


def _paused(state: Limiter, until: float) -> Limiter:
    return state._replace(paused_until=max(state.paused_until, until))


#: The most seconds before the second attempt, by kind of failure; doubled before each further one.
FIRST_DELAY = {
    Failure.CONNECTION: 1.0,
    Failure.TIMEOUT: 1.0,
    Failure.RATE_LIMITED: 2.0,
    Failure.OVERLOADED: 2.0,
    Failure.CONFLICT: 0.5,
    Failure.SERVER: 1.0,
    Failure.BROKEN_BODY: 0.5,
}
#: The most seconds before any attempt, where the server does not ask for more.
LONGEST_DELAY = 60.0


def seconds_to_wait(
    failure: Failure,
    attempts: int,
    max_attempts: int,
    *,
    chance: float,
    retry_after: float | None = None,
) -> float | None:
    """Seconds to wait before a request is sent again; None: it is not.

    The delay is drawn from 0 to a bound that doubles with every attempt ("full jitter"), so that
    requests that failed together do not come back together. The server's own Retry-After is waited
    for first.

    Args:
        failure: how the last attempt failed.
        attempts: how often the request was sent so far, from 1.
        max_attempts: how often it may be sent.
        chance: a random number from 0 to 1.
        retry_after: seconds that the server asks to wait; None where it does not say.

    >>> [seconds_to_wait(Failure.SERVER, n, 5, chance=1.0) for n in (1, 2, 3, 4, 5)]
    [1.0, 2.0, 4.0, 8.0, None]
    """
    if not failure.is_retried or attempts >= max_attempts:
        return None
    first = FIRST_DELAY[failure]
    if retry_after is not None:
        return min(max(retry_after, 0.0), MAX_RETRY_AFTER) + chance * first
    return chance * min(LONGEST_DELAY, first * 2.0 ** min(attempts - 1, 16))


class Waits(Frozen):
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
        self._serving = 0
        self._noted: set[tuple[Failure, bool]] = set()
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

    @contextmanager
    def serving(self, place: int, deliver: Callable[[None], object]) -> Iterator[None]:
        """While an item is served; None is delivered when everything stops and it was the last."""
        self._serving += 1
        try:
            yield
        finally:
            self._serving -= 1
            if self.only == place:
                self.only = None
            self.update()
            if self.stopping is not None and not self._serving:
                deliver(None)

    def delay(self, error: RequestFailedError, attempts: int) -> float | None:
        """Seconds until a request that failed is sent again; None: it is not."""
        most, chance = self._model.traffic.max_attempts, self._waits.chance()
        return seconds_to_wait(
            error.failure, attempts, most, chance=chance, retry_after=error.retry_after
        )

    def note(self, title: str, error: RequestFailedError) -> None:
        """Tell the first failure of each kind: a run that waits would look as if it hung."""
        is_long = (error.retry_after or 0.0) >= LONG_WAIT
        if (error.failure, is_long) in self._noted:
            return
        self._noted.add((error.failure, is_long))
        asks = f"; the server asks to wait {error.retry_after:.0f} s" if is_long else ""
        _log.warning(
            "%s: %s%s; each request is sent at most %d times",
            title, error.what, asks, self._model.traffic.max_attempts,
        )  # fmt: skip

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
