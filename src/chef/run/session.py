"""One session of asking, as environment.json tells of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from chef.run.folder import RunFolder


class Session:
    """Written when it begins, so that a killed session leaves its entry too, and when it ends.

    Args:
        folder: the run's folder.
        environment: the rest of environment.json, with the sessions so far.
        settings: what the user chose for this session.
        account: tells what it took so far.

    Attributes:
        asked: how many samples were answered in it.
    """

    def __init__(
        self,
        folder: RunFolder,
        environment: Mapping[str, Any],
        settings: Mapping[str, Any],
        account: Callable[[], Mapping[str, Any]],
    ) -> None:
        self.asked = 0
        self._folder, self._environment = folder, environment
        self._settings, self._account = settings, account
        self._started, self._clock = datetime.now(UTC), time.perf_counter()

    def __enter__(self) -> Self:
        self._write()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._write()

    def _write(self) -> None:
        session = {
            "started": self._started.isoformat(timespec="seconds"),
            "seconds": round(time.perf_counter() - self._clock, 3),
            "asked": self.asked,
            **self._settings,
            **self._account(),
        }
        earlier = self._environment.get("sessions", [])
        record = {**self._environment, "sessions": [*earlier, session]}
        self._folder.write_json("environment.json", record)
