"""Which rows of the data have changed since they were answered: ``rows.json`` of a run folder.

An answer belongs to the row as it was. Rows that were corrected are asked again; no other row is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from chef.run.changes import ask_again
from chef.run.folder import RunFolder
from chef.run.journal import JOURNAL, load_predictions
from chef.run.reading import read_json
from chef.scenario import Scenario
from chef.types import Prediction, Status

ROWS = "rows.json"


class RowRecord:
    """The digests of the rows when a run folder was last used, and now.

    Args:
        path: the run folder.
        scenario: gives the digests, if it has rows.
        predictions: the predictions in the folder.

    Attributes:
        tells: whether the folder has digests to compare with those of the scenario.
    """

    def __init__(
        self, path: Path, scenario: Scenario, predictions: Mapping[str, Prediction]
    ) -> None:
        self._scenario, self._state = scenario, scenario.row_state()
        stored = read_json(path / ROWS) if self._state else {}
        self._before: Mapping[str, str] = stored.get("rows", {})
        self._is_current = bool(self._state) and stored.get("state") == self._state
        self._answered = [
            name for name, item in predictions.items() if item.status is not Status.ERROR
        ]
        self.tells = bool(self._before)

    @cached_property
    def _now(self) -> Mapping[str, str]:
        return self._before if self._is_current else self._scenario.row_digests()

    @cached_property
    def changed(self) -> list[str]:
        """Ids of the answered rows that are still there and have changed."""
        return [
            name
            for name in self._answered
            if name in self._now and self._now[name] != self._before.get(name)
        ]

    @property
    def is_other_data(self) -> bool:
        """Whether no answered row is as it was, so that this is not the same data."""
        answered = self._answered
        return bool(answered) and not any(
            name in self._now and self._now[name] == self._before.get(name) for name in answered
        )

    def ask_changed_again(self, folder: RunFolder) -> None:
        """Journal that the changed rows have no answer, then write the new digests.

        The order matters: after a crash in between, the old digests show the same changes again.
        """
        if not self._state or self._is_current:
            return
        if self.tells and self.changed:
            what = f"{len(self.changed)} row(s) of the data have changed"
            message = "the row of the data has changed since it was answered"
            ask_again(folder, self.changed, "RowChanged", message, what)
        folder.write_json(ROWS, {"state": self._state, "rows": dict(self._now)})


def has_same_rows(path: Path, scenario: Scenario) -> bool:
    """Whether a run folder can go on with the rows of this scenario, perhaps with some changed."""
    if not scenario.row_state() or not (path / ROWS).is_file():
        return False
    record = RowRecord(path, scenario, load_predictions(path / JOURNAL))
    return record.tells and not record.is_other_data


def without_removed(path: Path, predictions: Mapping[str, Prediction]) -> dict[str, Prediction]:
    """Return the predictions without those on rows that the data no longer has."""
    rows = read_json(path / ROWS).get("rows")
    return {name: item for name, item in predictions.items() if rows is None or name in rows}
