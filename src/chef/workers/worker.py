"""The state of one worker in the driver process."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from chef.frozen import Frozen
from chef.workers.replica import Started


@dataclass(slots=True, eq=False)
class Worker:
    """One worker; what has died with a sample that is ``quarantined`` asks that sample alone."""

    number: int
    actor: Any
    awaited: Any
    started_at: float
    started: Started | None = None
    startup: float = 0.0
    unfinished: dict[str, None] = field(default_factory=dict)
    quarantined: bool = False

    def mark_started(self, started: Started) -> None:
        """Mark the worker as ready for a chunk."""
        self.started, self.awaited = started, None
        self.startup = time.perf_counter() - self.started_at

    def assign(self, ids: Sequence[str], awaited: Any, *, quarantined: bool) -> None:
        """Record the assigned chunk and the stream of its answers."""
        self.unfinished = dict.fromkeys(ids)
        self.awaited, self.quarantined = awaited, quarantined

    def mark_idle(self) -> None:
        """Mark the chunk as finished."""
        self.awaited = None

    @property
    def idle(self) -> bool:
        """Whether the worker is ready for a chunk."""
        return self.started is not None and self.awaited is None

    @property
    def busy(self) -> bool:
        """Whether the worker has a chunk."""
        return self.started is not None and self.awaited is not None


class Lost(Frozen):
    """A worker died."""

    reason: str


#: Number of worker deaths after which the samples involved are asked one by one.
QUARANTINE_AFTER = 2
