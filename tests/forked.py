"""Commands of Python as somebody types them, in a process each that need not import chef first.

`run` takes the place of `subprocess.run`, and `start` that of `subprocess.Popen`, for a command of
this Python: ``[sys.executable, "-m", "chef", ...]``, ``-c`` and the text of a program, or a script.
The process is forked from one that has imported torch, transformers and chef, and nothing of the
tests: it knows no plugin, has arguments, folder, variables and streams of its own, can be killed,
and starts in milliseconds. A test of what a command imports, or of how soon it starts, needs a
fresh process, and so does one of what a person has installed. Where tests run in several processes,
the one that starts them has the process to fork from, see `share`: it takes seconds to import.
"""

from __future__ import annotations

import atexit
import gc
import multiprocessing
import os
import random
import runpy
import subprocess
import sys
import tempfile
import threading
import types
from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from unittest.mock import patch

TESTS = Path(__file__).parent
#: What a command imports that asks the embedded model, and what already.py does.
_IMPORTED = [
    "torch",
    "transformers.models.llava.modeling_llava",
    "transformers.models.siglip.modeling_siglip",
    "transformers.models.llama.modeling_llama",
    "transformers.models.clip.image_processing_clip",
    "omegaconf",
    "chef.cli.evaluate",
    "already",
]
#: The variable of the environment with the address of the process that is shared.
_SHARED = "CHEF_TEST_FORKS_FROM"
#: Where a new process looks for modules after its own folder: not among those of the tests.
_PATH = [at for at in sys.path if Path(at) not in (TESTS, TESTS.parent, TESTS.parent / "tools")]


def share() -> None:
    """Let all processes that this one starts fork from one process, as long as this one lives."""
    _server()
    os.environ[_SHARED] = forkserver._forkserver._forkserver_address


@cache
def _server() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    if address := os.environ.get(_SHARED):
        server: Any = forkserver._forkserver
        server._forkserver_address = address
        server._forkserver_alive_fd = os.open(os.devnull, os.O_RDONLY)  # it lives without this one
        server.ensure_running = lambda: None
        return context
    context.set_forkserver_preload(_IMPORTED)
    # It imports the chef that the tests import, wherever that is.
    with patch.dict(os.environ, PYTHONPATH=os.pathsep.join([str(TESTS), *filter(None, _PATH)])):
        forkserver.ensure_running()
    return context


class Started:
    """A command that runs. Its streams go to files, which hold up no command."""

    def __init__(
        self, command: Sequence[str], cwd: Path | None, env: Mapping[str, str] | None
    ) -> None:
        assert command[0] == sys.executable
        self.command = list(command)
        with (
            tempfile.NamedTemporaryFile(delete=False) as out,
            tempfile.NamedTemporaryFile(delete=False) as err,
        ):
            self._files = Path(out.name), Path(err.name)
        variables = dict(os.environ if env is None else env)
        given = (self.command[1:], Path.cwd() if cwd is None else cwd, variables, self._files)
        self.process: BaseProcess = _server().Process(target=_typed, args=given)
        self.process.start()

    @property
    def pid(self) -> int:
        """The id of the process, which a signal may go to."""
        assert self.process.pid is not None
        return self.process.pid

    def poll(self) -> int | None:
        """The exit code, negative where a signal ended it; None while it runs."""
        return self.process.exitcode

    def kill(self) -> list[str]:
        """End it by SIGKILL if it still runs; what it wrote to its two streams."""
        self.process.kill()
        self.process.join()
        written = [file.read_text("utf-8", "replace") for file in self._files]
        for file in self._files:
            file.unlink()
        return written

    def wait(self, timeout: float = 300) -> subprocess.CompletedProcess[str]:
        """Wait until it ends.

        Raises:
            subprocess.TimeoutExpired: it took longer than so many seconds, and was killed.
        """
        self.process.join(timeout)
        code = self.process.exitcode
        out, err = self.kill()
        if code is None:
            raise subprocess.TimeoutExpired(self.command, timeout, out, err)
        return subprocess.CompletedProcess(self.command, code, out, err)


def start(
    command: Sequence[str], *, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Started:
    """Start a command of this Python in a folder, with these variables alone if there are any."""
    return Started(command, cwd, env)


def run(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 300,
    check: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a command of this Python, as `subprocess.run` does; its streams are texts.

    Raises:
        subprocess.CalledProcessError: it ended with another code than 0, and ``check`` is true.
        subprocess.TimeoutExpired: it took longer, and was killed.
    """
    done = start(command, cwd=cwd, env=env).wait(timeout)
    if check and done.returncode:
        sys.stderr.write(done.stderr)
        done.check_returncode()
    return done


def _typed(
    words: list[str], folder: Path, variables: Mapping[str, str], files: Sequence[Path]
) -> None:
    """Be the process of a command: the words after ``python``."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    for stream, file in enumerate(files, start=1):
        os.dup2(os.open(file, os.O_WRONLY), stream)
    gc.freeze()  # what was imported before is no garbage, and its pages stay those of all
    gc.get_freeze_count = lambda: 1  # counting them takes longer than to know
    os.fsync = lambda descriptor: None  # see conftest.py
    random.seed()
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed()
    try:
        _interpret(words)
    except SystemExit:
        raise
    except BaseException:
        sys.excepthook(*sys.exc_info())
        sys.exit(1)
    finally:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()


def _interpret(words: list[str]) -> None:
    """Do what Python does with its arguments."""
    kind, *rest = words
    ways = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    own = "" if kind == "-c" else str(Path.cwd() if kind == "-m" else Path(kind).parent.resolve())
    sys.path[:] = [own, *ways, *_PATH]
    if kind == "-c":
        code, *sys.argv[1:] = rest
        sys.argv[0] = "-c"
        main = sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(code, "<string>", "exec"), vars(main))
    elif kind == "-m":
        sys.argv[:] = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv[:] = words
        runpy.run_path(kind, run_name="__main__")
