"""How the judge of a recipe is asked by evaluators."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, fields
from typing import Any

from chef.common.checked import check_value
from chef.errors import ConfigError, RunError, nearest
from chef.metric.place import AskedJudge
from chef.types import Generate, Text, Turn


@dataclass(frozen=True, slots=True)
class JudgeGeneration:
    """How a judge writes: the keys of ``generation_kwargs``.

    Attributes:
        max_new_tokens: the length limit of a reply, in tokens.
        do_sample: whether replies are sampled; otherwise they are greedy.
        temperature: of sampling; above 0.
        top_p: probability mass of nucleus sampling, in (0, 1].
        seed: of sampling.
    """

    max_new_tokens: int = 100
    do_sample: bool = False
    temperature: float = 1.0
    top_p: float = 1.0
    seed: int = 0

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> JudgeGeneration:
        """The keys as given.

        Raises:
            ConfigError: one is unknown, of another type or out of range.
        """
        where, known = "generation_kwargs", [item.name for item in fields(cls)]
        for name in given:
            if name not in known:
                hint = nearest(name, known)
                raise ConfigError(f"unknown key '{name}' of a judge", where=where, hint=hint)
        made: JudgeGeneration = check_value(dict(given), cls, where)
        if made.max_new_tokens < 1 or not 0 < made.top_p <= 1 or made.temperature < 0:
            raise ConfigError(
                f"{dict(given)} is out of range",
                where=where,
                hint="max_new_tokens is 1 or more, top_p in (0, 1], temperature 0 or more",
            )
        return made

    def request(self, prompt: str) -> Generate:
        """The request for a reply to a prompt."""
        return Generate(
            (Turn("user", (Text(prompt),)),),
            max_new_tokens=self.max_new_tokens,
            temperature=self.temperature if self.do_sample else 0.0,
            top_p=self.top_p if self.do_sample else 1.0,
            seed=self.seed,
        )


class AskedOnce:
    """A judge that is asked each prompt once, however many threads ask it at the same time."""

    def __init__(self, judge: AskedJudge, generation: JudgeGeneration) -> None:
        self._judge, self._generation = judge, generation
        self._lock = threading.Lock()
        self._replies: dict[str, Future[str]] = {}

    def ask(self, prompt: str) -> str:
        """The reply to a prompt.

        Raises:
            RunError: the judge failed, or said nothing.
        """
        with self._lock:
            is_new = prompt not in self._replies
            reply = self._replies.setdefault(prompt, Future())
        if is_new:
            try:
                reply.set_result(self._said(prompt))
            except BaseException as error:  # the threads that wait for it must not wait for ever
                reply.set_exception(error)
        return reply.result()

    def _said(self, prompt: str) -> str:
        text = self._judge.ask(self._generation.request(prompt))
        if not text.strip():
            raise RunError(f"the judge {self._judge.name} gave an empty reply")
        return text
