"""Several turns a sample: teacher-forced, or as a true conversation.

Teacher-forced, as in ChEF: every turn is a question of its own, and what it builds on comes from
the truth. In a conversation the model sees the turns before with its own answers, and what a turn
builds on is the model's own answer, right or wrong.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from chef.common.keys import flat_keywords
from chef.errors import SampleError
from chef.extraction.listed_things import bare_name, things_named
from chef.inferencer.base import Answer, Inferencer, Program, render
from chef.inferencer.decoding import STATUS, Decoding
from chef.inferencer.ppl import OptionScorer
from chef.instruction.handler import InstructionHandler
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

#: The worst of a sample's turns is the status of the whole.
_WORST = (Status.REFUSED, Status.TRUNCATED, Status.OK)


@dataclass(frozen=True, slots=True)
class Answered:
    """One turn with its answer.

    Attributes:
        number: which of ``Sample.turns``.
        turn: as it was asked: in a conversation its prefix is the model's own answer.
        query: what was asked.
        answer: the text written or the option chosen.
        said: the same as the assistant said it: with the words of the answer template.
        status: how the turn ended.
        scores: what was measured.
        tokens: how many were generated.
    """

    number: int
    turn: TurnSpec
    query: Query
    answer: str
    said: str
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
    """What the multi-turn inferencers share: the order of the turns, and what each builds on.

    Args:
        instruction: words the turns (``prompt_type: multiturn``).
        conversational: show the earlier turns with the model's own answers, and build on them.
    """

    prompt_type = "multiturn"

    def __init__(self, instruction: InstructionHandler, *, conversational: bool = False) -> None:
        super().__init__(instruction)
        self.conversational = conversational

    def infer(self, sample: Sample) -> Program:
        if not sample.turns:
            raise SampleError(
                f"{type(self).__name__} asks turn by turn, and this sample has no turns",
                where=f"sample '{sample.id}'",
                mend="choose a scenario with turns (such as Shapes with task: detection and "
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
        """The turns to ask where the sample has turn ``number``: itself, or what the model named.

        Turns about each thing of one list are asked in the place of the first of them.
        """
        turn = sample.turns[number]
        if not self.conversational or turn.prefix_from is None:
            yield turn
            return
        if turn.prefix_from >= number:
            raise SampleError(
                f"turn {number} builds on turn {turn.prefix_from}, which is not asked before it",
                where=f"sample '{sample.id}'",
            )
        own = [item for item in done if item.number == turn.prefix_from]
        if not turn.each:
            yield replace(turn, prefix=bare_name(own[-1].answer) if own else "")
        elif not any(_same_list(turn, earlier) for earlier in sample.turns[:number]):
            for name in things_named("\n".join(item.answer for item in own)):
                yield replace(turn, prefix=name, truth=None)

    def _history(self, done: Sequence[Answered]) -> Conversation:
        """The turns so far, without the system turn; empty when every turn stands alone."""
        if not self.conversational or not done:
            return ()
        last = done[-1]
        shown = tuple(turn for turn in last.query.conversation if turn.role != "system")
        return (*shown, Turn("assistant", (Text(last.said),)))

    def _answer(self, sample: Sample, done: Sequence[Answered]) -> Answer:
        del sample
        return Answer(
            [item.answer for item in done],
            status=next(item for item in _WORST if any(one.status is item for one in done)),
            scores={"turn_answer": [item.to_record() for item in done]},
            trace=self._trace(done),
        )

    def _trace(self, done: Sequence[Answered]) -> dict[str, Any]:
        """The first turn as it was sent; of a conversation the last one, which shows them all."""
        shown = done[-1 if self.conversational else 0]
        trace: dict[str, Any] = {"query": render(shown.query.conversation)}
        tokens = sum(item.tokens for item in done)
        return {**trace, "tokens": tokens} if tokens else trace


class MultiDirect(MultiTurn):
    """Let the model write an answer to every turn.

    Args:
        instruction: words the turns.
        conversational: show the earlier turns with the model's own answers, and build on them.
        decoding: how the answer to each turn is generated.
    """

    scores_options = False

    @flat_keywords
    def __init__(
        self,
        instruction: InstructionHandler,
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
    """Choose the likeliest option of every turn; the scores are those of `PPL`.

    Args:
        instruction: words the turns.
        conversational: show the earlier turns with the model's own answers, and build on them.
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
                mend="let the scenario emit options (ppl: true), or use Multi_Direct",
            )
        reply = yield Score(query.conversation, query.options, query.answer_prefix)
        assert isinstance(reply, tuple)
        scores = self.choose(reply, sample.id)
        option = query.options[scores["choice"]]
        figures = {"options": list(query.options), **scores}
        said = query.answer_prefix + option
        return Answered(number, turn, query, option, said, scores=figures)


def _same_list(turn: TurnSpec, other: TurnSpec) -> bool:
    return other.each and other.prefix_from == turn.prefix_from
