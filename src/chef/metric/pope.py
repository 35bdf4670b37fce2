"""POPE as ChEF reports it."""

from __future__ import annotations

from typing import Any

from chef.metric.choice import upstream_text
from chef.metric.extraction import Extraction
from chef.metric.extraction.upstream_verdict import token_verdict
from chef.metric.yesno import YesNo
from chef.types import Compat


class Pope(YesNo):
    """The figures of `YesNo`, on a scale of 0 to 1.

    Args:
        dataset_name: of the scenario.
        compat: ``upstream`` takes everything without a "no" for yes, as ChEF does
            (`token_verdict`); otherwise what says neither is unparsed.
    """

    def __init__(self, dataset_name: str = "", *, compat: Compat = "corrected") -> None:
        super().__init__(dataset_name)
        self.compat = compat
        if compat == "upstream":
            self.policy = "ChEF tokens"

    def read(self, record: dict[str, Any]) -> Extraction[str]:
        if self.compat == "upstream":
            return token_verdict(upstream_text(record))
        return super().read(record)
