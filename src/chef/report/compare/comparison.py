"""A comparison of runs: what was found, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.report.compare.found import Difference, Found, McNemar, Pair, RunScore
from chef.report.compare.table import comparison_table
from chef.report.compare.verdict import verdict

__all__ = ["Comparison", "Difference", "McNemar", "Pair", "RunScore"]


@dataclass(frozen=True, slots=True)
class Comparison(Found):
    """A comparison of two or more runs; `Found` has its attributes."""

    @property
    def main(self) -> Pair:
        """The first two runs."""
        return self.pairs[0]

    def to_json(self) -> dict[str, Any]:
        """Plain data: the fields of this class, and a sentence for each pair (``verdict``)."""
        data: dict[str, Any] = to_jsonable(asdict(self))
        for pair, item in zip(self.pairs, data["pairs"], strict=True):
            item["verdict"] = verdict(pair, self.primary)
        return data

    def table(self, width: int | None = None, by: Sequence[str] = ()) -> str:
        """The comparison as text.

        Args:
            width: the columns of the terminal; None for any number.
            by: the groupings whose tables are shown, such as ``category``.
        """
        return comparison_table(self, width, by)

    def __str__(self) -> str:
        return self.table()
