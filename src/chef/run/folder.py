"""The run folder: a crash-safe journal of predictions, and results that are written atomically.

``predictions.jsonl`` is append-only and has one line per sample, written as soon as an answer
exists. A process killed at any time leaves at most one half-written last line, which the next run
removes.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

import msgspec

from chef.common.jsonable import to_jsonable
from chef.errors import ConfigError, RunError
from chef.run.configuration import CONFIG, asks_more, differences, read_config, sample_len
from chef.types import Prediction, Status

_log = logging.getLogger(__name__)

JOURNAL = "predictions.jsonl"
#: Maximum number of lines and of seconds between two fsyncs. A killed process loses nothing (the
#: kernel has the lines); a power failure loses at most this much.
SYNC_LINES, SYNC_SECONDS = 64, 1.0


class RunFolder:
    """One run on disk, locked by the process that opens it.

    Args:
        path: the folder; created if it does not exist.
        config: the settings that affect answers. A folder with a different one is refused.

    Attributes:
        finished: the predictions by sample id; the last one of each id counts.
        is_subset: whether the folder belongs to a run of more samples than ``config`` asks for,
            so that its results.json must stay.

    Raises:
        RunError: another process is writing to the folder.
        ConfigError: the folder holds a run with another configuration; the error lists the
            differences.
    """

    def __init__(self, path: Path, config: Mapping[str, Any]) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"the run folder cannot be created ({error})", where=str(path)
            ) from None
        self._lock = _lock(path)
        self._journal: int | None = None
        try:
            self.is_subset = _check_config(path, config)
            self.finished = _read_journal(path / JOURNAL)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            self._journal = os.open(path / JOURNAL, flags, 0o644)
        except BaseException:
            self.close()
            raise
        self._unsynced = 0
        self._synced_at = time.monotonic()

    def append(self, prediction: Prediction) -> None:
        """Journal one answer.

        Raises:
            RunError: the journal cannot be written, for example because the disk is full.
        """
        assert self._journal is not None, "the run folder is closed"
        line = encode(prediction)
        try:
            # One write call per line: a kill can truncate a line, but lines are never interleaved.
            written = os.write(self._journal, line)
            while written < len(line):
                written += os.write(self._journal, line[written:])
            self._unsynced += 1
            if self._unsynced >= SYNC_LINES or time.monotonic() - self._synced_at > SYNC_SECONDS:
                self._sync()
        except OSError as error:
            raise RunError(
                f"the journal cannot be written ({error})",
                where=str(self.path / JOURNAL),
                hint="free disk space; the same command resumes the run",
            ) from None
        # Decoded as in a later session: NumPy numbers become plain numbers, tuples become lists.
        self.finished[prediction.sample_id] = decode(line)

    def todo(self, ids: Iterable[str]) -> list[str]:
        """Return the ids still to be asked, then those that failed and are asked again."""
        wanted = list(ids)
        failed = [
            name
            for name in wanted
            if name in self.finished and self.finished[name].status is Status.ERROR
        ]
        return [name for name in wanted if name not in self.finished] + failed

    def write_json(self, name: str, content: Mapping[str, Any]) -> None:
        """Write a JSON file of the folder, whole or not at all."""
        write_json(self.path / name, content)

    def write_lines(self, name: str, items: Iterable[Mapping[str, Any]]) -> None:
        """Write a JSON-lines file of the folder, whole or not at all."""
        write_lines(self.path / name, items)

    def read_json(self, name: str) -> dict[str, Any]:
        """Read a JSON file of the folder; an absent one is empty."""
        return read_json(self.path / name)

    def close(self) -> None:
        """Flush the journal and release the lock."""
        if self._journal is not None:
            self._sync()
            os.close(self._journal)
            self._journal = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _sync(self) -> None:
        assert self._journal is not None
        os.fsync(self._journal)
        self._unsynced, self._synced_at = 0, time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file; an absent one is empty.

    Raises:
        ConfigError: the file is not valid JSON.
    """
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ConfigError(
            f"the file is unreadable ({error})", where=str(path), hint="remove the file"
        ) from None
    return content


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON file, whole or not at all."""
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
    write_atomically(path, text + "\n")


def write_lines(path: Path, items: Iterable[Mapping[str, Any]]) -> None:
    """Write a JSON-lines file, whole or not at all."""
    write_atomically(path, "".join(msgspec.json.encode(item).decode() + "\n" for item in items))


def write_atomically(path: Path, text: str) -> None:
    """Write a file so that readers, even after a crash, see either the old or the new content."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise RunError(
            f"the file cannot be written ({error})",
            where=str(path),
            hint="free disk space; the same command resumes the run",
        ) from None


