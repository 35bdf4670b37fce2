"""Chains of thought by ChEF's own rules, and the inferencer `Direct` with them."""

from __future__ import annotations

from chef.common.keys import flat_keywords
from chef.inferencer import direct
from chef.inferencer.cot import Reasoning
from chef.inferencer.decoding import Decoding
from chef.instruction.handler import Instruction

#: Tokens of a chain of thought in ChEF, whatever the recipe says.
LIMIT = 256


class ChefReasoning(Reasoning):
    """A chain of thought has at most 256 tokens, and replaces the in-context examples."""

    __slots__ = ()

    @property
    def limit(self) -> int:
        return LIMIT

    @property
    def shows_examples(self) -> bool:
        return not self.wanted


class Direct(direct.Direct):
    """`chef.inferencer.direct.Direct`, with ChEF's chains of thought."""

    @flat_keywords
    def __init__(
        self,
        instruction: Instruction,
        *,
        decoding: Decoding = Decoding(),
        reasoning: ChefReasoning = ChefReasoning(),
    ) -> None:
        super().__init__(instruction, decoding=decoding, reasoning=reasoning)
