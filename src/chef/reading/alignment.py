"""What a clause says of the subject of a question: its predicate, laid beside the one asked about.

Subject, then verb, adjective or side, then what completes it. The same predicate says yes, its
contrary no, and a denial turns both round.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from chef.reading.asked import PROPER, VerdictQuestion, times
from chef.reading.clauses import is_denied
from chef.reading.lexicon import word_list
from chef.reading.number_forms import numbers_in
from chef.reading.opposites import rivals, sides_of
from chef.reading.patterns import words, words_in
from chef.reading.questions import content_places, content_words, stem
from chef.reading.text import sentence_start

#: Of these "on" and "off" before a noun are no adverbs: "the lamp on the desk".
_ADVERB = re.compile(
    r"\b(?:left|right|up|down|inside|outside|(?:on|off)(?!\s+(?:an?|the|its?|his|her|their|this|that|top|my|your)\b))\b"
)
#: A pronoun for the subject, also behind a time: "So on Monday it".
PRONOUN = re.compile(
    r"\s*(?:and\s+|so\s+|yes,?\s+|hence\s+|thus\s+|therefore,?\s+)?"
    r"(?:(?:on|in|at|by|since|after)\s+(?:\w+\s+){1,4}?)?(?:it|he|she|they|this|that"
    r"|these|those|both|all|you|i|we|there(?!(?:'s|\s+is)\s+something\b)|its|his|her|their"
    r"|es|er|sie|il|elle|ce|c'|él|ella|esto|lui|lei|ele|ela|isto|это|он|она|оно)(?:'s|'re)?\b",
    re.IGNORECASE,
)
#: What may stand between a subject and its predicate.
_BETWEEN = re.compile(
    r"[\s,]*(?:(?:'s|'re|is|are|was|were|has|have|had|be(?:en)?|do|does|did|can|could|will|not|cannot"
    r"|isn't|aren't|wasn't|weren't|hasn't|haven't|hadn't|don't|doesn't|didn't|can't|won't|no|longer|still"
    r"|lies?|stands?|sits?|located|situated|therefore|thus|also|indeed|clearly|actually|currently|an?|the|any|to"
    r"|ist|sind|war|liegt|steht|befindet|sich|hat|haben|wurde|also|nicht|kein|keine|keinen|ein|eine|einen|est|sont|se|trouvent?|encuentra|trova|a|ont|n'a|n'ont|n'est|ne|pas|no|semblent?|paraît|parece|sembra|scheint"
    r"|está|están|es|ha|han|non|è|sono|hanno|não|foi|não|не)[\s,]+)*",
    re.IGNORECASE,
)
_ONE = re.compile(r"\b(?:one|some|any|it|them|so)\W*\Z", re.IGNORECASE)
#: "falls to the left", whatever the verb
_TO_SIDE = re.compile(
    r"\b(?:to(?:wards?)?\s+the|nach|vers\s+la|hacia\s+la|verso)\s+(left|right|links|rechts|gauche|droite|izquierda|derecha|sinistra|destra)\W*\Z",
    re.IGNORECASE,
)
#: "It is the Tokyo Tower", "The man with the white hair is Albert Einstein"
_NAMED = re.compile(
    r"(?:\A\W*(?:it|this|that|he|she)(?:'s|\s+is|\s+was)|\b(?:is|was|looks\s+like|seems\s+to\s+be|appears\s+to\s+be))\s+"
    rf"(?:not\s+)?(?:(?:the|an?)\s+)?(?:\w+\s+of\s+(?:the\s+)?)?({PROPER})",
    re.IGNORECASE,
)
#: Of two things that are compared.
_SIDE = re.compile(r"\b(?:left|right|\d+)\b", re.IGNORECASE)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_MORE = re.compile(r"\bmore\b|\boutnumber(?:s|ed)?\b", re.IGNORECASE)
_EACH = re.compile(r"\b(?:both|all|each|same)\b", re.IGNORECASE)
_JOINED = re.compile(r"\b(?:and|but|while|whereas)\b", re.IGNORECASE)
_HAVING = re.compile(r"\b(?:has|have)\b", re.IGNORECASE)


_LEAD = re.compile(r"\s*(?:which|this|that)\s+(?:means|shows|implies)(?:\s+that)?\b", re.IGNORECASE)
#: The stems of adverbs that only stress.
_ADVERBS = frozenset(map(stem, words("definitely certainly clearly really actually indeed also")))


def words_of(clause: str) -> list[str]:
    """The stems of the content words of a clause, in order, with adverbs of place."""
    return [word for word, _, _ in _places(clause)]


def _places(clause: str) -> list[tuple[str, int, int]]:
    places = content_places(clause)
    starts = {start for _, start, _ in places}
    extra = [
        (match[0].lower(), *match.span())
        for match in _ADVERB.finditer(clause.lower())
        if match.start() not in starts
    ]
    return sorted([*places, *extra], key=lambda place: place[1])


def predicated(clause: str, query: VerdictQuestion) -> bool | None:
    """Whether the predicate of a clause is the one that a question asks about.

    >>> from chef.reading.asked import asked
    >>> query = asked("Does the pump in the basement work?")
    >>> predicated("the pump no longer works", query)
    False
    """
    words = query.words
    places = _places(clause)
    begin = _subject_end(clause, query, places)
    if begin is None:
        return None
    gap = _BETWEEN.match(clause, begin)
    first_word = gap.end() if gap else begin
    rest = [(word, start) for word, start, _ in places if start >= first_word]
    one = _ONE.search(clause, begin)
    if not rest or rest[0][1] > first_word:
        bare = not rest and one and len(words) > 1 and _HAVING.search(clause, begin, one.start())
        return not is_denied(clause) if bare else None
    stems = [word for word, _ in rest]
    first = 1 if query.subject else 0
    for place in range(first, len(words)):
        if not _relation(words[place], stems[:1]) or (place > first and not query.modified):
            continue
        relations = [_relation(word, stems) for word in words[place:]]
        if one and not relations[-1]:
            relations[-1] = "same"
        return _polarity(clause, relations)
    side = _TO_SIDE.search(clause)
    turned = side and _relation(words[-1], [side[1].lower()]) == "contrary"
    return _polarity(clause, ["contrary"]) if turned else None


def _subject_end(
    clause: str, query: VerdictQuestion, places: list[tuple[str, int, int]]
) -> int | None:
    """Where the subject of the question, or a pronoun for it, ends in a clause."""
    if query.subject:
        ends = [end for word, _, end in places if word == query.words[0]]
        if query.letter and not ends:
            ends = [match.end() for match in re.finditer(rf"\b{query.letter}\b", clause)][-1:]
        if ends:
            return ends[0] if len(ends) == 1 else None
    pronoun = PRONOUN.match(clause)
    return pronoun.end() if pronoun else None


def _relation(word: str, stems: list[str]) -> str:
    """How stems relate to one of a question: one is the "same", a "contrary", a "rival", or ""."""
    same, contrary = sides_of(word)
    if word in stems or not same.isdisjoint(stems):
        return "same"
    if not contrary.isdisjoint(stems):
        return "contrary"
    return "" if rivals(word).isdisjoint(stems) else "rival"


def _polarity(clause: str, relations: list[str]) -> bool | None:
    other = [relation for relation in relations if relation != "same"]
    if not all(other) or len(other) > 1:
        return None
    if not other:
        return not is_denied(clause)
    if is_denied(clause):
        return True if other[0] == "contrary" else None
    return False


def echoed(clause: str, query: VerdictQuestion) -> bool | None:
    """Whether a clause of nothing but words of the question says yes; None for any other clause.

    So a conclusion leans on the question: what is left out of it is meant. Denied, fewer words are
    enough: who wears no hat wears no red one.

    >>> from chef.reading.asked import asked
    >>> query = asked("Will the object float in water?")
    >>> echoed("the object will float", query), echoed("it won't", query)
    (True, None)
    """
    stems = [stem for stem in words_of(_LEAD.sub("", clause, 1)) if stem not in _ADVERBS]
    focus = query.words[1:] if query.subject else query.words
    core = {word for word in focus if word not in query.adjuncts}
    # Of a subject with more words one may tell it from another: "the man on the right".
    ends = core & {focus[-1]} if query.modified and focus else core
    turned = {stem: word for word in ends for stem in sides_of(word)[1].intersection(stems)}
    stated = {turned.get(stem, stem) for stem in stems}
    if not core or not stated & core or not stated <= set(query.words) or len(turned) > 1:
        return None
    denied = is_denied(clause)
    if denied and not turned:
        return False
    return bool(turned) == denied if core <= stated else None


def identified(clause: str, query: VerdictQuestion) -> bool | None:
    """Whether a clause gives what is asked about the name of the question, or another one.

    >>> from chef.reading.asked import asked
    >>> query = asked("Is this the Eiffel Tower?")
    >>> identified("this is the Tokyo Tower", query)
    False
    """
    match = _NAMED.search(clause) if query.name else None
    if match is None:
        return None
    name, other = content_words(query.name), content_words(match[1])
    if not (name <= other or other <= name):
        return None if is_denied(clause) else False
    return not is_denied(clause)


def differ(plain: str, query: VerdictQuestion) -> int | None:
    """Where a last sentence begins that names two values of what is asked to be the same.

    >>> from chef.reading.asked import asked
    >>> differ("One is red and the other blue.", asked("Are they of the same color?"))
    0
    """
    start = sentence_start(plain, max(0, len(plain.rstrip()) - 2))
    sentence = plain[start:]
    if "same" not in query.words or is_denied(sentence) or _EACH.search(sentence):
        return None
    asks_color = "color" in query.words
    if not asks_color and not {"direction", "way"} & set(query.words):
        return None
    names = word_list("colors" if asks_color else "directions")
    values = [word for word in words_in(sentence) if word in names]
    return start if len(set(values)) > 1 and _JOINED.search(sentence) else None


def beyond(plain: str, query: VerdictQuestion) -> tuple[bool, int] | None:
    """Whether the only number of a last sentence is beyond the bound of a question, and its place.

    >>> from chef.reading.asked import asked
    >>> beyond("Norway: 5.4", asked("Is the value for Norway more than 10?"))
    (False, 0)
    """
    if query.bound is None:
        return None
    start = sentence_start(plain, max(0, len(plain.rstrip()) - 2))
    sentence = plain[start:]
    numbers = [number.value for number in numbers_in(sentence)]
    terms = {*query.words, *query.units}
    if len(numbers) != 1 or not content_words(sentence) <= terms or is_denied(sentence):
        return None
    about = terms & content_words(sentence) or PRONOUN.match(sentence)
    if not about or not times(sentence) <= query.times:
        return None
    more, limit = query.bound
    return (numbers[0] > limit if more else numbers[0] < limit), start


def is_ahead(
    clause: str, first: AbstractSet[str], comparative: str, second: AbstractSet[str]
) -> bool | None:
    """Whether a clause with the same comparative names ``first`` before ``second``.

    >>> is_ahead("the church is older than the house", {"hous"}, "older", {"church"})
    False
    """
    # "left" and "right" are words of their own here, and so are "2015" and "2016".
    places = {word: place for word, place, _ in reversed(content_places(clause))}
    for match in _SIDE.finditer(clause):
        places.setdefault(match[0].lower(), match.start())
    more = comparative == "more" and _MORE.search(clause)
    others = sides_of(comparative)[1]
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
        place = one if one is not None else two
        rest = clause[limit:] if place is not None and place < limit else clause[:limit]
        if than and content_words(rest) - first - second - others - {comparative}:
            return None  # compared with a third thing
        ahead = one < limit if one is not None else two is not None and two > limit
    else:
        ahead = one < two
    if turned:
        return None if is_denied(clause) else not ahead
    if is_denied(clause):
        return False if ahead else None
    return ahead
