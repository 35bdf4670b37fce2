r"""Write the mathematics of LaTeX as plain text, in place: "\frac{3}{4}" becomes "3 ⁄ 4"."""

from __future__ import annotations

import re

_FRACTION = re.compile(
    r"(?:-\s*)?\\[dtc]?frac\s*(?:\{([^{}]{0,20})\}\s*\{([^{}]{0,20})\}|(\d)(\d))"
)
_SYMBOLS = {
    "times": "×", "cdot": "×", "div": "÷", "approx": "≈", "sim": "≈", "pm": "±", "leq": "≤",
    "geq": "≥", "le": "≤", "ge": "≥", "lt": "<", "gt": ">", "neq": "≠", "ne": "≠",
    "Rightarrow": "⇒", "implies": "⇒", "rightarrow": "→", "to": "→", "therefore": "∴",
    "degree": "°", "pi": "π", "circ": "°", "quad": " ", "qquad": " ", "left": " ", "right": " ",
    "displaystyle": " ", "%": "%", "checkmark": "✓", "ldots": "…", "dots": "…", "cdots": "…",
}  # fmt: skip
_SYMBOL = re.compile(r"\\(?:(" + "|".join(_SYMBOLS) + r")(?![A-Za-z])|([$&#_,;!: ]))")
_DEGREE = re.compile(r"\^\s*(?:\{\s*\\circ\s*\}|\\circ(?![A-Za-z]))")
#: Words that only set the font; a box stays, because it marks the answer.
_FONT = re.compile(
    r"\\(?:(?:text|math|operator)?(?:bf|rm|it|tt|sf|cal|name|normal)?(?:family|series)?|mbox)"
    r"(?=\s*\{)(?:\s*\{([^{}]*)\})?"
)


_ROOT = re.compile(r"\\sqrt\s*\{(\w{1,20})\}|\\sqrt\s*(\d)")
_CURRENCIES = "$€£¥₹"
#: A sign before a currency: "-$5", "negative €5", r"-\text{€}5", but no "$8 - $5" and no "8-$5".
_SIGN_FIRST = re.compile(
    r"((?<![\w.)])(?<![\d)]\s)[–-]|\b(?:minus|negative|moins|menos|meno)\s+)"
    rf"((?:\\text\{{)?\\?(?:US)?[{_CURRENCIES}]\}}?)(?=\s?\d)",
    re.IGNORECASE,
)


def plain_math(text: str) -> str:
    r"""``text`` with fractions, symbols and fonts of LaTeX as plain characters, of the same length.

    A sign goes behind a currency, to its number.

    >>> plain_math(r"3 \times 4, \frac{3}{4}"), plain_math("-$5")
    ('3 ×      4,       3 ⁄4 ', '$-5')
    """
    if any(sign in text for sign in _CURRENCIES):
        text = _SIGN_FIRST.sub(r"\2\1", text)
    if "\\" not in text:
        return text
    text = _ROOT.sub(_root, text)
    text = _FRACTION.sub(_fraction, text)
    text = _DEGREE.sub(lambda match: "°".ljust(len(match[0])), text)
    text = _FONT.sub(_plain_font, text)
    return _SYMBOL.sub(lambda match: _SYMBOLS.get(match[1], " ").ljust(len(match[0])), text)


def _plain_font(match: re.Match[str]) -> str:
    """What stands in a font, without its braces; where braces stand in it, all but the command."""
    if match[1] is None:
        return " " * len(match[0])
    return f"{match[1]} ".rjust(len(match[0]))


def _fraction(match: re.Match[str]) -> str:
    top, bottom = (1, 2) if match[1] is not None else (3, 4)
    gap = match.start(bottom) - match.end(top)
    lead = " " * (match.start(top) - match.start() - (not gap))  # no gap: "\\frac12"
    if match[0].startswith("-"):
        # A sign belongs to the number; "x - 1/2" is a difference.
        before = match.string[: match.start()].rstrip()[-1:]
        lead = f"-{lead[1:]}" if before.isalnum() or before in set(")]}^") else f"{lead[1:]}-"
    if not gap:
        return lead + match[top] + "⁄" + match[bottom]
    return lead + match[top] + "⁄".rjust(gap) + match[bottom] + " "


def _root(match: re.Match[str]) -> str:
    return f"√{match[1] or match[2]}".ljust(len(match[0]))
