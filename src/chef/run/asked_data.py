"""What a session notes of the data that it asks about, while the model answers."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from chef.errors import DataError
from chef.run.environment import provenance
from chef.run.folder import RunFolder
from chef.run.images import ImageFiles
from chef.run.rows import RowRecord, are_pending, store_rows
from chef.scenario import Scenario
from chef.types import Prediction

#: So many seconds a session that failed waits for the digests of the rows; they are then taken for
#: unknown, and an edit of the data before the next session means that all is asked again.
_PATIENCE = 5.0


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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
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
