"""What the answers in a run folder were made with, checked before anything is said of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from chef.run.environment import provenance
from chef.run.folder import RunFolder
from chef.run.images import ImageFiles
from chef.run.rows import RowRecord
from chef.scenario import Scenario


def admit(recipe: Path, fingerprint: str, scenario: Scenario, folder: RunFolder) -> dict[str, Any]:
    """Refuse answers made with other weights or data, and take back those to changed samples.

    Samples of which a row or an image has changed are then to be asked again.

    Args:
        recipe: the file of the recipe.
        fingerprint: of the model.
        scenario: the data as it is now.
        folder: the run folder.

    Returns:
        The content of environment.json.

    Raises:
        ConfigError: the answers were made with other weights or data.
    """
    rows = RowRecord(folder.path, scenario, folder.finished)
    is_other_data = rows.is_other_data if rows.tells else None
    environment = provenance(recipe, fingerprint, scenario.fingerprint(), folder, is_other_data)
    rows.ask_changed_again(folder)
    ImageFiles(folder).ask_changed_again()
    return environment
