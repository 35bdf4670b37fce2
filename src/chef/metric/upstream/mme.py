"""MME by ChEF's own rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from chef.metric.upstream.choice import stored_text
from chef.metric.vqa import mme
from chef.reading.rules.chef_texts import substring_verdict
from chef.reading.text import Reading


class MMEVQA(mme.MMEVQA):
    """Texts are read by `substring_verdict`, and all images count in ``_plus``.

    An image is correct if exactly two of its questions are, however many there are.
    """

    policy = "ChEF substrings"
    judge_kinds: ClassVar[Sequence[str]] = ()

    def read(self, record: dict[str, Any]) -> Reading[str]:
        return substring_verdict(stored_text(record))

    def pairs(self, images: Iterable[list[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
        """All images, however many of their questions were scored."""
        return list(images)
