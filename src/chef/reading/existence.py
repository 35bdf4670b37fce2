"""Whether a clause says that the thing that a question asks for is there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.reading.asked import ANYONE, VerdictQuestion, kinds, wider
from chef.reading.clauses import PRONOUN, denies_all, is_crossed, is_denied, is_supposed, negations
from chef.reading.number_forms import is_portuguese, numbers_in
from chef.reading.opposites import sides_of
from chef.reading.patterns import Pattern, words
from chef.reading.questions import content_places, content_words, stem

Span = tuple[int, int]

#: "Missing a leg" says that something else is not there.
_GONE = re.compile(
    r"(?!,?\s+and\s+(?:one|another)\b)(?:\s+\w+){0,6}?\s*(?:\b(?:is|are|was|were|does|do|can|could|has|have)\s*(?:n't|not|n’t)\b"
    r"|\bcan(?:'t|not)\b|\b(?P<away>(?:is|are)\s+(?:\w+\s+)?(?:nowhere|absent|missing|hidden|obscured)\b"
    r"(?!\s+(?:an?|some|its|his|her|their|the)\b)"
    r"|fehl(?:t|en)\b|manquent?\b|faltan?\b|manca(?:no)?\b|faltam\b|отсутству[ею]т\b)|不在|不见)",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"\b(?:present|visible|there|seen|see|shown|appear|found|depicted|pictured|in\s+(?:the"
    r"|this)\s+(?:image|picture|photo|scene|frame)|anywhere|exist|spotted|detected|identified"
    r"|observed|listed)\b",
    re.IGNORECASE,
)
_NOUN_ENDS = re.compile(
    r"\band\s+(?:an?|the|some|one|two|three|several)\b|\bonly\b|,\s*(?:an?|the)\b"
)
_VERB_ENDS = re.compile(r"\bonly\b|\bjust\b|,\s*(?:a|an)\s|\banother\b")
#: "contains one": the thing of the question.
_ONE = Pattern(
    r"\b(?:contain|have|has|show|see|is|are|include|includes|contains|shows|spot)\s+(?:clearly\s+|indeed\s+|actually\s+|in\s+fact\s+|also\s+)?"
    r"(?:an?\s+\w+\s+(?=one\b))?(?P<one>none|one|any|some|several|many)\b"
    r"(?=\s*(?:\Z|[.,!]|in|on|at|behind|there|near|under|above|next|hanging|standing|lying))",
    needs="none any one some several many",
)
#: Whose the part of a body is, in a clause about who is asked about.
_OWN = re.compile(
    r"\b(?:his|her|its|their|sein\w*|ihr\w*|son|sa|ses|leurs?|sus?|suo|sua|seus?|suas?|его|её|ее"
    r"|их|нём|ней|ha|in testa|na cabeça|sur la tête|à la main)\b",
    re.IGNORECASE,
)
_IMPERSONAL = re.compile(r"\s*(?:there|es|il|this|that)\b", re.IGNORECASE)
_EMPTY_OF_PEOPLE = re.compile(
    r"\b(?:completely|entirely|totally)\s+empty\b|\b(?:seat|chair|bench|bed|sofa)\b", re.IGNORECASE
)
#: Where these are asked for, they are asked of what an adjunct names: "list a value for Norway".
_LISTING = frozenset(map(stem, words("list mention record report specify")))
#: Where a signature or a date would stand.
_FIELD = re.compile(r"\b(?:line|field|box|space)\b", re.IGNORECASE)
#: "The only vehicles are bikes."
_ONLY = re.compile(r"\bonly\s+\Z", re.IGNORECASE)
_NO_ONE = Pattern(
    r"\b(?:no[\s-]one|no\s?body)\b",
    needs=["one no", "no" + "body", "body no"],
)


def thing_there(clause: str, query: VerdictQuestion) -> bool | None:
    """Whether a clause says that the thing is there."""
    if _NO_ONE.search(clause):
        return False if ANYONE & set(query.thing) else None
    place = _thing_place(clause, query.thing, query)
    if _is_bare(clause, query, is_there=place is not None):
        return False
    if place is None:
        return _no_such_kind(clause, query)
    return _there_at(clause, place, query)


def _there_at(clause: str, place: tuple[int, int], query: VerdictQuestion) -> bool | None:
    """Whether what a clause names at a place is there."""
    before, after = clause[: place[0]], clause[place[1] :]
    if negations(clause[slice(*place)]):
        return False  # "the circuit is not complete"
    none = clause[slice(*place)].lower() == "none" or is_crossed(clause)
    if (
        none
        or denies_all(before)
        or sum(not _ended(before[m.end() :], m[0]) for m in negations(before)) % 2
    ):
        return False
    there = _still_there(after, "not" if is_portuguese(clause) else "no|not")
    if there and query.bound:
        return None  # "there are cats" does not say whether there are more than two
    if there and query.number is not None:
        counts = [number.value for number in numbers_in(before)]
        return counts[-1] == query.number if counts else None
    return there


def owned_there(clause: str, query: VerdictQuestion) -> bool | None:
    """Whether a clause says that somebody has the thing that a question asks for, without the verb
    of the question: "there is no hat on her head", "on his nose sits a pair of glasses".
    """
    place = _thing_place(clause, query.owned, query)
    if place is None:
        return None
    there = _there_at(clause, place, query)
    others = content_words(f"{clause[: place[0]]} {clause[place[1] :]}")
    is_there = not query.owned_at.isdisjoint(others)
    is_theirs = query.words[0] in others
    persons = kinds()["person"]
    if not is_theirs and others & ((persons | kinds()["animal"]) - {query.words[0]}):
        return None
    is_theirs = is_theirs or query.words[0] not in persons | {"person"}
    is_theirs = is_theirs or bool(_OWN.search(clause))
    is_theirs = is_theirs or bool(PRONOUN.match(clause) and not _IMPERSONAL.match(clause))
    if there is False:
        # What lies elsewhere is not there either, but it may be worn.
        return False if is_theirs or is_there or others <= {*query.words} else None
    return True if there and is_there and is_theirs and not is_supposed(clause) else None


def _is_bare(clause: str, query: VerdictQuestion, *, is_there: bool) -> bool:
    """Whether a clause says of the place of the thing that there is nothing, or the contrary."""
    stems = content_words(clause)
    if is_denied(clause):
        return False
    # A room without furniture is empty, too.
    only_people = ANYONE & {*query.thing} and not _EMPTY_OF_PEOPLE.search(clause)
    bare = {"desert"} if only_people else sides_of("full")[1]
    empty = not stems.isdisjoint(bare)
    if is_there:
        return empty and _FIELD.search(clause) is not None
    place = set(query.words) - set(query.thing)
    contrary = not stems.isdisjoint(sides_of(query.thing[-1])[1])
    subject = content_places(clause)[0][0] if stems else ""
    return (empty or contrary) and (subject in place or bool(only_people and not place))


def _no_such_kind(clause: str, query: VerdictQuestion) -> bool | None:
    """Whether a clause denies a kind of which the thing is: "there are no animals"."""
    head = query.thing[-1]
    kinds_of = wider(head)
    before = ""
    for word, start, _ in content_places(clause):
        if word == head and len(query.thing) > 1:
            if before in sides_of(query.thing[-2])[1]:
                return False  # "a negative correlation" is no positive one
            if (denials := negations(clause[:start])) and not content_words(
                clause[denials[-1].end() : start]
            ):
                return False
        before = word
        if word not in kinds_of:
            continue
        if _ONLY.search(clause[:start]):
            return False
        denials = negations(clause[:start])
        # "No other animals" leaves room for the dog.
        if denials and len(content_words(clause[denials[-1].end() : start])) < 2:
            return False
    return None


def lacks_part(clause: str, query: VerdictQuestion) -> bool:
    """Whether a part of what a question asks for is missing: without Norway there is no value for
    Norway.
    """
    adjuncts = query.adjuncts if _LISTING & {*query.words} else frozenset[str]()
    for word in query.thing[1:][-1:] or adjuncts:
        place = _thing_place(clause, [word], query)
        if place and not negations(clause[: place[0]]):
            return _still_there(clause[place[1] :], "no|not") is False
    return False


def _still_there(after: str, no: str) -> bool | None:
    """Whether the words after a thing leave it there: "is not barking" does not tell."""
    gone = _GONE.match(after)
    if gone:
        return False if gone["away"] or _THERE.search(after) else None
    near = after[:30]
    denied = re.search(rf"\b(?:{no}|n't)\b", near)
    return None if denied and not re.search(r"\b(?:and|with|is|are|has|in|on)\b", near) else True


def _ended(between: str, negation: str) -> bool:
    """Whether a negation ends before a thing: "no cat and a dog"."""
    of_noun = negation.lower() in ("no", "without", "neither", "nor")
    return (_NOUN_ENDS if of_noun else _VERB_ENDS).search(between) is not None


def _thing_place(clause: str, thing: Sequence[str], query: VerdictQuestion) -> Span | None:
    """Where a clause names the thing: all its words together, or a kind that is not asked about."""
    beside = {*query.words} - {*thing}
    names = {want: {want, *kinds().get(want, ())} - beside for want in thing}
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
