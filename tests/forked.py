"""`chef eval` in a process of its own that does not import chef first.

The process is forked from one that has imported chef, and nothing of the tests: it can be killed,
it knows no plugin, and it starts in milliseconds.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from unittest.mock import patch

from chef.cli import main

#: What every command imports that asks a model.
_IMPORTED = ["chef.cli.evaluate", "chef.metric.vqa.accuracy"]


@cache
def _server() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_IMPORTED)
    # It imports the chef that the tests import, wherever that is.
    with patch.dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path))):
        forkserver.ensure_running()
    return context


def start(arguments: Sequence[str], folder: Path, told: Path, command: str = "eval") -> BaseProcess:
    """Start ``chef eval``, or another command, in a folder; a file takes its standard error."""
    given = ([command, *arguments], folder, dict(os.environ), told)
    process = _server().Process(target=_typed, args=given)
    process.start()
    return process


def run(arguments: Sequence[str], folder: Path, told: Path) -> tuple[int | None, str]:
    """Run ``chef eval`` in a folder: its exit code and its standard error, which a file takes."""
    process = start(arguments, folder, told)
    process.join(120)
    process.kill()
    process.join()
    return process.exitcode, told.read_text()


def _typed(arguments: list[str], folder: Path, variables: Mapping[str, str], told: Path) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    sys.exit(main(arguments))
