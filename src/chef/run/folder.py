"""The run folder: a crash-safe journal of predictions, and results that are written atomically.

``predictions.jsonl`` is append-only and has one line per sample, written as soon as an answer
exists. A process killed at any time leaves at most one half-written last line, which the next run
removes.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import msgspec

from chef.common.jsonable import to_jsonable
from chef.common.logs import logger
from chef.common.redaction import redact_data
from chef.common.text import REPLACED, count_replaced, encodable, encodable_data
from chef.common.writing import append, json_line, write_atomically, write_json, write_lines
from chef.errors import ConfigError, RunError
from chef.run.configuration import CONFIG, asks_more, differences, read_config, sample_len
from chef.run.lock import lock
from chef.types import Prediction, Status

_log = logger(__name__)

JOURNAL = "predictions.jsonl"
#: Maximum number of lines and of seconds between two fsyncs. A killed process loses nothing (the
#: kernel has the lines); a power failure loses at most this much.
SYNC_LINES, SYNC_SECONDS = 64, 1.0
#: The key of environment.json for answers that were kept in spite of a change.
REUSED = "reused_answers"
CHANGED = (
    "--fresh moves the folder aside and asks everything again; --reuse-answers keeps its answers "
    "and asks the rest; --run_name NAME starts another run "
    "(Python: fresh=True, reuse_answers=True, name=)"
)


class RunFolder:
    """One run on disk, locked by the process that opens it.

    Args:
        path: the folder; created if it does not exist.
        config: the settings that affect answers. A folder whose answers were made with a different
            one is refused; one without answers is used for this one.
        reuse: keep the answers in the folder, whatever they were made with.

    Attributes:
        finished: the predictions by sample id; the last one of each id counts.
        is_subset: whether the folder belongs to a run of more samples than ``config`` asks for,
            so that its results.json must stay.

    Raises:
        RunError: another process is writing to the folder.
        ConfigError: the folder holds a run with another configuration; the error lists the
            differences.
    """

    def __init__(self, path: Path, config: Mapping[str, Any], *, reuse: bool = False) -> None:
        self.path, self.reuse = path, reuse
        config = redact_data(config)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"the run folder cannot be created ({error})", where=str(path)
            ) from None
        self._lock = lock(path)
        self._journal: int | None = None
        try:
            self.is_subset = self._check_config(config)
            self.finished = _read_journal(path / JOURNAL)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            self._journal = os.open(path / JOURNAL, flags, 0o644)
        except BaseException:
            self.close()
            raise
        self._unsynced = 0
        self._synced_at = time.monotonic()

    @property
    def has_answers(self) -> bool:
        """Whether there is an answer: errors are none, they are asked again."""
        return any_answer(self.finished)

    def append(self, prediction: Prediction) -> Prediction:
        """Journal one answer, and return it as it stands there: without secrets.

        Raises:
            RunError: the journal cannot be written, for example because the disk is full.
        """
        assert self._journal is not None, "the run folder is closed"
        line = encode(prediction)
        try:
            append(self._journal, line)
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
        stored = decode(line)
        self.finished[stored.sample_id] = stored
        return stored

    def sync(self) -> None:
        """Make everything journaled so far survive a power failure."""
        self._sync()

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

    def record_reuse(self, changes: Sequence[str]) -> None:
        """Record in environment.json that answers are kept that were made with something else."""
        known = load_predictions(self.path / JOURNAL).values()
        answers = [item for item in known if item.status is not Status.ERROR]
        environment = self.read_json("environment.json")
        entry = {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "answers": len(answers),
            "made_with": list(changes),
        }
        earlier = environment.get(REUSED, [])
        self.write_json("environment.json", {**environment, REUSED: [*earlier, entry]})
        _log.warning(
            "%s: %d answers are kept that were made with something else: %s",
            self.path, len(answers), "; ".join(changes),
        )  # fmt: skip

    def _check_config(self, config: Mapping[str, Any]) -> bool:
        """Write or compare config.yaml; return whether the run has more samples than this."""
        file = self.path / CONFIG
        if not file.exists():
            if (self.path / JOURNAL).exists() and (self.path / JOURNAL).stat().st_size:
                raise ConfigError(
                    "the folder holds predictions but no config.yaml, so their origin is unknown",
                    where=str(self.path),
                    hint="choose another name for this run with --run_name NAME (Python: name=)",
                )
            _write_config(file, config)
            return False
        before = read_config(self.path)
        changes = differences(before, config)
        if changes and not any_answer(load_predictions(self.path / JOURNAL)):
            self._begin_again()
            _write_config(file, config)
            return False
        if changes and not self.reuse:
            raise ConfigError(
                "this run folder has answers of another configuration:\n    "
                + "\n    ".join(changes),
                where=str(self.path),
                hint=CHANGED,
            )
        if changes:
            self.record_reuse(changes)
        is_subset = asks_more(before, config)
        if is_subset:
            config = {**config, "run": {**config["run"], "sample_len": sample_len(before)}}
        if before != config:
            _write_config(file, config)
        return is_subset

    def _begin_again(self) -> None:
        """Remove the errors of another configuration, and results that were made of them.

        config.yaml is written afterwards: after a crash in between, the folder has no answers
        still, and this is done again.
        """
        if (self.path / JOURNAL).exists():
            os.truncate(self.path / JOURNAL, 0)
        for pattern in ("results*.json", "scores*.jsonl"):
            for file in self.path.glob(pattern):
                file.unlink()
        _log.info("%s: the folder has no answers yet; it is used for this run", self.path)

    def _sync(self) -> None:
        assert self._journal is not None
        os.fsync(self._journal)
        self._unsynced, self._synced_at = 0, time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def any_answer(predictions: Mapping[str, Prediction]) -> bool:
    """Whether one of the predictions is an answer, not an error."""
    return any(item.status is not Status.ERROR for item in predictions.values())


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


def encode(prediction: Prediction) -> bytes:
    """Return the journal line of a prediction; if JSON cannot hold it, the line is an error."""
    try:
        return _encode(prediction)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        message = f"the answer cannot be journaled ({type(error).__name__}: {error})"
        failed = Prediction(
            encodable(prediction.sample_id),
            Status.ERROR,
            sample={"id": prediction.sample_id},
            error={"type": "JournalError", "message": message},
        )
        return _encode(failed)


def _encode(prediction: Prediction) -> bytes:
    """The line of a prediction, of which lone surrogates are replaced and counted."""
    try:
        return json_line(prediction, keep="status")
    except UnicodeEncodeError:
        plain = to_jsonable(msgspec.to_builtins(prediction, enc_hook=to_jsonable))
    number = count_replaced(plain)
    plain["trace"] = {**plain["trace"], REPLACED: number}
    return json_line(encodable_data(plain), keep="status")


def decode(line: bytes) -> Prediction:
    """Return the prediction of a journal line."""
    return msgspec.json.decode(line, type=Prediction)


def load_predictions(path: Path) -> dict[str, Prediction]:
    """Return the predictions of a journal by sample id; the last line of each id counts.

    The file is not changed; a half-written last line is skipped.
    """
    return _parse(path.read_bytes(), path) if path.exists() else {}


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
            if (repaired := _with_surrogates(line)) is not None:
                found[repaired.sample_id] = repaired
                continue
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


def _with_surrogates(line: bytes) -> Prediction | None:
    """The prediction of a line that an earlier version wrote with lone surrogates."""
    try:
        plain = json.loads(line.decode("utf-8", "surrogatepass"))
        number = count_replaced(plain)
        trace = {**plain.get("trace", {}), REPLACED: number}
        return msgspec.convert(encodable_data({**plain, "trace": trace}), Prediction)
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None


def _write_config(file: Path, config: Mapping[str, Any]) -> None:
    from omegaconf import OmegaConf

    write_atomically(file, OmegaConf.to_yaml(OmegaConf.create(dict(config))))
