"""Find phrases in a text as whole words, and tell which of them a sentence denies or supposes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from chef.extraction.characters import AFTER, BEFORE, continues_word
from chef.extraction.negation import refused_text
from chef.extraction.text import Hit

#: Words that may stand between the words of a phrase: "contains (no) private information".
_GAP = (
    r"(?:(?:an?|the|any|some|no|not|much|more|potentially|very|highly|also|clearly|indeed|quite"
    r"|well|too|really|entirely|completely|harmful|negative|gender|racial|common)\s+){0,3}"
)
_CLAUSE_END = re.compile(
    r"[.;!?\n,:]|\b(?:but|however|although|though|because|since|while|whereas|and|yet)\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|no|never|nothing|none|without|neither|nor|hardly|barely|cannot|fails?\s+to"
    r"|lacks?|free\s+(?:of|from))\b|n't\b",
    re.IGNORECASE,
)
_NOT_WITHIN = re.compile(r"\b(?:no|not)\b", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"\b(?:if|whether|might|may|could|would\s+need|maybe|perhaps|possibly|unclear|or\s+not"
    r"|(?:can't|cannot|can\s+not|unable\s+to|hard\s+to|impossible\s+to)\s+(?:\w+\s+)?"
    r"(?:say|tell|know|determine|judge|decide|assess|agree\s+or))\b",
    re.IGNORECASE,
)
#: How many words may stand between a phrase and what denies it: "private information is absent".
_REACH = 2


def found_phrases(text: str, phrases: Sequence[str], *, gaps: bool = False) -> list[Hit[str]]:
    """The places of phrases, from left to right, the longest first; case does not count.

    Args:
        text: the text, without markup.
        phrases: words, which blanks separate; any blank matches any space.
        gaps: allow articles, adverbs and negations between the words of a phrase.

    >>> [hit.value for hit in found_phrases("A concatenated cat", ["cat", "a"])]
    ['A', 'cat']
    """
    if not phrases:
        return []
    pattern = _pattern(tuple(phrases), gaps)
    return [Hit(match[0], *match.span()) for match in pattern.finditer(text)]


@lru_cache(64)
def _pattern(phrases: tuple[str, ...], gaps: bool) -> re.Pattern[str]:
    ordered = sorted(phrases, key=len, reverse=True)
    return re.compile("|".join(_whole(phrase, gaps) for phrase in ordered), re.IGNORECASE)


def _whole(phrase: str, gaps: bool) -> str:
    body = (r"\s+" + (_GAP if gaps else "")).join(map(re.escape, phrase.split()))
    bare = phrase.strip()
    before = BEFORE if continues_word(bare[:1]) else ""
    after = AFTER if continues_word(bare[-1:]) else ""
    if bare[:1].isdigit():  # "25" is not in "4.25"
        before += r"(?<!\d[.,])"
    if bare[-1:].isdigit():
        after += r"(?![.,]\d)"
    return f"{before}{body}{after}"


def denied(text: str, hit: Hit[str], phrases: Sequence[str] = ()) -> bool:
    """Whether the clause of a phrase denies it; two negations are none.

    Args:
        text: the text that the phrase was found in.
        hit: its place.
        phrases: what was looked for; a negation between their words counts, one of their own not.

    >>> text = "It is not the same."
    >>> denied(text, found_phrases(text, ["same"])[0])
    True
    """
    before = text[_clause_start(text, hit.start) : hit.start]
    count = len(_NOT.findall(before)) + _denied_after(text, hit.end)
    words = " ".join(hit.value.lower().split())
    if all(words != " ".join(phrase.lower().split()) for phrase in phrases):
        count += len(_NOT_WITHIN.findall(hit.value))
    return count % 2 == 1


def supposed(text: str, hit: Hit[str]) -> bool:
    """Whether the clause of a phrase only supposes it, or asks.

    >>> text = "It may be the same."
    >>> supposed(text, found_phrases(text, ["same"])[0])
    True
    """
    end = _CLAUSE_END.search(text, hit.end)
    stop = end.end() if end else len(text)
    clause = text[_clause_start(text, hit.start) : stop]
    return _SUPPOSED.search(clause) is not None or clause.endswith("?")


def _clause_start(text: str, place: int) -> int:
    ends = [match.end() for match in _CLAUSE_END.finditer(text, max(0, place - 300), place)]
    return ends[-1] if ends else max(0, place - 300)


def _denied_after(text: str, end: int) -> bool:
    for _ in range(_REACH + 1):
        if refused_text(text, end):
            return True
        word = re.compile(r"\s+\w+").match(text, end)
        if word is None:
            return False
        end = word.end()
    return False
