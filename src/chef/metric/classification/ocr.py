"""Are the words in the picture read?"""

from __future__ import annotations

import string
from typing import Any

from chef.extraction import POLICY
from chef.extraction.quotes import quoted
from chef.metric.base import BaseMetric
from chef.metric.records import answer_text, missing_truth, truths
from chef.metric.statistics import bootstrap_mean
from chef.types import Compat


class SVTOCR(BaseMetric):
    """Share of the words of the picture that are in the answer.

    The answer is what stands between double quotes, all of it without any; words are compared in
    lower case and without punctuation at their ends.

    Figures:
        ``ACC``: mean share over pictures, 0 to 1.

    Args:
        dataset_name: the name of the scenario.
        compat: ``upstream``: apostrophes quote too, and punctuation belongs to the word.
    """

    primary = "ACC"

    def __init__(self, dataset_name: str = "", compat: Compat = "corrected") -> None:
        super().__init__(dataset_name)
        self.compat = compat

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the share, 0 to 1; ``parsed`` the words read."""
        wanted = [self._plain(str(word)) for word in truths(record)]
        if not wanted:
            raise missing_truth(record, "words in gt_answers")
        said = quoted(answer_text(record), self.compat)
        words = [word for word in map(self._plain, said.split()) if word]
        return {
            "metric_result": sum(word in words for word in wanted) / len(wanted),
            "parsed": words or None,
            "evidence": {"rule": "words", "text": said, "span": None},
        }

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        shares = [answer["metric_result"] for answer in answers]
        return {"ACC": bootstrap_mean(shares, unit="0-1"), "policy": POLICY}

    def _plain(self, word: str) -> str:
        lower = word.lower()
        return lower if self.compat == "upstream" else lower.strip(string.punctuation)
