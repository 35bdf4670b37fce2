"""Let the model write its answer."""

from __future__ import annotations

import math

from chef.errors import ConfigError
from chef.inferencer.base import Answer, Inferencer, Program, describe
from chef.inferencer.cot import Thought, check_length, think
from chef.instruction.handler import InstructionHandler
from chef.types import Generate, Generated, Sample, Status

_STATUS = {"stop": Status.OK, "length": Status.TRUNCATED, "refused": Status.REFUSED}


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
    """

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
    ) -> None:
        super().__init__(instruction)
        if max_new_tokens < 1 or not 0 <= temperature < math.inf or not 0 < top_p <= 1:
            raise ConfigError(
                "needs max_new_tokens >= 1, a finite temperature >= 0 and 0 < top_p <= 1",
                where="eval_cfg.inferencer_cfg",
            )
        check_length(cot_max_new_tokens)
        self.max_new_tokens = max_new_tokens
        self.stop = tuple(stop or ())
        self.temperature = temperature
        self.top_p = top_p
        self.cot, self.cot_max_new_tokens = CoT, cot_max_new_tokens

    def infer(self, sample: Sample) -> Program:
        query = self.instruction.query(sample)
        thought = Thought()
        if self.cot:
            thought = yield from think(self, sample, self.cot_max_new_tokens)
        reply = yield Generate(
            query.conversation,
            max_new_tokens=self.max_new_tokens,
            stop=self.stop,
            temperature=self.temperature,
            top_p=self.top_p,
            seed=self.sample_seed(sample),
            answer_prefix=thought.prefix,
        )
        assert isinstance(reply, Generated)
        return Answer(
            reply.text,
            status=_STATUS[reply.finish_reason],
            trace={**describe(query), "tokens": reply.tokens, **(thought.trace or {})},
        )
