"""The command line: ``chef eval`` (also ``python tools/eval.py``), ``chef score`` and others."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from chef.cli.arguments import EvalOptions, parse
from chef.cli.notices import notes_on_stderr
from chef.errors import ChefError, ConfigError, DataError, RunError

DONE, SOME_FAILED, BAD_INPUT, RUN_FAILED = 0, 1, 2, 3


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code.

    0: done. 1: done, but some samples failed. 2: bad input; nothing was asked. 3: the run failed;
    journaled answers are kept, and the same command resumes the run.
    """
    options = parse(arguments)
    try:
        with notes_on_stderr():
            return _run(options)
    except (ConfigError, DataError) as error:
        return _print_error(error, BAD_INPUT)
    except ChefError as error:
        return _print_error(error, RUN_FAILED)
    except KeyboardInterrupt:
        print("\ninterrupted; the same command resumes the run", file=sys.stderr)
        return RUN_FAILED
    except BrokenPipeError:  # the reader, for example `| head`, closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:
        if os.environ.get("CHEF_TRACEBACK"):
            raise
        what = f"{type(error).__name__}: {error}"
        hint = "this is a bug; set CHEF_TRACEBACK=1 to see the traceback. Answers so far are kept"
        return _print_error(RunError(what, hint=hint), RUN_FAILED)


def _run(options: EvalOptions | argparse.Namespace) -> int:
    # Imported here to keep --help fast.
    if isinstance(options, EvalOptions):
        if not options.list:
            from chef.cli.evaluate import evaluate

            return evaluate(options)
        options = argparse.Namespace(command="list", words=())
    return _look(options)


def _look(given: argparse.Namespace) -> int:
    """Run a command that asks no model."""
    if given.command == "list":
        from chef.cli.listing import list_ingredients

        return list_ingredients(given.words)
    if given.command == "describe":
        from chef.cli.describe import describe

        return describe(given.name)
    if given.command == "prepare":
        from chef.cli.prepare import prepare

        return prepare(given)
    from chef.cli.score import score

    return score(given)


def _print_error(error: ChefError, code: int) -> int:
    from chef.config.secrets import redact

    print(f"error: {redact(str(error))}", file=sys.stderr)
    return code


def console() -> None:
    """Entry point of the ``chef`` command."""
    if "_ARGCOMPLETE" in os.environ:  # the shell asks what may come next
        from chef.cli.completion import complete

        complete()
    sys.exit(main(sys.argv[1:]))
