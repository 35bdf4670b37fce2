"""How many requests may be in flight, and how long to wait after one that failed.

Additive increase, multiplicative decrease. Pure functions over a frozen state; the time is an
argument. One request is alone until the first good reply. After it the limit grows by one with
every success (which doubles it in a round trip) until the server first says that this is too much,
and by one in a round trip from then on. While the server is gone, one request at a time looks for
it and the others wait.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from chef.models.api.failures import Failure

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
