"""Detection by a model that writes boxes in the patch grammar of Kosmos-2."""

from __future__ import annotations

from typing import Any

from chef.common.boxes import Box
from chef.metric.detection.detection import Detection
from chef.reading.patches import parse_patches


class KOSMOSDetection(Detection):
    """`Detection` of boxes written ``<object><patch_index_0044><patch_index_0863></object>``.

    The image has 32 x 32 patches. A patch index stands for the top left corner of its patch, as in
    ChEF. The metrics are those of `Detection`.
    """

    def read(self, text: str, record: dict[str, Any] | None = None) -> list[Box]:  # noqa: ARG002
        """The boxes in a text, in fractions of the image."""
        return parse_patches(text)
