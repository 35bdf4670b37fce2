"""POPE by ChEF's own rule."""

from __future__ import annotations

from typing import Any

from chef.extraction.chef_rules import token_verdict
from chef.extraction.text import Extraction
from chef.metric.upstream.choice import stored_text
from chef.metric.vqa import pope


class Pope(pope.Pope):
    """Every answer whose first sentence has no "no" or "not" is a yes (`token_verdict`)."""

    policy = "ChEF tokens"

    def read(self, record: dict[str, Any]) -> Extraction[str]:
        return token_verdict(stored_text(record))
