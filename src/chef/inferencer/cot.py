"""Chain of thought: the model reasons first, then answers.

Kojima et al. 2022, "Large Language Models are Zero-Shot Reasoners". When the answer is asked for,
the chain of thought stands at the beginning of the assistant's turn, as in ChEF. Both requests show
the in-context examples.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from chef.common.keys import spelled
from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.inferencer.base import Inferencer, render
from chef.types import Generate, Generated, Reply, Request, Sample


class ChainOfThought(Frozen):
    """What the model wrote before its answer (empty: not asked), and what the journal has of it."""

    text: str = ""
    trace: Mapping[str, Any] = msgspec.field(default_factory=dict)

    @property
    def prefix(self) -> str:
        """The words that begin the assistant's turn; empty without a chain of thought."""
        return f"{self.text}\n" if self.text else ""


#: Of a recipe that asks for none.
NO_CHAIN = ChainOfThought()


@dataclass(frozen=True, slots=True)
class Reasoning:
    """The keys of ``inferencer_cfg`` on chains of thought.

    Attributes:
        wanted: whether to ask for a chain of thought first (``CoT``).
        max_tokens: its maximum length, in tokens of the model (``cot_max_new_tokens``).

    Raises:
        ConfigError: the length is less than 1.
    """

    wanted: bool = field(default=False, metadata=spelled("CoT"))
    max_tokens: int = field(default=256, metadata=spelled("cot_max_new_tokens"))

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise ConfigError(
                f"cot_max_new_tokens is {self.max_tokens}",
                where="eval_cfg.inferencer_cfg.cot_max_new_tokens",
                hint="it must be 1 or more",
            )

    @property
    def limit(self) -> int:
        """``max_new_tokens`` of the request."""
        return self.max_tokens

    @property
    def shows_examples(self) -> bool:
        """Whether the queries show in-context examples."""
        return True


def reason(
    inferencer: Inferencer, sample: Sample, reasoning: Reasoning
) -> Generator[Request, Reply, ChainOfThought]:
    """Ask for a chain of thought, as a step of a program; a cut one is used and marked."""
    if not reasoning.wanted:
        return NO_CHAIN
    query = inferencer.instruction.reasoning_query(sample, examples=reasoning.shows_examples)
    reply = yield Generate(query.conversation, max_new_tokens=reasoning.limit)
    assert isinstance(reply, Generated)
    text = reply.text.strip()
    trace: dict[str, Any] = {"CoT_query": render(query.conversation), "CoT_answer": text}
    if reply.finish_reason == "length":
        trace["CoT_truncated"] = True
    return ChainOfThought(text, trace)
