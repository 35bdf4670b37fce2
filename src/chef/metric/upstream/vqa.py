"""Multiple choice by ChEF's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.upstream.choice import score_choice
from chef.metric.vqa import vqa, vqa_calibration
from chef.reading.rules.chef_options import LETTERS


class VQA(vqa.VQA):
    """Scored options and texts, with their chain of thought, are all read by `cascade`."""

    policy = "ChEF cascade"
    _letters = LETTERS

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option; ``match`` is ``option`` or ``content``."""
        return score_choice(record, known=self._letters, content_only=self.content_only)


class VQACalibration(vqa_calibration.VQACalibration, VQA):
    """Calibration of answers that are read as in `VQA`.

    Answers of one confidence are cut into bins as the data has them.
    """

    splits_ties = True
