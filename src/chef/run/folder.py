"""The run folder: a crash-safe journal of predictions, and results that are written atomically.

Each answer is journaled as soon as it exists (`chef.run.journal`). A journal that is deleted,
emptied or replaced while it is written ends the run, and what is in memory is kept.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Self

from chef.common.logs import logger
from chef.common.redaction import redact_data
from chef.common.writing import write_atomically, write_json, write_lines, write_table
from chef.common.yaml_text import MAX_NODES, as_yaml
from chef.errors import ConfigError, RunError
from chef.guard import folder as guard
from chef.guard.folder import LinkError
from chef.guard.trust import seal
from chef.run.answers import decode, encode
from chef.run.configuration import (
    CONFIG,
    OTHER_NAME,
    asks_more,
    differences,
    read_config,
    subset,
)
from chef.run.journal import JOURNAL, KEPT, Journal, load_predictions
from chef.run.reading import is_there, linked, lock, read_json, readable
from chef.types import Prediction, Status

_log = logger(__name__)

#: The key of environment.json for answers that were kept in spite of a change.
REUSED = "reused_answers"
#: The file with the traceback of the error that ended the last session.
TRACEBACK = "traceback.txt"
#: A text of fewer characters has no more values than are read.
_SHORT = MAX_NODES
CHANGED = (
    "--fresh moves the folder aside and asks everything again; --reuse-answers keeps its answers "
    "and asks the rest; --run_name NAME starts another run "
    "(Python: fresh=True, reuse_answers=True, name=)"
)


@contextmanager
def _writable(path: Path) -> Iterator[None]:
    """Explain an error of the system in a run folder that is made or opened."""
    try:
        yield
    except LinkError as error:
        raise linked(path, error) from None
    except OSError as error:
        raise ConfigError(
            f"the run folder cannot be written: {_in_the_way(path) or error.strerror or error}",
            where=str(path),
            hint="choose a folder that you can write to with --save_dir (Python: save_dir=)",
        ) from None


def _in_the_way(path: Path) -> str:
    """What stands where a folder of the path should be; empty where nothing does."""
    first = next(one for one in (path, *path.parents) if os.path.lexists(one) or one == one.parent)
    if first.is_dir():
        return ""
    return f"{first} is a {'link that leads nowhere' if first.is_symlink() else 'file'}"


class RunFolder:
    """One run on disk, locked by the process that opens it.

    Args:
        path: the folder; created if it does not exist.
        config: the settings that affect answers. A folder whose answers were made with a different
            one is refused; one without answers is used for this one.
        reuse: keep the answers in the folder, whatever they were made with.
        is_own: whether ``config`` is of the user's own making, and config.yaml is sealed as such.
        whole: keep the answers as objects, see `Answers`.

    Attributes:
        is_subset: whether the run has more samples than ``config``, so results.json must stay.

    Raises:
        RunError: another process is writing to the folder.
        ConfigError: it holds a run with another configuration, whose differences are listed.
    """

    def __init__(
        self,
        path: Path,
        config: Mapping[str, Any],
        *,
        reuse: bool = False,
        is_own: bool = False,
        whole: bool = False,
    ) -> None:
        self.path, self.reuse, self.is_own = path, reuse, is_own
        config = redact_data(config)
        with _writable(path):
            path.mkdir(parents=True, exist_ok=True)
            guard.refuse_links(path)
            self._lock = lock(path)
        self._journal: Journal | None = None
        self._is_lost = False
        try:
            _refuse_kept(path)
            self.is_subset = self._check_config(config)
            with _writable(path):
                self._journal = Journal(path / JOURNAL, whole=whole)
        except BaseException:
            self.close()
            raise
        self.finished, self.unreadable = self._journal.predictions, self._journal.unreadable

    @property
    def has_answers(self) -> bool:
        """Whether there is an answer: errors are none, they are asked again."""
        return len(self.finished) > len(self.finished.failed)

    def append(self, prediction: Prediction) -> Prediction:
        """Journal one answer, and return it as it stands there: without secrets.

        RunError: disk full, ...
        """
        assert self._journal is not None, "the run folder is closed"
        line = encode(prediction)
        is_synced = self._journal.append(line)
        # Decoded as in a later session: NumPy numbers become plain numbers, tuples become lists.
        stored = decode(line)
        self.finished.add(line, stored)
        if is_synced:
            self.check()
        return stored

    def sync(self) -> None:
        """Make everything journaled survive a power failure.

        RunError: the journal is lost, or unwritable.
        """
        assert self._journal is not None, "the run folder is closed"
        self._journal.sync()
        self.check()

    def check(self) -> None:
        """Check that the journal is there with all that was written to it, and config.yaml too.

        A lost journal is a RunError, once; what is in memory is then in `KEPT`. config.yaml is
        rewritten.
        """
        if self._journal is None or self._is_lost:
            return
        if loss := self._journal.loss():
            self._is_lost = True
            raise self._keep(loss)
        self._restore_config()

    def todo(self, ids: Iterable[str]) -> list[str]:
        """Return the ids still to be asked, then those that failed and are asked again."""
        wanted, known = list(ids), self.finished.ids
        failed = [name for name in wanted if name in self.finished.failed]
        return [name for name in wanted if name not in known] + failed

    def write_json(self, name: str, content: Mapping[str, Any]) -> None:
        """Write a JSON file of the folder, whole or not at all."""
        self.check()
        write_json(self.path / name, content)

    def write_table(self, name: str, content: Mapping[str, Any]) -> None:
        """Write a JSON file of many texts, whole or not at all."""
        self.check()
        write_table(self.path / name, content)

    def write_lines(self, name: str, items: Iterable[Mapping[str, Any]]) -> None:
        """Write a JSON-lines file of the folder, whole or not at all."""
        self.check()
        write_lines(self.path / name, items)

    def read_json(self, name: str) -> dict[str, Any]:
        """Read a JSON file of the folder; an absent one is empty."""
        return read_json(self.path / name)

    def close(self) -> None:
        """Flush the journal and release the lock.

        RunError: the journal is lost, or cannot be written.
        """
        try:
            if self._journal is not None:
                self.sync()
        finally:
            if self._journal is not None:
                self._journal.close()
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

    def replace_config(self, config: Mapping[str, Any]) -> None:
        """Write config.yaml anew, with other settings that affect no answer."""
        safe = redact_data(config)
        if safe != self._config:
            self._write_config(safe)

    def _check_config(self, config: Mapping[str, Any]) -> bool:
        """Write or compare config.yaml; return whether the run has more samples than this."""
        file = self.path / CONFIG
        if _state(file) is None:
            with readable(self.path / JOURNAL):
                journal = guard.state_of(self.path / JOURNAL)
            if journal is not None and journal.st_size:
                raise ConfigError(
                    "the folder holds predictions but no config.yaml, so their origin is unknown",
                    where=str(self.path),
                    hint=OTHER_NAME,
                )
            self._write_config(config)
            return False
        before = read_config(self.path)
        changes = differences(before, config)
        if changes and not _any_answer(load_predictions(self.path / JOURNAL)):
            self._begin_again()
            self._write_config(config)
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
            others = {key: item for key, item in config["run"].items() if key not in subset(config)}
            config = {**config, "run": {**subset(before), **others}}
        self._config, self._config_state = config, _state(file)
        if before != config:
            self._write_config(config)
        elif self.is_own:
            seal(self.path, CONFIG, before)
        return is_subset

    def _begin_again(self) -> None:
        """Remove errors of another configuration, and their results.

        config.yaml is written after: a crash in between leaves no answers, and this is done again.
        """
        if guard.has_file(self.path / JOURNAL):
            os.close(guard.open_descriptor(self.path / JOURNAL, os.O_WRONLY | os.O_TRUNC))
        for name in guard.names_in(self.path):
            if fnmatch(name, "results*.json") or fnmatch(name, "scores*.jsonl"):
                guard.remove(self.path / name)
        _log.info("%s: the folder has no answers yet; it is used for this run", self.path)

    def _restore_config(self) -> None:
        """Write config.yaml again if it was removed or changed: it tells what was asked."""
        file = self.path / CONFIG
        if _state(file) != self._config_state:
            _log.warning("%s: the file was removed or changed; it is written again", file)
            self._write_config(self._config)

    def _keep(self, loss: str) -> RunError:
        """Write what is in memory beside the lost journal; return the error that tells of it."""
        journal, kept = self.path / JOURNAL, self.path / KEPT
        what = f"the journal {loss} while the run was writing it; nothing was scored"
        try:
            self.path.mkdir(parents=True, exist_ok=True)  # perhaps it was removed, too
            write_atomically(kept, b"".join(map(_with_end, self.finished.lines())).decode())
            self._restore_config()
        except (OSError, RunError) as error:
            what += f", and its answers cannot be kept ({error})"
            return RunError(what, where=str(journal), hint="start the run again")
        number = len(self.finished.answered)
        hint = f"its {number} answers are in {KEPT}. {_way_back(self.path)}"
        return RunError(what, where=str(journal), hint=hint)

    def _write_config(self, config: Mapping[str, Any]) -> None:
        file, text = self.path / CONFIG, as_yaml(config)
        write_atomically(file, text)
        self._config, self._config_state = config, _state(file)
        if self.is_own:
            # A long one may have more values than are read, which is told before anything is asked.
            seal(self.path, CONFIG, config if len(text) < _SHORT else read_config(self.path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _any_answer(predictions: Mapping[str, Prediction]) -> bool:
    """Whether one of the predictions is an answer, not an error."""
    return any(item.status is not Status.ERROR for item in predictions.values())


def _with_end(line: bytes) -> bytes:
    """A line of the journal with its line feed, which the lines that were read lack."""
    return line.removesuffix(b"\n") + b"\n"


def _refuse_kept(path: Path) -> None:
    """Refuse a folder whose answers wait beside its journal: they would be asked again."""
    if is_there(path / KEPT):
        raise ConfigError(
            f"an earlier session lost its journal, and its answers are in {KEPT}",
            where=str(path),
            hint=f"{_way_back(path)}. Without that file, the run goes on with the journal as it is",
        )


def _way_back(path: Path) -> str:
    """Which command puts kept answers back."""
    kept, journal = (shlex.quote(str(path / name)) for name in (KEPT, JOURNAL))
    away = f"mv {journal} {shlex.quote(str(path / 'replaced'))} && " if _is_folder(path) else ""
    return (
        f"`{away}mv {kept} {journal}` puts them in place of what is there, and the same command "
        "then resumes the run"
    )


def _is_folder(path: Path) -> bool:
    return (path / JOURNAL).is_dir()


def _state(file: Path) -> tuple[int, ...] | None:
    """What tells whether a file was written since; None where it is not there."""
    try:
        state = guard.state_of(file)
    except OSError:  # it cannot be used, which reading it tells
        return ()
    if state is None:
        return None
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns
