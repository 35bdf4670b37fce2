"""A conversation as it was sent, as the views need it; `chef.session.replay` makes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from chef.types import Prediction, Reply, Request, Sample


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A request that was sent.

    Attributes:
        request: what was sent.
        reply: what came back; None where it is not known.
        question: the question of the sample as it was worded, with which the last turn ends; empty
            where that is not known. What stands before it is of the in-context examples.
    """

    request: Request
    reply: Reply | None
    question: str = ""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a sample was asked.

    Attributes:
        sample: the sample as the scenario makes it now; None where it cannot be made.
        exchanges: the requests, in order; empty where they are not known exactly.
        note: why they are not, or what else is to be known about them; empty if nothing.
    """

    sample: Sample | None = None
    exchanges: Sequence[Exchanged] = ()
    note: str = ""


class Replayer(Protocol):
    """Gives what the samples of one run were asked. No model is asked for this, and none loaded."""

    def prefetch(self, ids: Sequence[str]) -> None:
        """Prepare for several samples at once, where that is faster than one by one."""

    def __call__(self, prediction: Prediction) -> Replayed:
        """What a sample was asked; what fails is said in its note."""
