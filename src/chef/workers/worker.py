"""One worker as the driver sees it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from chef.workers.replica import Started


@dataclass(slots=True, eq=False)
class Worker:
    """One worker.

    Attributes:
        number: counts the workers of the pool, replacements too.
        actor: Ray's handle.
        awaited: what it will send next: an answer or a stream of them; None when it has nothing
            to do.
        started_at: when it was asked for.
        started: where it runs; None until it does.
        startup: seconds from ``started_at`` until it was ready.
        unfinished: ids it was handed and has not answered yet.
        quarantined: whether that is one sample, with which workers have died before.
    """

    number: int
    actor: Any
    awaited: Any
    started_at: float
    started: Started | None = None
    startup: float = 0.0
    unfinished: dict[str, None] = field(default_factory=dict)
    quarantined: bool = False

    def mark_started(self, started: Started) -> None:
        """Note where it runs, and that it is ready for a chunk."""
        self.started, self.awaited = started, None
        self.startup = time.perf_counter() - self.started_at

    def assign(self, ids: Sequence[str], awaited: Any, *, quarantined: bool) -> None:
        """Note the chunk that it was handed, and the stream of its answers."""
        self.unfinished = dict.fromkeys(ids)
        self.awaited, self.quarantined = awaited, quarantined

    def mark_idle(self) -> None:
        """Note that its chunk is finished."""
        self.awaited = None

    @property
    def idle(self) -> bool:
        """Whether it is ready for a chunk."""
        return self.started is not None and self.awaited is None

    @property
    def busy(self) -> bool:
        """Whether it has a chunk."""
        return self.started is not None and self.awaited is not None


@dataclass(frozen=True, slots=True)
class Lost:
    """A worker died."""

    reason: str


#: After so many deaths, samples that were there each time are asked one by one.
QUARANTINE_AFTER = 2
