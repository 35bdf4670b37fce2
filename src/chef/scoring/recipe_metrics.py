"""The metrics of a recipe, applied to the answers of a run folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from chef.errors import RunError
from chef.run.rehearsal import Rehearsal, check_kinds, check_metric
from chef.scoring.scoring import MetricRun, suffixes

if TYPE_CHECKING:
    from chef.common.judgements import Judging
    from chef.inferencer import Inferencer
    from chef.metric import Metric
    from chef.run.folder import RunFolder
    from chef.scoring.result import RunResult
    from chef.types import Prediction


class RecipeMetrics:
    """Every metric of a recipe, the main one first, and the fields by which samples are grouped."""

    def __init__(self, runs: Sequence[MetricRun], groupings: Mapping[str, str]) -> None:
        self._runs, self.groupings = runs, groupings
        self._suffixes = suffixes([run.spec.name for run in runs])

    @property
    def label(self) -> str:
        """``scenario/recipe``."""
        return self._runs[0].label

    @property
    def main(self) -> Metric:
        """The main metric."""
        return self._runs[0].metric

    @property
    def all(self) -> list[Metric]:
        """Every metric, the main one first."""
        return [run.metric for run in self._runs]

    @property
    def names(self) -> str:
        """The names of all metrics, for messages."""
        return ", ".join(run.spec.name for run in self._runs)

    def require(self, inferencer: Inferencer) -> None:
        """Check that every metric can score answers of the inferencer here; ConfigError if not."""
        for run in self._runs:
            check_kinds(inferencer, run.metric)
            run.metric.require(scored=inferencer.scores_options)

    def rehearse(self, rehearsal: Rehearsal) -> str:
        """Score a rehearsed answer by every metric; return a notice, which may be empty."""
        notices = [check_metric(run.metric, rehearsal) for run in self._runs]
        return next(filter(None, notices), "")

    def take_readings(self, folder: RunFolder) -> None:
        """Take how the answers of a folder were read at the last scoring, if by this user."""
        from chef.scoring.result import RESULTS

        if folder.is_own:
            for run, suffix in zip(self._runs, self._suffixes, strict=True):
                run.take_readings(folder.path / RESULTS.replace(".", f"{suffix}."))

    def score(
        self,
        folder: RunFolder,
        predictions: Sequence[Prediction],
        expected: int,
        judging: Judging | None = None,
    ) -> RunResult:
        """Score answers by every metric and write the files of each; return those of the main one.

        A metric that fails as a whole stops none of the others; then RunError is raised.
        """
        from chef.run.journal import JOURNAL
        from chef.scoring.result import RESULTS

        folder.check()
        self.take_readings(folder)
        part = f"_{expected}_samples" if folder.is_subset else ""
        done: list[tuple[MetricRun, RunResult]] = []
        failures: list[RunError] = []
        for run, suffix in zip(self._runs, self._suffixes, strict=True):
            try:
                report = run.score(predictions, expected, folder.path, judging)
            except RunError as error:
                failures.append(error)
                continue
            file = folder.path / RESULTS.replace(".", f"{suffix}{part}.")
            done.append((run, run.result(report, file=file, answer_path=JOURNAL)))
        others = [result for _, result in done[1:]]
        files = [result.file for result in others]
        for run, result in done:
            is_main = run is self._runs[0]
            run.write_files(result.with_further(others, files) if is_main else result)
        if failures:
            raise failures[0]
        return done[0][1].with_further(others, files)
