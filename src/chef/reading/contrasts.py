"""What an answer says of the other end of a scale, of another thing, or of things in general."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cache, lru_cache
from itertools import pairwise

from chef.reading.asked import times
from chef.reading.clauses import is_denied
from chef.reading.dates import days_named
from chef.reading.lexicon import alternation, clause_limit, word_list, word_rows
from chef.reading.opposites import opposite
from chef.reading.patterns import Pattern, words
from chef.reading.questions import content_words, stem
from chef.reading.text import limits, sentence_start
from chef.reading.word_index import lower, words_in, words_near

Span = tuple[int, int]

#: How far before a mention words about it may start, in characters.
_NEAR = 40
_IT_IS = re.compile(
    r"\W*(?:(?:so|thus|therefore|hence|my\s+(?:conclusion|guess|answer)\s+is(?:\s+that)?),?\s+)?(?:it|this|that|they)(?:'s|'re|\s+(?:is|are|must\s+be))\s+",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
#: "most likely", "at least"
_NO_EXTREME = re.compile(
    r"\bmost\s+(?:likely|probably|of)\b|\bat\s+(?:the\s+)?(?:most|least|best)\b", re.IGNORECASE
)
#: Where a clause ends, in a text in lower case.
_CLAUSES = clause_limit("and but while whereas", ".,;:!?\n", r"(?!\d)")
#: What ends a sentence: "the minimum is 31 mm, in November".
SENTENCES = re.compile(r"[.;!?\n](?!\d)")
_RANK = r"(?:second|third|fourth|fifth|2nd|3rd|4th|5th)"
#: "with Messi in second place", "France is second"
_RANKED = re.compile(
    rf"\s+(?:(?:is|was|are|were|being|comes?|came|coming|ranks?|ranked|ranking|finish\w*|placed)\s+)*"
    rf"(?:(?:as|in|at|on)\s+)?(?:the\s+|a\s+)?(?:close\s+)?(?:{_RANK}(?=\s+(?:place|position|rank|with|at)\b"
    rf"|\W*(?:[.,;!\n]|\Z))|runner-up\b)",
    re.IGNORECASE,
)
_LATER = re.compile(rf"\b{_RANK}\b|\brunner-up\b", re.IGNORECASE)
#: What keeps a clause with a superlative from saying that a thing is the one asked for.
_NOT_THE = re.compile(
    rf"\b(?:{_RANK}|not|no|never|than|one\s+of|almost|nearly|if|whether|which|would|might|may)\b|n't\b",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(r"\b(?:not|no|never|without)\b|n't\b", re.IGNORECASE)
#: "the man is not", "the man isn't wearing a tie"
_DENIED = re.compile(
    r"[\"')\]]*\s+(?:is|are|was|were|does|do|did|has|have|had|can|could)(?:\s+not|n't)\b"
    r"(?P<rest>[^.,;!?\n]*)",
    re.IGNORECASE,
)
#: "The sofa has stripes, but the rug doesn't."
_TURNS = "but though pero aunque mais aber ma mas però"
_BUT = Pattern(
    alternation(words(_TURNS)) + r"\s+(?!(?:it\s+is|it's)\s+not\s+(?:clear|sure))[^,.;!?\n]*",
    needs=_TURNS,
    first=_TURNS,
    lowered=True,
    inside=True,
)
_BUT_NOT = re.compile(
    r"[^.;!?\n]{0,60}?,?\s+(?:but|while|whereas)\s+(?P<who>[^.,;!?\n]{1,40}?)\s+"
    r"(?:do|does|did|is|are|was|were|has|have|had)(?:\s+not|n't)\s*(?=[.,;!?]|\Z)",
    re.IGNORECASE,
)
#: "Churches have towers", "Clay would be red"
_IN_GENERAL = re.compile(
    r"\s+(?:have|has|often|usually|typically|normally|generally|would|can|could|tends?|comes?)\b",
    re.IGNORECASE,
)
_ARTICLES = frozenset(["", "a", "an", "the"])
#: "and the blue one for exports"
_OTHER_ONE = re.compile(
    r"\bthe\s+(?P<which>\w+)\s+ones?\s+(?:(?:is|are|for|means?|shows?|represents?|stands?|to|with|has"
    r"|have|of)\s+)*(?:(?:the|an?)\s+)?\Z",
    re.IGNORECASE,
)
#: "What is the boy looking at?"
_ACT_ASKED = re.compile(
    r"\b(?P<act>\w{2,}ing)\b(?:\s+(?:at|on|to|in|with|for|from|over|up|out))*\W*\Z", re.IGNORECASE
)
_ACT = re.compile(r"\b(?:while|and|as)\s+(?:\w+\s+)?(?P<act>\w{2,}ing)\b", re.IGNORECASE)


#: A part of a sentence that may compare two things.
_COMPARING = re.compile(
    r"(?:(?!\b(?:but|while|whereas|although|though|and)\b)[^.;!?\n])+", re.IGNORECASE
)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_NOT_AS = re.compile(
    r"(?:\bnot|n't)\s+(?:quite\s+|nearly\s+)?(?:as|so)\s+(?P<how>\w{3,})\s+as\b", re.IGNORECASE
)


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
        or _is_of_other(text, span, question)
        or _is_general(text, span)
    )


@lru_cache(256)
def _extremes(question: str) -> tuple[frozenset[str], frozenset[str]]:
    """The superlatives of the end of the scale that a question asks for, and of the other one."""
    words = frozenset() if _LATER.search(question) else _words_of(question)
    found = [(end, other) for end, other in _scales() if words & end and not words & other]
    return found[0] if len(found) == 1 else (frozenset(), frozenset())


@cache
def _scales() -> list[tuple[frozenset[str], frozenset[str]]]:
    """Of each scale, or of roles, both ways the one end and the other; comparatives, too."""
    return [
        (end, other | _comparatives(other))
        for high, low in map(_ends, (*word_rows("extremes"), *word_rows("roles")))
        for end, other in ((high, low), (low, high))
    ]


def _comparatives(superlatives: frozenset[str]) -> frozenset[str]:
    return frozenset(f"{word[:-3]}er" for word in superlatives if word.endswith("est"))


def _ends(row: str) -> tuple[frozenset[str], frozenset[str]]:
    """The two ends of a scale."""
    high, _, low = row.partition(":")
    return words(high), words(low)


def unasked(text: str, question: str) -> list[Span]:
    """What a sentence names and then denies of the question: "a vase, but it is not on the table".

    >>> unasked("There is a vase, but it is not on the table.", "What is on the table?")
    [(0, 43)]
    """
    terms = content_words(question)
    spans = (match.span() for match in _BUT.finditer(text))
    clauses = ((start, end, text[start:end]) for start, end in spans)
    return [
        (sentence_start(text, start), end)
        for start, end, clause in clauses
        if is_denied(clause) and terms & content_words(clause)
    ]


@lru_cache(256)
def _lesser(question: str) -> tuple[frozenset[str], frozenset[str]]:
    """The comparatives that a question asks for, and those that say the contrary."""
    terms = words_in(question)
    if "than" in terms:
        return frozenset(), frozenset()
    rows = [_ends(row) for row in word_rows("comparatives")]
    pairs = [pair for one, two in rows for pair in ((one, two), (two, one))]
    ends = [(one, two) for one, two in pairs if terms & one and not terms & two]
    if not ends or _extremes(question)[0]:
        return frozenset(), frozenset()
    more = terms & word_list("more_scales")
    same = frozenset().union(*(one for one, _ in ends))
    other = frozenset().union(*(two for _, two in ends), words("less fewer") if more else ())
    return same, other - same


def asks_for_extreme(question: str) -> bool:
    """Whether a question asks for what is at one end of a scale: "the highest value"."""
    return bool(_extremes(question)[0])


def lesser(text: str, question: str) -> list[Span]:
    """What a text says to be less than another thing, where a question asks which is more.

    >>> lesser("The stone is lighter than the feather.", "Which is heavier?")
    [(0, 25)]
    """
    same, other = _lesser(question)
    if not same or words_near(text).isdisjoint(other | {"as"}):
        return []
    spans = []
    for match in _COMPARING.finditer(text):
        if text[match.end() : match.end() + 1] == "?":
            continue  # it may be an invented turn
        than = _THAN.search(match[0])
        words_said = _words_of(match[0][: than.start()] if than else match[0])
        less = words_said & other and not words_said & same and not is_denied(match[0])
        as_much = _NOT_AS.search(match[0])
        if as_much and any(word.startswith(as_much["how"][:3].lower()) for word in same):
            spans.append((match.start(), match.start() + as_much.end()))
        elif less:
            spans.append((match.start(), match.start() + than.end() if than else match.end()))
    return spans


def _words_of(text: str) -> frozenset[str]:
    return frozenset(match[0].lower() for match in _WORD.finditer(_NO_EXTREME.sub(" ", text)))


def without_other_extreme(text: str, question: str) -> str:
    """``text`` with blanks for the clauses about the other end of the scale that is asked about.

    >>> without_other_extreme("Paris has the highest, Rome the lowest.", "Which is the highest?")
    'Paris has the highest,                .'
    """
    ends, other = _extremes(question)
    if not ends or other.isdisjoint(words_near(text)):
        return text
    for start, end in clauses_of(text):
        words = _words_of(text[start:end])
        if words & other and not words & ends:
            text = text[:start] + " " * (end - start) + text[end:]
    return text


def about_extreme(text: str, question: str, limit: re.Pattern[str] = _CLAUSES) -> str:
    """``text`` with line breaks for what does not say of a thing that it is the one asked about.

    >>> about_extreme("Blue is the largest, red is 30%.", "Which is the largest?").strip()
    'Blue is the largest'
    """
    ends, _ = _extremes(question)
    chars = list("\n" * len(text))
    for start, end in clauses_of(text, limit) if ends else ():
        clause = text[start:end]
        if _words_of(clause) & ends and not _NOT_THE.search(clause):
            chars[start:end] = clause
    return "".join(chars)


def clauses_of(text: str, limit: re.Pattern[str] = _CLAUSES) -> list[Span]:
    """The stretches of a text between commas, full stops and words such as "while".

    >>> clauses_of("Left, right")
    [(0, 4), (5, 11)]
    """
    spans = (match.span() for match in limit.finditer(lower(text)))
    limits = [(0, 0), *spans, (len(text), len(text))]
    return [(start, end) for (_, start), (end, _) in pairwise(limits)]


def _is_other_extreme(text: str, span: Span, question: str) -> bool:
    """Whether the clause of a mention is about the other end of the scale, or a later place."""
    ends, other = _extremes(question)
    if not ends:
        return False
    if _RANKED.match(text, span[1]):
        return True
    start, end = _clause(text, span)
    words = _words_of(f"{text[start : span[0]]} {text[span[1] : end]}")
    return bool(words & other) and not words & ends


def _clause(text: str, span: Span) -> Span:
    """The clause in which a span stands."""
    starts, ends = limits(lower(text), _CLAUSES)
    before, after = bisect_right(ends, span[0]), bisect_left(starts, span[1])
    start = ends[before - 1] if before else 0
    return start, starts[after] if after < len(starts) else len(text)


def _is_denied(text: str, span: Span, question: str) -> bool:
    """Whether what the question asks about is denied of the thing that is mentioned."""
    match = _DENIED.match(text, span[1])
    if match is None or _NEGATIVE.search(question):
        return False
    said = content_words(match["rest"])
    return not said or bool(said & content_words(question))


def _is_of_other(text: str, span: Span, question: str) -> bool:
    """Whether a mention goes with another thing, time or label than the one asked about."""
    if asked_of := times(question):
        start, end = _clause(text, span)
        others = times(f"{text[start : span[0]]} {text[span[1] : end]}")
        if others and asked_of.isdisjoint(times(text[start:end])):
            return True
    if days := days_named(question):
        said_days = days_named(text[slice(*_clause(text, span))])
        if said_days and days.isdisjoint(said_days):
            return True
    terms = content_words(question)
    denied = _BUT_NOT.match(text, span[1])
    if denied and terms & content_words(denied["who"]):
        return True
    other = _OTHER_ONE.search(text, max(0, span[0] - _NEAR), span[0])
    return other is not None and opposite(stem(other["which"].lower()), list(terms))[0] is not None


def _is_general(text: str, span: Span) -> bool:
    """Whether a sentence is of a whole kind, and the last one says what is there: "it's a bank"."""
    lead = text[sentence_start(text, span[0]) : span[0]].strip().lower()
    if lead not in _ARTICLES or not _IN_GENERAL.match(text, span[1]):
        return False
    last = sentence_start(text, max(0, len(text.rstrip()) - 2))
    return last > span[1] and _IT_IS.match(text, last) is not None


def _is_other_act(text: str, span: Span, question: str) -> bool:
    """Whether a mention goes with another act than the one that the question asks about."""
    match = _ACT_ASKED.search(question)
    if match is None or not re.search(rf"\b{match['act']}\b", text[: span[0]], re.IGNORECASE):
        return False
    start = max(text.rfind(mark, 0, span[0]) for mark in ".;!?\n") + 1
    acts = list(_ACT.finditer(text, start, span[0]))
    return bool(acts) and stem(acts[-1]["act"].lower()) != stem(match["act"].lower())
