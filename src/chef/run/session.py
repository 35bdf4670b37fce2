"""One session of a run, recorded in environment.json, and the error that ends one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from chef.common.user_code import traceback_of
from chef.common.writing import write_atomically
from chef.errors import ChefError
from chef.guard.folder import remove
from chef.models.api.traffic import summary
from chef.run.folder import TRACEBACK, RunFolder


def speed(session: Mapping[str, Any]) -> str:
    """How long a session took, and how fast it was, as one line of text.

    Args:
        session: an entry of ``sessions`` in environment.json.

    >>> speed({"asked": 20, "seconds": 4.0, "generated_tokens": 300})
    '20 samples in 4.0 s: 5.0 samples/s, 75 generated tokens/s'
    """
    asked, seconds = session["asked"], max(session["seconds"], 0.001)
    samples = "sample" if asked == 1 else "samples"
    text = f"{asked} {samples} in {_duration(seconds)}: {asked / seconds:.1f} samples/s"
    if server := session.get("server"):
        return f"{text}; {summary(server)}"
    if tokens := session.get("generated_tokens", 0):
        text += f", {tokens / seconds:.0f} generated tokens/s"
    return text


def _duration(seconds: float) -> str:
    """Seconds, or minutes and seconds, or hours and minutes.

    >>> _duration(59.94), _duration(61), _duration(7261)
    ('59.9 s', '1 min 1 s', '2 h 1 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


#: What the last session of a run ended with that did not end by itself.
CUT_OFF = (
    "the last session did not end by itself: its process was killed, ran out of memory, or code "
    "in it called os._exit"
)


def was_cut_off(environment: Mapping[str, Any]) -> bool:
    """Whether the last session never ended; it may be under way (`chef.run.reading.is_locked`).

    Args:
        environment: the content of environment.json.

    >>> was_cut_off({"sessions": [{"ended": False}]}), was_cut_off({"sessions": [{"asked": 3}]})
    (True, False)
    """
    sessions = environment.get("sessions") or [{}]
    return isinstance(sessions[-1], Mapping) and sessions[-1].get("ended") is False


class SessionEntry:
    """Writes its entry when it begins and when it ends, so a killed session has an entry too.

    ``environment`` is environment.json with earlier sessions, ``asked`` the answers in this one.
    """

    def __init__(
        self,
        folder: RunFolder,
        environment: Mapping[str, Any],
        settings: Mapping[str, Any],
        statistics: Callable[[], Mapping[str, Any]],
    ) -> None:
        self.asked = 0
        self._folder, self._environment = folder, environment
        self._settings, self._statistics = settings, statistics
        self._ended = False
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
        self._ended = True
        self._write()

    def _write(self) -> None:
        session = {
            "started": self._started.isoformat(timespec="seconds"),
            "seconds": round(time.perf_counter() - self._clock, 3),
            "asked": self.asked,
            "ended": self._ended,
            **self._settings,
            **self._statistics(),
        }
        earlier = self._environment.get("sessions", [])
        record = {**self._environment, "sessions": [*earlier, session]}
        self._folder.write_json("environment.json", record)


@contextmanager
def traceback_in(folder: RunFolder) -> Iterator[None]:
    """Write the traceback of an error that ends a run into the run folder, and note where it is."""
    file = folder.path / TRACEBACK
    with suppress(OSError):  # it may be a folder, or may not be removed
        remove(file)  # of an earlier session
    try:
        yield
    except Exception as error:
        try:
            write_atomically(file, traceback_of(error))
        except (ChefError, OSError):  # the disk may be full, which is perhaps the error itself
            raise error from error.__cause__
        error.add_note(f"the whole traceback: {file}")
        raise
