"""Corrupted questions, matched with their samples as in ChEF."""

from __future__ import annotations

from collections.abc import Sequence

from chef.scenario.parts import corrupted


class CorruptedQuestions(corrupted.CorruptedQuestions):
    """A record belongs to the sample at the same position, whatever its id and its choices."""

    def position(self, name: str, place: int) -> int:  # noqa: ARG002
        return place

    def check_choices(self, at: int, corrupted: Sequence[str], clean: Sequence[str]) -> None:
        """Accept any number of choices."""
