"""Which rows of the data have changed since they were answered: ``rows.json`` of a run folder.

An answer belongs to the row as it was. Rows that were corrected are asked again; no other row is.

A new run begins without the digests (`chef.run.asked_data` computes them while the model answers):
rows.json then has only the state of the data. If the data is written before the digests are known,
no row can be told from the others, and all are asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from chef.common.logs import logger
from chef.run.folder import RunFolder
from chef.run.journal import JOURNAL, load_predictions
from chef.run.reading import is_there, read_json
from chef.scenario import Scenario
from chef.types import Prediction, Status

_log = logger(__name__)
#: So many samples are named.
_NAMED = 5


def ask_again(folder: RunFolder, names: Sequence[str], kind: str, message: str, what: str) -> None:
    """Journal that samples have no answer, with the name and message of the error.

    Where answers are reused, ``what`` has changed is recorded for people instead.
    """
    if folder.reuse:
        folder.record_reuse([what])
        return
    for name in names:
        error = {"type": kind, "message": message}
        folder.append(Prediction(name, Status.ERROR, sample={"id": name}, error=error))
    folder.sync()
    listed = ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")
    _log.info(
        "%s: %s since they were answered; they are asked again (%s)", folder.path, what, listed
    )


ROWS = "rows.json"


class RowRecord:
    """The digests of the rows when a run folder was last used, and now.

    Attributes:
        tells: whether the folder tells which rows have changed: each one, if their digests were
            not known yet when the data was written.
    """

    def __init__(self, path: Path, scenario: Scenario, answered: Sequence[str]) -> None:
        self._scenario, self._state = scenario, scenario.row_state()
        stored = read_json(path / ROWS) if self._state else {}
        self._before: Mapping[str, str] = stored.get("rows", {})
        self._is_current = bool(self._state) and stored.get("state") == self._state
        self._answered = answered
        self._is_pending = _is_pending(stored)
        self.tells = bool(self._before) or self._is_pending

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
        if self._is_pending:
            return False
        answered = self._answered
        return bool(answered) and not any(
            name in self._now and self._now[name] == self._before.get(name) for name in answered
        )

    def ask_changed_again(self, folder: RunFolder) -> None:
        """Journal that the changed rows have no answer, then write the new digests.

        After a crash in between, the old digests show the same changes again.
        """
        if not self._state or self._is_current:
            return
        if not self._answered:  # there is nothing to compare: the digests can wait
            folder.write_json(ROWS, {"state": self._state})
            return
        if self.tells and self.changed:
            what = f"{len(self.changed)} row(s) of the data have changed"
            message = "the row of the data has changed since it was answered"
            ask_again(folder, self.changed, "RowChanged", message, what)
        folder.write_table(ROWS, {"state": self._state, "rows": dict(self._now)})


def are_pending(path: Path, scenario: Scenario) -> bool:
    """Whether the digests of the rows are still to be computed, for the data as it is now."""
    state = scenario.row_state()
    stored = read_json(path / ROWS) if state else {}
    return _is_pending(stored) and stored["state"] == state


def store_rows(folder: RunFolder, scenario: Scenario, digests: Mapping[str, str]) -> None:
    """Write the digests of the rows of a new run."""
    folder.write_table(ROWS, {"state": scenario.row_state(), "rows": dict(digests)})


def _is_pending(stored: Mapping[str, Any]) -> bool:
    return "state" in stored and "rows" not in stored


def has_same_rows(path: Path, scenario: Scenario) -> bool:
    """Whether a run folder can go on with the rows of this scenario, perhaps with some changed."""
    if not scenario.row_state() or not is_there(path / ROWS):
        return False
    items = load_predictions(path / JOURNAL).values()
    answered = [item.sample_id for item in items if item.status is not Status.ERROR]
    record = RowRecord(path, scenario, answered)
    return record.tells and not record.is_other_data


def without_removed(path: Path, predictions: Mapping[str, Prediction]) -> dict[str, Prediction]:
    """Return the predictions without those on rows that the data no longer has."""
    rows = read_json(path / ROWS).get("rows")
    return {name: item for name, item in predictions.items() if rows is None or name in rows}
