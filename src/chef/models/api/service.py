"""A service on the web that rates texts: many requests in flight, and failed ones sent again."""

from __future__ import annotations

import importlib.util
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, ClassVar, Generic, TypeVar

from chef.errors import ConfigError
from chef.models.api.budget import Spent
from chef.models.api.client import Client, missing_package
from chef.models.api.failures import RequestFailedError
from chef.models.api.loop import LoopThread
from chef.models.api.sender import Sender
from chef.models.api.settings import Server
from chef.models.api.traffic import Traffic
from chef.models.api.waits import Waits

Item = TypeVar("Item")
Found = TypeVar("Found")


def score_in(value: Any) -> float:
    """A score in 0..1, as a reply has it.

    Raises:
        TypeError: it is no number.
        ValueError: it is out of range.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no score")
    if not 0 <= value <= 1:
        raise ValueError(f"{value} is not in 0..1")
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
        """Send a request once.

        Raises:
            RequestFailedError: no reply came, or it cannot be read.
        """

    def headers(self, key: str) -> dict[str, str]:
        """The headers that carry the key; empty where it is sent as a bearer token."""
        del key
        return {}

    def check_settings(self) -> None:
        """Check what can be checked without asking the service.

        Raises:
            ConfigError: the variable with the key is not set.
            DependencyError: the package ``openai`` is missing.
        """
        self._key()
        if importlib.util.find_spec("openai") is None:
            raise missing_package()

    def identity(self) -> list[Any]:
        """What of it decides the answers, without secrets."""
        return self.server.identity()

    def results(self, items: Sequence[Item]) -> Iterator[tuple[int, Found | RequestFailedError]]:
        """The position of each item with its result, as soon as it is there.

        An item that the service refuses, or that fails however often it is sent, has its error.

        Raises:
            ConfigError: the service does not accept the key.
            RunError: it cannot be reached, answers nothing, or the budget is spent. What was
                answered before has been given.
        """
        if not items:
            return
        loop, client = LoopThread(), self._client()
        outcomes: SimpleQueue[tuple[int, Found | RequestFailedError] | None] = SimpleQueue()
        sender = Sender[Item, Found](
            self, self.title, lambda item: self.attempt(client, item), self._waits
        )
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
