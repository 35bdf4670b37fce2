"""Which objects of a vocabulary does a text name?"""

from __future__ import annotations

import re
from collections.abc import Iterable

from chef.extraction.mentions import mentions, normal
from chef.extraction.text import fold, strip_markup


def mentioned_labels(text: str, vocabulary: Iterable[str]) -> list[str]:
    """The objects of ``vocabulary`` that ``text`` names, sorted.

    Whole words, singular or plural; the longest name wins ("red circle" is no "circle" when both
    are in the vocabulary), and what is negated is not named.

    >>> mentioned_labels("Two red circles and no blue star.", ["red circle", "blue star", "circle"])
    ['red circle']
    """
    forms = [(form, name) for name in sorted(set(vocabulary)) for form in _forms(name)]
    plain = strip_markup(fold(text))
    hits = mentions(plain, [form for form, _ in forms], 0, len(plain))
    return sorted({forms[hit.value][1] for hit in hits})


def _forms(name: str) -> list[str]:
    """Singular and regular plural."""
    singular = normal(name)
    if not singular:
        return []
    ending = "es" if re.search(r"(?:s|x|z|ch|sh)\Z", singular, re.IGNORECASE) else "s"
    plurals = [singular + ending]
    if re.search(r"[^aeiou]y\Z", singular, re.IGNORECASE):
        plurals.append(singular[:-1] + "ies")
    return [singular, *plurals]
