"""Chain of thought: think first, then answer with the thought in mind.

Kojima et al. 2022, "Large Language Models are Zero-Shot Reasoners". The thought stands at the
beginning of the assistant's turn when the answer is asked for, as in ChEF. It combines with
in-context examples. ``compat: upstream`` shows no examples where a thought is asked for, and lets
every thought have 256 tokens, as ChEF does.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

from chef.errors import ConfigError
from chef.inferencer.base import Inferencer
from chef.types import Compat, Generate, Generated, Reply, Request, Sample

#: Tokens of a thought in ChEF, whatever the recipe says.
UPSTREAM_LENGTH = 256


@dataclass(frozen=True, slots=True)
class Thought:
    """What was thought, and how it begins the answer."""

    text: str = ""
    trace: Mapping[str, Any] | None = None

    @property
    def prefix(self) -> str:
        """The words that begin the assistant's turn; empty without a thought."""
        return f"{self.text}\n" if self.text else ""


@dataclass(frozen=True, slots=True)
class Thinking:
    """The keys of ``inferencer_cfg`` on chains of thought.

    Attributes:
        wanted: whether to think (``CoT``).
        length: the longest thought, in tokens of the model (``cot_max_new_tokens``).
        examples: whether the queries show in-context examples.

    Raises:
        ConfigError: a thought without room for a word.
    """

    wanted: bool
    length: int
    examples: bool = True

    def __post_init__(self) -> None:
        if self.length < 1:
            raise ConfigError(
                f"cot_max_new_tokens is {self.length}", where="eval_cfg.inferencer_cfg"
            )

    @classmethod
    def of(cls, wanted: bool, length: int, compat: Compat) -> Thinking:
        """From the keys of a recipe."""
        if compat == "upstream" and wanted:
            return cls(wanted, UPSTREAM_LENGTH, examples=False)
        return cls(wanted, length)


def think(
    inferencer: Inferencer, sample: Sample, thinking: Thinking
) -> Generator[Request, Reply, Thought]:
    """Ask for a chain of thought, as a step of a program (``yield from``).

    A thought that reaches its longest length is used as far as it goes, and marked in the trace.
    """
    if not thinking.wanted:
        return Thought()
    query = inferencer.instruction.thought_query(sample, examples=thinking.examples)
    reply = yield Generate(query.conversation, max_new_tokens=thinking.length)
    assert isinstance(reply, Generated)
    text = reply.text.strip()
    trace: dict[str, Any] = {"CoT_answer": text}
    if reply.finish_reason == "length":
        trace["CoT_truncated"] = True
    return Thought(text, trace)
