"""Attributes of faces by LAMM's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.classification import facial
from chef.metric.classification.facial import hair_colour
from chef.metric.upstream.choice import stored_text
from chef.metric.upstream.named_class import first_sense_entry
from chef.metric.upstream.wordnet import require_wordnet
from chef.reading.rules.chef_texts import no_or_not
from chef.reading.text import Reading


class LAMMFacialHair(facial.LAMMFacialHair):
    """A word of the answer is the colour or a name of its first sense (`names_first_sense`).

    Other colours in the answer do no harm. This needs NLTK's WordNet corpus.
    """

    policy = "LAMM words"

    def require(self, *, scored: bool | None) -> None:  # noqa: ARG002
        require_wordnet()

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is 1 or 0; ``parsed`` holds the colour if it is found."""
        return first_sense_entry(record, hair_colour(record))


class LAMMFacialSmile(facial.LAMMFacialSmile):
    """An answer with the word "no" or "not" means no smile, any other a smile (`no_or_not`)."""

    policy = "LAMM words"

    def read(self, record: dict[str, Any]) -> Reading[str]:
        return no_or_not(stored_text(record))
