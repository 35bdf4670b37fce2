"""What a run notes of the data that it asks about, and what of it has changed since.

An answer belongs to the row and to the images as they were: samples whose row was corrected or
whose image file was replaced are asked again; no other one is.

``rows.json`` of a run folder has the digests of the rows. A new run begins without them: it has
only the state of the data, and they are computed while the model answers. If the data is written
before the digests are known, no row can be told from the others, and all are asked again.

``images.json`` tells which image files were replaced since they were asked: the journal has the
digest of every image asked. What a file has now is told by its size and the time it was written,
if they are as remembered; only other files are decoded.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from chef.common.logs import logger
from chef.errors import ConfigError, DataError, ImageError
from chef.image import Image
from chef.run.environment import provenance
from chef.run.folder import CHANGED, RunFolder
from chef.run.journal import JOURNAL, load_predictions
from chef.run.reading import is_there, read_json
from chef.scenario import Scenario
from chef.stats.clusters import unchanged
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
    """The predictions without those on rows that the data no longer has, in the order of the rows;
    all, as they came, where the folder does not tell it.
    """
    rows = read_json(path / ROWS).get("rows")
    order = predictions if rows is None else rows
    return {name: predictions[name] for name in order if name in predictions}


IMAGES = "images.json"
#: So many files are decoded without a word.
_SILENT = 200
#: So many seconds a session that failed waits for the digests of the rows; they are then taken for
#: unknown, and an edit of the data before the next session means that all is asked again.
_PATIENCE = 5.0


class ImageFiles:
    """The image files of the answered samples of a run.

    Files that are gone tell nothing, and neither do images that are drawn, or inside of another
    file: that file is part of the data.
    """

    def __init__(self, folder: RunFolder) -> None:
        self._folder, self._started = folder, time.time_ns()
        self._asked = {
            item.sample_id: dict(_files(item))
            for item in folder.finished.of(folder.finished.answered)
            if item.images
        }
        stored = read_json(folder.path / IMAGES) if any(self._asked.values()) else {}
        #: Of each file its size, when it was written (nanoseconds), and the digest it then had.
        self._known: dict[str, list[Any]] = dict(stored.get("files", {}))
        #: Of samples whose answers are reused, the digests that were accepted.
        self._accepted: dict[str, dict[str, str]] = dict(stored.get("accepted", {}))
        self._is_new = False

    @cached_property
    def changed(self) -> list[str]:
        """Ids of the answered samples of which an image has changed."""
        now = self._digests_now()
        return [
            name
            for name, files in self._asked.items()
            if any(
                now.get(file, digest) not in (digest, self._accepted.get(name, {}).get(file))
                for file, digest in files.items()
            )
        ]

    def ask_changed_again(self) -> None:
        """Journal that samples with changed images have no answer.

        ConfigError: all of them: it is other data.
        """
        if self.changed:
            if len(self.changed) == len(self._asked) > 1 and not self._folder.reuse:
                what = "all image files have changed since the answers in this folder were made"
                raise ConfigError(what, where=str(self._folder.path), hint=CHANGED)
            message = "an image of the sample has changed since it was answered"
            what = f"the images of {len(self.changed)} sample(s) have changed"
            ask_again(self._folder, self.changed, "ImageChanged", message, what)
            if self._folder.reuse:
                now, self._is_new = self._digests_now(), True
                for name in self.changed:
                    files = self._asked[name]
                    self._accepted[name] = {file: now[file] for file in files if file in now}
        self.store()

    def note(self, prediction: Prediction) -> None:
        """Remember the files of an answer; one written since the session began may not be what was
        asked.
        """
        for file, digest in _files(prediction):
            state = _state(file)
            if state is not None and state[1] < self._started:
                entry = [*state, digest]
                if self._known.get(file) != entry:
                    self._known[file], self._is_new = entry, True

    def store(self) -> None:
        """Write what is known, if it is new."""
        if self._is_new:
            content = {"files": self._known, "accepted": self._accepted}
            self._folder.write_json(IMAGES, content)
            self._is_new = False

    def _digests_now(self) -> Mapping[str, str]:
        """The digest that each file has now, as far as it is there."""
        files = {file: digest for asked in self._asked.values() for file, digest in asked.items()}
        states = {file: state for file in files if (state := _state(file)) is not None}
        is_known = {file: self._known.get(file, [])[:2] == list(states[file]) for file in states}
        if (number := len(states) - sum(is_known.values())) > _SILENT:
            _log.info("%s: %d image files are compared", self._folder.path, number)
        now = {}
        for file, state in states.items():
            if is_known[file]:
                now[file] = str(self._known[file][2])
                continue
            try:
                now[file] = Image(file).digest
            except ImageError as error:
                now[file] = error.what  # no digest, and so not the one that was asked
            else:
                self._known[file], self._is_new = [*state, now[file]], True
        return now


def _files(prediction: Prediction) -> Iterator[tuple[str, str]]:
    """The image files of a prediction, with the digests of what was asked, before methods."""
    for image in map(unchanged, prediction.images):
        if image.keys() == {"path", "digest"}:
            yield str(image["path"]), str(image["digest"])


def _state(file: str) -> tuple[int, int] | None:
    try:
        state = Path(file).stat()
    except (OSError, ValueError):
        return None
    return state.st_size, state.st_mtime_ns


class AskedData:
    """The image files of answers, and the digests of the rows of a new run.

    The digests take a pass through the data: seconds for a gigabyte. It begins with the first
    answer, so that no model waits for it, and is finished when the session is.
    """

    def __init__(self, folder: RunFolder, scenario: Scenario) -> None:
        self._images = ImageFiles(folder)
        self._folder, self._scenario = folder, scenario
        self._thread: threading.Thread | None = None
        self._digests: Mapping[str, str] | None = None
        self._error: Exception | None = None
        self._is_wanted = are_pending(folder.path, scenario)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Write what is known of the images and the rows; raises what the scenario's digests
        raised.
        """
        self._images.store()
        if self._thread is None:
            return
        self._thread.join(None if kind is None else _PATIENCE)
        if self._digests is not None:
            store_rows(self._folder, self._scenario, self._digests)
        elif self._error is not None and kind is None:
            raise self._error

    def note(self, prediction: Prediction) -> None:
        """Take note of an answer."""
        if prediction.images:
            self._images.note(prediction)
        if self._is_wanted:
            self._is_wanted = False
            self._thread = threading.Thread(target=self._compute, name="digests", daemon=True)
            self._thread.start()

    def _compute(self) -> None:
        try:
            self._digests = self._scenario.row_digests()
        except DataError:
            pass  # the file was written meanwhile: the next session asks everything again
        except Exception as error:  # of a scenario of a user's
            self._error = error


def admit(recipe: Path, fingerprint: str, scenario: Scenario, folder: RunFolder) -> dict[str, Any]:
    """Refuse (ConfigError) answers of other weights or data, take back those to changed samples.

    These are asked again. Returns the content of environment.json.
    """
    rows = RowRecord(folder.path, scenario, folder.finished.answered)
    is_other_data = rows.is_other_data if rows.tells else None
    environment = provenance(recipe, fingerprint, scenario.fingerprint(), folder, is_other_data)
    rows.ask_changed_again(folder)
    ImageFiles(folder).ask_changed_again()
    return environment
