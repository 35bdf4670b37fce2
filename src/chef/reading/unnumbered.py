"""What an answer counts without a number: the items of a list, "a cat", "a 3-door car"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.reading.number_context import Candidate
from chef.reading.number_forms import list_markers
from chef.reading.patterns import Pattern
from chef.reading.questions import asks_for_count, content_words, counted_words
from chef.reading.text import Hit, Reading, found

#: A last heading or label that no answer follows.
_MISSING = re.compile(r"\banswer\W*\Z", re.IGNORECASE)


def listed(plain: str, answer: str, question: str) -> Reading[float] | None:
    """The number of items of a numbered list, where the answer gives no other number."""
    spans = list_markers(plain)
    if len(spans) < 2 or not asks_for_count(question) or _MISSING.search(plain):
        return None
    items = [
        plain[end : plain.find("\n", end) if "\n" in plain[end:] else len(plain)]
        for _, end in spans
    ]
    if any(len(item.split()) > 9 for item in items):
        return None
    start, end = spans[-1]
    return found(Hit(len(spans), start, end), "list", answer)


#: No text of so many characters has few words only.
_SHORT = 200
#: "A number of buttons", "a row of buttons": it is not told how many.
_THING = (
    r"(?P<a>an?)\s+(?!(?:number|row|set|group|lot|bunch|series|variety|few|stack|pile)\s+of\b)"
    r"(?=(?P<thing>(?:\w+\s+){0,2}\w+))"
)
_A_THING = Pattern(
    r"(?:\bthere(?:\s+is|'s)\s+(?:only\s+|just\s+)?|\bI\s+(?:can\s+)?(?:only\s+)?see\s+(?:only\s+"
    rf"|just\s+)?|\b(?:contains|shows|has)\s+(?:only\s+|just\s+)?){_THING}",
    needs="there see contains shows has",
)
_ONLY_A_THING = Pattern(rf"\s*(?:only\s+|just\s+)?{_THING}")
_A_THING_ABROAD = Pattern(
    r"\b(?:il\s+y\s+a|hay|es\s+gibt|c'è|há|ich\s+sehe|je\s+vois|veo|vedo|vejo"
    r"|auf\s+dem\s+bild\s+ist)\s+"
    r"(?P<a>une?|una?|eine?[nm]?|uma?)\s+(?=(?P<thing>(?:\w+\s+){0,2}\w+))",
    needs="il hay gibt è há sehe vois veo vedo vejo bild",
)


#: "Only the woman is", where things are counted.
_ONLY_ONE = Pattern(
    r"\W*(?:(?:only|just)\s+the\s+(?:(?!and\b|or\b)[\w'-]+\s+){1,6}(?:is|does|has|was|did|can)\b[^.,;]*"
    r"|(?:nur\s+(?:der|das)|seule?\s+l[ae]|sólo\s+(?:el|la)|solo\s+(?:il|lo|el|la)|(?:só|apenas|somente)\s+[oa])\s+"
    r"(?:(?!(?:und|et|y|e)\b)\w+\s*)+)\W*\Z"
)


def single_thing(plain: str, answer: str, question: str) -> Reading[float] | None:
    """1 where the answer says that there is a thing, and the question asks for its number."""
    head = counted_words(question)
    alone = _ONLY_A_THING.match(plain)
    for match in [*([alone] if alone else []), *_A_THING.finditer(plain)]:
        if head & content_words(match["thing"]):
            return found(Hit(1, *match.span("a")), "a thing", answer)
    for match in _A_THING_ABROAD.finditer(plain):
        # Endings differ between languages: "Katze", "Katzen".
        starts = {word[:4] for word in content_words(match["thing"])}
        if starts & {word[:4] for word in head}:
            return found(Hit(1, *match.span("a")), "a thing", answer)
    lone = _ONLY_ONE.match(plain) if asks_for_count(question) else None
    if lone:
        return found(Hit(1, *lone.span()), "a thing", answer)
    is_short = len(plain) < _SHORT and len(plain.split()) < 8
    both = re.search(r"\bboth\b", plain, re.IGNORECASE) if is_short else None
    if both and asks_for_count(question):
        return found(Hit(2, *both.span()), "a thing", answer)
    return None


def compound(numbers: Sequence[Candidate], answer: str) -> Reading[float] | None:
    """A number such as the one of "a 3-door car", if it is the only one."""
    named = [c for c in numbers if answer[c.number.end : c.number.end + 1] == "-"]
    return found(named[0].hit, "only number", answer) if len(named) == 1 == len(numbers) else None
