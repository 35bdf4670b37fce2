"""Fine classes by ChEF's own rule."""

from __future__ import annotations

from chef.metric.classification import fine


class FGClassification(fine.FGClassification):
    """A class is named wherever its letters are in the answer: "dog" in "hot dog".

    The same holds for the texts of scored options.
    """

    def is_right(self, label: str, text: str, *, scored: bool) -> bool:  # noqa: ARG002
        """Whether the letters of ``label`` are in the answer."""
        return label in text
