"""The command line: ``chef eval`` (also ``python tools/eval.py``), ``chef score`` and others."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from chef.cli.arguments import parse
from chef.cli.failures import DONE, RUN_FAILED, exit_code, print_error
from chef.cli.options import EvalOptions
from chef.cli.terminal import hear_interrupts, notes_on_stderr, silence
from chef.common.printing import guarded_streams, open_standard_streams, say
from chef.common.redaction import remember
from chef.errors import ChefError, ConfigError
from chef.guard.secrets import of_arguments, of_environment


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code.

    0: done. 1: done, but some samples failed. 2: bad input; nothing was asked. 3: the run failed;
    journaled answers are kept, and the same command resumes the run.
    """
    open_standard_streams()
    try:
        with guarded_streams() as (output, _):
            try:
                code = _main(arguments)
            finally:
                output.flush()  # a closed pipe is noticed here, not at the end of the process
            return code if output.failure is None else _unwritten(output.failure, code)
    except BrokenPipeError:  # the reader, for example `| head`, closed the pipe
        silence()
        return DONE


def _main(arguments: Sequence[str]) -> int:
    remember([*of_environment(os.environ), *of_arguments(arguments)])
    traceback = bool(os.environ.get("CHEF_TRACEBACK"))
    try:
        options = parse(arguments)
    except (ChefError, OSError) as error:  # of a file that stands for other words
        print_error(error, traceback=traceback)
        return exit_code(error)
    traceback = getattr(options, "traceback", False) or traceback
    try:
        with notes_on_stderr():
            hear_interrupts()
            return _run(options)
    except Exception as error:
        if isinstance(error, BrokenPipeError) and _is_output(error):
            if not _asks(options):
                raise
            silence()  # the run stops where its progress cannot be shown; the answers are kept
            return RUN_FAILED
        print_error(error, traceback=traceback)
        return exit_code(error)
    except BaseException as error:
        return _ended_by_code(error, asks=_asks(options), traceback=traceback)


def _unwritten(failure: OSError, code: int) -> int:
    """Say that standard output could not be written; what the command did besides is done."""
    say(
        f"error: standard output cannot be written ({failure.strerror})\n"
        "  -> send it to another place; the same command shows a finished run again",
        sys.stderr,
    )
    return code or RUN_FAILED


def _ended_by_code(error: BaseException, *, asks: bool, traceback: bool) -> int:
    """Print why the command ends: Ctrl-C, SIGTERM, or ``sys.exit()`` in a user's file."""
    from chef.common.user_code import exit_error, is_interrupt

    if is_interrupt(error):
        say(f"\ninterrupted{'; the same command resumes the run' if asks else ''}", sys.stderr)
    else:
        print_error(exit_error(error, "a model, a plugin or a library"), traceback=traceback)
    return RUN_FAILED


def _run(options: EvalOptions | argparse.Namespace) -> int:
    # Imported here to keep --help fast.
    if isinstance(options, EvalOptions):
        if not options.list:
            return ask(options)
        options = argparse.Namespace(command="list", words=(), items=None)
    return _look(options)


def ask(options: EvalOptions) -> int:
    """Ask in the form that fits, and return the exit code; raises `chef.errors.ChefError`."""
    from chef.config.lookup import form_of

    try:
        Path.cwd()  # where paths begin
    except FileNotFoundError:
        what, hint = "the current folder is not there any more", "change to another one: cd FOLDER"
        raise ConfigError(what, hint=hint) from None
    forms = set() if options.race else {form_of(item) for item in options.recipe_cfg}
    if options.race or not forms.isdisjoint(("sweep", "suite")):
        from chef.cli import several  # what it loads is of no other form

        if options.race:
            return several.race(options)
        return several.sweep(options) if "sweep" in forms else several.ask_with_suites(options)
    from chef.cli.evaluate import evaluate, task

    return task(options) if forms == {"task"} else evaluate(options)


def _look(given: argparse.Namespace) -> int:
    """Run a command that asks no tested model: the function and module of its name."""
    if given.command == "list":
        from chef.cli.listing import list_ingredients, list_items

        if given.items is not None:
            return list_items(given.words, given.items)
        return list_ingredients(given.words)
    words = (*getattr(given, "answers", ()), *getattr(given, "runs", ()))
    if any("://" in str(item) for item in words):
        from chef.cli.stored import look

        return look(given)
    module = "looking" if given.command == "show" else given.command
    command = import_module(f"chef.cli.{module}")
    return int(getattr(command, given.command)(given))


def _is_output(error: BrokenPipeError) -> bool:
    """Whether the pipe of the output broke, and not one of a user's model."""
    from chef.common.user_code import user_place

    return user_place(error) is None


def _asks(options: EvalOptions | argparse.Namespace) -> bool:
    """Whether the command asks a model, so that it leaves a run that can go on."""
    if isinstance(options, EvalOptions):
        return not (options.list or options.dry_run)
    return getattr(options, "judge_cfg", None) is not None  # of `chef score --judge`


def console() -> None:
    """Entry point of the ``chef`` command."""
    if "_ARGCOMPLETE" in os.environ:  # the shell asks what may come next
        from chef.cli.completion import complete

        complete()
    sys.exit(main(sys.argv[1:]))
