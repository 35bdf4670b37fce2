"""Detection as in the first generation of ChEF: which classes are there, then where they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chef.common.keys import flat_keywords
from chef.inferencer.base import Answer
from chef.inferencer.decoding import Decoding
from chef.inferencer.multiturn import Answered, MultiDirect, MultiPPL
from chef.instruction.handler import Instruction
from chef.reading.names import mentioned_labels
from chef.types import Sample, TurnSpec


class Det(MultiDirect):
    """Ask where a true class is only if the first answer of the model mentions it.

    The answer is ``{class: text}``, with None for a class that was not mentioned. Each turn is a
    conversation of its own, as it is by default for `MultiDirect`.

    Args:
        instruction: words the turns.
        decoding: how the answer to each turn is generated.
    """

    @flat_keywords
    def __init__(self, instruction: Instruction, *, decoding: Decoding = Decoding()) -> None:
        super().__init__(instruction, decoding=decoding)

    def _actual(self, sample: Sample, number: int, done: Sequence[Answered]) -> Iterator[TurnSpec]:
        turn = sample.turns[number]
        if turn.prompt_idx == 0:
            yield turn
            return
        answered = "\n".join(item.answer for item in done if item.turn.prompt_idx == 0)
        asked = any(item.turn.prefix == turn.prefix for item in done if item.turn.prompt_idx == 1)
        if not asked and turn.prefix in mentioned_labels(answered, _classes(sample)):
            yield turn

    def _answer(self, sample: Sample, done: Sequence[Answered]) -> Answer:
        found = super()._answer(sample, done)
        texts = {item.turn.prefix: item.answer for item in done if item.turn.prompt_idx == 1}
        answer = {label: texts.get(label) for label in _classes(sample)}
        return Answer(answer, found.status, found.scores, found.trace)


class DetPPL(MultiPPL):
    """`Multi_PPL` that also records its answers in two lists.

    These are ``classification_answer`` and ``grounding_answer``. The mean log-probabilities of the
    options are in ``classification_ppl_results`` and ``grounding_ppl_results``, one list for each
    turn.
    """

    def __init__(self, instruction: Instruction) -> None:
        super().__init__(instruction)

    def _answer(self, sample: Sample, done: Sequence[Answered]) -> Answer:
        answer = super()._answer(sample, done)
        lists = {
            f"{kind}_{key}": [item.to_record()[key] for item in done if item.turn.prompt_idx == idx]
            for idx, kind in enumerate(("classification", "grounding"))
            for key in ("answer", "ppl_results")
        }
        return Answer(answer.answer, answer.status, {**answer.scores, **lists}, answer.trace)


def _classes(sample: Sample) -> list[str]:
    """The distinct classes that the later turns ask about, in order."""
    return list(dict.fromkeys(turn.prefix for turn in sample.turns if turn.prompt_idx == 1))
