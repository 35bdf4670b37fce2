"""The views of the samples of a page, made one after the other as the page is written."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

from chef.report.page.content import SampleRow
from chef.report.page.opened import OpenedRun
from chef.report.sample_view import SampleView
from chef.report.views.pictures import Picture
from chef.run.command import ids_command

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
