"""A run as pages take it, the views of its samples, and the list of samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cached_property
from typing import Any

from chef.common.options import letters
from chef.common.text import typed
from chef.document.outline import shorten_end
from chef.errors import ChefError
from chef.guard.folder import names_in
from chef.metric.groups import COMMA, label_of, natural
from chef.report.load import Run
from chef.report.page.content import RunCell, SampleRow
from chef.report.sample_view import SampleView
from chef.report.views import Views
from chef.report.views.answers import choice_of, confidence_of, is_read_as_text, reference_of
from chef.report.views.conversation import IMAGE_MARK
from chef.report.views.thumbnails import Picture
from chef.run.environment import ids_command
from chef.scoring.errors import ErrorGroup, group_errors
from chef.scoring.result import RESULTS, RunResult, read_result
from chef.scoring.sample_line import chosen_option, exchange_of, option_texts, right_options
from chef.stats.estimate import Estimate
from chef.types import Prediction, Status


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

    @cached_property
    def letters(self) -> Mapping[str, tuple[str, str]]:
        """Letters of right and chosen option by sample; empty where there is none, or no one."""
        views = self.views
        return {
            name: _letters(item.to_record(), views.entries.get(name, {}))
            for name, item in views.predictions.items()
        }

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
    return again or f"chef show {typed(run.folder)} --sample"


#: The list shows so many characters of a text; the sample itself shows all.
_SHOWN = 200
#: Fields of the rows beside those by which the scores are grouped.
ERROR, STATUS, RIGHT, CHOSEN = "error", "status", "right option", "chosen option"


def rows_of(runs: Sequence[OpenedRun]) -> list[SampleRow]:
    """A row for each sample that any of the runs has answered, in the order of their ids."""
    ids = {name for run in runs for name in run.views.predictions}
    causes = [_causes(run) for run in runs]
    return [_row(name, runs, causes) for name in sorted(ids, key=natural)]


def cause(group: ErrorGroup) -> str:
    """What a group of failed samples is called in the list and in tables."""
    message = " ".join(group.message.split())
    named = message if message.startswith(group.type) else f"{group.type}: {message}"
    return shorten_end(named, 80)


def _letters(record: dict[str, Any], entry: Mapping[str, Any]) -> tuple[str, str]:
    texts = option_texts(record)
    if not 2 <= len(texts) <= 26 or "turn_answer" in record:
        return "", ""
    names = letters(len(texts))
    right, chosen = right_options(record), chosen_option(record, entry)
    return names[right[0]] if len(right) == 1 else "", "" if chosen is None else names[chosen]


def _causes(run: OpenedRun) -> dict[str, str]:
    """The cause of each failed sample."""
    entries = [
        run.views.entries.get(name) or _entry(item) for name, item in run.views.predictions.items()
    ]
    return {name: cause(group) for group in group_errors(entries) for name in group.ids}


def _entry(prediction: Prediction) -> dict[str, Any]:
    """What there is to be said of an answer that is not scored."""
    entry = {"id": prediction.sample_id, "status": str(prediction.status)}
    return {**entry, "error": prediction.error} if prediction.error else entry


def _row(name: str, runs: Sequence[OpenedRun], causes: Sequence[Mapping[str, str]]) -> SampleRow:
    first = next(run for run in runs if name in run.views.predictions)
    record = first.views.predictions[name].to_record()
    exchange = exchange_of(record)
    fields = dict(_fields(name, first, is_alone=len(runs) == 1))
    if failed := next((cause[name] for cause in causes if name in cause), ""):
        fields[ERROR] = failed
    return SampleRow(
        id=name,
        question=shorten_end(_text(exchange.question).replace(IMAGE_MARK, "").strip(), _SHOWN),
        truth=shorten_end(reference_of(record), _SHOWN),
        fields=fields,
        runs=[_cell(name, run) for run in runs],
    )


def _fields(name: str, run: OpenedRun, *, is_alone: bool) -> Iterator[tuple[str, str]]:
    """What a sample can be filtered by; of a page of one run also by what became of it."""
    prediction = run.views.predictions[name]
    for grouping, field in run.groupings.items():
        if label := label_of(prediction.sample.get(field)):
            yield grouping, label
    if is_alone and prediction.status in (Status.TRUNCATED, Status.REFUSED):
        yield STATUS, str(prediction.status)
    right, chosen = run.letters[name] if run.reads_options else ("", "")
    if right:
        yield RIGHT, right
    if chosen and is_alone:
        yield CHOSEN, chosen


def _cell(name: str, run: OpenedRun) -> RunCell | None:
    prediction = run.views.predictions.get(name)
    if prediction is None:
        return None
    entry, record = run.views.entries.get(name, {}), prediction.to_record()
    score = entry.get("score")
    failed = str((prediction.error or {}).get("message", ""))
    return RunCell(
        verdict=run.views.verdicts[name],
        score=float(score) if isinstance(score, int | float) else None,
        confidence=confidence_of(prediction),
        answer=shorten_end(
            choice_of(record, entry) or _text(exchange_of(record).answer) or failed, _SHOWN
        ),
    )


def _text(item: Any) -> str:
    """A text, or those of several turns or references."""
    if isinstance(item, list | tuple):
        return " | ".join(_text(one) for one in item)
    if isinstance(item, Mapping):
        return " ".join(_text(one) for one in item.values())
    return "" if item is None else str(item)
