"""The command line: ``chef eval``, which is ``python tools/eval.py``, and ``chef score``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from chef.cli.arguments import EvalOptions, parse
from chef.cli.notices import notes_on_stderr
from chef.errors import ChefError, ConfigError, DataError, RunError

DONE, SOME_FAILED, BAD_INPUT, CANNOT_GO_ON = 0, 1, 2, 3


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code.

    0: done. 1: done, and some samples failed. 2: bad input; nothing was asked. 3: the run could
    not go on; what was journaled stays, and the same command resumes.
    """
    options = parse(arguments)
    try:
        with notes_on_stderr():
            return _run(options)
    except (ConfigError, DataError) as error:
        return _tell(error, BAD_INPUT)
    except ChefError as error:
        return _tell(error, CANNOT_GO_ON)
    except KeyboardInterrupt:
        print("\ninterrupted; the same command resumes the run", file=sys.stderr)
        return CANNOT_GO_ON
    except BrokenPipeError:  # the reader (`| head`) has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:
        if os.environ.get("CHEF_TRACEBACK"):
            raise
        what = f"{type(error).__name__}: {error}"
        hint = "this should not happen: CHEF_TRACEBACK=1 shows where; answers so far are kept"
        return _tell(RunError(what, hint=hint), CANNOT_GO_ON)


def _run(options: EvalOptions | argparse.Namespace) -> int:
    # Imported here, so that --help stays instant.
    if not isinstance(options, EvalOptions):
        from chef.cli.score import score

        return score(options)
    from chef.cli.evaluate import evaluate
    from chef.cli.listing import list_ingredients

    return list_ingredients() if options.list else evaluate(options)


def _tell(error: ChefError, code: int) -> int:
    from chef.config.secrets import redact

    print(f"error: {redact(str(error))}", file=sys.stderr)
    return code


def console() -> None:
    """Entry point of the ``chef`` command."""
    sys.exit(main(sys.argv[1:]))
