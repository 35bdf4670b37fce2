"""The run whose answers a class evaluates, for code that is called by the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from chef.errors import RunError


class Running(Protocol):
    """What a run gives to the evaluation of its answers."""

    def family_scores(self, eval_file: str) -> dict[str, float | None]:
        """The scores of the answers in a file, by chef's metric for the kind of question."""

    def ask_judge(self, message: Any, **options: Any) -> str:
        """The reply of the recipe's judge to a message.

        Raises:
            RunError: the recipe has no judge, or it fails.
        """

    @property
    def judge_name(self) -> str | None:
        """The name of the recipe's judge; None where it has none."""


_current: ContextVar[Running | None] = ContextVar("vlmevalkit_run", default=None)


def running() -> Running:
    """The run whose answers are being evaluated.

    Raises:
        RunError: there is none.
    """
    found = _current.get()
    if found is None:
        raise RunError(
            "there is no run whose answers are evaluated",
            hint="`chef eval` and `chef score` call evaluate(); outside of them there is no judge "
            "and no metric of chef's",
        )
    return found


def is_running() -> bool:
    """Whether the answers of a run are being evaluated."""
    return _current.get() is not None


@contextmanager
def evaluating(run: Running) -> Iterator[None]:
    """Let `running` give this run in the block."""
    token = _current.set(run)
    try:
        yield
    finally:
        _current.reset(token)
