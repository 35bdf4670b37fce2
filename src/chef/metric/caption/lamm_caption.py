"""LAMM's metrics of captions, under the names of the COCO caption server."""

from __future__ import annotations

from typing import Any

from chef.metric.base import Metric
from chef.metric.caption.caption import score_caption, word_metrics
from chef.reading.text import POLICY


class LAMMCaption(Metric):
    """Word overlap of captions with references, over all images together.

    Metrics:
        ``Bleu_1`` .. ``Bleu_4``, ``ROUGE_L``: 0 to 100; ``CIDEr``: 0 to 1000; as in `Caption`.
        ``METEOR``: no value, because it needs a Java program with tables of its own.

    Words come from `chef.reading.words.tokens` instead of the Penn Treebank tokenizer, which
    also needs Java, so values differ slightly from LAMM's.
    """

    primary = "CIDEr"
    policy = POLICY

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is ROUGE-L, in 0..1; ``parsed`` is the caption without reasoning."""
        return score_caption(record)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {**word_metrics(answers), "METEOR": None}
