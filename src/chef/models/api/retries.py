"""When a failed request is sent again: a pure function."""

from __future__ import annotations

from chef.models.api.failures import Failure
from chef.models.api.limiter import MAX_RETRY_AFTER

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
