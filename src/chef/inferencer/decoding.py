"""How a model writes: the keys that every generating inferencer shares."""

from __future__ import annotations

import math
from dataclasses import dataclass

from chef.errors import ConfigError
from chef.types import Conversation, Generate, Status

#: ``finish_reason`` of a reply -> status of the answer.
STATUS = {"stop": Status.OK, "length": Status.TRUNCATED, "refused": Status.REFUSED}


@dataclass(frozen=True, slots=True)
class Decoding:
    """The generation keys of ``inferencer_cfg``; see `chef.types.Generate`.

    Raises:
        ConfigError: one is out of range.
    """

    max_new_tokens: int = 16
    stop: tuple[str, ...] = ()
    temperature: float = 0.0
    top_p: float = 1.0

    def __post_init__(self) -> None:
        writes = self.max_new_tokens >= 1 and 0 <= self.temperature < math.inf
        if not (writes and 0 < self.top_p <= 1):
            raise ConfigError(
                "needs max_new_tokens >= 1, a finite temperature >= 0 and 0 < top_p <= 1",
                where="eval_cfg.inferencer_cfg",
            )

    def request(self, conversation: Conversation, seed: int, answer_prefix: str = "") -> Generate:
        """The request for a reply to ``conversation``."""
        return Generate(
            conversation,
            max_new_tokens=self.max_new_tokens,
            stop=self.stop,
            temperature=self.temperature,
            top_p=self.top_p,
            seed=seed,
            answer_prefix=answer_prefix,
        )
