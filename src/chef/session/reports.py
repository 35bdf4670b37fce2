"""What the Python interface returns of several runs, and takes as a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chef.errors import ConfigError
from chef.report.load import Run
from chef.run.finding import run_place
from chef.scoring.result import RunResult, table
from chef.session.checking import RecipeFailure


class Reports(list[RunResult]):
    """The reports of several runs: all recipes of the first model, then of the next.

    Attributes:
        failures: the models and recipes without a report, each with its ``error``; only with
            ``keep_going`` there are any.
    """

    failures: Sequence[RecipeFailure] = ()

    def __str__(self) -> str:
        return table(self)


def place_of(answers: str | Path | Run | RunResult) -> Path:
    """Return the run folder, also where the end of its path is given, or the file of answers."""
    if isinstance(answers, RunResult) and not answers.of_run:
        return Path(answers.model)
    if isinstance(answers, Run | RunResult):
        return answers.folder
    if not isinstance(answers, str | Path):
        raise ConfigError(
            f"{answers!r} holds no answers",
            where="answers",
            hint="give a run folder, a file of answers, a run or its report",
        )
    return run_place(Path(answers))
