"""Options chosen by ChEF's own rule: the first of the largest scores, NaN being the largest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from chef.common.keys import flat_keywords
from chef.inferencer import detection, multiturn, ppl
from chef.inferencer.ppl import OptionScorer, measures
from chef.inferencer.upstream.reasoning import ChefReasoning
from chef.instruction.handler import Instruction
from chef.types import Scored


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


class DetPPL(ChefScorer, detection.DetPPL):
    """`chef.inferencer.detection.DetPPL`, with ChEF's choice."""


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
