"""A model that knows a share of the answers of `fakes.Numbers`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fakes import Hashing, chance, seen

from chef.types import Score, Scored


class Knowing(Hashing):
    """Chooses the right option of a question with a probability; the same question, the same way.

    Args:
        name: its name; models of different names know different questions.
        share: how much it knows, 0-1.
        luck: models of the same luck know the same questions, as far as they know enough.
    """

    def __init__(self, *, name: str = "knowing", share: float = 0.8, luck: str = "") -> None:
        super().__init__()
        self.name, self.share, self.luck = name, share, luck

    def fingerprint(self) -> str:
        return f"{self.name} {self.share} {self.luck}"

    def knows(self, number: int) -> bool:
        return chance(f"question {number}", self.luck) < self.share

    def score(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        self._enter(requests)
        return [tuple(Scored(value, 1) for value in self._scores(item)) for item in requests]

    def _scores(self, item: Score) -> list[float]:
        found = re.search(r"(\d+)\?", seen(item))
        assert found is not None
        number = int(found[1])
        choice = number % 4 if self.knows(number) else (number + 1) % 4
        return [-1.0 if place == choice else -3.0 for place in range(4)]
