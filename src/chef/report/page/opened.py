"""A run as pages take it: what it is called, its views and its scores."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cached_property

from chef.errors import ChefError
from chef.guard.folder import names_in
from chef.metric.groups import COMMA
from chef.report.load import Run
from chef.report.page.content import SampleRow
from chef.report.sample_view import SampleView
from chef.report.views import Views
from chef.report.views.answers import is_read_as_text
from chef.report.views.thumbnails import Picture
from chef.run.command import ids_command
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


#: In-context examples of so many samples are chosen at once.
_AHEAD = 64


class Looked:
    """The views of a sample in every run of a page, quickest in the order of the rows."""

    def __init__(
        self, runs: Sequence[OpenedRun], rows: Sequence[SampleRow], on_sample: Callable[[], None]
    ) -> None:
        self._runs, self._on_sample = runs, on_sample
        self._ids = [row.id for row in rows]
        self._begins = {name: place for place, name in enumerate(self._ids) if place % _AHEAD == 0}

    def views(self, name: str) -> list[SampleView | None]:
        """The views of a sample; None for a run that has no answer to it."""
        if (place := self._begins.get(name)) is not None:
            for run in self._runs:
                run.views.prefetch(self._ids[place : place + _AHEAD])
        views = [
            run.views.of(name) if name in run.views.predictions else None for run in self._runs
        ]
        self._on_sample()
        return views

    def thumbnail(self, key: str) -> bytes | None:
        """The thumbnail of an image of any of the runs; None where there is none."""
        return next(filter(None, (run.views.thumbnail(key) for run in self._runs)), None)

    def picture(self, key: str) -> Picture | None:
        """An image of the views made last in full; None where it is not what the model saw."""
        return next(filter(None, (run.views.picture(key) for run in self._runs)), None)

    @property
    def commands(self) -> list[str]:
        """Of each run, the command that asks one of its samples again, but for the sample's id.

        Where the run does not tell its files, or is of somebody else, the one that shows it.
        """
        return [_command(run) for run in self._runs]


def _command(opened: OpenedRun) -> str:
    run = opened.run
    again = ids_command(run.environment) if run.record.is_trusted else ""
    return again or f"chef show {shlex.quote(str(run.folder))} --sample"
