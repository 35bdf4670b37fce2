"""ChEF's rule for the quoted parts of a text."""

from __future__ import annotations

import re


def quoted_by_any(text: str) -> str:
    """ChEF's rule for quotes: apostrophes are quotation marks too.

    The text between two quoted parts counts as well, and so do blank parts. The parts are joined by
    ``". "``; if nothing is quoted, the result is the whole text.

    >>> quoted_by_any("It's 'a bar'.")
    's . a bar'
    """
    parts = re.split(r"['\"]", text)[1:-1]
    return ". ".join(parts) if parts else text
