"""Yes/no questions by ChEF's own rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from chef.metric.records import references_of
from chef.metric.upstream.stored import stored_text
from chef.metric.vqa import mme, yesno
from chef.reading.rules.chef_texts import substring_verdict, token_verdict
from chef.reading.text import Reading


class Pope(yesno.Pope):
    """Every answer whose first sentence has no "no" or "not" is a yes (`token_verdict`).

    Every reference other than exactly ``no`` is a yes too.
    """

    policy = "ChEF tokens"
    judge_kinds: ClassVar[Sequence[str]] = ()

    def read(self, record: dict[str, Any]) -> Reading[str]:
        return token_verdict(stored_text(record))

    def reference(self, record: dict[str, Any]) -> str:
        given = references_of(record)
        if not given:  # only the index of the correct option is known
            return super().reference(record)
        return "no" if given[0] == "no" else "yes"


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
