"""Sends the requests to a service: each again where that may help, until it has to stop.

All of it runs in the thread of the connections, so nothing here needs a lock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, Protocol, TypeVar

from chef.common.logs import logger
from chef.common.user_code import told
from chef.errors import ChefError, ConfigError, RunError
from chef.models.api.budget import NO_TOKENS, Spent
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.gate import Gate
from chef.models.api.retries import seconds_to_wait
from chef.models.api.settings import Server
from chef.models.api.statistics import TrafficStatistics
from chef.models.api.traffic import Traffic
from chef.models.api.waits import Waits

Item = TypeVar("Item")
Found = TypeVar("Found")
_log = logger(__name__)
#: Of a service that has answered nothing, so many requests that failed for good are the end.
HOPELESS = 8
#: So many in a row that failed however often they were sent; of one that has answered nothing, 2.
FAILED_IN_A_ROW = 16
_AGAIN = "the same command goes on with what was not rated"


class Addressed(Protocol):
    """What is asked: its address and limits.

    Attributes:
        server: its address, and the variable with its key.
        traffic: how many requests are sent.
        spent: what they have used.
    """

    server: Server
    traffic: Traffic
    spent: Spent


class Sender(Generic[Item, Found]):
    """Sends requests to one service.

    Args:
        service: what is asked.
        title: its name in messages.
        attempt: sends one request once.
        waits: the clock, and how to wait.
    """

    def __init__(
        self,
        service: Addressed,
        title: str,
        attempt: Callable[[Item], Awaitable[Found]],
        waits: Waits,
    ) -> None:
        self._service, self._title = service, title
        self._attempt, self._waits = attempt, waits
        self._gate = Gate(service, waits, TrafficStatistics())
        self._serving = self._failed = self._in_a_row = 0
        self._has_answered = False
        self._noted: set[Failure] = set()

    @property
    def stopping(self) -> ChefError:
        """The error that ends it."""
        return self._gate.stopping or RunError("the requests were cancelled")

    async def serve(
        self,
        place: int,
        item: Item,
        deliver: Callable[[tuple[int, Found | RequestFailedError] | None], None],
    ) -> None:
        """Get the result of an item, or its error.

        Args:
            place: its place: requests are sent in this order.
            item: what is asked about.
            deliver: called with place and outcome; with None when nothing else will come.
        """
        self._serving += 1
        try:
            if (found := await self._result(place, item)) is not None:
                deliver((place, found))
        finally:
            self._serving -= 1
            if self._gate.only == place:
                self._gate.only = None
            self._gate.update()
            if self._gate.stopping is not None and not self._serving:
                deliver(None)

    async def _result(self, place: int, item: Item) -> Found | RequestFailedError | None:
        """The result, or how the last attempt failed; None where everything stops before."""
        attempts = 0
        while await self._gate.enter(place, NO_TOKENS):
            try:
                return await self._once(item)
            except RequestFailedError as error:
                attempts += not self._gate.is_out
                delay = self._after(error, attempts)
                if not isinstance(delay, float):
                    return delay
            except Exception as error:
                known = error if isinstance(error, ChefError) else RunError(told(error))
                self._gate.stop(known)
                return None
            self._gate.update()
            await self._gate.rest(delay)
        return None

    async def _once(self, item: Item) -> Found:
        """Send a request that has passed the gate, once."""
        sent_at, seconds = self._waits.clock(), self._service.traffic.request_timeout
        try:
            async with asyncio.timeout(seconds):
                found = await self._attempt(item)
        except (RequestFailedError, TimeoutError) as raised:
            error = raised if isinstance(raised, RequestFailedError) else _too_slow(seconds)
            self._gate.leave(NO_TOKENS, requests=1, failure=error, sent_at=sent_at)
            raise error from raised.__cause__
        except BaseException:
            self._gate.leave(NO_TOKENS)
            raise
        self._gate.leave(NO_TOKENS, requests=1, is_good=True)
        self._has_answered, self._in_a_row = True, 0
        return found

    def _after(self, error: RequestFailedError, attempts: int) -> float | RequestFailedError | None:
        """Seconds until the request is sent again; its error; or None where everything stops."""
        failure, address = error.failure, self._service.server.address.url
        if failure.concerns_all:
            self._gate.stop(self._refusal(error))
            return None
        if self._gate.is_out and not self._gate.has_given_up:
            self._note(error)
            return 0.0  # the gate waits for the service
        if self._gate.is_out:
            self._gate.stop(
                RunError(
                    f"{self._title} cannot be reached any more ({error.what})",
                    where=address,
                    hint=_AGAIN,
                )
            )
            return None
        delay = seconds_to_wait(
            failure,
            attempts,
            self._service.traffic.max_attempts,
            chance=self._waits.chance(),
            retry_after=error.retry_after,
        )
        if delay is not None:
            self._note(error)
            return delay
        self._failed += 1
        self._in_a_row += failure.is_retried
        most = FAILED_IN_A_ROW if self._has_answered else 2
        if self._in_a_row >= most or (not self._has_answered and self._failed >= HOPELESS):
            count = self._in_a_row if self._has_answered else self._failed
            what = f"{self._title} answered none of the last {count} requests"
            what = f"{what} (the last: {error.what})"
            self._gate.stop(RunError(what, where=address, hint=error.hint or _AGAIN))
            return None
        return error

    def _refusal(self, error: RequestFailedError) -> ChefError:
        """The error of a service that refuses every request: for its key, account or address."""
        variable, title = self._service.server.variable, self._title
        where = self._service.server.address.url
        key = f"the key in {variable}" if variable else "requests without a key"
        what, hint = f"{title} does not know that address", "check base_url"
        if error.failure is Failure.UNAUTHORIZED:
            what, hint = f"{title} does not accept {key}", "put a valid key into that variable"
            if not variable:
                hint = "name the variable that holds the key: api_key_env: NAME"
        elif error.failure is Failure.FORBIDDEN:
            what, hint = f"{title} refuses {key}", "allow the account to use the service"
        elif error.failure is Failure.NO_CREDIT:
            what, hint = "the account has no credit left", f"add credit; {_AGAIN}"
        kind = RunError if self._has_answered else ConfigError
        return kind(f"{what} ({error.what})", where=where, hint=hint)

    def _note(self, error: RequestFailedError) -> None:
        """Tell the first failure of each kind: what waits would look as if it hung."""
        if error.failure not in self._noted:
            self._noted.add(error.failure)
            most = self._service.traffic.max_attempts
            _log.warning(
                "%s: %s; each request is sent at most %d times",
                self._title, error.what, most,
            )  # fmt: skip


def _too_slow(seconds: float) -> RequestFailedError:
    return RequestFailedError(f"no complete reply came within {seconds:g} s", Failure.TIMEOUT)
