"""Samples with several turns, asked with teacher forcing or as one conversation.

Teacher forcing, as in ChEF: every turn is a conversation of its own, and its prefix comes from the
reference. In a conversation the model sees the earlier turns with its own answers, and the prefix
of a turn is one of these answers, right or wrong.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any

from msgspec import field

from chef.common.keys import flat_keywords
from chef.errors import SampleError
from chef.frozen import Frozen
from chef.inferencer.base import Answer, Inferencer, Program, render
from chef.inferencer.decoding import STATUS, Decoding
from chef.inferencer.ppl import OptionScorer
from chef.instruction.handler import Instruction
from chef.reading.listed_things import bare_name, things_named
from chef.reading.names import mentioned_labels
from chef.registry import recipe_name
from chef.types import (
    Conversation,
    Generated,
    Query,
    Reply,
    Request,
    Sample,
    Score,
    Status,
    Text,
    Turn,
    TurnSpec,
)

#: The status of a sample is the worst status of its turns; the worst comes first here.
_WORST = (Status.REFUSED, Status.TRUNCATED, Status.OK)


class Answered(Frozen):
    """One turn with its answer; ``shown`` is how later turns show it, in the answer template."""

    number: int
    turn: TurnSpec
    query: Query
    answer: str
    shown: str
    status: Status = Status.OK
    scores: dict[str, Any] = field(default_factory=dict)
    tokens: int = 0

    def to_record(self) -> dict[str, Any]:
        """An entry of ``turn_answer``; the status only where it is not ``ok``."""
        record = {
            "turn": self.number,
            "prompt_idx": self.turn.prompt_idx,
            "prefix": self.turn.prefix,
            "question": self.query.conversation[-1].text,
            "answer": self.answer,
            **self.scores,
        }
        return record if self.status is Status.OK else {**record, "status": str(self.status)}


class MultiTurn(Inferencer):
    """What the multi-turn inferencers share: the order of the turns, and the prefix of each.

    Args:
        instruction: words the turns (``prompt_type: multiturn``).
        conversational: whether the model sees the earlier turns with its own answers, which then
            give the prefixes; else each turn is asked alone, with a prefix from the reference.
    """

    prompt_type = "multiturn"

    def __init__(self, instruction: Instruction, *, conversational: bool = False) -> None:
        super().__init__(instruction)
        self.conversational = conversational

    def infer(self, sample: Sample) -> Program:
        if not sample.turns:
            raise SampleError(
                f"{recipe_name(type(self))} asks turn by turn, and this sample has no turns",
                where=f"sample '{sample.id}'",
                hint="choose a scenario with turns (such as Shapes with task: detection and "
                "multi_turn: true), or a single-turn inferencer",
            )
        done: list[Answered] = []
        for number in range(len(sample.turns)):
            for turn in self._actual(sample, number, done):
                query = self.instruction.turn_query(sample, turn, self._history(done))
                seed = self.sample_seed(sample, len(done))
                done.append((yield from self._ask(sample, number, turn, query, seed)))
        return self._answer(sample, done)

    @abstractmethod
    def _ask(
        self, sample: Sample, number: int, turn: TurnSpec, query: Query, seed: int
    ) -> Generator[Request, Reply, Answered]:
        """Ask one turn, as a step of a program."""

    def _actual(self, sample: Sample, number: int, done: Sequence[Answered]) -> Iterator[TurnSpec]:
        """What is asked for turn ``number``.

        In a conversation the model's answer is its prefix, or each item of its list at the place of
        the first.
        """
        turn = sample.turns[number]
        if not self.conversational or turn.prefix_from is None:
            yield turn
            return
        if turn.prefix_from >= number:
            raise SampleError(
                f"turn {number} continues turn {turn.prefix_from}, which is not asked before it",
                where=f"sample '{sample.id}'",
            )
        own = [item for item in done if item.number == turn.prefix_from]
        if not turn.each:
            yield replace(turn, prefix=bare_name(own[-1].answer) if own else "")
        elif not any(_same_list(turn, earlier) for earlier in sample.turns[:number]):
            for name in things_named("\n".join(item.answer for item in own)):
                yield replace(turn, prefix=name, truth=None)

    def _history(self, done: Sequence[Answered]) -> Conversation:
        """The turns so far, without the system turn; empty with teacher forcing."""
        if not self.conversational or not done:
            return ()
        last = done[-1]
        shown = tuple(turn for turn in last.query.conversation if turn.role != "system")
        return (*shown, Turn("assistant", (Text(last.shown),)))

    def _answer(self, sample: Sample, done: Sequence[Answered]) -> Answer:
        del sample
        return Answer(
            [item.answer for item in done],
            status=next(item for item in _WORST if any(one.status is item for one in done)),
            scores={"turn_answer": [item.to_record() for item in done]},
            trace=self._trace(done),
        )

    def _trace(self, done: Sequence[Answered]) -> dict[str, Any]:
        """The query of the first turn; in a conversation of the last, which shows all turns."""
        shown = done[-1 if self.conversational else 0]
        trace: dict[str, Any] = {"query": render(shown.query.conversation)}
        tokens = sum(item.tokens for item in done)
        return {**trace, "tokens": tokens} if tokens else trace


class MultiDirect(MultiTurn):
    """One generated text for each turn.

    Args:
        instruction: words the turns.
        decoding: how the answer to each turn is generated.
    """

    scores_options = False

    @flat_keywords
    def __init__(
        self,
        instruction: Instruction,
        *,
        conversational: bool = False,
        decoding: Decoding = Decoding(),
    ) -> None:
        super().__init__(instruction, conversational=conversational)
        self.decoding = decoding

    def _ask(
        self, sample: Sample, number: int, turn: TurnSpec, query: Query, seed: int
    ) -> Generator[Request, Reply, Answered]:
        del sample
        reply = yield self.decoding.request(query.conversation, seed)
        assert isinstance(reply, Generated)
        status = STATUS[reply.finish_reason]
        return Answered(number, turn, query, reply.text, reply.text, status, tokens=reply.tokens)


class MultiPPL(MultiTurn, OptionScorer):
    """Choose the likeliest option of every turn. The scores are those of `PPL`.

    Args:
        instruction: words the turns.
    """

    scores_options = True

    def _ask(
        self, sample: Sample, number: int, turn: TurnSpec, query: Query, seed: int
    ) -> Generator[Request, Reply, Answered]:
        del seed
        if not query.options:
            raise SampleError(
                f"options are scored, and turn {number} has none",
                where=f"sample '{sample.id}'",
                hint="let the scenario emit options (ppl: true), or use Multi_Direct",
            )
        reply = yield Score(query.conversation, query.options, query.answer_prefix)
        assert isinstance(reply, tuple)
        scores = self.choose(reply, sample.id)
        option = query.options[scores["choice"]]
        measured = {"options": list(query.options), **scores}
        shown = query.answer_prefix + option
        return Answered(number, turn, query, option, shown, scores=measured)


def _same_list(turn: TurnSpec, other: TurnSpec) -> bool:
    return other.each and other.prefix_from == turn.prefix_from


class Det(MultiDirect):
    """Ask where a true class is only if the first answer of the model mentions it.

    The answer is ``{class: text}``, with None for a class that was not mentioned. Each turn is a
    conversation of its own, as it is by default for `MultiDirect`.
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
