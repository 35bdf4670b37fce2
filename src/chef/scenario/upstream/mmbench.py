"""MMBench with the questions and subsets of ChEF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from chef.common.options import letters
from chef.scenario import mmbench
from chef.scenario.upstream.corrupted import CorruptedQuestions


class MMBench(mmbench.MMBench):
    """A question ends with a line break, which separates it from the suffix of the prompt.

    Corrupted questions do not; they are matched by position. A subset may break up the rotations of
    a question.
    """

    corrupted_questions: ClassVar[type[CorruptedQuestions]] = CorruptedQuestions

    def group(self, index: int) -> str | None:  # noqa: ARG002
        return None

    def _question(self, cells: Mapping[str, str], choices: Mapping[str, str]) -> str:
        question = super()._question(cells, choices)
        return question if self._generative else f"{question}\n"

    def _mapped(self, question: str, request: str) -> str:
        return f"{super()._mapped(question, request)}\n"

    def _answer(self, correct: int, options: Sequence[str], texts: Sequence[str]) -> str:
        if self._ppl is not None and self._map is None:
            return f"({letters(26)[correct]})"  # also where the texts of the options are scored
        return super()._answer(correct, options, texts)

    def _reworded(self, query: str, labels: Sequence[str]) -> str:
        if self._generative:
            return super()._reworded(query, labels)
        for label in labels:
            query = query.replace(f" ({label})", f"\n({label})")
        return query
