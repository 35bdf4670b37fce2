r"""Write short mathematics in one form: ``\boxed{30^\circ}``, ``$30°$``, "30 degrees"."""

from __future__ import annotations

import re
from functools import lru_cache

from chef.reading.text import fold

#: A longer text is no term.
_LONGEST = 80
_TERM = re.compile(r"[°π√⁄^/\\=+]|\d")
_FRACTION = re.compile(r"\\[dtc]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_ROOT = re.compile(r"\\sqrt\s*\{([^{}]*)\}|\\sqrt\s*(\w)")
_DEGREES = re.compile(r"\^?\{?\\(?:circ|degree)\b\}?|\s*degrees?\b", re.IGNORECASE)
_DROPPED = re.compile(
    r"\\(?:left|right|displaystyle|text|mathrm|mathbf|textbf|boxed|fbox|quad|qquad)\b"
    r"|\\[()\[\],;:! ]|[${}\s*`]"
)
_NAMED = {"pi": "π", "times": "×", "cdot": "×", "infty": "∞", "theta": "θ", "alpha": "α"}
_NAME = re.compile(r"\\([A-Za-z]+)")
_LEAD = re.compile(r"\A[a-z]=")


@lru_cache(1 << 12)
def term(text: str) -> str:
    r"""A term in a form that can be compared; "" for what is none.

    >>> term(r"$\boxed{30^\circ}$"), term("30 degrees"), term(r"\frac{\sqrt{3}}{2}"), term("a cat")
    ('30°', '30°', '√3/2', '')
    """
    if len(text) > _LONGEST or not _TERM.search(text):
        return ""
    key = _DEGREES.sub("°", fold(text))
    for _ in range(3):  # a fraction or a root may stand in another
        key = _ROOT.sub(lambda match: "√" + (match[1] or match[2] or ""), key)
        key = _FRACTION.sub(lambda match: f"{match[1]}/{match[2]}", key)
    key = _DROPPED.sub("", key)
    key = _NAME.sub(lambda match: _NAMED.get(match[1], match[1]), key)
    return _LEAD.sub("", key.replace("⁄", "/").lower().strip(".,;:!?\"'"))
