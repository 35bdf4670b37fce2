"""Inferencers by ChEF's own rules: chains of thought, and the choice of an option.

The first of the largest scores is chosen, NaN being the largest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from chef.common.keys import flat_keywords
from chef.inferencer import direct, multiturn, ppl
from chef.inferencer.cot import Reasoning
from chef.inferencer.decoding import Decoding
from chef.inferencer.ppl import OptionScorer, measures
from chef.instruction.handler import Instruction
from chef.types import Scored

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


class ChefScorer(OptionScorer):
    """Chooses by `choose_as_chef`."""

    def choose(self, scored: Sequence[Scored], sample_id: str) -> dict[str, Any]:
        del sample_id
        return choose_as_chef(scored)


class PPL(ChefScorer, ppl.PPL):
    """`chef.inferencer.ppl.PPL`, with ChEF's choice and ChEF's chains of thought."""

    @flat_keywords
    def __init__(
        self, instruction: Instruction, *, reasoning: ChefReasoning = ChefReasoning()
    ) -> None:
        super().__init__(instruction, reasoning=reasoning)


class MultiPPL(ChefScorer, multiturn.MultiPPL):
    """`chef.inferencer.multiturn.MultiPPL`, with ChEF's choice."""


class DetPPL(ChefScorer, multiturn.DetPPL):
    """`chef.inferencer.multiturn.DetPPL`, with ChEF's choice."""


def choose_as_chef(scored: Sequence[Scored]) -> dict[str, Any]:
    """The first of the largest means; NaN is larger than any number, and None in the journal."""
    means = [item.mean for item in scored]
    unknown = [index for index, mean in enumerate(means) if math.isnan(mean)]
    choice = unknown[0] if unknown else means.index(max(means))
    if all(math.isfinite(mean) for mean in means):
        return {"choice": choice, **measures(scored)}
    nothing = [None] * len(means)
    return {
        "choice": choice,
        "ppl_results": [mean if math.isfinite(mean) else None for mean in means],
        "option_tokens": [item.tokens for item in scored],
        "probs": nothing,
        "sum_probs": nothing,
        "prob": None,
    }
