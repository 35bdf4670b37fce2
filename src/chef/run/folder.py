"""The run folder: a journal that survives anything, and results that appear whole or not at all.

``predictions.jsonl`` is append-only, one line a sample, written the moment an answer exists. A
process killed at any instant leaves at most one half-written last line, which the next run heals.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self, cast

import msgspec

from chef.common.jsonable import to_jsonable
from chef.config.ignored import comparable
from chef.errors import ConfigError, RunError
from chef.types import Prediction, Status

_log = logging.getLogger(__name__)

JOURNAL = "predictions.jsonl"
CONFIG = "config.yaml"
#: Lines between two fsyncs, and the longest time between them, in seconds. A killed process loses
#: nothing either way (the kernel has the lines); a power cut loses at most this much.
SYNC_LINES, SYNC_SECONDS = 64, 1.0
#: Settings that change no answer, so that a run may resume with others.
FREE_KEYS = (
    "model_cfg.device",
    "run.sample_len",
    "recipe_cfg.eval_cfg.instruction_cfg.incontext_cfg.device",
)


class RunFolder:
    """One run on disk, open for one process at a time.

    Args:
        path: the folder; made when missing.
        config: what decides the answers. A folder made with another is refused.

    Raises:
        RunError: another process is writing there.
        ConfigError: the folder holds a run with another configuration; the difference is shown.
    """

    def __init__(self, path: Path, config: Mapping[str, Any]) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"cannot make the run folder ({error})", where=str(path)) from None
        self._lock = _lock(path)
        self._journal: int | None = None
        try:
            _check_config(path, config)
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
            RunError: the disk does not take it (full, gone).
        """
        assert self._journal is not None, "the run folder is closed"
        line = encode(prediction)
        try:
            # One write call a line: a kill can cut a line short, never interleave two.
            written = os.write(self._journal, line)
            while written < len(line):
                written += os.write(self._journal, line[written:])
            self._unsynced += 1
            if self._unsynced >= SYNC_LINES or time.monotonic() - self._synced_at > SYNC_SECONDS:
                self._sync()
        except OSError as error:
            raise RunError(
                f"cannot write the journal ({error})",
                where=str(self.path / JOURNAL),
                hint="make room; the same command goes on from what is there",
            ) from None
        # As a later session will read it: numbers of NumPy are numbers, tuples are lists.
        self.finished[prediction.sample_id] = decode(line)

    def todo(self, ids: Iterable[str]) -> list[str]:
        """The ids still to be asked; what ended in an error is asked again, after the others."""
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
        """Flush, and let other processes in."""
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
        ConfigError: the file is no JSON.
    """
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ConfigError(
            f"unreadable ({error})", where=str(path), hint="remove the file"
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
    """Write a file so that a reader, or a crash, sees the old content or the new, never a part."""
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
            f"cannot be written ({error})",
            where=str(path),
            hint="make room; the same command goes on from what is there",
        ) from None


def encode(prediction: Prediction) -> bytes:
    """The journal's line of a prediction; what JSON cannot hold becomes an error of its sample."""
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
    """The prediction of a line of the journal."""
    return msgspec.json.decode(line, type=Prediction)


def load_predictions(path: Path) -> dict[str, Prediction]:
    """The predictions of a journal by sample id; the last line of an id counts.

    Reads only: nothing is healed, and a half-written last line is left out.
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
            hint="wait for it, or give this run a name of its own with --time",
        ) from None
    except OSError:
        os.close(descriptor)  # some network file systems cannot lock; one writer is then a promise
        return None
    return descriptor


def _read_journal(path: Path) -> dict[str, Prediction]:
    """Read the journal and heal its end: cut a half-written last line off."""
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
            notices.append(f"{JOURNAL} line {number} is unreadable and left out ({error})")
            continue
        found[prediction.sample_id] = prediction
    if len(notices) > max(1, len(found)):
        raise ConfigError(
            f"most of the {JOURNAL} is unreadable; {notices[0]}",
            hint="was it written by another version of chef? name another run with --time",
        )
    for notice in notices:
        _log.warning("%s: %s", path.parent, notice)
    return found


def read_config(path: Path) -> dict[str, Any]:
    """config.yaml of a run folder, as written: what came from the environment is a name still.

    Raises:
        ConfigError: unreadable.
    """
    from omegaconf import OmegaConf

    file = path / CONFIG
    try:
        config = OmegaConf.to_container(OmegaConf.load(file), resolve=False)
    except Exception as error:
        raise ConfigError(
            f"unreadable ({error})", where=str(file), hint="name another run with --time"
        ) from None
    return cast("dict[str, Any]", config)


def _check_config(path: Path, config: Mapping[str, Any]) -> None:
    file = path / CONFIG
    if not file.exists():
        if (path / JOURNAL).exists() and (path / JOURNAL).stat().st_size:
            raise ConfigError(
                "the folder holds predictions but no config.yaml, so their origin is unknown",
                where=str(path),
                hint="give this run a name of its own with --time",
            )
        _write_config(file, config)
        return
    before = read_config(path)
    changes = differences(comparable(before), comparable(config))
    if not changes and before != config:
        _write_config(file, config)
    if changes:
        raise ConfigError(
            "this run folder was made with another configuration:\n    " + "\n    ".join(changes),
            where=str(path),
            hint="give the new run a name of its own with --time NAME",
        )


def _write_config(file: Path, config: Mapping[str, Any]) -> None:
    from omegaconf import OmegaConf

    write_atomically(file, OmegaConf.to_yaml(OmegaConf.create(dict(config))))


def differences(before: Any, now: Any) -> list[str]:
    """The keys in which two configurations differ, as ``key: old -> new``."""
    old, new = _flat(before), _flat(now)
    return [
        f"{key}: {old.get(key, '(absent)')!r} there, {new.get(key, '(absent)')!r} now"
        for key in sorted({*old, *new})
        if old.get(key, "(absent)") != new.get(key, "(absent)") and key not in FREE_KEYS
    ]


def _flat(node: Any, prefix: str = "") -> dict[str, Any]:
    if isinstance(node, Mapping) and node:
        flat: dict[str, Any] = {}
        for key, value in node.items():
            flat.update(_flat(value, f"{prefix}.{key}" if prefix else str(key)))
        return flat
    return {prefix: list(node) if isinstance(node, tuple) else node}
