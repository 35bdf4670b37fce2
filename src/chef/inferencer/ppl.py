"""Answers chosen among options by their likelihood."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import attrgetter, truediv
from typing import Any

from chef.common.keys import flat_keywords
from chef.errors import SampleError
from chef.inferencer.base import Answer, Inferencer, Program, describe
from chef.inferencer.cot import NO_CHAIN, Reasoning, reason
from chef.instruction.handler import Instruction
from chef.types import Sample, Score, Scored

#: Means that differ by at most this tie. The composition of a batch moves a float32 log-probability
#: by about 1e-6, and equal options must tie in every batch.
TIE = 1e-5
_SUM, _TOKENS = attrgetter("logprob_sum"), attrgetter("tokens")


class OptionScorer(Inferencer):
    """An inferencer that chooses an option by its score."""

    def choose(self, scored: Sequence[Scored], sample_id: str) -> dict[str, Any]:
        """The winning option and its scores; see the function `choose`."""
        return choose(scored, sample_id)


class PPL(OptionScorer):
    """Score every option as the answer, and choose the largest mean log-probability per token.

    The score is the one of ChEF: ``mean_t log softmax(logits)[t]`` over the tokens of the option
    only. The words of the answer template before the option are given, not scored.

    Args:
        instruction: words the query.
        reasoning: whether a chain of thought is generated first. The options are scored after it.
    """

    scores_options = True

    @flat_keywords
    def __init__(self, instruction: Instruction, *, reasoning: Reasoning = Reasoning()) -> None:
        super().__init__(instruction)
        self.reasoning = reasoning

    def infer(self, sample: Sample) -> Program:
        query = self.instruction.query(sample, examples=self.reasoning.shows_examples)
        if not query.options:
            raise SampleError(
                "PPL scores options, and this sample has none",
                where=f"sample '{sample.id}'",
                hint="give each question options (the same for all rows of a table: "
                "scenario_cfg.options: [red, blue]), or use inferencer_type: Direct",
            )
        chain, prefix = NO_CHAIN, query.answer_prefix
        if self.reasoning.wanted:
            chain = yield from reason(self, sample, self.reasoning)
            prefix = chain.prefix + prefix
        reply = yield Score(query.conversation, query.options, prefix)
        assert isinstance(reply, tuple)
        scores = self.choose(reply, sample.id)
        trace = {**describe(query), "answer_prefix": query.answer_prefix, **chain.trace}
        return Answer(query.options[scores["choice"]], scores=scores, trace=trace)


#: The name of the class in ChEF.
PPL_inferencer = PPL


def choose(scored: Sequence[Scored], sample_id: str) -> dict[str, Any]:
    """The winning option (the lowest index of ``ties``), `measures`; `SampleError` for NaN, inf."""
    found = measures(scored)
    means = found["ppl_results"]
    if not all(map(math.isfinite, means)):
        raise SampleError(
            f"the model gave a score that is not finite: {means}",
            where=f"sample '{sample_id}'",
            hint="a class of yours returns finite numbers, also for what it excludes; half "
            "precision overflows in some checkpoints: --dtype float32",
        )
    best = max(means)
    ties = [index for index, mean in enumerate(means) if best - mean <= TIE]
    return {"choice": ties[0], **({"ties": ties} if len(ties) > 1 else {}), **found}


def measures(scored: Sequence[Scored]) -> dict[str, Any]:
    """What is recorded of scores that are all finite.

    Returns:
        ``ppl_results``: means, in nats per token; ``logprob_sums``: sums, in nats;
        ``option_tokens``: numbers of tokens; ``probs``: softmax over the means, as ChEF defines it;
        ``sum_probs``: softmax over the sums, a distribution over the options; ``prob``: the largest
        of ``probs``.
    """
    sums, tokens = list(map(_SUM, scored)), list(map(_TOKENS, scored))
    means = list(map(truediv, sums, tokens))
    probs = softmax(means)
    return {
        "ppl_results": means,
        "logprob_sums": sums,
        "option_tokens": tokens,
        "probs": probs,
        "sum_probs": softmax(sums),
        "prob": max(probs),
    }


def softmax(values: Sequence[float]) -> list[float]:
    """Softmax of finite numbers.

    >>> softmax([0.0, 0.0])
    [0.5, 0.5]
    """
    top = max(values)
    weights = [math.exp(value - top) for value in values]
    total = sum(weights)
    return [weight / total for weight in weights]
