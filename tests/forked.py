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
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path

from chef.cli import main

#: What every command imports that asks a model.
_IMPORTED = ["chef.cli.evaluate", "chef.metric.vqa.accuracy"]


@cache
def _server() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_IMPORTED)
    return context


def start(arguments: Sequence[str], folder: Path, told: Path) -> BaseProcess:
    """Start ``chef eval`` in a folder; what it prints is in a file."""
    given = (list(arguments), folder, dict(os.environ), told)
    process = _server().Process(target=_typed, args=given)
    process.start()
    return process


def run(arguments: Sequence[str], folder: Path, told: Path) -> tuple[int | None, str]:
    """Run ``chef eval`` in a folder: its exit code, and what it printed."""
    process = start(arguments, folder, told)
    process.join(120)
    process.kill()
    process.join()
    return process.exitcode, told.read_text()


def _typed(arguments: list[str], folder: Path, variables: Mapping[str, str], told: Path) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    output = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(output, stream)
    sys.exit(main(["eval", *arguments]))
