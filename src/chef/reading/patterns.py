"""Write regular expressions about phrases so that they can be read."""

from __future__ import annotations


def any_of(*phrases: str) -> str:
    r"""A pattern for any of several phrases, which ``" | "`` separates; a blank is any space.

    The phrases are regular expressions themselves. Longer ones are tried first, so that "vote for"
    is not read as "vote".

    >>> any_of("vote | vote for", "=")
    '(?:vote\\s+for|vote|=)'
    """
    items = [item for text in phrases for item in text.strip().split(" | ")]
    items.sort(key=len, reverse=True)
    return f"(?:{'|'.join(_spaced(item) for item in items)})"


def _spaced(phrase: str) -> str:
    return r"\s+".join(phrase.split())


def words(text: str) -> frozenset[str]:
    """The words of a text, which blanks separate.

    >>> sorted(words("is was"))
    ['is', 'was']
    """
    return frozenset(text.split())
