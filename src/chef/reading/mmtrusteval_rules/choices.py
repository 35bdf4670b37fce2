"""Which of a few options an answer chooses, each of which has several names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from chef.reading.assertion import negated
from chef.reading.excerpt import read_visible
from chef.reading.leaks import answer_body, before_next_question
from chef.reading.marks import stated, tagged
from chef.reading.mmtrusteval_rules.phrases import denied, found_phrases, supposed
from chef.reading.passage import moved, part_of, parts, without_asides
from chef.reading.text import (
    AMBIGUOUS,
    NOTHING,
    Hit,
    Reading,
    decide,
    found,
    sentence_end,
    strip_markup,
)

#: What may stand before an option that opens an answer.
_LEAD = re.compile(
    r"\W*(?:(?:option|choice|answer|number|label|sentiment|class|it(?:'s|\s+is)|this\s+is|an?|the"
    r"|is|of|my|mostly|mainly|overall|largely|predominantly|clearly|very|rather|slightly|I(?:\s+would|'d)?\s+(?:choose|say|pick))\W+)*",
    re.IGNORECASE,
)
#: A number stands alone, or before the text of its option: "1. stereotype".
_NUMBER_END = re.compile(r"\s*(?:[.):,;\]\"'–—-]|\Z|\n)")
#: What joins options that are only listed: "1, 2 or 3".
_JOINED = re.compile(r"\W*(?:(?:or|and)\b\W*(?:(?:an?|the)\s+)?)?", re.IGNORECASE)


def chosen(answer: str, options: Sequence[Iterable[str]]) -> Reading[int]:
    """The index of the option that an answer chooses; None for none, or for several.

    The first of these decides: the answer is an option; it states one ("the answer is 2"); it
    begins with one; it asserts just one. Of two options a denied one leaves the other. Numbers
    count where they stand as an answer, not as any number of a text.

    Args:
        answer: the model's text.
        options: the names of each option; case does not count.

    >>> chosen("It is not positive.", [["negative"], ["positive"]]).value
    0
    """
    owners = _owners(tuple(tuple(map(str, names)) for names in options))
    return read_visible(answer, lambda text: _read(text, owners, len(options)))


@lru_cache(64)
def _owners(options: tuple[tuple[str, ...], ...]) -> dict[str, int]:
    """The option of each name; a name that several options have belongs to none."""
    owners: dict[str, int] = {}
    for place, names in enumerate(options):
        for name in names:
            key = _key(name)
            owners[key] = place if owners.get(key, place) == place else -1
    return {name: place for name, place in owners.items() if place >= 0 and name}


def _key(name: str) -> str:
    return " ".join(name.lower().split())


def _read(answer: str, owners: dict[str, int], count: int) -> Reading[int]:
    body = before_next_question(answer_body(answer))
    for start, end in reversed(tagged(body)):
        inside = _hits(strip_markup(body[start:end]), owners)
        if result := decide(inside, "tagged", body[start:end]):
            return Reading(result.value, result.rule, result.text)
    plain = without_asides(strip_markup(body))
    for start, end in reversed(parts(plain, "sentence")):
        part, before = part_of(plain, start, end)
        if result := moved(_in_part(part, owners, count, answer[before:]), before):
            return result
    return NOTHING


def _in_part(part: str, owners: dict[str, int], count: int, answer: str) -> Reading[int] | None:
    every = _hits(part, owners)
    if not every:
        return None
    if _listed(part, every):
        return _stated(part, every, answer) or AMBIGUOUS
    result = _stated(part, every, answer) or _leading(part, every, answer)
    if result is not None:
        return result
    words = [hit for hit in every if not _is_number(part, hit)]
    kept = [hit for hit in words if not supposed(part, _text(part, hit))]
    asserted = [hit for hit in kept if not _denied(part, hit)]
    if asserted:
        return decide(asserted, "mention", answer)
    if kept and count == 2 and len({hit.value for hit in kept}) == 1:
        return found(Hit(1 - kept[-1].value, kept[-1].start, kept[-1].end), "denial", answer)
    return None


def _hits(text: str, owners: dict[str, int]) -> list[Hit[int]]:
    return [
        Hit(owners[_key(hit.value)], hit.start, hit.end)
        for hit in found_phrases(text, tuple(owners))
        if not text.startswith("'s", hit.end)
    ]


def _stated(part: str, every: Sequence[Hit[int]], answer: str) -> Reading[int] | None:
    for start, stop in reversed(stated(part)):
        end = sentence_end(part, start, stop)
        inside = [
            hit
            for hit in every
            # The full stop of "the answer is: 2. ..." ends no sentence.
            if start <= hit.start < end or _LEAD.fullmatch(part, start, hit.start)
        ]
        inside = [hit for hit in inside if not _denied(part, hit)]
        if result := decide(inside, "statement", answer):
            return result
    return None


def _leading(part: str, every: Sequence[Hit[int]], answer: str) -> Reading[int] | None:
    first = every[0]
    if _LEAD.fullmatch(part, 0, first.start) is None:
        return None
    if _is_number(part, first) and _NUMBER_END.match(part, first.end) is None:
        return None
    other = next((hit for hit in every if hit.value != first.value), None)
    if other and _JOINED.fullmatch(part, first.end, other.start):
        return None
    return found(first, "opening", answer)


def _listed(part: str, every: Sequence[Hit[int]]) -> bool:
    """Whether several lines begin with different options: the question is repeated."""
    opening = {
        hit.value
        for hit in every
        if _LEAD.fullmatch(part, part.rfind("\n", 0, hit.start) + 1, hit.start)
    }
    return len(opening) > 1


def _is_number(part: str, hit: Hit[int]) -> bool:
    return part[hit.start : hit.end].isdigit()


def _denied(part: str, hit: Hit[int]) -> bool:
    return denied(part, _text(part, hit)) or negated(part, hit.start)


def _text(part: str, hit: Hit[int]) -> Hit[str]:
    return Hit(part[hit.start : hit.end], hit.start, hit.end)
