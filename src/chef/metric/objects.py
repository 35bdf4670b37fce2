"""Does a caption name the objects that are there, and no others?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from chef.metric.estimate import Estimate
from chef.metric.extraction.mentions import mentions, normal
from chef.metric.extraction.text import fold, unmarked
from chef.metric.records import names
from chef.metric.statistics import bootstrap_ratio, proportion


def named(text: str, vocabulary: Iterable[str]) -> list[str]:
    """The objects of ``vocabulary`` that ``text`` names, sorted.

    Whole words, singular or plural; the longest name wins ("red circle" is no "circle" when both
    are in the vocabulary), and what is negated is not named.

    >>> named("Two red circles and no blue star.", ["red circle", "blue star", "circle"])
    ['red circle']
    """
    forms = [(form, name) for name in sorted(set(vocabulary)) for form in _forms(name)]
    plain = unmarked(fold(text))
    hits = mentions(plain, [form for form, _ in forms], 0, len(plain))
    return sorted({forms[hit.value][1] for hit in hits})


def object_figures(answers: list[dict[str, Any]]) -> dict[str, Estimate]:
    """Objects named, in %, over captions whose samples list their ``objects``.

    The vocabulary, which says what a wrong object is, are the objects of all these samples.

    Returns:
        ``object_recall``: objects named over objects there, summed over images;
        ``object_precision``: over objects of the vocabulary named;
        ``object_exact``: captions that name all their objects and no other. Empty when no sample
        lists its objects.
    """
    listed = [answer for answer in answers if names(answer, "objects")]
    if not listed:
        return {}
    there = [set(names(answer, "objects")) for answer in listed]
    vocabulary = set().union(*there)
    said = [set(named(answer["parsed"] or "", vocabulary)) for answer in listed]
    right = [100.0 * len(mine & true) for mine, true in zip(said, there, strict=True)]
    exact = sum(mine == true for mine, true in zip(said, there, strict=True))
    return {
        "object_recall": bootstrap_ratio(right, [float(len(true)) for true in there], unit="%"),
        "object_precision": bootstrap_ratio(right, [float(len(mine)) for mine in said], unit="%"),
        "object_exact": proportion(exact, len(listed)),
    }


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
