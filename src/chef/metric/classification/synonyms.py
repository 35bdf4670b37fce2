"""Synonyms of labels, and the labels that a text mentions by any of them.

The synonyms are a small table, ``synonyms.yaml``, for the labels of the data sets that come with
chef. A label that is not in it has no synonyms. ChEF uses WordNet instead, which must be downloaded
separately: see `chef.metric.upstream.wordnet`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from chef.common.yaml_text import shipped
from chef.reading.names import mentioned_labels

#: Nouns that contain a label as a word but mean something else.
DECOYS = ("hot dog", "corn dog", "prairie dog", "sea horse", "clothes horse", "gravy boat")


@cache
def synonyms(label: str) -> tuple[str, ...]:
    """The synonyms of ``label``; empty if the table does not list it.

    >>> "kitten" in synonyms("Cat")
    True
    """
    return tuple(_table().get(label.strip().casefold(), ()))


def recognised(text: str, labels: Iterable[str]) -> list[str]:
    """The labels that ``text`` mentions, by name or by a synonym, sorted.

    Whole words match, singular or plural, in any case; underscores count as spaces. The longest
    noun wins ("hot dog" does not mention "dog"), and negated mentions do not count.

    >>> recognised("Two puppies; a Dining table, no cat, and a hot dog.", ["cat", "dog", "horse"])
    ['dog']
    """
    owners: dict[str, set[str]] = {}
    for label in labels:
        for form in (label, *synonyms(label)):
            owners.setdefault(form, set()).add(label)
    found = mentioned_labels(text, [*owners, *DECOYS])
    return sorted({label for form in found for label in owners.get(form, ())})


@cache
def _table() -> Mapping[str, list[str]]:
    table: Mapping[str, list[str]] = shipped("chef.metric.classification", "synonyms.yaml")
    return table
