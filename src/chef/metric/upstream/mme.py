"""MME by ChEF's own rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from chef.extraction.chef_rules import substring_verdict
from chef.extraction.text import Extraction
from chef.metric.upstream.choice import stored_text
from chef.metric.vqa import mme


class MMEVQA(mme.MMEVQA):
    """Texts are read by `substring_verdict`, and an image of one question counts as a pair."""

    policy = "ChEF substrings"

    def read(self, record: dict[str, Any]) -> Extraction[str]:
        return substring_verdict(stored_text(record))

    def pairs(self, images: Iterable[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
        """All images, however many of their questions were scored."""
        return list(images)
