"""The run whose answers a class evaluates, and its judge, for code that the user's own calls."""

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
        """The reply of the recipe's judge to a message; RunError if there is none, or it fails."""

    @property
    def judge_name(self) -> str | None:
        """The name of the recipe's judge; None where it has none."""


_current: ContextVar[Running | None] = ContextVar("vlmevalkit_run", default=None)


def running() -> Running:
    """The run whose answers are being evaluated; RunError without one."""
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


#: What is said where a judge does not work.
DEBUG_MESSAGE = "The judge is the recipe's judge_cfg; `chef score --help` tells more."


class Judge:
    """One of chef's judges; options: ``temperature``, ``max_tokens`` and ``system_prompt``."""

    def __init__(self, run: Running, options: dict[str, Any]) -> None:
        self._run, self._options = run, options
        self.model = run.judge_name

    def generate(self, inputs: Any = None, **options: Any) -> str:
        """The reply to a text or a list of parts, with its options; RunError if the judge fails."""
        return self._run.ask_judge(inputs, **{**self._options, **options})

    __call__ = generate

    def working(self) -> bool:
        """Whether it answers; one that does not is an error of the run, so this is True."""
        return True


def build_judge(**kwargs: Any) -> Judge:
    """The recipe's judge (``judge_cfg``, ``--judge_cfg``), with ``temperature``, ``max_tokens`` and
    ``system_prompt``; ``model`` and other arguments have no effect. RunError without a judge.
    """
    run = running()
    if run.judge_name is None:
        wanted = f" ('{kwargs['model']}')" if kwargs.get("model") else ""
        raise RunError(
            f"evaluate() asks a judge{wanted}, and the recipe has none",
            hint="name the model file of one with --judge_cfg FILE, or in the recipe: "
            "eval_cfg.judge_cfg: {model_cfg: FILE}",
        )
    known = ("temperature", "max_tokens", "system_prompt")
    return Judge(run, {key: kwargs[key] for key in known if kwargs.get(key) is not None})


def gpt_key_set() -> bool:
    """Whether there is a judge that evaluation code can ask; RunError outside of a run."""
    return running().judge_name is not None
