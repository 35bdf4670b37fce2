"""Let the model write its answer."""

from __future__ import annotations

from chef.inferencer.base import Answer, Inferencer, Program, describe
from chef.inferencer.cot import Thinking, think
from chef.inferencer.decoding import STATUS, Decoding
from chef.instruction.handler import InstructionHandler
from chef.types import Compat, Generated, Sample


class Direct(Inferencer):
    """One generation a sample.

    Args:
        instruction: words the query.
        max_new_tokens: the longest answer, in tokens of the model.
        stop: the answer ends before the first of these strings.
        temperature: 0 is greedy; above, sampling from a stream of the sample's own.
        top_p: nucleus of the sampling, in (0, 1].
        CoT: think first (greedily); the answer goes on from the thought, which is no part of it.
        cot_max_new_tokens: the longest thought, in tokens of the model.
        compat: ``upstream`` thinks as ChEF does: without examples, 256 tokens long.
    """

    scores_options = False

    def __init__(
        self,
        instruction: InstructionHandler,
        *,
        max_new_tokens: int = 16,
        stop: list[str] | None = None,
        temperature: float = 0.0,
        top_p: float = 1.0,
        CoT: bool = False,  # noqa: N803 (ChEF's key)
        cot_max_new_tokens: int = 256,
        compat: Compat = "corrected",
    ) -> None:
        super().__init__(instruction)
        self.decoding = Decoding(max_new_tokens, tuple(stop or ()), temperature, top_p)
        self.thinking = Thinking.of(CoT, cot_max_new_tokens, compat)

    @property
    def max_new_tokens(self) -> int:
        """The longest answer, in tokens of the model."""
        return self.decoding.max_new_tokens

    def infer(self, sample: Sample) -> Program:
        query = self.instruction.query(sample, examples=self.thinking.examples)
        thought = yield from think(self, sample, self.thinking)
        seed = self.sample_seed(sample)
        reply = yield self.decoding.request(query.conversation, seed, thought.prefix)
        assert isinstance(reply, Generated)
        return Answer(
            reply.text,
            status=STATUS[reply.finish_reason],
            trace={**describe(query), "tokens": reply.tokens, **(thought.trace or {})},
        )
