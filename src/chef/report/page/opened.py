"""A run as pages take it: what it is called, its views and its scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cached_property

from chef.errors import ChefError
from chef.guard.folder import names_in
from chef.metric.groups import COMMA
from chef.report.load import Run
from chef.report.views import Views
from chef.report.views.answers import is_read_as_text
from chef.scoring.result import RESULTS, RunResult, read_result
from chef.stats.estimate import Estimate


@dataclass(frozen=True)
class OpenedRun:
    """A run of a page: its label, and the views of its samples."""

    label: str
    views: Views

    @property
    def run(self) -> Run:
        """The run itself."""
        return self.views.run

    @cached_property
    def _scores(self) -> tuple[RunResult | None, str]:
        try:
            return self.run.report, ""
        except ChefError as error:
            return None, f"{error.what}: {error.hint}" if error.hint else error.what

    @property
    def report(self) -> RunResult | None:
        """The scores; None where the run is not scored, or has other answers since."""
        return self._scores[0]

    @property
    def why_unscored(self) -> str:
        """Why there is no report; empty where there is one."""
        return self._scores[1]

    @cached_property
    def others(self) -> list[RunResult]:
        """The scores of later calls: by another metric, or by judges that were asked afterwards."""
        own = self.report.all_metrics if self.report else []
        known = {RESULTS, *(item.file.name for item in own)}
        names = (name for name in names_in(self.run.folder) if fnmatch(name, "results_*.json"))
        files = [self.run.folder / name for name in names if name not in known]
        return [result for file in files if (result := read_result(file)) is not None]

    @cached_property
    def reads_options(self) -> bool:
        """Whether the metric reads answers to questions with options as one of these."""
        views = self.views
        return not any(
            is_read_as_text(item.to_record(), views.entries.get(name, {}))
            for name, item in views.predictions.items()
        )

    @property
    def primary(self) -> Estimate | None:
        """The main figure; None where there is none."""
        return self.report.metrics.get(self.report.primary) if self.report else None

    @cached_property
    def groupings(self) -> Mapping[str, str]:
        """The field of the samples that each grouping stands for, without crossings of several."""
        known = self.views.groupings.items()
        return {name: field for name, field in known if COMMA not in field}
