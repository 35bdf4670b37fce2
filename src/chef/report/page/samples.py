"""The list of samples of a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chef.common.options import letters
from chef.document.outline import shorten_end
from chef.metric.groups import label_of, natural
from chef.report.page.content import RunCell, SampleRow
from chef.report.page.opened import OpenedRun
from chef.report.views.answers import choice_of, confidence_of, reference_of
from chef.report.views.conversation import IMAGE_MARK
from chef.scoring.errors import ErrorGroup, group_errors
from chef.scoring.sample_line import chosen_option, exchange_of, option_texts, right_options
from chef.types import Prediction, Status

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


def option_letters(run: OpenedRun, name: str) -> tuple[str, str]:
    """The letters of the right and of the chosen option; empty where there is none, or no one."""
    prediction = run.views.predictions[name]
    record = prediction.to_record()
    texts = option_texts(record)
    if not 2 <= len(texts) <= 26 or "turn_answer" in record:
        return "", ""
    names = letters(len(texts))
    right, chosen = right_options(record), chosen_option(record, run.views.entries.get(name, {}))
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
    right, chosen = option_letters(run, name) if run.reads_options else ("", "")
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
        verdict=run.views.verdict(name),
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
