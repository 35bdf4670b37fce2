"""Attributes of faces by LAMM's own rule."""

from __future__ import annotations

from chef.extraction.chef_rules import no_or_not
from chef.extraction.text import Extraction
from chef.metric.classification import facial


class LAMMFacialSmile(facial.LAMMFacialSmile):
    """An answer with the word "no" or "not" means no smile, any other a smile (`no_or_not`)."""

    def read(self, text: str) -> Extraction[str]:
        return no_or_not(text)
