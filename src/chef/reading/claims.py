"""Compare what an answer states with what a yes/no question asks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Literal, TypeAlias

from chef.reading.asked import (
    ANYONE,
    VerdictQuestion,
    asked,
    extremes,
    kinds,
    opposite,
    rivals_of,
)
from chef.reading.clauses import CROSS, clauses, denies_all, is_denied, is_supposed, negations
from chef.reading.lexicon import (
    Phrases,
    word_list,
    word_rows,
)
from chef.reading.number_forms import numbers_in
from chef.reading.patterns import has_cjk, sentences, words, words_in
from chef.reading.questions import content_places, content_words, stem
from chef.reading.text import Hit

Verdict: TypeAlias = Literal["yes", "no"]

#: A clause about the question, or about what usually is.
_UNSETTLED = re.compile(
    r"\b(?:would|either|decide|check(?:ing)?|determine|question|asks?|asked|used\s+to"
    r"|what\s+looks\s+like|usually|typically|often|suggests?\s+that\s+if)\b",
    re.IGNORECASE,
)
_VALUE = re.compile(r"(?<![\w.,])\d+(?:[.,:]\d+)*(?![\w%])")
#: "The statement that there is no car is false."
_UNTRUE = re.compile(
    r"\b(?:statement|claim|assertion)\s+that\s+(?P<said>.+?)\s+is\s+"
    r"(?:clearly\s+)?(?:false|wrong|incorrect|untrue|not\s+(?:true|correct|right))\b",
    re.IGNORECASE,
)
#: "A shadow resembles a cat, but ..." tells nothing.
_LIKE = Phrases("likenesses")
_BUT = re.compile(r",?\s{0,2}but\b", re.IGNORECASE)
_GONE = re.compile(
    r"(?:\s+\w+){0,6}?\s*(?:\b(?:is|are|was|were|does|do|can|could|has|have)\s*(?:n't|not|n’t)\b"
    r"|\bcan(?:'t|not)\b|\bis\s+(?:nowhere|absent|missing)|\bare\s+(?:nowhere|absent|missing)"
    r"|\b(?:is|are)\s+(?:clearly\s+)?(?:absent|missing)\b|不在|不见)",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"\b(?:present|visible|there|seen|see|shown|appear|found|depicted|pictured|in\s+(?:the"
    r"|this)\s+(?:image|picture|photo|scene|frame)|anywhere|exist|spotted|detected|identified"
    r"|observed)\b",
    re.IGNORECASE,
)
_SOMETHING = re.compile(
    r"\b(?:several|many|some|two|three|a\s+few|lots)\b|\bsome(?:one|body|thing)\b"
    r"|\bthere(?:\s+(?:is|are)|'s)\s+(?!no\b|not\b)|\bpeople\b",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\bnothing\b|n't\s+any(?:thing|one|body)\b|\bnot\s+any(?:thing|one|body)\b|\bno\s+one\b"
    r"|\bno\s?body\b",
    re.IGNORECASE,
)
_PARTLY = re.compile(r"\b(?:half|partly|partially|almost|nearly|not\s+quite)\b", re.IGNORECASE)
_NOUN_ENDS = re.compile(
    r"\band\s+(?:an?|the|some|one|two|three|several)\b|\bonly\b|,\s*(?:an?|the)\b"
)
_VERB_ENDS = re.compile(r"\bonly\b|\bjust\b|,\s*(?:a|an)\s|\banother\b")
#: What may stand for the thing of a question.
_INDEFINITE = words("body none one any some several many") | {"no" + "body"}
_HAVING = words("have has wear wears hold holds")
#: "contains one": the thing of the question.
_ONE = re.compile(
    r"\b(?:contain|have|has|show|see|is|are|include|includes|contains|shows|spot)\s+(?:clearly\s+)?"
    r"(?P<one>none|one|any|some|several|many)\b"
    r"(?=\s*(?:\Z|[.,!]|in|on|at|behind|there|near|under|above|next))",
    re.IGNORECASE,
)
_HAS_ONE = re.compile(
    r"\s*(?:it|he|she|they|the\s+\w+)\s+(?:(?:do|does)(?P<not>n't|\s+not)?\s+)?(?:have|has|wear"
    r"|wears|hold|holds)\s+(?:one|any|it)\W*\Z",
    re.IGNORECASE,
)
_NO_ONE = re.compile(r"\b(?:no[\s-]one|no\s?body)\b", re.IGNORECASE)
_PRONOUN = re.compile(
    r"\s*(?:and\s+|so\s+|yes,?\s+|hence\s+|thus\s+|therefore,?\s+)?(?:it|he|she|they|this|that"
    r"|these|those|both|all|you|i|we|there(?!(?:'s|\s+is)\s+something\b)|its|his|her|their"
    r"|es|er|sie|il|elle|ce|c'|él|ella|esto|lui|lei|ele|ela|isto|это|он|она|оно)(?:'s|'re)?\b",
    re.IGNORECASE,
)


#: What may stand for the subject of the question.
_REFERS = re.compile(
    r"\b(?:it|its|he|she|they|this|that|these|those|here|there|one of)\b", re.IGNORECASE
)


def compared(plain: str, start: int, end: int, question: str) -> list[Hit[Verdict]]:
    """The verdicts of the clauses of ``plain[start:end]`` on what the question asks.

    >>> text = "I see a cat, but I don't see any dog."
    >>> [hit.value for hit in compared(text, 0, len(text), "Is there a dog?")]
    ['no']
    """
    wanted = asked(question)
    if wanted is None:
        return []
    hits = []
    spans = (clauses(plain, *span) for span in _telling_parts(plain, start, end, wanted))
    for begin, stop in chain.from_iterable(spans):
        clause = plain[begin:stop]
        likened = _BUT.match(plain, stop) and _LIKE.search(clause)
        untrue = _UNTRUE.search(clause)
        value = None if likened else _judge(untrue["said"] if untrue else clause, wanted)
        if untrue and value is not None:
            value = _verdict(value == "no")
        if value is not None:
            hits.append(Hit(value, begin + len(clause) - len(clause.lstrip()), stop))
    return hits


def _telling_parts(
    plain: str, start: int, end: int, wanted: VerdictQuestion
) -> Iterator[tuple[int, int]]:
    """The sentences between ``start`` and ``end`` with words by which `_judge` may tell anything.

    Most sentences of a long answer are about something else, and have no need to be parted.
    """
    telling = _telling_stems(wanted)
    if telling is None or has_cjk(plain):
        yield start, end
        return
    split = sentences(plain)
    bits = 0
    for word in words_in(plain):
        if not word.isalpha() or stem(word) in telling:
            bits |= split.having(word)
    done = start
    for place in split.places(bits):
        first = last = place
        # A stop before a quotation mark parts no clauses.
        while first and not _parts_clauses(plain, split.spans[first][0]):
            first -= 1
        while last + 1 < len(split.spans) and not _parts_clauses(plain, split.spans[last][1]):
            last += 1
        begin, stop = max(done, split.spans[first][0]), min(end, split.spans[last][1])
        if begin < stop:
            yield begin, stop
            done = stop


def _parts_clauses(plain: str, place: int) -> bool:
    return plain[place].isspace() or plain[place - 1] == "\n"


@lru_cache(256)
def _telling_stems(wanted: VerdictQuestion) -> frozenset[str] | None:
    """The stems of which a clause that `_judge` tells anything of has one; None if it need not."""
    if wanted.quoted or wanted.sides or "empty" in wanted.words:
        return None
    if wanted.thing:
        names = (kinds().get(word, frozenset()) for word in wanted.thing)
        return frozenset(map(stem, _INDEFINITE)).union(wanted.thing, *names)
    return frozenset(map(stem, _HAVING)).union(wanted.words, rivals_of(wanted.words))


def _judge(clause: str, wanted: VerdictQuestion) -> Verdict | None:
    if is_supposed(clause) or _UNSETTLED.search(clause):
        return None
    if wanted.quoted:
        said = wanted.quoted.lower() in clause.lower()
        return _verdict(not is_denied(clause) if said else None)
    if "empty" in wanted.words and "empty" not in content_words(clause):
        nothing = _NOTHING.search(clause) is not None
        return _verdict(nothing if nothing or _SOMETHING.search(clause) else None)
    if wanted.sides:
        return _verdict(_comparison(clause, *wanted.sides))
    if wanted.thing:
        there = _thing_there(clause, wanted)
        return _verdict(None if there is None else there != wanted.absent)
    return _verdict(_told(clause, wanted))


def _told(clause: str, wanted: VerdictQuestion) -> bool | None:
    """What a clause says of the subject: by its value, by the side of a landmark, or by words."""
    told = _value(clause, wanted) if wanted.value else None
    if told is None and (turned := _turned(_words_of(clause), wanted.words)):
        # "The laptop is right of the cup": the cup is left of it.
        return None if is_denied(clause) else turned not in wanted.words
    return _holds(clause, wanted) if told is None else told


def _value(clause: str, wanted: VerdictQuestion) -> bool | None:
    """Whether a clause about the subject names the value that the question ends with."""
    values = [match[0] for match in _VALUE.finditer(clause)]
    if len(values) != 1 or not (set(wanted.words) & content_words(clause)):
        return None
    return (values[0] == wanted.value) != is_denied(clause)


def _verdict(holds: bool | None) -> Verdict | None:
    return None if holds is None else "yes" if holds else "no"


def _thing_there(clause: str, wanted: VerdictQuestion) -> bool | None:
    """Whether a clause says that the thing is there."""
    if _NO_ONE.search(clause):
        return False if ANYONE & set(wanted.thing) else None
    place = _thing_place(clause, wanted.thing)
    if place is None:
        return None
    before, after = clause[: place[0]], clause[place[1] :]
    none = clause[slice(*place)].lower() == "none" or CROSS.search(clause)
    if (
        none
        or denies_all(before)
        or sum(not _ended(before[m.end() :], m[0]) for m in negations(before)) % 2
    ):
        return False
    there = _still_there(after)
    if there and wanted.number is not None:
        counts = [number.value for number in numbers_in(before)]
        return counts[-1] == wanted.number if counts else None
    return there


def _still_there(after: str) -> bool | None:
    """Whether the words after a thing leave it there: "is not barking" does not tell."""
    gone = _GONE.match(after)
    if gone:
        away = _THERE.search(after) or re.search(r"absent|missing|nowhere", gone[0])
        return False if away else None
    if re.match(r"(?:\s+\w+){0,4}\s+(?:is|are)\s+(?:absent|missing)\b", after):
        return False
    near = after[:30]
    denied = re.search(r"\b(?:no|not|n't)\b", near)
    return None if denied and not re.search(r"\b(?:and|with|is|are|has|in|on)\b", near) else True


def _ended(between: str, negation: str) -> bool:
    """Whether a negation ends before a thing: "no cat and a dog"."""
    of_noun = negation.lower() in ("no", "without", "neither", "nor")
    return (_NOUN_ENDS if of_noun else _VERB_ENDS).search(between) is not None


def _thing_place(clause: str, thing: tuple[str, ...]) -> tuple[int, int] | None:
    """Where a clause names the thing: all its words close together, or a kind of it."""
    names = {want: {want, *kinds().get(want, ())} for want in thing}
    places = content_places(clause)
    stated = {word for word, _, _ in places}
    if any(stated.isdisjoint(group) for group in names.values()):
        places = []
    for index in range(len(places)):
        window = places[index : index + len(thing) + 1]
        spans = {
            want: (start, end)
            for want, group in names.items()
            for word, start, end in window
            if word in group
        }
        if len(spans) == len(names):
            begin = min(start for start, _ in spans.values())
            stop = max(end for _, end in spans.values())
            if "," not in clause[begin:stop]:
                return begin, stop
    one = _ONE.search(clause)
    return one.span("one") if one else None


def _holds(clause: str, wanted: VerdictQuestion) -> bool | None:
    """Whether a clause says that what the question asks holds."""
    words = wanted.words
    found = _words_of(clause)
    if not found:
        match = _HAS_ONE.match(clause)
        return None if match is None else not match["not"]
    focus = set(words[1:] if len(words) > 1 and wanted.subject else words)
    for word in words:
        rival, strict = opposite(word, found)
        if rival and word in focus and word not in found:
            about = focus - {word} <= set(found) or set(found) <= {*words, rival}
            if not about or not _same_subject(clause, found, words, rival):
                return None
            return _rival_holds(clause, strict)
    not_so = set(found) <= set(words) and re.match(r"\s*not\b", clause, re.IGNORECASE)
    if not_so or (wanted.is_polar and _is_of_another(clause, found, words)):
        return False
    sides = word_list("sides") & set(words[1:-1])  # "and the laptop at the edge" names no side
    told = (
        words[-1] in found
        and sides <= set(found)
        and (focus <= set(found) or set(found) <= set(words))
    )
    # "half full" is neither full nor empty.
    if not told or _PARTLY.search(clause) or not _same_subject(clause, found, words, words[-1]):
        return None
    return not is_denied(clause)


def _turned(found: list[str], words: tuple[str, ...]) -> str:
    """The side on which a clause says that the landmark of the question is; "" for any other.

    >>> _turned(["laptop", "right", "cup"], ("cup", "left", "laptop"))
    'right'
    """
    for word in words[1:-1]:
        side = opposite(word, found)[0] or word
        if word in word_list("sides") and {side, words[0], words[-1]} <= set(found):
            mark, at, thing = map(found.index, (words[-1], side, words[0]))
            return side if mark < at < thing else ""
    return ""


def _is_of_another(clause: str, found: list[str], words: tuple[str, ...]) -> bool:
    """Whether a clause gives the superlative of the question to another thing.

    "The largest bar is the red one" tells that the blue bar is not the largest.
    """
    if words[0] in found or set(found) <= set(words) or _REFERS.search(clause):
        return False
    same = any(not end.isdisjoint(words[1:]) and not end.isdisjoint(found) for end, _ in extremes())
    return same and not is_denied(clause)


def _rival_holds(clause: str, strict: bool) -> bool | None:
    """What a clause about the opposite says: "not closed" is open, "not red" need not be blue."""
    if is_denied(clause):
        return True if strict else None
    return False


def _words_of(clause: str) -> list[str]:
    found = [word for word, _, _ in content_places(clause)]
    extra = re.findall(r"\b(?:left|right|up|down|on|off)\b", clause.lower())
    return found + [word for word in extra if word not in found]


def _same_subject(clause: str, found: list[str], words: tuple[str, ...], last: str) -> bool:
    """Whether the clause speaks of the subject of the question, or of "it"."""
    if words[0] in found or _PRONOUN.match(clause):
        return True
    lead = found[: found.index(last)] if last in found else found
    return all(word in words for word in lead)


_SIDE = re.compile(r"\b(?:left|right|\d+)\b", re.IGNORECASE)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_MORE = re.compile(r"\bmore\b|\boutnumber(?:s|ed)?\b", re.IGNORECASE)


def _comparison(
    clause: str, first: frozenset[str], comparative: str, second: frozenset[str]
) -> bool | None:
    """Whether a clause with the same comparative names ``first`` before ``second``."""
    # "left" and "right" are words of their own here, and so are "2015" and "2016".
    places = {word: place for word, place, _ in reversed(content_places(clause))}
    for match in _SIDE.finditer(clause):
        places.setdefault(match[0].lower(), match.start())
    more = comparative == "more" and _MORE.search(clause)
    pairs = [row.split() for row in word_rows("comparatives") if comparative in row.split()]
    others = {word for pair in pairs for word in pair} - {comparative}
    # "Shorter than the red bar": the red one is taller.
    turned = not more and comparative not in places and not others.isdisjoint(places)
    than = _THAN.search(clause)
    limit = than.start() if than else len(clause)
    if not (more or turned or comparative in places):
        return None
    one = min((places[word] for word in first - second if word in places), default=None)
    two = min((places[word] for word in second - first if word in places), default=None)
    if one is None and two is None:
        return None
    # Of two things only the one before "than" is ahead: "it is older than the church".
    if one is None or two is None:
        ahead = one < limit if one is not None else two is not None and two > limit
    else:
        ahead = one < two
    if turned:
        return None if is_denied(clause) else not ahead
    if is_denied(clause):
        return False if ahead else None
    return ahead
