"""Mentions of what the question does not ask for: the other extreme, a later place, another act."""

from __future__ import annotations

import re
from functools import lru_cache

from chef.reading.patterns import words
from chef.reading.questions import content_words, stem

Span = tuple[int, int]

#: The two ends of a scale.
_ENDS = tuple(
    tuple(words(end) for end in line.split(":"))
    for line in (
        "highest most largest biggest greatest maximum max"
        " : lowest least smallest fewest minimum min",
        "tallest longest : shortest",
        "oldest : youngest newest",
        "fastest : slowest",
        "heaviest : lightest",
        "strongest : weakest",
        "best : worst",
    )
)
#: "most likely", "at least"
_NO_EXTREME = re.compile(
    r"\bmost\s+(?:likely|probably|of)\b|\bat\s+(?:the\s+)?(?:most|least|best)\b", re.IGNORECASE
)
_WORD = re.compile(r"\w+")
_CLAUSE = re.compile(r"[.,;:!?\n](?!\d)|\b(?:and|but|while|whereas)\b", re.IGNORECASE)
_RANK = r"(?:second|third|fourth|fifth|2nd|3rd|4th|5th)"
#: "with Messi in second place", "France is second"
_RANKED = re.compile(
    rf"\s+(?:(?:is|was|are|were|being|comes?|came|coming|ranks?|ranked|ranking|finish\w*|placed)\s+)*"
    rf"(?:(?:as|in|at|on)\s+)?(?:the\s+|a\s+)?(?:close\s+)?(?:{_RANK}(?=\s+(?:place|position|rank)\b"
    rf"|\W*(?:[.,;!\n]|\Z))|runner-up\b)",
    re.IGNORECASE,
)
_LATER = re.compile(rf"\b{_RANK}\b|\brunner-up\b", re.IGNORECASE)
_NEGATIVE = re.compile(r"\b(?:not|no|never|without)\b|n't\b", re.IGNORECASE)
#: "the man is not", "the man isn't wearing a tie"
_DENIED = re.compile(
    r"[\"')\]]*\s+(?:is|are|was|were|does|do|did|has|have|had|can|could)(?:\s+not|n't)\b"
    r"(?P<rest>[^.,;!?\n]*)",
    re.IGNORECASE,
)
#: "What is the boy looking at?"
_ACT_ASKED = re.compile(
    r"\b(?P<act>\w{2,}ing)\b(?:\s+(?:at|on|to|in|with|for|from|over|up|out))*\W*\Z", re.IGNORECASE
)
_ACT = re.compile(r"\b(?:while|and|as)\s+(?:\w+\s+)?(?P<act>\w{2,}ing)\b", re.IGNORECASE)


def is_contrasted(text: str, span: Span, question: str) -> bool:
    """Whether a mention is of the contrary of what the question asks for.

    >>> asked = "Which season had the lowest sales?"
    >>> is_contrasted("Winter had the highest sales; spring the lowest.", (0, 6), asked)
    True
    >>> is_contrasted("Winter had the lowest sales.", (0, 6), asked)
    False
    """
    return (
        _is_other_extreme(text, span, question)
        or _is_denied(text, span, question)
        or _is_other_act(text, span, question)
    )


@lru_cache(256)
def _extremes(question: str) -> tuple[frozenset[str], frozenset[str]]:
    """The superlatives of the end of the scale that a question asks for, and of the other one."""
    asked = _words_of(question)
    found = [
        (end, other)
        for high, low in _ENDS
        for end, other in ((high, low), (low, high))
        if asked & end and not asked & other
    ]
    return found[0] if len(found) == 1 else (frozenset(), frozenset())


def _words_of(text: str) -> frozenset[str]:
    return frozenset(match[0].lower() for match in _WORD.finditer(_NO_EXTREME.sub(" ", text)))


def _is_other_extreme(text: str, span: Span, question: str) -> bool:
    """Whether the clause of a mention is about the other end of the scale, or a later place."""
    asked, other = _extremes(question)
    if not asked:
        return False
    if not _LATER.search(question) and _RANKED.match(text, span[1]):
        return True
    start, end = _clause(text, span)
    said = _words_of(f"{text[start : span[0]]} {text[span[1] : end]}")
    return bool(said & other) and not said & asked


def _clause(text: str, span: Span) -> Span:
    limits = list(_CLAUSE.finditer(text))
    start = max((match.end() for match in limits if match.end() <= span[0]), default=0)
    end = min((match.start() for match in limits if match.start() >= span[1]), default=len(text))
    return start, end


def _is_denied(text: str, span: Span, question: str) -> bool:
    """Whether what the question asks about is denied of the thing that is mentioned."""
    match = _DENIED.match(text, span[1])
    if match is None or _NEGATIVE.search(question):
        return False
    return not match["rest"].strip() or bool(content_words(match["rest"]) & content_words(question))


def _is_other_act(text: str, span: Span, question: str) -> bool:
    """Whether a mention goes with another act than the one that the question asks about."""
    asked = _ACT_ASKED.search(question)
    if asked is None or not re.search(rf"\b{asked['act']}\b", text[: span[0]], re.IGNORECASE):
        return False
    start = max(text.rfind(mark, 0, span[0]) for mark in ".;!?\n") + 1
    acts = list(_ACT.finditer(text, start, span[0]))
    return bool(acts) and stem(acts[-1]["act"].lower()) != stem(asked["act"].lower())
