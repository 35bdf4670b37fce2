"""The verdict of a judge's reply, read strictly: its last line, and nothing else."""

from __future__ import annotations

import re

from chef.types import Generated

#: Bold type is the only decoration that judges put around the line. A line in quotes, in a list
#: or in a citation is somebody else's.
_VERDICT = re.compile(
    r"(?:\*\*)?\s*verdict:?(?:\*\*)?:?\s*\[\[([^\[\]]+)\]\]\.?\s*(?:\*\*)?", re.IGNORECASE
)


def verdict_of(reply: Generated) -> str | None:
    r"""What stands in the brackets of the last line; None where the reply has no such line.

    A reply that was cut off or refused has none: what it would have ended with is not known.

    >>> verdict_of(Generated("It is a cat.\nVerdict: [[B]]"))
    'B'
    >>> verdict_of(Generated("Verdict: [[B]]\nOr perhaps A."))
    """
    if reply.finish_reason != "stop":
        return None
    lines = reply.text.strip().splitlines()
    found = _VERDICT.fullmatch(lines[-1].strip()) if lines else None
    return found[1].strip() if found else None
