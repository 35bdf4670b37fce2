"""Extract the quoted parts of a text."""

from __future__ import annotations

import re

from chef.reading.excerpt import excerpt
from chef.reading.text import strip_reasoning

_QUOTED = re.compile(r'"([^"]*)"')


def quoted(text: str) -> str:
    """The parts of ``text`` between double quotes, joined by ``". "``; all of it if it has none.

    Typographic quotes count as plain ones. A quote that is never closed is ignored.

    >>> quoted('It says "open" and "come in".')
    'open. come in'
    """
    seen = strip_reasoning(excerpt(text))
    parts = _QUOTED.findall(seen)
    return ". ".join(parts) if any(part.strip() for part in parts) else seen.strip()
