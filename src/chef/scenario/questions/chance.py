"""The score of random guessing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chef.scenario.questions.family import Kind


@dataclass(slots=True)
class Chance:
    """Counts right guesses, row by row.

    Rows whose answer is known are those that are scored; where no answer is known, all count. A
    row without options is an open question, which no guess answers; one with one option is an
    error and does not count.

    Attributes:
        right: the expected number of right guesses, without and with a known answer.
        rows: how many rows there are, without and with a known answer.
    """

    right: tuple[float, float] = (0.0, 0.0)
    rows: tuple[int, int] = (0, 0)

    def add(self, options: int, *, is_answered: bool) -> None:
        """Count a row with so many options."""
        if options == 1:
            return
        guess = 1 / options if options else 0.0
        if is_answered:
            self.right = self.right[0], self.right[1] + guess
            self.rows = self.rows[0], self.rows[1] + 1
        else:
            self.right = self.right[0] + guess, self.right[1]
            self.rows = self.rows[0] + 1, self.rows[1]

    def score(self, kind: Kind) -> float | None:
        """The score in 0..1; None where it is not defined."""
        if kind == "yesno":
            return 0.5
        which = int(self.rows[1] > 0)
        if kind != "mcq" or not self.right[which]:
            return None
        return self.right[which] / self.rows[which]


def chance(kind: Kind, rows: Iterable[tuple[int, str]]) -> float | None:
    """The score of random guessing over rows, each its number of options and its answer.

    >>> chance("mcq", [(4, "A"), (2, "B"), (2, "")]), chance("vqa", [(0, "cat")])
    (0.375, None)
    """
    found = Chance()
    for options, answer in rows:
        found.add(options, is_answered=bool(answer.strip()))
    return found.score(kind)
