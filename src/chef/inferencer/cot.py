"""Chain of thought: think first, then answer with the thought in mind.

Kojima et al. 2022, "Large Language Models are Zero-Shot Reasoners". The thought stands at the
beginning of the assistant's turn when the answer is asked for, as in ChEF. It combines with
in-context examples.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

from chef.errors import ConfigError
from chef.inferencer.base import Inferencer
from chef.types import Generate, Generated, Reply, Request, Sample


@dataclass(frozen=True, slots=True)
class Thought:
    """What was thought, and how it begins the answer."""

    text: str = ""
    trace: Mapping[str, Any] | None = None

    @property
    def prefix(self) -> str:
        """The words that begin the assistant's turn; empty without a thought."""
        return f"{self.text}\n" if self.text else ""


def check_length(cot_max_new_tokens: int) -> None:
    """Refuse a thought without room for a word.

    Raises:
        ConfigError: it is less than 1.
    """
    if cot_max_new_tokens < 1:
        raise ConfigError(
            f"cot_max_new_tokens is {cot_max_new_tokens}", where="eval_cfg.inferencer_cfg"
        )


def think(
    inferencer: Inferencer, sample: Sample, max_new_tokens: int
) -> Generator[Request, Reply, Thought]:
    """Ask for a chain of thought, as a step of a program (``yield from``).

    A thought that reaches ``max_new_tokens`` is used as far as it goes, and marked in the trace.
    """
    query = inferencer.instruction.thought_query(sample)
    reply = yield Generate(query.conversation, max_new_tokens=max_new_tokens)
    assert isinstance(reply, Generated)
    text = reply.text.strip()
    trace: dict[str, Any] = {"CoT_answer": text}
    if reply.finish_reason == "length":
        trace["CoT_truncated"] = True
    return Thought(text, trace)
