"""Models behind a server that is not there: scripted replies and failures, and no network."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias

from fakes import Hashing, seen

from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.gate import Waits
from chef.models.api.server_model import Received, ServerModel
from chef.models.api.traffic import Traffic
from chef.types import Generate, Request

#: What happens to one attempt: None answers it. Given the request's text and which attempt it is.
Script: TypeAlias = Callable[[str, int], Failure | Exception | None]


def answers(text: str, attempt: int) -> None:
    """A script in which nothing fails."""


class Served(ServerModel):
    """Answers like `Hashing`, after a time that leaves others the time to be sent.

    Attributes:
        attempts: how often each text was sent.
        sent: the texts in the order in which they were sent.
        most: the most attempts under way at once.
        cancelled: how many attempts were cancelled.
    """

    name = "served"
    base_url = "http://server.test/v1"
    model = "small-model"
    made: ClassVar[list[Served]] = []  # a fixture closes them
    api_key_env = "SERVED_KEY"

    def __init__(
        self,
        script: Script = answers,
        *,
        traffic: Traffic | None = None,
        seconds: float = 0.0,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(traffic or Traffic())
        self.made.append(self)
        self.script, self.seconds, self.retry_after = script, seconds, retry_after
        self.attempts: Counter[str] = Counter()
        self.sent: list[str] = []
        self.under_way = self.most = self.cancelled = self.probes = 0

    def fingerprint(self) -> str:
        return "served"

    async def probe(self) -> None:
        self.probes += 1

    async def attempt(self, request: Request) -> Received:
        text = seen(request)
        self.attempts[text] += 1
        self.sent.append(text)
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            for _ in range(3):
                await asyncio.sleep(0)
            await asyncio.sleep(self.seconds)
            found = self.script(text, self.attempts[text])
            if found is Failure.TIMEOUT:
                await asyncio.sleep(60)  # until the engine's own limit
            if isinstance(found, Failure):
                raise RequestFailedError(f"it said {found}", found, retry_after=self.retry_after)
            if found is not None:
                raise found
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.under_way -= 1
        if isinstance(request, Generate):
            return Received(Hashing().generate([request])[0], 10, 2)
        return Received(Hashing().score([request])[0], 10, 0, len(request.candidates))


class FakeTime:
    """A clock that waiting moves on, so that nothing really waits.

    Attributes:
        now: the time in seconds.
        slept: how long each wait was.
    """

    def __init__(self, chances: Sequence[float] = (1.0,)) -> None:
        self.now, self.slept = 0.0, list[float]()
        self._chances = itertools.cycle(chances)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        until = self.now + seconds
        for _ in range(5):  # what can happen before happens
            await asyncio.sleep(0)
        self.now = max(self.now, until)

    def clock(self) -> float:
        self.now += 1e-6  # no two events are at one time
        return self.now

    def waits(self) -> Waits:
        return Waits(self.clock, self.sleep, lambda: next(self._chances))
