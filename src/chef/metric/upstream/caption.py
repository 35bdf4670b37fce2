"""Captions by ChEF's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.caption import caption
from chef.metric.caption.caption import mean_percentage
from chef.metric.caption.overlap import sentence_bleu
from chef.metric.records import names, references_of
from chef.metric.upstream.choice import stored_text
from chef.metric.upstream.rouge import package_rouge_l, require_rouge
from chef.reading.rules.chef_texts import quoted_by_any
from chef.stats.estimate import Estimate


class Caption(caption.Caption):
    """``BLEU4`` and ``Rouge``: reasoning is part of the caption, and apostrophes quote too.

    Both are 0 to 100, the mean over images of the best value of these candidates: the caption, the
    text it quotes (`quoted_by_any`), and the sentences of that text. ``BLEU4`` is sentence BLEU-4,
    unsmoothed, of words that are separated by spaces and compared with case and punctuation;
    ``Rouge`` is that of the package ``rouge`` (`package_rouge_l`). They replace ``Bleu_1`` ..
    ``Bleu_4`` and ``ROUGE_L``; ``CIDEr`` and the metrics of objects are those of the corrected
    class. A chosen caption is correct if it is equal to a reference.
    """

    primary = "BLEU4"
    policy = "ChEF quotes"

    def require(self, *, scored: bool | None) -> None:
        if not scored:
            require_rouge()

    def is_right_caption(self, record: dict[str, Any], choice: int, right: set[int]) -> bool:  # noqa: ARG002
        """Whether the chosen caption is equal to a reference."""
        options = names(record, "options") or names(record, "choices")
        return options[choice] in map(str, references_of(record))

    def _candidates(self, record: dict[str, Any]) -> list[str]:
        """The texts of which the best one counts; blank ones are compared too, as in ChEF."""
        answer = stored_text(record)
        quotes = quoted_by_any(answer)
        return [answer, quotes, *quotes.split(".")]

    def score_text(self, record: dict[str, Any]) -> dict[str, Any]:
        """The findings of the corrected class, and ``bleu4`` and ``rouge``, in 0..1."""
        texts, references = self._candidates(record), [str(item) for item in references_of(record)]
        bare = [item.replace(".", "").split() for item in references]
        bleu = (sentence_bleu(text.split(), bare) for text in texts)
        rouge = (package_rouge_l(text, references) for text in texts)
        best = {"bleu4": max(bleu, default=0.0), "rouge": max(rouge, default=0.0)}
        return {**super().score_text(record), **best}

    def text_metrics(self, answers: list[dict[str, Any]]) -> dict[str, Estimate]:
        return {
            "BLEU4": mean_percentage(answers, "bleu4"),
            "Rouge": mean_percentage(answers, "rouge"),
            "CIDEr": super().text_metrics(answers)["CIDEr"],
        }
