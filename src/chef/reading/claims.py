"""Compare what an answer states with what a yes/no question asks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Literal, TypeAlias

from chef.reading.asked import ANYONE, VerdictQuestion, asked, kinds, times, wider
from chef.reading.asked_forms import without_colors
from chef.reading.clauses import clauses, is_denied, is_supposed
from chef.reading.comparisons import alike, contrasted
from chef.reading.dates import Date, days_named
from chef.reading.lexicon import Phrases, word_list
from chef.reading.measures import beyond, is_other_amount, outdone
from chef.reading.opposites import extremes, opposite, rivals_of, sides_of
from chef.reading.patterns import Pattern, has_cjk, words
from chef.reading.quantified import (
    asks_of_all,
    asks_of_any,
    asks_of_most,
    asks_of_only,
    is_alone,
    of_few,
    of_some,
)
from chef.reading.questions import content_places, content_words, stem
from chef.reading.relation import Statement
from chef.reading.text import Hit
from chef.reading.word_index import sentences

Verdict: TypeAlias = Literal["yes", "no"]

#: A clause about the question, or about what usually is.
_UNSETTLED = Pattern(
    r"\A\W*(?:evidence|arguments?|reasons?|signs?|indications?|clues?|hints?)\s+(?:for|against)\b"
    r"|\b(?:would\s+(?!(?:not\s+)?(?:be|fit|work)\b)|either|decide|check(?:ing)?|determine|question|asks?|asked|used\s+to"
    r"|what\s+(?:looks\s+like|I\s+took)|usually|typically|often|must\s+be\s+\w+\s+for|suggests?\s+that\s+if|(?:is|are|was|were)\s+(?:expected|forecast|about\s+to))\b",
    needs="would either decide check checking determine question ask asks asked used what usually"
    " must typically often if expected forecast about"
    " against for",
)
#: "The statement that there is no car is false."
_UNTRUE = Pattern(
    r"\b(?:statement|claim|assertion)\s+that\s+(?P<said>.+?)\s+is\s+"
    r"(?:clearly\s+)?(?:false|wrong|incorrect|untrue|not\s+(?:true|correct|right))\b",
    needs="statement claim assertion",
)
#: "It would be wrong to say that there is no car", "It isn't the case that there is a car".
_UNTRUE_THAT = Pattern(
    r"\b(?:it|that)(?:'s|\s+is|\s+was|\s+would\s+be|\s+isn't|\s+wouldn't\s+be)\s+(?:simply\s+|clearly\s+)?"
    r"(?:not\s+)?(?:(?:a\s+mistake|wrong|incorrect|false|untrue|inaccurate|misleading|not\s+(?:true|correct|right|accurate))"
    r"\s+(?:to\s+(?:say|claim|state|call|think|conclude|assume)\s+)?"
    r"|(?<=n't\s)(?:true|correct|right|the\s+case)\s+"
    r"|(?<=not\s)the\s+case\s+)that\s+(?P<said>[^.;:!?\n]+)",
    needs="that wrong | that incorrect | that false | that untrue | that inaccurate | that true"
    " | that misleading | that mistake | that correct | that right | that accurate | that case",
    inside=True,
)
#: "The caption says that there is a car, but the picture shows otherwise."
_REFUTED = Pattern(
    r"\b(?:says?|said|claims?|claimed|states?|stated|suggests?|asserts?|maintains?)\s+that\s+"
    r"(?P<said>[^.;!?\n]+?)(?:,?\s+(?:but|yet)|[.;])\s+(?:\w+[\s,]+){1,5}?(?:shows?|shown|proves?|proven|reveals?|tells?)\s+"
    r"(?:otherwise|differently|something\s+(?:else|different)|the\s+(?:opposite|contrary)"
    r"|(?:it|this|that)\s+(?:to\s+be\s+)?(?:wrong|false|untrue))\b",
    needs="that otherwise | that differently | that something | that opposite | that contrary"
    " | that wrong | that false | that untrue",
)
#: "A shadow resembles a cat, but ..." tells nothing.
_LIKE = Phrases("likenesses")
_BUT = re.compile(r",?\s{0,2}but\b", re.IGNORECASE)
#: "The nurse wears no coat, and neither does the boy."
_SO_IS = re.compile(
    r"\W*(?:(?P<no>neither|nor)|so)\s+(?:is|are|was|were|do|does|did|has|have|had|can|will)\s+(?P<who>[^.;,:!?\n]+)",
    re.IGNORECASE,
)
#: What may stand for the thing of a question.
_INDEFINITE = words("body none one any some several many") | {"no" + "body"}
_HAVING = words("have has wear wears hold holds")
_WHO = r"(?P<who>(?:(?:the|his|her|their|my)\s+|(?-i:[A-Z]))[^.,;!?\n]{1,40}?)"
_WAS, _THAT = r"(?:is|was)(?:n't|\s+not)?", r"(?:who|that|which)"
#: "It is the boy who is fixing the car", "The boy is the one who does": the girl does not.
_CLEFT = tuple(
    re.compile(form, re.IGNORECASE | re.DOTALL)
    for form in (
        rf"\W*(?:\w+\s+)?it(?:'s|\s+{_WAS})\s+(?:not\s+)?{_WHO}\s+{_THAT}\s+(?P<rest>.+)",
        rf"\W*{_WHO}\s+{_WAS}\s+the\s+one\s+{_THAT}\s+(?P<rest>.+)",
        rf"\W*the\s+one\s+{_THAT}\s+(?P<rest>.+)\s+{_WAS}\s+{_WHO}\W*\Z",
    )
)
_THAT_WORD = re.compile(r"\s(?:who|that|which)\s")
_STOPS = frozenset(".!?")
#: What came before or after is of another time: ", before recovering in 2017".
_BY_TIME = re.compile(r"\b(?P<side>before|after)\b(?P<when>[^?]*)", re.IGNORECASE)
_NO_DATE: Date = (0, 0, 0)
_YEAR = re.compile(r"\b(?:1\d{3}|20\d\d)\b")
_SOMEONE = re.compile(
    r"\b(?:any(?:one|body)|some(?:one|body)|quelqu['’]un|jemand|alguien|qualcuno|alguém)\b",
    re.IGNORECASE,
)
_LATER = re.compile(r",\s+(?:before|after|until)\s+\w+ing\b.*", re.IGNORECASE | re.DOTALL)


def compared(
    plain: str, start: int, end: int, question: str, *, last: bool = False
) -> list[Hit[Verdict]]:
    """The verdicts of the clauses of ``plain[start:end]`` on what the question asks.

    Where only the last one is wanted (``last``), no clause before it is judged.

    >>> text = "I see a cat, but I don't see any dog."
    >>> [hit.value for hit in compared(text, 0, len(text), "Is there a dog?")]
    ['no']
    """
    query = asked(question)
    if query is None:
        return []
    plain = without_colors(plain)
    before = plain[:end]
    for claim in (beyond(before, query), alike(before, query), contrasted(before, question)):
        if claim and claim[1] >= start:
            return [Hit("yes" if claim[0] else "no", claim[1], end)]
    hits: list[Hit[Verdict]] = []
    parts = (clauses(plain, *span) for span in _telling_parts(plain, start, end, query))
    spans = list(chain.from_iterable(parts))
    for begin, stop in reversed(spans) if last else spans:
        clause = plain[begin:stop]
        likened = _BUT.match(plain, stop) and _LIKE.search(clause)
        value = None if likened else _said(clause, question, query)
        if value is not None:
            hits.append(Hit(value, begin + len(clause) - len(clause.lstrip()), stop))
            if last:
                break
    if not hits and (claim := outdone(before, question, query)) and claim[1] >= start:
        return [Hit("yes" if claim[0] else "no", claim[1], end)]
    return hits


def _said(clause: str, question: str, query: VerdictQuestion) -> Verdict | None:
    """What a clause says of a question."""
    side, limit = _limit(question)
    if any(limit) and side not in clause.lower() and not is_denied(clause):
        date = _moment(clause)
        # "It rises every year" is no date, and tells of the years after 2019, too.
        if any(date) or not query.changes:
            return _of_time(date, limit, before=side == "before")
    if by_another := _by_another(clause, question, query):
        return by_another
    of_which = asks_of_all(question) or (asks_of_any(question) and not is_denied(clause))
    if of_which and (claim := of_some(clause)) is not None:
        # Some that are lit, or not lit, say no of all, and some that are lit yes of any.
        part = _judge(claim, query)
        of_any = asks_of_any(question)
        return None if part is None or (of_any and part == "no") else "yes" if of_any else "no"
    if asks_of_most(question) and (claim := of_few(clause)) is not None:
        return "no" if _judge(claim, query) == "yes" else None
    value = _of_someone(clause, question) or _judge(clause, query)
    if value and is_other_amount(clause, question, query):
        # "It does not measure 12 cm" does not tell whether it measures 4 cm.
        return None if is_denied(clause) else "no"
    return value


def _by_another(clause: str, question: str, query: VerdictQuestion) -> Verdict | None:
    """What a clause says by another thing: "and neither does the boy", "there is no other"."""
    same = _SO_IS.match(clause)
    if same and query.words and query.words[0] in content_words(same["who"]):
        return "no" if same["no"] else "yes"
    if _THAT_WORD.search(clause) and _judge(_said_of_other(clause, query), query) == "yes":
        return "no"
    alone = is_alone(clause) if asks_of_only(question) else None
    return None if alone is None else "yes" if alone else "no"


def _said_of_other(clause: str, query: VerdictQuestion) -> str:
    """What a clause says of another thing alone, as if it said it of the subject of a question:
    "it sings" of "it is the boy who sings", where it is asked whether the girl does.
    """
    forms = _CLEFT if query.subject and len(query.words) > 1 else ()
    match = next((match for form in forms if (match := form.match(clause))), None)
    who = content_words(match["who"]) if match else frozenset[str]()
    if match is None or not who:
        return ""
    is_other = who.isdisjoint(query.words) or opposite(query.words[0], [*who])[0]
    unnamed = who & ANYONE or re.search(r"\bones?\b", match["who"])
    return "" if unnamed or not is_other or is_denied(clause) else f"it {match['rest']}"


def untrue(plain: str, start: int, end: int, question: str) -> list[Hit[Verdict]]:
    """The verdicts of what a text says to be untrue: "it would be wrong to say that it is open".

    >>> text = "It isn't the case that the door is open."
    >>> [hit.value for hit in untrue(text, 0, len(text), "Is the door open?")]
    ['no']
    """
    query = asked(question)
    hits: list[Hit[Verdict]] = []
    if query is None:
        return hits
    forms = (_UNTRUE, _UNTRUE_THAT, _REFUTED)
    for match in chain.from_iterable(form.finditer(plain) for form in forms):
        value = _judge(match["said"], query) if start <= match.start() < end else None
        if value is not None:
            hits.append(Hit("yes" if value == "no" else "no", *match.span("said")))
    return hits


def restates(sentence: str, question: str, before: str = "") -> bool:
    """Whether a sentence is a question as a statement, or says the contrary in its words; one with
    a single word of the question, only where the text ``before`` has it, too.

    >>> restates("The door is shut", "Is the door open?"), restates("It rains", "Does it snow?")
    (True, False)
    """
    query = asked(question)
    stems = [stem for stem, _, _ in content_places(sentence)]
    if query is None or not stems or not query.words:
        return False
    # "I see it. There is no dog." may explain a verdict.
    is_new = bool(before.strip()) and stems[0] not in content_words(before)
    if len(stems) == 1 and (is_new or not query.thing):
        return False
    # Of a comparison, or of sides, the things may change places.
    if not (stems[0] == query.words[0] or query.sides or word_list("sides") & {*query.words}):
        return False
    return rivals_of(query.words).issuperset({*stems} - {*query.words}) and not is_denied(question)


@lru_cache(256)
def _limit(question: str) -> tuple[str, Date]:
    """The date before, or after, which a question asks whether something is."""
    match = _BY_TIME.search(question)
    return (match["side"].lower(), _moment(match["when"])) if match else ("", _NO_DATE)


def _moment(text: str) -> Date:
    """The only year, month and day that a text names, with zeros for what it leaves out."""
    years, days = {*_YEAR.findall(text)}, days_named(text)
    if len(years) > 1 or len(days) > 1:
        return _NO_DATE
    month, day = next(iter(days), (0, 0))
    return int(next(iter(years), 0)), month, day


def _of_time(date: Date, limit: Date, *, before: bool) -> Verdict | None:
    """Whether a date is on the side of another one that is asked for; None if it does not tell."""
    for part, other in zip(date, limit, strict=True):
        if part != other:
            is_so = (part < other) == before
            return ("yes" if is_so else "no") if part and other else None
    return None


def _of_someone(clause: str, question: str) -> Verdict | None:
    """No, where a place is empty in which somebody is asked for."""
    if not _SOMEONE.search(question) or is_denied(clause):
        return None
    return None if content_words(clause).isdisjoint(sides_of("full")[1]) else "no"


def _telling_parts(
    plain: str, start: int, end: int, query: VerdictQuestion
) -> Iterator[tuple[int, int]]:
    """The sentences from ``start`` to ``end`` with words by which `_judge` may tell anything."""
    telling = _telling_stems(query)
    if telling is None or has_cjk(plain):
        yield start, end
        return
    split = sentences(plain)
    bits = 0
    for word, having in split.having.items():
        if not word.isalpha() or stem(word) in telling:
            bits |= having
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
    return plain[place - 1] == "\n" or (plain[place].isspace() and plain[place - 1] in _STOPS)


@lru_cache(256)
def _telling_stems(query: VerdictQuestion) -> frozenset[str] | None:
    """The stems of which a clause that `_judge` tells anything of has one; None if it need not."""
    if (
        query.quoted
        or query.sides
        or query.name
        or query.ending
        or query.appraisal
        or "empty" in query.words
    ):
        return None
    if query.thing and not query.changes:
        names = (kinds().get(word, frozenset()) for word in query.thing)
        return frozenset(map(stem, _INDEFINITE)).union(
            query.thing,
            wider(query.thing[-1]),
            *names,
            sides_of("full")[1],
            sides_of(query.thing[-1])[1],
        )
    names = (kinds().get(word, frozenset()) for word in query.words)
    return frozenset(map(stem, _HAVING)).union(query.words, rivals_of(query.words), *names)


def _judge(clause: str, query: VerdictQuestion) -> Verdict | None:
    if query.times and _peaks_at_other_time(clause, query):
        return None if Statement(clause, query).holds() is None else "no"
    holds = None if is_unsettled(clause, query) else Statement(clause, query).holds()
    return None if holds is None else "yes" if holds else "no"


def _peaks_at_other_time(clause: str, query: VerdictQuestion) -> bool:
    """Whether a superlative of the question goes to another time: "it is highest in July"."""
    moments = times(clause)
    shared = content_words(clause).intersection(query.words)
    if not moments or moments & query.times or all(end.isdisjoint(shared) for end, _ in extremes()):
        return False
    alike = {*map(str.isdigit, moments)} == {*map(str.isdigit, query.times)}
    return alike and not (is_denied(clause) or is_supposed(clause))


def is_unsettled(clause: str, query: VerdictQuestion) -> bool:
    """Whether a clause settles nothing: it supposes, asks, or tells what usually is, or was then.

    >>> is_unsettled("usually it is legal", asked("Is it legal?"))
    True
    """
    moments = times(_LATER.sub("", clause)) if query.times or query.always else query.times
    # What holds of some years does not hold of every year.
    if moments and moments.isdisjoint(query.times):
        return not (query.always and is_denied(clause))
    return is_supposed(clause) or _UNSETTLED.search(clause) is not None
