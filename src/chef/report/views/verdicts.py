"""Whether an answer is right, by what the metric gives for it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from chef.frozen import Frozen
from chef.metric.coverage import is_unparsed
from chef.report.sample_view import Verdict
from chef.types import Prediction, Status


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
