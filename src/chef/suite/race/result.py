"""What a race finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from chef.document.outline import as_text
from chef.document.sections import Section, Table
from chef.scoring.figures import titled_values
from chef.scoring.result import RunResult, result_tables
from chef.suite.race.standing import Duel, On

_WHERE = {"questions": "on questions like these", "benchmark": "on this benchmark"}


@dataclass(frozen=True, slots=True)
class Race:
    """The end of a race.

    Attributes:
        label: ``scenario/recipe``.
        on: where the winner is better: on all ``questions`` like these, or on this ``benchmark``.
        total: number of samples of the benchmark.
        asked: how many the models that stayed to the end were asked.
        limit: the most that each model could be asked.
        winner: the name of the model that is better than every other one; None if not decided.
        duels: the pairs: of those that stayed to the end, and of each model with the one that beat
            it, when it left.
        reports: of each model, in the order in which they were given.
    """

    label: str
    on: On
    total: int
    asked: int
    limit: int
    winner: str | None
    duels: Sequence[Duel]
    reports: Sequence[RunResult]

    @property
    def saved(self) -> int:
        """How many samples less were asked than all models could have been."""
        return self.limit * len(self.reports) - sum(item.coverage.total for item in self.reports)

    @property
    def verdict(self) -> str:
        """Who won, by how much and after how many samples; or why there is no winner."""
        at = f"at {self.asked} of {self.total} samples"
        if self.winner is not None:
            beaten = [item for item in self.duels if item.first == self.winner and item.is_decided]
            by = ", ".join(f"{item.by(self.on)} than {item.second}" for item in beaten)
            others = len(self.reports) - 1 - len(beaten)
            more = f", and than {others} that others beat" if others else ""
            return f"{self.winner} wins {at}: {_WHERE[self.on]} better by {by}{more}."
        if self.asked < self.total:
            text = f"Not decided {at}, where the limit ended the race; a larger --limit goes on."
            return text + self._on_the_other()
        return (
            f"Not decided by all {self.total} samples: what is between the models may be chance. "
            "`chef compare` looks once, at all of them, with narrower intervals."
        )

    def _on_the_other(self) -> str:
        """Which model is known to be better on this benchmark, where that was not the question."""
        better = [
            f" On this benchmark, {item.first} is better by {item.by('benchmark')} than "
            f"{item.second}."
            for item in self.duels
            if self.on == "questions" and not item.is_decided and item.benchmark_low > 0
        ]
        return "".join(better)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "label": self.label,
            "on": self.on,
            "winner": self.winner,
            "verdict": self.verdict,
            "asked": self.asked,
            "total": self.total,
            "limit": self.limit,
            "saved": self.saved,
            "duels": [_plain(item) for item in self.duels],
            "runs": [
                {
                    "model": item.model,
                    "folder": str(item.folder),
                    "asked": item.coverage.total,
                    "figure": item.primary,
                    **item.metrics[item.primary].to_json(),
                    **titled_values(item),
                }
                for item in self.reports
            ],
        }

    def table(self, width: int | None = None) -> str:
        """The verdict, the pairs and the runs as plain text.

        Args:
            width: the columns of the terminal; None for any number.
        """
        return as_text(self.sections(), width)

    def sections(self) -> list[Section]:
        """The pairs with the verdict, and the runs."""
        rows = [
            [item.first, item.second, f"{item.difference:.1f}", item.interval("questions"),
             item.interval("benchmark"), str(item.samples), str(item.scored),
             "yes" if item.is_decided else "no"]
            for item in self.duels
        ]  # fmt: skip
        headers = ("ahead", "of", "points", "questions like these", "this benchmark", "samples",
                   "n", "decided")  # fmt: skip
        lines = [self.verdict]
        if self.saved:
            most = self.limit * len(self.reports)
            lines.append(f"{self.saved:,} of {most:,} questions did not have to be asked.")
        spare = ("n", "samples", "points")
        title = f"race: {self.label}"
        duels = Table(title, headers, rows, "\n".join(lines), names=2, spare=spare)
        return [duels, *result_tables(self.reports)]

    def __str__(self) -> str:
        return self.table()


def _plain(duel: Duel) -> dict[str, Any]:
    data = asdict(duel)
    return {**data, "decided": data.pop("is_decided")}
