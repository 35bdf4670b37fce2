"""ScienceQA with the questions of ChEF."""

from __future__ import annotations

from typing import ClassVar

from chef.scenario import scienceqa
from chef.scenario.upstream.corrupted import CorruptedQuestions


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
