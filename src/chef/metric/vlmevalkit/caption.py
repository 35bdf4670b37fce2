"""Captions by VLMEvalKit's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.caption import caption
from chef.metric.caption.caption import mean_percentage
from chef.metric.caption.cider import cider_d
from chef.metric.records import answer_text, required_references, scored_entry
from chef.metric.vlmevalkit.failures import FailuresAreAnswers
from chef.metric.vlmevalkit.overlap import ORDERS, corpus_bleu, rouge_l
from chef.reading.text import Reading
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import mean

Record = dict[str, Any]


class Caption(FailuresAreAnswers, caption.Caption):
    """``Bleu_1`` to ``Bleu_4``, ``ROUGE_L`` and ``CIDEr`` of texts as they are, times 100.

    Words are not tokenised: "dog." is not "dog", and "Dog" is not "dog". The scorers are those of
    the COCO caption toolkit; BLEU has no interval. A chain of thought is part of the caption.
    """

    policy = "VLMEvalKit raw words"

    def score_text(self, record: Record) -> dict[str, Any]:
        """The findings about a caption as it was written: ``rouge_l``, in 0..1."""
        references = required_references(record, "references in gt_answers")
        text = answer_text(record)
        found: Reading[str] = Reading(text, "text", text)
        rouge = rouge_l(text, references)
        return {**scored_entry(found, right=False), "metric_result": rouge, "rouge_l": rouge}

    def text_metrics(self, answers: list[Record]) -> dict[str, Estimate]:
        texts = [str(answer["parsed"]) for answer in answers]
        references = [required_references(answer) for answer in answers]
        bleu = corpus_bleu(texts, references) if texts else [None] * len(ORDERS)
        words = [[item.split() for item in targets] for targets in references]
        cider = undefined(n=len(answers))
        if texts:
            scores = cider_d([text.split() for text in texts], words)
            cider = mean(scores, clusters_of(answers), least=0)
        return {
            **{
                f"Bleu_{order}": Estimate(
                    None if value is None else 100 * value, len(texts), unit="0-100"
                )
                for order, value in zip(ORDERS, bleu, strict=True)
            },
            "ROUGE_L": mean_percentage(answers, "rouge_l"),
            "CIDEr": cider.scaled(100.0, "0-1000"),
        }
