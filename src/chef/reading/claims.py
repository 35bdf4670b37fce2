"""Compare what an answer states with what a yes/no question asks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Literal, TypeAlias

from chef.reading.alignment import (
    PRONOUN,
    beyond,
    differ,
    identified,
    is_ahead,
    predicated,
    words_of,
)
from chef.reading.asked import (
    VerdictQuestion,
    asked,
    kinds,
    times,
    wider,
    without_colors,
)
from chef.reading.clauses import clauses, is_denied, is_supposed
from chef.reading.existence import thing_there
from chef.reading.lexicon import (
    Phrases,
    word_list,
)
from chef.reading.opposites import extremes, opposite, rivals_of, sides_of
from chef.reading.patterns import Pattern, has_cjk, sentences, words
from chef.reading.places import is_elsewhere
from chef.reading.questions import content_words, stem
from chef.reading.text import Hit

Verdict: TypeAlias = Literal["yes", "no"]

#: "It says YIELD": another word than the one that the question quotes.
_OTHER_WORD = re.compile(r"\b(?i:says?|reads?|labell?ed|spells?)\s+(?:[\"'“][^\W\d]|[A-Z]{2,})")
#: A clause about the question, or about what usually is.
_UNSETTLED = Pattern(
    r"\b(?:would|either|decide|check(?:ing)?|determine|question|asks?|asked|used\s+to"
    r"|what\s+(?:looks\s+like|I\s+took)|usually|typically|often|suggests?\s+that\s+if)\b",
    needs="would either decide check checking determine question ask asks asked used what usually"
    " typically often if",
)
_WOULD = re.compile(r"\bwould\b|'d\b", re.IGNORECASE)
_VALUE = re.compile(r"(?<![\w.,])\d+(?:[.,:]\d+)*(?![\w%])")
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
#: What stands before a colon names the thing that has what stands behind it: "The stem: brown."
_LABEL = Pattern(r"(?:\A|(?<=[.;!?\n*-]))\s*(?P<label>[^.;:!?\n]{1,40}):\s*\Z", flags=0, among=":")
#: "A shadow resembles a cat, but ..." tells nothing.
_LIKE = Phrases("likenesses")
_BUT = re.compile(r",?\s{0,2}but\b", re.IGNORECASE)
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
#: What may stand for the thing of a question.
_INDEFINITE = words("body none one any some several many") | {"no" + "body"}
_HAVING = words("have has wear wears hold holds")
_PICTURE = re.compile(
    r"\s*th(?:e|is)\s+(?:image|picture|photo|photograph)\s+(?:is|was)\b", re.IGNORECASE
)
_LONGEST_LABEL = 50
_STOPS = frozenset(".!?")
#: "There is a tree" says nothing of what leans against it.
_THERE_IS = re.compile(r"\s*(?:and\s+)?there(?:'s|\s+(?:is|are|was|were))\b", re.IGNORECASE)
#: What came before or after is of another time: ", before recovering in 2017".
_LATER = re.compile(r",\s+(?:before|after|until)\s+\w+ing\b.*", re.IGNORECASE | re.DOTALL)
#: An apposition in quotation marks: 'The text, "Mind the gap", is in English'.
_APPOSED = re.compile(r",\s*\"[^\"\n]{1,80}(?:\",|,\")(?=\s+(?:is|are|was|were|has|does)\b)")
#: What may stand for the subject of the question.
_REFERS = re.compile(
    r"\b(?:it|its|he|she|they|this|that|these|those|here|there|one of)\b", re.IGNORECASE
)


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
    plain = _APPOSED.sub(lambda match: " " * len(match[0]), without_colors(plain))
    if (bound := beyond(plain[:end], query)) and bound[1] >= start:
        return [Hit("yes" if bound[0] else "no", bound[1], end)]
    if (apart := differ(plain[:end], query)) is not None and apart >= start:
        return [Hit("no", apart, end)]
    hits: list[Hit[Verdict]] = []
    parts = (clauses(plain, *span) for span in _telling_parts(plain, start, end, query))
    spans = list(chain.from_iterable(parts))
    for begin, stop in reversed(spans) if last else spans:
        clause = plain[begin:stop]
        if _is_of_label(plain, begin, query):
            continue
        likened = _BUT.match(plain, stop) and _LIKE.search(clause)
        untrue = _UNTRUE.search(clause)
        value = None if likened else _judge(untrue["said"] if untrue else clause, query)
        if untrue and value is not None:
            value = _verdict(value == "no")
        if value is not None:
            hits.append(Hit(value, begin + len(clause) - len(clause.lstrip()), stop))
            if last:
                break
    return hits


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
    for match in _UNTRUE_THAT.finditer(plain):
        value = _judge(match["said"], query) if start <= match.start() < end else None
        if value is not None:
            hits.append(Hit("yes" if value == "no" else "no", *match.span("said")))
    return hits


def _is_of_label(plain: str, begin: int, query: VerdictQuestion) -> bool:
    """Whether a label before a clause names another thing than a label of the same text."""
    label = _LABEL.search(plain[max(0, begin - _LONGEST_LABEL) : begin])
    if label is None or query.thing or query.words[0] in content_words(label["label"]):
        return False
    return any(query.words[0] in content_words(text) for text in _labels(plain))


@lru_cache(64)
def _labels(plain: str) -> tuple[str, ...]:
    """What stands before the colons of a text. Cached."""
    return tuple(re.findall(r"(?:\A|(?<=[.;!?\n*-]))\s*([^.;:!?\n]{1,40}):\s", plain))


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
    for word, places in split.having.items():
        if not word.isalpha() or stem(word) in telling:
            bits |= places
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
    if query.quoted or query.sides or query.name or "empty" in query.words:
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
    return frozenset(map(stem, _HAVING)).union(query.words, rivals_of(query.words))


def _judge(clause: str, query: VerdictQuestion) -> Verdict | None:
    if is_unsettled(clause, query):
        return None
    if query.quoted:
        return _verdict(_reads(clause, query))
    if "empty" in query.words and "empty" not in content_words(clause):
        nothing = _NOTHING.search(clause) is not None
        return _verdict(nothing if nothing or _SOMETHING.search(clause) else None)
    if query.sides:
        return _verdict(is_ahead(clause, *query.sides))
    return _verdict(_there(clause, query) if query.thing else _told(clause, query))


def is_unsettled(clause: str, query: VerdictQuestion) -> bool:
    """Whether a clause settles nothing: it supposes, asks, or tells what usually is, or was then.

    >>> is_unsettled("it would be legal", asked("Is it legal?"))
    True
    """
    # "Would it be legal?" is answered by what would be.
    said = _WOULD.sub("", clause) if query.would else clause
    moments = times(_LATER.sub("", clause)) if query.times or query.always else query.times
    # What holds of some years does not hold of every year.
    if moments and moments.isdisjoint(query.times):
        return not (query.always and is_denied(clause))
    return is_supposed(said) or _UNSETTLED.search(said) is not None


def _reads(clause: str, query: VerdictQuestion) -> bool | None:
    """Whether a clause says that there is what the question quotes."""
    if query.quoted.lower() in clause.lower():
        return not is_denied(clause)
    other = _OTHER_WORD.search(clause) and not is_denied(clause)
    none = query.thing and thing_there(clause, query) is False
    return False if other or none else None


def _there(clause: str, query: VerdictQuestion) -> bool | None:
    """Whether a clause says that the thing is there, or not, as the question asks."""
    change = predicated(clause, query) if query.changes else None
    if change is not None:
        return change
    there = thing_there(clause, query)
    return None if there is None else there != query.absent


def _told(clause: str, query: VerdictQuestion) -> bool | None:
    """What a clause says of the subject: by its value, by the side of a landmark, or by words."""
    holds = _value(clause, query) if query.value else identified(clause, query)
    holds = predicated(clause, query) if holds is None else holds
    if holds is not None:
        return holds
    found = words_of(clause)
    if _repeats(found, query.words):
        return not is_denied(clause)
    alone = query.subject and len(query.words) > 1 and query.words[0] not in found
    if alone and _THERE_IS.match(clause):
        return None
    if turned := _turned(found, query.words):
        # "The laptop is right of the cup": the cup is left of it.
        return None if is_denied(clause) else turned not in query.words
    if query.place and query.subject:
        refers = PRONOUN.match(clause) is not None
        elsewhere = is_elsewhere(clause, query.words[0], query.place, refers=refers)
        if elsewhere is not False:
            return None if elsewhere is None else False
    return _holds(clause, query)


def _repeats(found: list[str], words: tuple[str, ...]) -> bool:
    """Whether a clause has some words of the question and no other, in one order, three or more.

    >>> words = ("evidenc", "chart", "support", "claim", "sale", "doubl")
    >>> _repeats(["chart", "support", "claim"], words)
    True
    """
    size = len(found)
    return size > 2 and any(tuple(found) == words[at : at + size] for at in range(len(words)))


def _value(clause: str, query: VerdictQuestion) -> bool | None:
    """Whether a clause about the subject names the value that the question ends with."""
    values = [match[0] for match in _VALUE.finditer(clause)]
    if len(values) != 1 or not (set(query.words) & content_words(clause)):
        return None
    return (values[0] == query.value) != is_denied(clause)


def _verdict(holds: bool | None) -> Verdict | None:
    return None if holds is None else "yes" if holds else "no"


def _holds(clause: str, query: VerdictQuestion) -> bool | None:
    """Whether a clause says that what the question asks holds."""
    words = query.words
    found = words_of(clause)
    if not found:
        return None
    focus = set(words[1:] if len(words) > 1 and query.subject else words)
    for word in words:
        rival, strict = opposite(word, found)
        if rival and word in focus and word not in found:
            return _rival_holds(clause, query, word, rival, strict=strict)
    not_so = set(found) <= set(words) and re.match(r"\s*not\b", clause, re.IGNORECASE)
    if not_so or (query.is_polar and _is_of_another(clause, found, words)):
        return False
    sides = word_list("sides") & set(words[1:-1])  # "and the laptop at the edge" names no side
    is_same = (
        words[-1] in found
        and (sides <= set(found) or (found == [query.quality] and PRONOUN.match(clause)))
        and (focus <= set(found) or set(found) <= set(words))
    )
    # "The Golden Gate Bridge is orange" does not say that the bridge asked about is that one.
    begins = len(words) > 2 and found[0] in focus and found[-1] not in words
    if begins and not is_denied(clause):
        return None
    # "half full" is neither full nor empty.
    if not is_same or _PARTLY.search(clause) or not _same_subject(clause, found, words, words[-1]):
        return None
    denied = is_denied(clause)
    # "Under the table lies a dog" does not say that the ball lies there.
    other = query.subject and len(words) > 1 and words[0] not in found and not PRONOUN.match(clause)
    return None if other and not denied and not set(found) <= set(words) else not denied


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
    """Whether a superlative of the question goes to another thing: "the largest is the red bar"."""
    if words[0] in found or set(found) <= set(words) or _REFERS.search(clause):
        return False
    same = any(not end.isdisjoint(words[1:]) and not end.isdisjoint(found) for end, _ in extremes())
    return same and not is_denied(clause)


def _rival_holds(
    clause: str, query: VerdictQuestion, word: str, rival: str, *, strict: bool
) -> bool | None:
    """What a clause about the opposite says: "not closed" is open, "not red" need not be blue."""
    words, found = query.words, words_of(clause)
    if query.modified and len(words) > 3 and word != words[-1] and words[-1] in found:
        return None  # "The man on the right" is another one.
    focus = {*(words[1:] if len(words) > 1 and query.subject else words)} - {word}
    about = focus <= set(found) or set(found) <= {*words, rival}
    if not about or not _same_subject(clause, found, words, rival):
        return None
    if is_denied(clause):
        return True if strict else None
    return False


def _same_subject(clause: str, found: list[str], words: tuple[str, ...], last: str) -> bool:
    """Whether the clause speaks of the subject of the question, or of "it"."""
    if words[0] in found or PRONOUN.match(clause):
        return True
    if len(words) == 1 and _PICTURE.match(clause):
        return True  # "Is the photo blurry?"
    lead = found[: found.index(last)] if last in found else found
    return all(word in words for word in lead)
