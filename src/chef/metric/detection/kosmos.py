"""Detection by a model that speaks in the patch grammar of Kosmos-2."""

from __future__ import annotations

from chef.extraction import Box
from chef.extraction.patches import parse_patches
from chef.metric.detection.detection import Detection


class KOSMOSDetection(Detection):
    """As `Detection`, for boxes written ``<object><patch_index_0044><patch_index_0863></object>``.

    The image is 32 x 32 patches; a corner is the top left corner of its patch, as in ChEF. The
    figures are those of `Detection`.
    """

    def read(self, text: str) -> list[Box]:
        """The boxes of a text, in fractions of the picture."""
        return parse_patches(text)
