"""One worker as the driver sees it."""

from __future__ import annotations

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
