"""MMBench with the questions and subsets of ChEF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from chef.scenario import mmbench
from chef.scenario.upstream.corrupted import CorruptedQuestions


class MMBench(mmbench.MMBench):
    """A question ends with a line break; corrupted data is matched by position.

    A subset may break up the rotations of a question.
    """

    corrupted_questions: ClassVar[type[CorruptedQuestions]] = CorruptedQuestions

    def group(self, index: int) -> str | None:  # noqa: ARG002
        return None

    def _question(self, cells: Mapping[str, str], choices: Mapping[str, str]) -> str:
        return self._ended(super()._question(cells, choices))

    def _reworded(self, query: str, labels: Sequence[str]) -> str:
        return self._ended(super()._reworded(query, labels))

    def _ended(self, question: str) -> str:
        return question if self._generative else f"{question}\n"
