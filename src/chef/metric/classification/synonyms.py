"""Other nouns for a label, and which labels a text names by any of them.

The nouns are a small table, ``synonyms.yaml``, for the labels of the data sets that come with chef;
a label that is not in it has its own spelling only. ChEF asks WordNet instead, whose lexicon is a
download of its own: see `chef.metric.upstream.wordnet`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from chef.extraction.names import mentioned_labels

#: They hold a label as a word, and are something else.
DECOYS = ("hot dog", "corn dog", "prairie dog", "sea horse", "clothes horse", "gravy boat")


@cache
def synonyms(label: str) -> tuple[str, ...]:
    """Other nouns for ``label``; empty for a label that the table does not know.

    >>> "kitten" in synonyms("Cat")
    True
    """
    return tuple(_table().get(label.strip().casefold(), ()))


def recognised(text: str, labels: Iterable[str]) -> list[str]:
    """The labels that ``text`` names, themselves or by a synonym, sorted.

    Whole words, singular or plural, in any case; underscores are spaces. The longest noun wins
    ("hot dog" is no "dog"), and what is negated is not named.

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
    import yaml

    text = (files("chef.metric.classification") / "synonyms.yaml").read_text("utf-8")
    table: Mapping[str, list[str]] = yaml.safe_load(text)
    return table
