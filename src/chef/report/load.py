"""Load a finished or unfinished run from its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.common.text import typed
from chef.errors import ConfigError, DataError
from chef.report.export.rows import rows_of
from chef.run.asked_data import without_removed
from chef.run.configuration import run_place, sample_len
from chef.run.journal import JOURNAL, load_predictions
from chef.run.reading import is_there, read_json
from chef.scoring.record import RunRecord
from chef.scoring.result import RESULTS, RunResult, frame, read_result
from chef.scoring.stopping import stopped_file
from chef.types import Prediction

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, repr=False)
class Run:
    """One run on disk. Loading a run never changes its files, and works while it is running.

    Attributes:
        record: the content of the folder, without the answers.
    """

    record: RunRecord

    @property
    def folder(self) -> Path:
        """The run folder."""
        return self.record.path

    @property
    def config(self) -> Mapping[str, Any]:
        """The effective configuration: ``model_cfg``, ``recipe_cfg``, ``run``, ``decided_by``."""
        return self.record.config

    @cached_property
    def predictions(self) -> list[Prediction]:
        """The latest answer to every sample, in the order of the rows (`without_removed`)."""
        predictions = load_predictions(self.folder / JOURNAL)
        return list(without_removed(self.folder, predictions).values())

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """One mapping for each answered sample, as ``chef show --export`` writes it; see `rows_of`.

        Raises:
            DataError: scores.jsonl is damaged.
        """
        return rows_of(self.record, self.predictions)

    def to_frame(self) -> DataFrame:
        """Return the samples as a pandas data frame: `rows`, with a row for each sample, in the
        order of the data; join frames by the column ``id``.

        Raises:
            DependencyError: pandas is not installed.
        """
        return frame(self.rows)

    @cached_property
    def environment(self) -> dict[str, Any]:
        """Versions, machine, fingerprints, and one entry per session; empty before the first."""
        return read_json(self.folder / "environment.json")

    @cached_property
    def report(self) -> RunResult:
        """The scores of the run's own metric.

        Raises:
            DataError: the run is not scored yet, or it has other answers since.
        """
        call = f"`chef score {typed(self.folder)}`"
        hint = f"finish the run with the same call, or score its answers: {call}"
        report = read_result(self.folder / RESULTS)
        if report is None:
            raise DataError("this run has no scores yet", where=str(self.folder), hint=hint)
        if self._has_other_answers(report):
            what = "the answers of this run have changed since it was scored"
            raise DataError(what, where=str(self.folder), hint=hint)
        return report

    def _has_other_answers(self, report: RunResult) -> bool:
        """Whether a later call has begun to ask more samples, or answers are gone."""
        scored = {str(entry["id"]) for entry in report.samples}
        answered = {item.sample_id for item in self.predictions}
        wanted = sample_len(self.config)
        # A run that was asked for fewer samples later keeps the answers to the others.
        more = wanted is None or wanted > report.coverage.total
        if report.stopped is not None and is_there(stopped_file(self.folder)):
            more = False  # answers to others are from an earlier call, or from one that was killed
        return bool(scored - answered) or (more and bool(answered - scored))

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}, {len(self.predictions)} predictions)"


def load_run(folder: str | Path | Run | RunResult, *, trust: bool = False) -> Run:
    """Read a run folder; the end of its path below ``results`` is enough.

    Args:
        folder: the folder, a run or its report. Nothing that it names is used by reading it.
        trust: whether what it names may be used later.

    Raises:
        DataError: the folder holds no run.
        ConfigError: config.yaml or results.json is unreadable.
    """
    if isinstance(folder, Run) or (isinstance(folder, RunResult) and folder.of_run):
        folder = folder.folder
    if not isinstance(folder, str | Path):
        is_of_file = isinstance(folder, RunResult)
        what = f"the report of {folder.model}" if isinstance(folder, RunResult) else repr(folder)
        hint = "its samples have the scores: report.samples" if is_of_file else None
        hint = hint or "give a run folder, a run or its report"
        raise ConfigError(f"{what} is no run", where="folder", hint=hint)
    return Run(RunRecord.load(run_place(Path(folder)), trust=trust))
