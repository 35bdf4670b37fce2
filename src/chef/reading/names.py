"""Find the labels of a vocabulary that a text mentions."""

from __future__ import annotations

import re
from collections.abc import Iterable

from chef.reading.excerpt import excerpt
from chef.reading.mentions import mentions, normal
from chef.reading.text import fold, strip_markup


def mentioned_labels(text: str, vocabulary: Iterable[str]) -> list[str]:
    """The labels of ``vocabulary`` that ``text`` mentions, sorted.

    Whole words match, singular or plural. The longest label wins: "red circle" does not mention
    "circle" if both are in the vocabulary. Negated mentions do not count.

    >>> mentioned_labels("Two red circles and no blue star.", ["red circle", "blue star", "circle"])
    ['red circle']
    """
    forms = [(form, name) for name in sorted(set(vocabulary)) for form in _forms(name)]
    plain = strip_markup(fold(excerpt(text)))
    hits = mentions(plain, [form for form, _ in forms], 0, len(plain))
    return sorted({forms[hit.value][1] for hit in hits})


def _forms(name: str) -> list[str]:
    """The singular and the regular plurals of a name."""
    singular = normal(name)
    if not singular:
        return []
    ending = "es" if re.search(r"(?:s|x|z|ch|sh)\Z", singular, re.IGNORECASE) else "s"
    plurals = [singular + ending]
    if re.search(r"[^aeiou]y\Z", singular, re.IGNORECASE):
        plurals.append(singular[:-1] + "ies")
    return [singular, *plurals]
