"""The verdict of a judge's reply, read strictly: its last line, and nothing else."""

from __future__ import annotations

import re

from chef.types import Generated

#: A heading, bold type and a colon of full width are the only decoration that judges put around the
#: line. A line in quotes, in code, in a list or in a citation is somebody else's.
_VERDICT = re.compile(
    r"(?:#{1,6}[ ]+)?(?:\*\*)?\s*verdict[:\uff1a]?(?:\*\*)?[:\uff1a]?\s*"
    r"\[\[([^\[\]]+)\]\]\.?\s*(?:\*\*)?",
    re.IGNORECASE,
)


def verdict_of(reply: Generated) -> str | None:
    r"""What stands in the brackets of the last line; None where the reply has no such line.

    A reply that was cut off or refused has none: what it would have ended with is not known. One
    that ends with two lines that contradict each other has none, either.

    >>> verdict_of(Generated("It is a cat.\nVerdict: [[B]]"))
    'B'
    >>> verdict_of(Generated("Verdict: [[B]]\nOr perhaps A."))
    >>> verdict_of(Generated("Verdict: [[B]]\nVerdict: [[A]]"))
    """
    if reply.finish_reason != "stop":
        return None
    lines = [line.strip() for line in reply.text.splitlines() if line.strip()]
    last, before = (_within(line) for line in [*lines[:-3:-1], "", ""][:2])
    return None if before is not None and before != last else last


def _within(line: str) -> str | None:
    """What stands in the brackets of a line of a verdict; None for another line."""
    found = _VERDICT.fullmatch(line)
    return found[1].strip().strip("*").strip() if found else None