def encode(prediction: Prediction) -> bytes:
    """Return the journal line of a prediction; if JSON cannot hold it, the line is an error."""
    try:
        return msgspec.json.encode(prediction, enc_hook=to_jsonable) + b"\n"
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        message = f"the answer cannot be journaled ({type(error).__name__}: {error})"
        failed = Prediction(
            prediction.sample_id,
            Status.ERROR,
            sample={"id": prediction.sample_id},
            error={"type": "JournalError", "message": message.encode(errors="replace").decode()},
        )
        return msgspec.json.encode(failed) + b"\n"


def decode(line: bytes) -> Prediction:
    """Return the prediction of a journal line."""
    return msgspec.json.decode(line, type=Prediction)


def load_predictions(path: Path) -> dict[str, Prediction]:
    """Return the predictions of a journal by sample id; the last line of each id counts.

    The file is not changed; a half-written last line is skipped.
    """
    return _parse(path.read_bytes(), path) if path.exists() else {}


def _lock(path: Path) -> int | None:
    descriptor = os.open(path / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RunError(
            "another process is writing this run",
            where=str(path),
            hint="wait until it ends, or choose another name for this run with --run_name NAME "
            "(Python: name=)",
        ) from None
    except OSError:
        os.close(
            descriptor
        )  # some network file systems have no locks; rely on there being one writer
        return None
    return descriptor


def _read_journal(path: Path) -> dict[str, Prediction]:
    """Read the journal, and remove a half-written last line from the file."""
    data = path.read_bytes() if path.exists() else b""
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(path, whole)
    return _parse(data[:whole], path)


def _parse(data: bytes, path: Path) -> dict[str, Prediction]:
    decoder = msgspec.json.Decoder(Prediction)
    found: dict[str, Prediction] = {}
    notices = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line:
            continue
        try:
            prediction = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            notices.append(f"line {number} of {JOURNAL} is unreadable and is skipped ({error})")
            continue
        found[prediction.sample_id] = prediction
    if len(notices) > max(1, len(found)):
        raise ConfigError(
            f"most lines of {JOURNAL} are unreadable; the first: {notices[0]}",
            hint="another version of chef may have written the file; choose another name for this "
            "run with --run_name NAME (Python: name=)",
        )
    for notice in notices:
        _log.warning("%s: %s", path.parent, notice)
    return found


def _check_config(path: Path, config: Mapping[str, Any]) -> bool:
    """Write or compare config.yaml; return whether the folder's run has more samples than this."""
    file = path / CONFIG
    if not file.exists():
        if (path / JOURNAL).exists() and (path / JOURNAL).stat().st_size:
            raise ConfigError(
                "the folder holds predictions but no config.yaml, so their origin is unknown",
                where=str(path),
                hint="choose another name for this run with --run_name NAME (Python: name=)",
            )
        _write_config(file, config)
        return False
    before = read_config(path)
    changes = differences(before, config)
    is_subset = asks_more(before, config)
    if is_subset:
        config = {**config, "run": {**config["run"], "sample_len": sample_len(before)}}
    if not changes and before != config:
        _write_config(file, config)
    if changes:
        raise ConfigError(
            "this run folder was created with another configuration:\n    "
            + "\n    ".join(changes),
            where=str(path),
            hint="choose a new name for this run with --run_name NAME (Python: name=)",
        )
    return is_subset


def _write_config(file: Path, config: Mapping[str, Any]) -> None:
    from omegaconf import OmegaConf

    write_atomically(file, OmegaConf.to_yaml(OmegaConf.create(dict(config))))
