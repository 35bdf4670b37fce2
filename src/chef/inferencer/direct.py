"""Answers that the model writes."""

from __future__ import annotations

from chef.common.keys import flat_keywords
from chef.inferencer.base import Answer, Inferencer, Program, describe
from chef.inferencer.cot import NO_CHAIN, Reasoning, reason
from chef.inferencer.decoding import STATUS, Decoding
from chef.instruction.handler import Instruction
from chef.types import Generated, Sample


class Direct(Inferencer):
    """One generated text for each sample.

    Args:
        instruction: words the query.
        decoding: how the answer is generated.
        reasoning: whether a chain of thought is generated first (greedily). The answer continues
            it and does not contain it.
    """

    scores_options = False

    @flat_keywords
    def __init__(
        self,
        instruction: Instruction,
        *,
        decoding: Decoding = Decoding(),
        reasoning: Reasoning = Reasoning(),
    ) -> None:
        super().__init__(instruction)
        self.decoding = decoding
        self.reasoning = reasoning

    @property
    def max_new_tokens(self) -> int:
        """Maximum length of the answer, in tokens of the model."""
        return self.decoding.max_new_tokens

    def infer(self, sample: Sample) -> Program:
        query = self.instruction.query(sample, examples=self.reasoning.shows_examples)
        chain = NO_CHAIN
        if self.reasoning.wanted:
            chain = yield from reason(self, sample, self.reasoning)
        seed = self.sample_seed(sample)
        reply = yield self.decoding.request(query.conversation, seed, chain.prefix)
        assert isinstance(reply, Generated)
        return Answer(
            reply.text,
            status=STATUS[reply.finish_reason],
            trace={**describe(query), "tokens": reply.tokens, **chain.trace},
        )


#: The name of the class in ChEF.
Direct_inferencer = Direct
