"""Fine classes by ChEF's own rule."""

from __future__ import annotations

from typing import Any

from chef.metric.classification import fine
from chef.metric.upstream.choice import stored_text


class FGClassification(fine.FGClassification):
    """A class is named wherever its letters are in the answer: "dog" in "hot dog".

    This holds for scored options too, and for the chain of thought before a text.
    """

    policy = "ChEF substrings"

    def text(self, record: dict[str, Any]) -> str:
        return stored_text(record)

    def names_label(self, label: str, text: str, *, scored: bool) -> bool:  # noqa: ARG002
        """Whether the letters of ``label`` are in the answer."""
        return label in text
