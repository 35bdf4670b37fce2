"""Captions by ChEF's own rules."""

from __future__ import annotations

from typing import Any

from chef.extraction.chef_rules.quotes import quoted_by_any
from chef.metric.caption import caption
from chef.metric.caption.caption import mean_percentage
from chef.metric.estimate import Estimate
from chef.metric.records import names, references_of
from chef.metric.upstream.choice import stored_text
from chef.metric.upstream.rouge import package_rouge_l, require_rouge


class Caption(caption.Caption):
    """``BLEU4`` and ``Rouge``: reasoning is part of the caption, and apostrophes quote too.

    See `quoted_by_any`. ``Rouge``, 0 to 100, is the mean over images of the best value of the
    package ``rouge`` (`package_rouge_l`), over the same candidates as ``BLEU4``. A chosen caption
    is correct if it is equal to a reference. All other metrics are those of the corrected class.
    """

    policy = "ChEF quotes"

    def require(self, *, scored: bool | None) -> None:
        if not scored:
            require_rouge()

    def is_right(self, record: dict[str, Any], choice: int, right: set[int]) -> bool:  # noqa: ARG002
        """Whether the chosen caption is equal to a reference."""
        options = names(record, "options") or names(record, "choices")
        return options[choice] in map(str, references_of(record))

    def readings(self, record: dict[str, Any]) -> tuple[str, str]:
        answer = stored_text(record)
        return answer, quoted_by_any(answer)

    def candidates(self, record: dict[str, Any]) -> list[str]:
        """The texts of which the best one counts; blank ones are compared too, as in ChEF."""
        whole, quotes = self.readings(record)
        return [whole, quotes, *quotes.split(".")]

    def best(self, record: dict[str, Any]) -> dict[str, float]:
        """``bleu4`` and ``rouge``, in 0..1."""
        references = [str(item) for item in references_of(record)]
        scores = (package_rouge_l(text, references) for text in self.candidates(record))
        return {**super().best(record), "rouge": max(scores, default=0.0)}

    def best_metrics(self, answers: list[dict[str, Any]]) -> dict[str, Estimate]:
        return {**super().best_metrics(answers), "Rouge": mean_percentage(answers, "rouge")}
