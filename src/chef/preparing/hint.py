"""What to say where the data of a scenario is missing."""

from __future__ import annotations

from pathlib import Path

from chef.errors import ChefError, DataError
from chef.preparing.sources import read_sources


def with_remedy(error: DataError, scenario: str, looked: str | None) -> DataError:
    """The same error; its hint names the command that downloads the data, where there is one.

    Args:
        error: what the scenario raised.
        scenario: its name in the recipe.
        looked: a sentence on the folders where its files were looked for.
    """
    hints = [error.hint, looked]
    try:
        is_known = scenario in read_sources()
    except ChefError:  # the error at hand matters more than a broken table
        is_known = False
    if is_known and not (error.where and Path(error.where).is_file()):
        hints.append(f"`chef prepare {scenario}` (tools/prepare_data.py) downloads it")
    return DataError(error.what, where=error.where, hint="; ".join(filter(None, hints)) or None)
