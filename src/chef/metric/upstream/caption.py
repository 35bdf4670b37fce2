"""Captions by ChEF's own rule."""

from __future__ import annotations

from chef.extraction.chef_rules import quoted_by_any
from chef.metric.caption import caption


class Caption(caption.Caption):
    """``BLEU4`` and ``Rouge``: reasoning is part of the caption, and apostrophes quote too.

    See `quoted_by_any`. All other metrics are those of the corrected class.
    """

    def readings(self, answer: str) -> tuple[str, str]:
        return answer, quoted_by_any(answer)
