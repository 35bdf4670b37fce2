"""Text recognition by ChEF's own rule."""

from __future__ import annotations

from typing import Any

from chef.metric.classification import ocr
from chef.metric.classification.ocr import score_words, true_words
from chef.metric.upstream.choice import stored_text
from chef.reading.rules.chef_texts import quoted_by_any


class SVTOCR(ocr.SVTOCR):
    """Apostrophes quote too (`quoted_by_any`), and punctuation is part of a word.

    The answer and the words of the image are compared in lower case.
    """

    policy = "ChEF quotes"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the share, 0 to 1; ``parsed`` lists the words of the answer."""
        text = quoted_by_any(stored_text(record))
        wanted = [word.lower() for word in true_words(record)]
        return score_words(wanted, text.lower().split(), text)
