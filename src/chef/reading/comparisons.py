"""Comparisons: of two things, and of values that are said to be the same."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from chef.reading.asked import VerdictQuestion
from chef.reading.clauses import is_denied
from chef.reading.lexicon import word_list
from chef.reading.opposites import sides_of
from chef.reading.patterns import words
from chef.reading.questions import content_places, content_words
from chef.reading.text import sentence_end, sentence_start
from chef.reading.word_index import words_in

#: Of two things that are compared.
_SIDE = re.compile(r"\b(?i:left|right|\d+)\b|(?<=[a-z] )[A-Z]\b|\b[B-HJ-Z]\b")
_BEATS = r"\b(?:outnumber(?:s|ed)?|beats?|exceeds?|exceeded|surpass(?:es|ed)?)\b"
_THAN = re.compile(rf"\bthan\b|\bahead\s+of\b|{_BEATS}", re.IGNORECASE)
_MORE = re.compile(rf"\bmore\b|{_BEATS}", re.IGNORECASE)
_EACH = re.compile(r"\b(?:both|all|each|same)\b", re.IGNORECASE)
_SAMENESS = frozenset({"same", "ident", "identical", "equal"})
#: "Same size.", "Both are the same size", "the two are equally long", "they are not equal".
_ALIKE = re.compile(
    r"(?:\A\W*+(?:(?:both|exactly)\s+)?(?=\w[\w ]{1,30}+[.!]?\s*+\Z)"
    r"|\b(?P<who>(?:both|they|these|the(?:ir)?(?:\s+two)?)(?:\s+\w+){0,3}?)(?:['’]re|\s+(?:(?:do|did)(?P<dont>\s+not|n't)\s+)?(?:are|were|have|share|stand|weigh|cost|\w+\s+out\s+to\s+be))"
    r"(?:\s+(?:exactly|actually|of|in\s+fact|both|about|indeed))*(?P<no>\s+not|n't)?(?:\s+(?:exactly|actually|of|in\s+fact|both|about|indeed))*\s+)"
    r"(?:(?:(?:the\s+)?same|(?P<other>different|unequal))\b(?:\s+(?P<what>\w+))?|identical\b|equal\b(?!\s+to)|equally\s+\w+)",
    re.IGNORECASE,
)
#: "Both take 12 blocks", "36π in either case"
BOTH = re.compile(
    r"\b(?:both|beide|les\s+deux|ambos|ambas|entrambi|entrambe|оба|обе)\b[^.,;!?\n\d]{1,40}"
    r"\d[\d.,]*\b(?!(?!\s*\Z)[^\n]*\d)|\bin\s+(?:either|both)\s+cases?\b",
    re.IGNORECASE,
)
#: What may be the same of things whatever the question calls it.
_COUNTED = frozenset({"number", "count", "total", "value"})
_EXCEPT = re.compile(r"\b(?:but|however|though|although|except)\b", re.IGNORECASE)
#: In which comparatives things of the same height, and so on, are not ahead of each other.
_COMPARED = {
    "height": words("taller shorter higher lower"),
    "length": words("longer shorter"),
    "size": words("bigger larger smaller"),
    "width": words("wider narrower thicker thinner"),
    **dict.fromkeys(("weight", "weigh"), words("heavier lighter")),
    "cost": words("cheaper dearer costlier"),
    "age": words("older younger"),
    "number": words("more fewer less"),
    "amount": words("more fewer less"),
    "valu": words("more less higher lower greater"),
    "level": words("higher lower"),
    "distanc": words("farther further nearer closer"),
}
_JOINED = re.compile(r"\b(?:and|but|while|whereas)\b|,", re.IGNORECASE)
_BOTH_ARE = re.compile(r"\b(?:both|all)\b", re.IGNORECASE)
#: A longer sentence says more than that, in characters.
_LONGEST = 300
#: "The fork is not made of steel, but the spoon is."
_IN_CONTRAST = re.compile(
    r"(?P<first>[^.;!?\n]+?),?\s+(?:but|while|whereas|though)\s+(?P<who>the\s[^.,;!?\n]{1,60}?)\s+"
    r"(?:is|are|was|were|does|do|did|has|have|can)(?P<no>\s+not|n't)?[\s.!]*\Z",
    re.IGNORECASE,
)


def contrasted(plain: str, question: str) -> tuple[bool, int] | None:
    """What a text ends with that says of one thing what it denies of another, and its place; None
    if the question is about another thing, or predicate.

    >>> question = "Is the spoon made of steel?"
    >>> contrasted("The fork is not made of steel, but the spoon is.", question)
    (True, 35)
    """
    end = len(plain.rstrip())
    start = sentence_start(plain, max(0, end - 2))
    match = _IN_CONTRAST.search(plain, start) if end - start <= _LONGEST else None
    if match is None or is_denied(match["first"]) == bool(match["no"]):
        return None
    who, first = (set(re.findall(r"[\w-]+", match[part].lower())) for part in ("who", "first"))
    names_it = who <= set(re.findall(r"[\w-]+", question.lower())) and not who <= first
    predicate = content_words(question) - content_words(match["who"])
    if not names_it or not predicate or not predicate <= content_words(match["first"]):
        return None
    return not match["no"], match.start("who")


def alike(plain: str, query: VerdictQuestion) -> tuple[bool, int] | None:
    """Whether the things of a question about sameness are the same, or one of them is ahead, where
    a text says that they are the same, or a last sentence names two values; and its place.

    >>> from chef.reading.asked import asked
    >>> alike("One is red and the other blue.", asked("Are they of the same color?"))
    (False, 0)
    >>> alike("Both are equally tall.", asked("Is the man taller than the woman?"))
    (False, 0)
    """
    asks_same = not _SAMENESS.isdisjoint(query.words)
    if not (asks_same or query.sides or "different" in query.words):
        return None
    if "different" not in query.words and (both := BOTH.search(plain)):
        return asks_same, both.start()
    claim = _said_alike(plain, query)
    if claim and not (asks_same or query.sides):
        return not claim[0], claim[1]
    return claim or _by_values(plain, query)


def _said_alike(plain: str, query: VerdictQuestion) -> tuple[bool, int] | None:
    """What the last sentence says that calls things the same, or different."""
    for match in reversed([*_ALIKE.finditer(plain)]):
        who = content_words(match["who"] or "")
        names = content_words(match["what"] or "") or content_words(match[0]).intersection(
            _COMPARED
        )
        what = next(iter(names), "")
        denied = bool(match["no"] or match["dont"])
        is_other = not who <= {*query.words, *_COUNTED, what, "two"}
        if is_other or _EXCEPT.search(
            plain, match.end(), sentence_end(plain, match.end(), len(plain))
        ):
            continue
        if query.sides:
            if denied or match["other"]:
                continue
            if what and query.sides[1] not in _COMPARED.get(what, ()):
                continue
            return False, match.start()
        if not what or what in {*query.words, *_COUNTED}:
            return denied == bool(match["other"]), match.start()
    return None


def _by_values(plain: str, query: VerdictQuestion) -> tuple[bool, int] | None:
    """Whether the colors or directions that a last sentence names are as the question asks."""
    terms = {"same", "different"}.intersection(query.words)
    start = sentence_start(plain, max(0, len(plain.rstrip()) - 2))
    sentence = plain[start:]
    if len(terms) != 1 or is_denied(sentence):
        return None
    asks_color = "color" in query.words
    if not asks_color and not {"direction", "way"} & set(query.words):
        return None
    names = word_list("colors" if asks_color else "directions")
    values = {word for word in words_in(sentence) if word in names}
    same = len(values) == 1 and _BOTH_ARE.search(sentence) is not None
    if not same and (len(values) < 2 or _EACH.search(sentence) or not _JOINED.search(sentence)):
        return None
    return same == ("same" in terms), start


def is_ahead(
    clause: str,
    first: AbstractSet[str],
    comparative: str,
    second: AbstractSet[str],
    terms: AbstractSet[str] = frozenset(),
) -> bool | None:
    """Whether a clause with the same comparative names ``first`` before ``second``; ``terms`` are
    other words of the question.

    >>> is_ahead("the church is older than the house", {"hous"}, "older", {"church"})
    False
    """
    # "left" and "right" are words of their own here, and so are "2015" and "2016".
    places = {word: place for word, place, _ in reversed(content_places(clause))}
    for match in _SIDE.finditer(clause):
        places.setdefault(match[0].lower(), match.start())
    more = comparative == "more" and _MORE.search(clause)
    same, others = sides_of(comparative)
    same |= {comparative}
    # "Shorter than the red bar": the red one is taller.
    turned = not more and same.isdisjoint(places) and not others.isdisjoint(places)
    than = _THAN.search(clause)
    limit = than.start() if than else len(clause)
    if not (more or turned or not same.isdisjoint(places)):
        return None
    one = min((places[word] for word in first - second if word in places), default=None)
    two = min((places[word] for word in second - first if word in places), default=None)
    if one is None and two is None:
        return None
    # Of two things only the one before "than" is ahead: "it is older than the church".
    if one is None or two is None:
        place = one if one is not None else two
        rest = clause[limit:] if place is not None and place < limit else clause[:limit]
        if than and content_words(rest) - first - second - terms - others - same:
            return None  # compared with a third thing
        ahead = one < limit if one is not None else two is not None and two > limit
    else:
        ahead = one < two
    if is_denied(clause):
        return False if ahead and not turned else None
    return ahead != turned
