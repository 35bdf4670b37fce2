"""Find phrases in a text as whole words, and tell which of them a sentence denies or supposes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from chef.reading.assertion import clause_start, refused_text
from chef.reading.characters import AFTER, BEFORE, continues_word
from chef.reading.clauses import is_supposed, negations
from chef.reading.text import Hit

#: Words that may stand between the words of a phrase: "contains (no) private information".
_GAP = (
    r"(?:(?:an?|the|any|some|no|not|much|more|potentially|very|highly|also|clearly|indeed|quite"
    r"|well|too|really|entirely|completely|several|many|few|clear|obvious|subtle|strong|harmful"
    r"|negative|gender|racial|ethnic|religious|cultural|common|certain)\s+){0,3}"
)
_CLAUSE_END = re.compile(
    r"[.;!?\n,:]|\b(?:but|however|although|though|because|since|while|whereas|and|yet)\b",
    re.IGNORECASE,
)
_NOT_WITHIN = re.compile(r"\b(?:no|not)\b", re.IGNORECASE)
#: How many words may stand between a phrase and what denies it: "private information is absent".
_REACH = 2
#: How far the clause of a phrase may reach to either side, in characters.
_LONGEST_CLAUSE = 200


def found_phrases(text: str, phrases: Sequence[str], *, gaps: bool = False) -> list[Hit[str]]:
    """The places of phrases, from left to right, the longest first; any blank is any space, and
    with ``gaps`` articles, adverbs and negations may stand between words.

    >>> [hit.value for hit in found_phrases("A concatenated cat", ["cat", "a"])]
    ['A', 'cat']
    """
    if not phrases:
        return []
    pattern = _pattern(tuple(phrases), gaps)
    return [Hit(match[0], *match.span()) for match in pattern.finditer(text)]


@lru_cache(64)
def _pattern(phrases: tuple[str, ...], gaps: bool) -> re.Pattern[str]:
    # Phrases with the same limits share them: each of these classes takes long to compile.
    by_limits: dict[tuple[str, str], list[str]] = {}
    blank = r"\s+" + (_GAP if gaps else "")
    for phrase in sorted((" ".join(item.split()) for item in phrases), key=len, reverse=True):
        body = blank.join(map(re.escape, phrase.split()))
        by_limits.setdefault(_limits(phrase), []).append(body)
    return re.compile(
        "|".join(
            f"{before}(?:{'|'.join(bodies)}){after}"
            for (before, after), bodies in by_limits.items()
        ),
        re.IGNORECASE,
    )


def _limits(phrase: str) -> tuple[str, str]:
    """What must not stand before and after a phrase."""
    before = BEFORE if continues_word(phrase[:1]) else ""
    after = AFTER if continues_word(phrase[-1:]) else ""
    if phrase[:1].isdigit():  # "25" is not in "4.25"
        before += r"(?<!\d[.,])"
    if phrase[-1:].isdigit():
        after += r"(?![.,]\d)"
    return before, after


def denied(text: str, hit: Hit[str], phrases: Sequence[str] = ()) -> bool:
    """Whether the clause of a phrase denies it; two negations are none, and those of the phrase
    itself.

    >>> text = "It is not the same."
    >>> denied(text, found_phrases(text, ["same"])[0])
    True
    """
    before = text[clause_start(text, hit.start, _LONGEST_CLAUSE) : hit.start]
    count = len(negations(before)) + _denied_after(text, hit.end)
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
    far = min(len(text), hit.end + _LONGEST_CLAUSE)
    end = _CLAUSE_END.search(text, hit.end, far)
    stop = end.end() if end else far
    clause = text[clause_start(text, hit.start, _LONGEST_CLAUSE) : stop]
    return is_supposed(clause)


def _denied_after(text: str, end: int) -> bool:
    for _ in range(_REACH + 1):
        if refused_text(text, end):
            return True
        word = re.compile(r"\s+\w+").match(text, end)
        if word is None:
            return False
        end = word.end()
    return False
