"""The views of the samples of one run, made when they are looked at, its lines, and verdicts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from chef.common.boxes import upright
from chef.common.judgements import Judging
from chef.common.options import letters, unlettered
from chef.document.outline import shorten_end
from chef.errors import ChefError, DataError, nearest
from chef.frozen import Frozen
from chef.guard.folder import state_of
from chef.image import Image
from chef.judge.stored import JUDGEMENTS, load_judging
from chef.metric.coverage import is_unparsed
from chef.report.export.rows import entries_of
from chef.report.load import Run
from chef.report.sample_view import BoxView, SampleView, Verdict
from chef.report.views.answers import (
    answers_of,
    confidence_of,
    effort_words,
    error_of,
    fields_of,
    judgements_of,
    plain,
)
from chef.report.views.conversation import Replayed, Replayer, as_journaled, as_sent
from chef.report.views.images import ImageList
from chef.report.views.received import receiver_of
from chef.report.views.thumbnails import Picture, Thumbnails, full
from chef.run.journal import JOURNAL
from chef.run.reading import is_there
from chef.scoring.result import RESULTS
from chef.scoring.run_folder import groupings_of
from chef.scoring.sample_line import exchange_of, option_texts
from chef.scoring.surroundings import load_evaluations
from chef.types import Prediction, Status


class Views:
    """What people see of the samples of a run; each view is made when it is asked for.

    Args:
        run: the run; none of its files but the thumbnails is changed.
        replay: gives the conversations as they were sent; None shows what the journal has.
        thumbnails: where small versions of the images are kept; None makes none.
        below: the folder of the page, for relative links to images in it.
    """

    def __init__(
        self,
        run: Run,
        replay: Replayer | None = None,
        thumbnails: Thumbnails | None = None,
        below: Path | None = None,
    ) -> None:
        self.run, self._replay, self._thumbnails, self._below = run, replay, thumbnails, below
        self._images: Mapping[str, Image] = {}

    @cached_property
    def predictions(self) -> Mapping[str, Prediction]:
        """The answers by sample id, in the order of the journal."""
        return {item.sample_id: item for item in self.run.predictions}

    @cached_property
    def entries(self) -> Mapping[str, Mapping[str, Any]]:
        """The lines of scores.jsonl by sample id, without those of answers changed since.

        Raises:
            DataError: the file is damaged.
        """
        return entries_of(self.run.folder / RESULTS, self.run.predictions)

    def of(self, sample_id: str) -> SampleView:
        """The view of a sample.

        Raises:
            DataError: the run has no answer to such a sample.
        """
        prediction, entry = self.prediction(sample_id), self.entries.get(sample_id, {})
        replayed = Replayed() if self._replay is None else self._replay(prediction)
        images = ImageList(
            prediction, replayed.sample, self._thumbnails, below=self._below, asked=self._asked,
            opens=self.run.record.is_trusted, received=self._received,
        )  # fmt: skip
        if replayed.exchanges:
            messages = as_sent(replayed.exchanges, images, prediction)
        else:
            messages = as_journaled(prediction, images)
        self._images = images.by_key
        notes = [replayed.note, *images.notes]
        return SampleView(
            id=sample_id,
            status=str(prediction.status),
            verdict=self.verdicts[sample_id],
            score=score_of(entry),
            messages=messages,
            note="; ".join(filter(None, notes)),
            images=images.views(boxes_of(prediction.to_record(), entry)),
            answers=answers_of(prediction, entry),
            judgements=judgements_of(
                self._judged(sample_id), entry, self._evaluations.get(sample_id, ())
            ),
            fields=fields_of(prediction, entry, self.groupings),
            confidence=confidence_of(prediction),
            error=error_of(prediction, entry),
            effort=effort_words(prediction),
        )

    @cached_property
    def verdicts(self) -> Mapping[str, Verdict]:
        """What became of each answer, by sample id; DataError as `entries`."""
        result = self.run.record.result
        figure = None if result is None else result.figure
        is_up = True if figure is None else figure.higher_is_better
        scale = ScoreScale.of(self.entries.values(), is_up)
        return {
            name: scale.verdict(item, self.entries.get(name, {}))
            for name, item in self.predictions.items()
        }

    def prefetch(self, ids: Iterable[str]) -> None:
        """Prepare for the views of several samples, where that is faster than one by one."""
        if self._replay is not None:
            self._replay.prefetch([name for name in ids if name in self.predictions])

    def thumbnail(self, key: str) -> bytes | None:
        """The thumbnail of an image of a view that was made, as WebP; None where there is none."""
        return None if self._thumbnails is None else self._thumbnails.read(key)

    def picture(self, key: str) -> Picture | None:
        """An image of the view made last, in full; None where it is not what the model saw."""
        image = self._images.get(key)
        try:
            return full(image) if image is not None and image.digest == key else None
        except ChefError:
            return None

    @cached_property
    def groupings(self) -> Mapping[str, str]:
        """The field of the samples that each grouping stands for, such as ``category``."""
        return groupings_of(self.run.record)

    @cached_property
    def _asked(self) -> float:
        """When the last answer was written, in seconds; infinite where that is not known."""
        state = state_of(self.run.folder / JOURNAL)
        return math.inf if state is None else state.st_mtime

    @cached_property
    def _received(self) -> Callable[[int, int], str]:
        return receiver_of(self.run.config.get("model_cfg") or {})

    @cached_property
    def _judging(self) -> Judging | None:
        if not is_there(self.run.folder / JUDGEMENTS):
            return None
        return load_judging(self.run.folder, self.run.predictions)

    def _judged(self, sample_id: str) -> Sequence[Any]:
        return () if self._judging is None else self._judging.judgements.get(sample_id, ())

    @cached_property
    def _evaluations(self) -> Mapping[str, Sequence[tuple[str, Any]]]:
        return load_evaluations(self.run.folder)

    def prediction(self, sample_id: str) -> Prediction:
        """The answer to a sample; DataError, with ids that may be meant, if there is none."""
        found = self.predictions.get(sample_id)
        if found is None:
            raise DataError(
                f"there is no answer to a sample '{sample_id}'",
                where=str(self.run.folder),
                hint=_hint(sample_id, self.predictions),
            )
        return found


def views_of(
    run: Run,
    replay: Replayer | None = None,
    below: Path | None = None,
    thumbnails: Path | None = None,
) -> Views:
    """The views of the samples of a run, with thumbnails that are kept for the next page.

    Args:
        run: the run.
        replay: gives the conversations as they were sent; None shows what the journal has.
        below: the folder of the page, for relative links to images in it.
        thumbnails: the folder in which they are kept; None: that of the run.
    """
    return Views(run, replay, Thumbnails(thumbnails or run.folder), below)


def _hint(sample_id: str, known: Iterable[str]) -> str:
    """The ids that may be meant."""
    names = list(known)
    parts = [name for name in names if sample_id and sample_id.lower() in name.lower()]
    if parts:
        more = f", and {len(parts) - 5} more" if len(parts) > 5 else ""
        return f"did you mean one of these: {', '.join(parts[:5])}{more}?"
    near = nearest(sample_id, names)
    if near.startswith("did"):
        return near
    return f"ids of this run are for example {', '.join(names[:3])}" if names else "it has none"


def boxes_of(record: Mapping[str, Any], entry: Mapping[str, Any]) -> list[BoxView]:
    """The boxes of the reference answer, then those that the metric read in the answer.

    Of ``gt_answers`` and of ``parsed`` what has the form ``{label, bbox}``, ``bbox`` in shares of
    width and height.
    """
    references = [*_boxes(record.get("gt_answers"), is_reference=True)]
    return [*references, *_boxes(entry.get("parsed"), is_reference=False)]


def _boxes(items: Any, *, is_reference: bool) -> Iterator[BoxView]:
    for item in items if isinstance(items, list) else []:
        corners = item.get("bbox") if isinstance(item, Mapping) else None
        if not isinstance(corners, list) or not all(isinstance(n, int | float) for n in corners):
            continue
        box = upright(corners)
        if box is None or min(box) > 1 or max(box) < 0:
            continue
        left, top, right, bottom = (min(max(number, 0.0), 1.0) for number in box)
        yield BoxView((left, top, right, bottom), str(item.get("label") or ""), is_reference)


#: So many characters of a text are shown.
_SHOWN = 60


class ListTexts(NamedTuple):
    """The beginnings of what a sample is about; several turns have a stroke between them."""

    id: str
    question: str
    answer: str
    parsed: str
    truth: str
    verdict: str


def listed(views: Views, sample_id: str) -> ListTexts:
    """The line of a sample; DataError if the run has no answer to such a sample."""
    prediction = views.prediction(sample_id)
    answers = answers_of(prediction, views.entries.get(sample_id, {}))
    record = prediction.to_record()
    question, texts = exchange_of(record).question, option_texts(record)
    options = dict(zip(letters(len(texts)), texts, strict=True))
    asked = [
        unlettered(plain(one), options)[1] if options else plain(one)
        for one in (question if isinstance(question, list) else [question])
    ]
    message = str((prediction.error or {}).get("message", ""))
    return ListTexts(
        sample_id,
        _short(" | ".join(asked)),
        _short(" | ".join(item.text for item in answers) or message),
        _short(" | ".join(filter(None, (item.parsed for item in answers)))),
        _short(" | ".join(item.truth for item in answers)),
        views.verdicts[sample_id],
    )


def _short(text: str) -> str:
    return shorten_end(" ".join(text.split()), _SHOWN)


def score_of(entry: Mapping[str, Any]) -> float | None:
    """The score of a sample by its line of scores.jsonl; None where it has no finite one.

    >>> score_of({"metric_result": True}), score_of({"metric_result": "high"})
    (1.0, None)
    """
    value = entry.get("metric_result", entry.get("score"))
    if not isinstance(value, bool | int | float) or not math.isfinite(value):
        return None
    return float(value)


class ScoreScale(Frozen):
    """What the scores of a run mean; ``best`` is that of a right answer, 1 or 0, or None.

    A score of 1 is right and one of 0 is wrong if all scores of the run are within 0 to 1 and more
    is better; the other way round if less is better. Scores of other ranges (ratings, distances,
    the numbers of CIDEr) and those of which neither direction is better have no right and wrong:
    all of them are ``partly``, whatever their value.
    """

    best: float | None = 1.0

    @classmethod
    def of(cls, entries: Iterable[Mapping[str, Any]], higher_is_better: bool | None) -> ScoreScale:
        """The scale of a run, by its lines of scores.jsonl and the direction of the main metric."""
        scores = (score_of(entry) for entry in entries)
        if higher_is_better is None or any(item and not 0 <= item <= 1 for item in scores):
            return cls(None)
        return cls(1.0 if higher_is_better else 0.0)

    def verdict(self, prediction: Prediction, entry: Mapping[str, Any]) -> Verdict:
        """What became of an answer, by its line of scores.jsonl (which may be empty)."""
        if Status.ERROR in (prediction.status, entry.get("status")):
            return "error"
        if prediction.status is Status.REFUSED:
            return "refused"
        if not entry or {"no_truth", "unjudged", "skipped"} & entry.keys():
            return "unscored"
        return "unread" if is_unparsed(entry) else self._of_score(score_of(entry))

    def _of_score(self, score: float | None) -> Verdict:
        if score is None:
            return "unscored"
        if self.best is None or 0 < score < 1:
            return "partly"
        return "right" if score == self.best else "wrong"
