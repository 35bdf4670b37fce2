"""SEED-Bench with the options of ChEF."""

from __future__ import annotations

from chef.common.options import letters
from chef.scenario import seedbench
from chef.scenario.records.files import Record


class SEEDBench(seedbench.SEEDBench):
    """The four options are as in the file: with white space around them, and also if empty."""

    def choices(self, record: Record) -> dict[str, str]:
        return {letter: str(record[f"choice_{letter.lower()}"]) for letter in letters(4)}
