"""What the output is: a terminal with its width, a pipe that may end, JSON alone (``--json``)."""

from __future__ import annotations

import json
import logging
import os
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import (
    AbstractContextManager,
    contextmanager,
    nullcontext,
    redirect_stdout,
    suppress,
)
from pathlib import Path
from typing import Any

from chef.common.printing import say, send_nowhere
from chef.errors import ConfigError


def terminal_width() -> int | None:
    """The columns of the terminal; None if the output goes elsewhere, where lines may be long."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def page_width() -> int:
    """The columns of the terminal, or of ``COLUMNS``; 80 through a pipe."""
    return shutil.get_terminal_size().columns


@contextmanager
def quiet_pipe() -> Iterator[None]:
    """Go on if the reader of the output (``| head``) has closed the pipe."""
    try:
        yield
    except BrokenPipeError:
        silence()


def silence() -> None:
    """Let everything that is still written, also at the end of the process, go nowhere."""
    send_nowhere(sys.stdout, sys.stderr)


def interrupt_when_ended() -> None:
    """Let what ends a process by its usual ways close the journal, as Ctrl-C does.

    Schedulers send SIGTERM, and a terminal that is closed SIGHUP, which ``nohup`` has ignored.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
        signal.signal(signal.SIGHUP, signal.default_int_handler)


def hear_interrupts() -> None:
    """Let Ctrl-C raise KeyboardInterrupt, where it ended the process until now (`chef_command`)."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:
        with suppress(ValueError):  # in a thread, where no signal arrives
            signal.signal(signal.SIGINT, signal.default_int_handler)


class Notes(logging.Handler):
    """Prints each log record as ``note: ...``, above the progress bar if there is one."""

    def emit(self, record: logging.LogRecord) -> None:
        from tqdm import tqdm

        from chef.common.printing import shown

        tqdm.write(f"note: {shown(self.format(record))}", sys.stderr)


@contextmanager
def notes_on_stderr() -> Iterator[None]:
    """Print log records of ``chef`` from level INFO up until the end of the block.

    They go nowhere else: libraries such as transformers give the root logger a handler, which would
    print every note a second time.
    """
    logger = logging.getLogger("chef")
    handler, level, propagates = Notes(), logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagates


#: Stands for standard output.
STDOUT = "-"
#: How the name of a file ends, unlike that of a run folder.
_SUFFIX = re.compile(r"\.(?!ya?ml$)[A-Za-z]+$")


def with_values_apart(arguments: Sequence[str]) -> list[str]:
    """The arguments, in which what follows ``--json`` is its file only if it can be one, and what
    follows ``--export`` its format only if it is a bare word.

    >>> with_values_apart(["--json", "Shapes/ppl-1", "q7"])
    ['--json=-', 'Shapes/ppl-1', 'q7']
    >>> with_values_apart(["RUN", "--json", "found.json"])
    ['RUN', '--json', 'found.json']
    >>> with_values_apart(["--export", "results/tiny/Shapes/ppl-1"])
    ['--export=', 'results/tiny/Shapes/ppl-1']
    """
    alone = {"--json": (f"--json={STDOUT}", _may_be_file), "--export": ("--export=", str.isalpha)}
    spelled = []
    for item, following in zip(arguments, [*arguments[1:], ""], strict=False):
        without, may_follow = alone.get(item, (item, bool))
        spelled.append(item if item in alone and may_follow(following) else without)
    return spelled


def _may_be_file(text: str) -> bool:
    named = text.startswith("/dev/") or _SUFFIX.search(text) is not None
    return text == STDOUT or (named and not text.startswith("--") and not Path(text).is_dir())


def check_outputs(*files: str | Path | None) -> None:
    """Refuse files that cannot be written, before anything is computed or asked.

    Raises ConfigError.
    """
    for path in (Path(file) for file in files if file is not None and not is_alone(str(file))):
        if path.is_dir():
            raise ConfigError(
                "is a folder", where=str(path), hint=f"name a file in it: {path / 'found.json'}"
            )
        if not path.parent.is_dir():
            raise ConfigError(
                f"there is no folder {path.parent}",
                where=str(path),
                hint=f"make it: mkdir -p {shlex.quote(str(path.parent))}",
            )
        if not path.exists() and not os.access(path.parent, os.W_OK):
            hint = "name a file in another folder"
            raise ConfigError(f"{path.parent} cannot be written to", where=str(path), hint=hint)


def is_alone(target: str | None) -> bool:
    """Whether JSON is all that standard output gets."""
    return target == STDOUT


def rest_of_output(target: str | None) -> AbstractContextManager[Any]:
    """A block whose output goes to standard error, where standard output gets JSON alone."""
    return redirect_stdout(sys.stderr) if is_alone(target) else nullcontext()


def put_json(target: str | None, content: Any) -> None:
    """Write plain data as JSON to a file, or to standard output; nowhere if ``target`` is None."""
    from chef.common.writing import write_json

    if is_alone(target):
        say(json.dumps(content, indent=2, ensure_ascii=False))
    elif target is not None:
        write_json(Path(target), content)


def tell_written(target: str | None, *files: Path | None) -> None:
    """Say which files were written: the one of ``--json`` and others."""
    with rest_of_output(target):
        for path in (*files, None if is_alone(target) else target):
            if path is not None:
                say(f"written: {path}")
