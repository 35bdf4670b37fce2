"""Load a finished or unfinished run from its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from chef.errors import DataError
from chef.metric import Coverage, Estimate
from chef.report.run_report import RunReport
from chef.run.folder import JOURNAL, load_predictions, read_json
from chef.scoring.record import RunRecord
from chef.scoring.scoring import RESULTS
from chef.types import Prediction


@dataclass(frozen=True)
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
        """The latest answer to every sample, in the order of the journal."""
        return list(load_predictions(self.folder / JOURNAL).values())

    @cached_property
    def environment(self) -> dict[str, Any]:
        """Versions, machine, fingerprints, and one entry per session; empty before the first."""
        return read_json(self.folder / "environment.json")

    @cached_property
    def report(self) -> RunReport:
        """The scores of the run's own metric.

        Raises:
            DataError: the run is not scored yet.
        """
        if "metrics" not in self.record.results:
            raise DataError(
                "this run has no scores yet",
                where=str(self.folder),
                hint="finish the run with the same call, or score its answers with chef.score",
            )
        return report_of(self.folder / RESULTS, self.record.results)


def load_run(folder: str | Path) -> Run:
    """Read a run folder.

    Raises:
        DataError: the folder holds no run.
        ConfigError: config.yaml or results.json is unreadable.
    """
    return Run(RunRecord.load(Path(folder)))


def report_of(file: Path, results: Mapping[str, Any]) -> RunReport:
    """Read a report from a results file and the file of sample scores in the same folder."""
    scores = file.with_name(file.name.replace("results", "scores", 1)).with_suffix(".jsonl")
    lines = scores.read_bytes().splitlines() if scores.is_file() else []
    counts = {key: results["coverage"][key] for key in Coverage.__dataclass_fields__}
    return RunReport(
        recipe=results["recipe"],
        scenario=results["scenario"],
        model=file.resolve().parents[2].name,
        folder=file.parent,
        file=file,
        metrics={key: Estimate(**item) for key, item in results["metrics"].items()},
        primary=results["primary"],
        coverage=Coverage(**counts),
        random_accuracy=results["random_accuracy"],
        samples=[msgspec.json.decode(line) for line in lines],
        details=results["details"],
    )
