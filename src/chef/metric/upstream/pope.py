"""POPE by ChEF's own rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from chef.metric.records import references_of
from chef.metric.upstream.choice import stored_text
from chef.metric.vqa import pope
from chef.reading.rules.chef_texts import token_verdict
from chef.reading.text import Reading


class Pope(pope.Pope):
    """Every answer whose first sentence has no "no" or "not" is a yes (`token_verdict`).

    Every reference other than exactly ``no`` is a yes too.
    """

    policy = "ChEF tokens"
    judge_kinds: ClassVar[Sequence[str]] = ()

    def reference(self, record: dict[str, Any]) -> str:
        given = references_of(record)
        if not given:  # only the index of the correct option is known
            return super().reference(record)
        return "no" if given[0] == "no" else "yes"

    def read(self, record: dict[str, Any]) -> Reading[str]:
        return token_verdict(stored_text(record))
