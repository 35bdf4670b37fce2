"""The clock, the waiting and the chance that requests to a server depend on."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Waits:
    """The time of the dispatcher; tests give one that does not pass.

    Attributes:
        clock: seconds of a clock that never goes back.
        sleep: waits for so many seconds.
        chance: a random number from 0 to 1, for jitter.
    """

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    chance: Callable[[], float] = random.random
