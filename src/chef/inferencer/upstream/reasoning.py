"""Chains of thought as ChEF asks for them, and the inferencer that writes after one."""

from __future__ import annotations

from chef.common.keys import flat_keywords
from chef.inferencer import direct
from chef.inferencer.cot import Reasoning
from chef.inferencer.decoding import Decoding
from chef.instruction.handler import InstructionHandler

#: Tokens of a chain of thought in ChEF, whatever the recipe says.
LIMIT = 256


class ChefReasoning(Reasoning):
    """A chain of thought takes the place of in-context examples, and may have 256 tokens."""

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
        instruction: InstructionHandler,
        *,
        decoding: Decoding = Decoding(),
        reasoning: ChefReasoning = ChefReasoning(),
    ) -> None:
        super().__init__(instruction, decoding=decoding, reasoning=reasoning)
