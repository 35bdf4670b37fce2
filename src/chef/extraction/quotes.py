"""What a text says between quotation marks."""

from __future__ import annotations

import re

from chef.extraction.text import visible
from chef.types import Compat

_QUOTED = re.compile(r'"([^"]*)"')


def quoted(text: str, compat: Compat = "corrected") -> str:
    """The parts of ``text`` between double quotes, joined by ``". "``; all of it without any.

    Args:
        text: typographic quotes count as plain ones; a quote that is never closed is none.
        compat: ``upstream``: apostrophes are quotes too, and what stands between two quoted parts
            counts as well, as in ChEF.

    >>> quoted('It says "open" and "come in".')
    'open. come in'
    """
    if compat == "upstream":
        parts = re.split(r"['\"]", text)[1:-1]
    else:
        text = visible(text)
        parts = _QUOTED.findall(text)
    return ". ".join(parts) if any(part.strip() for part in parts) else text.strip()
