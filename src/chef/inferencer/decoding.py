"""How text is generated: the keys that all generating inferencers share."""

from __future__ import annotations

import math

from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.types import Conversation, Generate, Status

#: ``finish_reason`` of a reply -> status of the answer.
STATUS = {"stop": Status.OK, "length": Status.TRUNCATED, "refused": Status.REFUSED}


class Decoding(Frozen):
    """The generation keys of ``inferencer_cfg``.

    Attributes:
        max_new_tokens: maximum length of the reply, in tokens of the model.
        stop: the reply ends before the first of these strings.
        temperature: 0 is greedy decoding; above 0, tokens are sampled.
        top_p: nucleus of the sampling, in (0, 1].

    Raises:
        ConfigError: a value is out of range.
    """

    max_new_tokens: int = 16
    stop: list[str] | None = None
    temperature: float = 0.0
    top_p: float = 1.0

    def __post_init__(self) -> None:
        ranges = {
            "max_new_tokens": (self.max_new_tokens >= 1, "1 or more"),
            "temperature": (0 <= self.temperature < math.inf, "a finite number, 0 or more"),
            "top_p": (0 < self.top_p <= 1, "more than 0, at most 1"),
        }
        for key, (holds, wanted) in ranges.items():
            if not holds:
                raise ConfigError(
                    f"{key} is {getattr(self, key)}",
                    where=f"eval_cfg.inferencer_cfg.{key}",
                    hint=f"it must be {wanted}",
                )

    def request(self, conversation: Conversation, seed: int, answer_prefix: str = "") -> Generate:
        """The request for a reply to a conversation, which may begin with ``answer_prefix``."""
        return Generate(
            conversation,
            max_new_tokens=self.max_new_tokens,
            stop=tuple(self.stop or ()),
            temperature=self.temperature,
            top_p=self.top_p,
            seed=seed,
            answer_prefix=answer_prefix,
        )
