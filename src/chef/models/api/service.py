"""A service on the web that rates texts: many requests in flight, and failed ones sent again."""

from __future__ import annotations

import asyncio
import os
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, ClassVar, Generic, TypeVar

from chef.common.user_code import told
from chef.errors import ChefError, ConfigError, RunError
from chef.guard.loop import LoopThread
from chef.models.api.client import Client
from chef.models.api.failures import Failure, RequestFailedError, refusal
from chef.models.api.gate import Gate, Waits
from chef.models.api.settings import Server
from chef.models.api.traffic import NO_TOKENS, Spent, Traffic, TrafficStatistics

Item = TypeVar("Item")
Found = TypeVar("Found")
#: Of a service that has answered nothing, so many requests that failed for good are the end.
HOPELESS = 8
#: So many in a row that failed however often they were sent; of one that has answered nothing, 2.
FAILED_IN_A_ROW = 16
_AGAIN = "the same command goes on with what was not rated"


class Sender(Generic[Item, Found]):
    """Sends requests to one service."""

    def __init__(
        self,
        service: Service[Item, Found],
        attempt: Callable[[Item], Awaitable[Found]],
        waits: Waits,
    ) -> None:
        self._service, self._title = service, service.title
        self._attempt, self._waits = attempt, waits
        self._gate = Gate(service, waits, TrafficStatistics())
        self._failed = self._in_a_row = 0
        self._has_answered = False

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
        """Deliver an item's place with its result or error; None when everything stops."""
        with self._gate.serving(place, deliver):
            if (found := await self._result(place, item)) is not None:
                deliver((place, found))

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
                reply = await self._attempt(item)
        except (RequestFailedError, TimeoutError) as raised:
            error = raised if isinstance(raised, RequestFailedError) else _too_slow(seconds)
            self._gate.leave(NO_TOKENS, requests=1, failure=error, sent_at=sent_at)
            raise error from raised.__cause__
        except BaseException:
            self._gate.leave(NO_TOKENS)
            raise
        self._gate.leave(NO_TOKENS, requests=1, is_good=True)
        self._has_answered, self._in_a_row = True, 0
        return reply

    def _after(self, error: RequestFailedError, attempts: int) -> float | RequestFailedError | None:
        """Seconds until the request is sent again; its error; or None where everything stops."""
        failure, address = error.failure, self._service.server.address.url
        if failure.concerns_all:
            self._gate.stop(self._refusal(error))
            return None
        if self._gate.is_out and not self._gate.has_given_up:
            self._gate.note(self._title, error)
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
        delay = self._gate.delay(error, attempts)
        if delay is not None:
            self._gate.note(self._title, error)
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
        server = self._service.server
        what, hint = refusal(error.failure, self._title, server.variable, "the service")
        kind = RunError if self._has_answered else ConfigError
        return kind(f"{what} ({error.what})", where=server.address.url, hint=hint)


def _too_slow(seconds: float) -> RequestFailedError:
    return RequestFailedError(f"no complete reply came within {seconds:g} s", Failure.TIMEOUT)


def score_in(value: Any) -> float:
    """A score of a reply, a number in 0..1; else a TypeError or ValueError."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r:.60} is no score")
    if not 0 <= value <= 1:
        raise ValueError(f"{value!s:.60} is not in 0..1")
    return float(value)


class Service(ABC, Generic[Item, Found]):
    """A service that answers requests one by one. A subclass gives `attempt`.

    As with models behind a server, one request is alone until the first good reply, then as many
    are in flight as the service takes, and failed ones are sent again.

    Args:
        base_url: its address; default: that of the class.
        api_key_env: the variable that holds the key. Default: the first of the class's variables
            that is set; for another address none, so that a key is never sent to a stranger.
        traffic: how many requests are sent, how long each may take, and how many at most.
        waits: the clock, for tests.

    Attributes:
        title: what the service is called in messages.
        usual_url: its address.
        variables: the environment variables that hold its key, the first that is set counts.
        spent: what its requests have used.

    Raises:
        ConfigError: the address is none, or a key stands where the name of a variable belongs.
    """

    title: ClassVar[str]
    usual_url: ClassVar[str]
    variables: ClassVar[Sequence[str]]

    def __init__(
        self,
        base_url: str | None = None,
        api_key_env: str | None = None,
        traffic: Traffic = Traffic(),
        waits: Waits | None = None,
    ) -> None:
        url = base_url or self.usual_url
        self._is_usual = url.rstrip("/") == self.usual_url
        if api_key_env is None:
            held = [name for name in self.variables if os.environ.get(name, "").strip()]
            api_key_env = next(iter(held), self.variables[-1]) if self._is_usual else ""
        self.server = Server(url, api_key_env)
        self.traffic, self.spent = traffic, Spent()
        self._waits = waits or Waits()

    @abstractmethod
    async def attempt(self, client: Client, item: Item) -> Found:
        """Send a request once; a RequestFailedError if no reply came, or none that can be read."""

    def headers(self, key: str) -> dict[str, str]:
        """The headers that carry the key; empty where it is sent as a bearer token."""
        del key
        return {}

    def check_settings(self) -> None:
        """Check what can be without asking; a ConfigError if the key is not set."""
        self._key()

    def identity(self) -> list[Any]:
        """What of it decides the answers, without secrets."""
        return self.server.identity()

    def results(self, items: Sequence[Item]) -> Iterator[tuple[int, Found | RequestFailedError]]:
        """The position of each item with its result or its error, as soon as it is there.

        A ConfigError or RunError ends all; what was answered before has been given.
        """
        if not items:
            return
        loop, client = LoopThread(), self._client()
        client.load()
        outcomes: SimpleQueue[tuple[int, Found | RequestFailedError] | None] = SimpleQueue()
        sender = Sender(self, lambda item: self.attempt(client, item), self._waits)
        futures: list[Future[None]] = []
        try:
            for place, item in enumerate(items):
                futures.append(loop.submit(sender.serve(place, item, outcomes.put)))
            for _ in items:
                outcome = outcomes.get()
                if outcome is None:
                    raise sender.stopping
                yield outcome
        finally:
            for future in futures:
                future.cancel()
            loop.submit(client.close()).result(10)
            loop.close()

    def _client(self) -> Client:
        key = self._key()
        headers = self.headers(key) if key else {}
        return Client(self.server.base_url, None if headers else key, headers)

    def _key(self) -> str | None:
        try:
            return self.server.key()
        except ConfigError as error:
            if not self._is_usual:
                raise
            names = " or ".join(self.variables)
            hint = f"{self.title} asks for a key: export {names} in the shell that starts chef; "
            hint += "or name another variable: api_key_env: NAME"
            raise ConfigError(error.what, where=error.where, hint=hint) from None
