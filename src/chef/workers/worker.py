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
        hired: when it was asked for.
        started: where it runs; None until it does.
        startup: seconds from ``hired`` until it was ready.
        unfinished: ids it was handed and has not answered yet.
        on_trial: whether that is one sample, with which workers have died before.
    """

    number: int
    actor: Any
    awaited: Any
    hired: float
    started: Started | None = None
    startup: float = 0.0
    unfinished: dict[str, None] = field(default_factory=dict)
    on_trial: bool = False

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
