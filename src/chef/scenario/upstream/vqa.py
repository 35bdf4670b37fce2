"""The scenarios of questions with options with the questions, options and subsets of ChEF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from chef.common.options import letters
from chef.scenario import mmbench, scienceqa, seedbench, winoground, yes_no
from chef.scenario.base import Scenario
from chef.scenario.parts import robustness
from chef.scenario.records.files import Record


class Ungrouped(Scenario):
    """Its samples belong to no groups, so a subset may break up those that are scored together."""

    def group(self, index: int) -> str | None:  # noqa: ARG002
        return None


class CorruptedQuestions(robustness.CorruptedQuestions):
    """A record belongs to the sample at the same position, whatever its id and its choices."""

    def position(self, name: str, place: int) -> int:  # noqa: ARG002
        return place

    def check_choices(self, at: int, corrupted: Sequence[str], clean: Sequence[str]) -> None:
        """Accept any number of choices."""


class ScienceQA(scienceqa.ScienceQA):
    """White space stays as in the file, and a question with options ends with a line break.

    Corrupted questions are matched by position.
    """

    corrupted_questions: ClassVar[type[CorruptedQuestions]] = CorruptedQuestions

    def _worded(self, asked: str, listed: str) -> str:
        text = f"Question: {asked}"
        return text if self._generative else f"{text}Options:{listed}\n"

    def _mapped(self, text: str, request: str) -> str:
        return f"{text}{request}\n"


class MMBench(Ungrouped, mmbench.MMBench):
    """A question ends with a line break, which separates it from the suffix of the prompt.

    Corrupted questions do not; they are matched by position. A subset may break up the rotations of
    a question.
    """

    corrupted_questions: ClassVar[type[CorruptedQuestions]] = CorruptedQuestions

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


class MME(Ungrouped, yes_no.MME):
    """A subset may break up the two questions on an image."""


class SEEDBench(seedbench.SEEDBench):
    """The four options are as in the file: with white space around them, and also if empty."""

    def choices(self, record: Record) -> dict[str, str]:
        return {letter: str(record[f"choice_{letter.lower()}"]) for letter in letters(4)}


class Winoground(Ungrouped, winoground.Winoground):
    """A subset may break up the questions of an example."""
