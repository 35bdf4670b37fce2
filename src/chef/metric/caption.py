"""How well does a caption describe the image?"""

from __future__ import annotations

from typing import Any

from chef.metric.accuracy import accuracy
from chef.metric.base import BaseMetric
from chef.metric.cider import cider_d
from chef.metric.estimate import Estimate, undefined
from chef.metric.extraction import POLICY, Extraction
from chef.metric.extraction.text import visible
from chef.metric.objects import named, object_figures
from chef.metric.overlap import BLEU_ORDERS, bleu_counts, corpus_bleu, rouge_l, tokens
from chef.metric.records import (
    answer_text,
    by_score,
    missing_truth,
    names,
    scored_choice,
    true_choices,
    truths,
    verdict_of,
)
from chef.metric.statistics import bootstrap_mean


class Caption(BaseMetric):
    """Captions against references and against the objects that are there.

    All word scores compare lower-case words without punctuation (`chef.metric.overlap.tokens`).

    Figures of written captions:
        ``BLEU1`` .. ``BLEU4``: corpus BLEU, 0 to 100, unsmoothed.
        ``ROUGE_L``: mean F1 of the longest common subsequence, best reference, 0 to 100.
        ``CIDEr``: mean CIDEr-D times 100, as commonly published, 0 to 1000. Needs two captions.
        ``object_recall``, ``object_precision``, ``object_exact``: see `object_figures`; only when
        samples list their ``objects``.

    Figures of captions chosen by their scores:
        ``ACC``: right captions chosen, in %; ``match_ratio``: 100.

    Intervals are bootstrapped over images; the rarity of n-grams in CIDEr stays that of all images.
    """

    primary = "CIDEr"

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the share of the objects that are named, else ROUGE-L, in 0..1.

        For a chosen caption it is 1 or 0. ``parsed`` is the caption without its reasoning.
        """
        choice = scored_choice(record)
        if choice is not None:
            right = true_choices(record)
            if not right:
                raise missing_truth(record, "gt_choice")
            return verdict_of(by_score(choice, record), right=choice in right)
        references = [str(item) for item in truths(record)]
        if not references:
            raise missing_truth(record, "references in gt_answers")
        text = visible(answer_text(record)).strip()
        found: Extraction[str] = Extraction(text or None, "text" if text else "none", text)
        rouge = rouge_l(tokens(text), [tokens(item) for item in references])
        judged = {**verdict_of(found, right=False), "metric_result": rouge, "rouge_l": rouge}
        objects = set(names(record, "objects"))
        if objects:
            right_names = named(text, objects)
            judged["objects_named"] = right_names
            judged["metric_result"] = len(right_names) / len(objects)
        return judged

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        chosen = [answer for answer in answers if answer.get("choice") is not None]
        written = [answer for answer in answers if answer.get("choice") is None]
        figures: dict[str, Any] = {}
        if written or not chosen:
            figures = {**_word_figures(written), **object_figures(written)}
        return {**figures, **(accuracy(chosen) if chosen else {}), "policy": POLICY}


def _word_figures(answers: list[dict[str, Any]]) -> dict[str, Estimate]:
    candidates = [tokens(answer["parsed"] or "") for answer in answers]
    references = [[tokens(str(item)) for item in truths(answer)] for answer in answers]
    counts = [bleu_counts(*pair) for pair in zip(candidates, references, strict=True)]
    rouge = bootstrap_mean([answer["rouge_l"] for answer in answers])
    cider = undefined(n=len(answers))
    if len(answers) > 1:
        cider = bootstrap_mean(cider_d(candidates, references))
    return {
        **{f"BLEU{order}": corpus_bleu(counts, order) for order in BLEU_ORDERS},
        "ROUGE_L": rouge.scaled(100.0, "0-100"),
        "CIDEr": cider.scaled(100.0, "0-1000"),
    }
