"""What a yes/no question asks: whether a thing is there, what holds of a thing, a comparison.

Kinds of things stand here too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain

from chef.frozen import Frozen
from chef.reading.asked_forms import as_question, asked_owned, asked_thing, stems, without_colors
from chef.reading.bounds import Bound, asked_bound
from chef.reading.lexicon import word_rows
from chef.reading.number_words import MONTHS, TEENS, UNITS
from chef.reading.opposites import (
    Location,
    asked_place,
    is_comparative,
    opposite,
    sides_of,
    stems_of,
)
from chef.reading.questions import content_places, content_words, stem

#: The number in "Are there exactly two dogs?".
_HOW_MANY = re.compile(
    rf"\b(?:are|is)\s+there\s+(?:exactly\s+|only\s+)?(\d{{1,4}}|{'|'.join([*UNITS, *TEENS])})\b",
    re.IGNORECASE,
)
#: The number that "Is the total 23?" ends with; "higher than 23" names a bound.
_VALUE_ASKED = re.compile(
    r"\A\W*(?:is|are|was|were|does|do|did|has|have)\b[^?\n]*?[^\W\d](?<!\bthan)(?<!\bto)(?<!\band)"
    r"(?<!\bover)(?<!\babove)(?<!\bbelow)(?<!\bunder)(?<!\bleast)(?<!\bmost)\s+"
    r"(\d+(?:[.,:]\d+)*)\W*\Z",
    re.IGNORECASE,
)
#: "Does current flow through bulb 2?" names a thing by its number.
_NUMBERED = re.compile(
    r"\b(?:in|on|at|to|by|for|from|with|into|through|near|under|behind|between|and)\s+"
    r"(?!the\b)[^\W\d]+\s+[\d.,:]+\W*\Z",
    re.IGNORECASE,
)
#: A question that ends with a noun: "Is the man near the door?".
_NOUN_LAST = re.compile(
    r"\b(?:an?|the|this|that|these|those|my|his|her|its|their|of|to|on|in|at|with|by|near|for|from|under|behind"
    r"|beside|above|below|over|against)\s+\w+\W*\Z",
    re.IGNORECASE,
)
#: "¿Está abierta la ventana?" has its predicate before its subject.
_PREDICATE_FIRST = re.compile(
    r"\W*(?:está|están|es|son|é|são|è|sono)\s+(?!(?:el|la|los|las|il|lo|gli|le|i|o|a|os|as|un[ao]?|uma?|est[ea]"
    r"|quest[oa])\b)\w+\s+(?:el|la|los|las|il|lo|gli|le|i|o|a|os|as)\b|\W*\w+\s+ли\s",
    re.IGNORECASE,
)
#: What a question is answered by, and when; it says nothing of its subject.
#: "The two curves" are the curves.
_ALL_OF = re.compile(r"\b(the|these|those)\s+(?:two|three|four|five)\b(?=\s+\w+s\b)", re.IGNORECASE)
_ADJUNCT = re.compile(
    r",?\s*\b(?:according\s+to|as\s+(?:shown|seen|indicated)|based\s+on|judging\s+(?:by|from)|laut|gemäß|selon|d'après|según"
    r"|secondo|segundo|согласно)\b[^?.,;]*"
    r"|\s+(?:in|on|im|auf|sur|dans|en|nel(?:l[ao])?|n[ao]|на)\s+"
    r"(?:(?:the|this|dem|diesem|la|le|cette|ce|el|esta|este|quest[ao]|этом)\s+)?"
    r"(?:screenshots?|bildschirmfoto|capture\s+d'écran|captura\s+de\s+(?:pantalla|tela)|schermata|скриншоте)\b",
    re.IGNORECASE,
)
_TIME = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|\.)?\s+)?(?:(?:of\s+)?(?:{'|'.join(MONTHS)}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b"
    r"(?:\s+\d{1,2}\b)?,?\s*)?(?:\b(?:1[5-9]|20)\d\d\b)?"
)
_WHEN = re.compile(
    rf",?\s*\b(?:from|to|between|and|in|on|at|since|after|before|until|by|during|von|bis|zwischen|und|seit|nach|am|im|de|à|entre"
    rf"|et|depuis|après|desde|hasta|y|e|nel|dal|al|tra|em|с|по|в)\s+(?=\d|\w*[^\W\d_])(?=(?P<when>{_TIME}))(?P=when)(?<=\w)\b",
    re.IGNORECASE,
)
_NAMED_TIME = re.compile(
    rf"\b(?:(?:{'|'.join(item for item in MONTHS if item != 'may')})|(?-i:May)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:1[5-9]|20)\d\d"
    r"|(?<=[a-z]\s)(?-i:[A-HJ-Z]))\b",
    re.IGNORECASE,
)
#: "the solution in the beaker"
_MODIFIED = re.compile(
    r"\s+(?:of|in|on|at|from|by|with|behind|near|under|for|next\s+to|inside|above|below|over|between|im|in|auf|von|vom|am|unter"
    r"|de|du|dans|sur|des|del|en|nel|nella|sul|su|do|da|no|na|на|в)\s",
    re.IGNORECASE,
)
#: "Aumentaron las ventas", "Leitet der Draht".
_VERB_FIRST = re.compile(
    r"\W*(?!(?:ist|sind|war|est|hay)\b)\w{4,}\s+(?:el|la|los|las|il|gli|le|o|os|as|der|die|das|den)\s",
    re.IGNORECASE,
)
#: "the word STOP"
_CAPITALS = re.compile(r"\b(?i:words?|text|says?|reads?|labell?ed)\s+([A-Z]{2,}(?:\s[A-Z]{2,})*)\b")
_WORDING = re.compile(
    r"\b(?:says?|reads?|words?|text|labels?|labell?ed|titled?|named?|called|written|spell(?:s|ed|t)?|letters?|signs?"
    r"|there|contains?|shows?|inscription|caption|headline|slogan|logo|printed|steht|écrit|dice|pone)\b",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\s+([B-HJ-Z]|A(?=\s+\w+))\b")
#: Two words or more with capitals, or one behind "of": "the flag of Italy".
PROPER = r"(?-i:[A-Z][\w'-]+(?:\s+[A-Z][\w'-]+)+)|(?<=\bof\s)(?-i:[A-Z][\w'-]+)"
_NAME_ASKED = re.compile(
    rf"\A\W*(?:is|was)\s+(?:this|that|it|th[ei]s?\s[^?.,;\n]{{1,60}}?)\s+(?:(?:the|an?)\s+)?(?:\w+\s+of\s+(?:the\s+)?)?"
    rf"({PROPER})\W*\Z",
    re.IGNORECASE,
)
#: "Is it directed by Jane Doe?", "Is it in Rome?"
_ENDING_NAME = re.compile(
    r"\b(by|in|from|to)\s+(?:the\s+)?([A-Z][\w'-]*\.?(?:\s[A-Z][\w'-]*\.?){0,3})\W*\Z"
)
#: "Can I smoke here?"
_MAY = re.compile(r"\W*(?:can|may|could)\s+(?:I|we|one|people)\b", re.IGNORECASE)
_ALWAYS = re.compile(
    r"\b(?:every|each|all)\s+(?:\w+\s+)?(?:years?|months?|days?|quarters?|weeks?)\b|\balways\b",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"\b(?:in|on|at|for|from|with|within|through|during|under|by|near)\b", re.IGNORECASE
)
#: "Is it appropriate to call it a fish?"
_APPRAISED = re.compile(
    r"\A\W*(?:is|was|would)\s+it\s+(?:be\s+)?(?:\w+ly\s+)?(?P<quality>\w+)\s+(?:to|that|for)\b",
    re.IGNORECASE,
)
_WH = re.compile(r"\W*(?:which|what|who|whose|where|when|how)\b", re.IGNORECASE)


class VerdictQuestion(Frozen):
    """What a yes/no question asks: whether a thing is there, or whether something holds of it.

    Words are stems; what a question does not have is empty or None.

    Attributes:
        thing: what is asked to be there, or to be ``absent``; a rise or a fall if it ``changes``.
        words: all content words, in order.
        number: how many things, if the question says so: "Are there two dogs?".
        value: the number that the question ends with: "Is the total 23?".
        sides: of a question that compares: what, the comparative, with what.
        is_polar: whether it can be answered by yes or no: no "which" opens it.
        subject: whether the first content word is the subject, as it is not in "Is it a dog?".
        quality: the last word, if that is no noun: "Is the cup full?".
        modified: whether more words describe the subject: "the solution in the beaker".
        times: the years, months, days and letters that the question names: "circuit A".
        bound: the number that what it asks about has to pass.
        letter: the capital that names the subject: "point P".
        adjuncts: what follows its predicate: "Will it float in water?".
        always: whether it asks of every time: "Did it grow every year?".
        appraisal: the stem of the quality asked for: "Is it safe to swim here?".
        ending: the proper name with which it ends, behind "by" or "in".
        name: the proper name that something may have: "Is this the Eiffel Tower?".
        owned: the thing that somebody may have, wear or hold: "Is she wearing a hat?".
        owned_at: where somebody has it who does: "head".
    """

    thing: tuple[str, ...]
    absent: bool
    words: tuple[str, ...]
    quoted: str = ""
    subject: bool = True
    number: int | None = None
    value: str = ""
    sides: tuple[frozenset[str], str, frozenset[str]] | None = None
    is_polar: bool = True
    place: Location | None = None
    quality: str = ""
    modified: bool = False
    times: frozenset[str] = frozenset()
    bound: Bound | None = None
    letter: str = ""
    changes: bool = False
    appraisal: str = ""
    ending: tuple[str, frozenset[str]] | None = None
    adjuncts: frozenset[str] = frozenset()
    always: bool = False
    name: str = ""
    owned: tuple[str, ...] = ()
    owned_at: frozenset[str] = frozenset()


@lru_cache(256)
def asked(question: str) -> VerdictQuestion | None:
    """What a question asks; None if it names nothing.

    >>> asked("Is there a red dog in the yard?").thing
    ('red', 'dog')
    """
    question = as_question(question)
    sentences = [part for part in re.split(r"(?<=[?!.])\s+", question.strip()) if "?" in part]
    text = without_colors(sentences[0] if sentences else question)
    moments = times(text)
    text = _ALL_OF.sub(r"\1", _WHEN.sub(" ", _ADJUNCT.sub(" ", text)))
    words = tuple(dict.fromkeys(stems(text)))
    # "Is it indoors or outdoors?" has no yes or no.
    if re.search(r"\bor\b(?!\s+(?:not|no)\b)", text, re.IGNORECASE):
        return None
    if len(words) > 1 and (_PREDICATE_FIRST.match(text) or _VERB_FIRST.match(text)):
        words = (*words[1:], words[0])
    quote = re.search(r"(?<!\w)[\"']([^\"'\n]{1,40})[\"'](?!\w)", text)
    # "Does 'Transport' have the largest share?" asks for no word in the picture.
    quote = (quote if _WORDING.search(text) else None) or _CAPITALS.search(text)
    if not words and not quote:
        return None
    existence = asked_thing(text)
    thing = existence.stems if existence else ()
    trend = next((word for word in thing if word in {*chain(*sides_of("increas"))}), "")
    if trend:
        # "an increase in sales": do the sales increase?
        words = (*words[words.index(trend) + 1 :], trend)
    ends = [end for word, _, end in content_places(text) if word == words[0]] if words else []
    letter = _LETTER.match(text, ends[0]) if ends else None
    value = None if _NUMBERED.search(text) else _VALUE_ASKED.search(text)
    owned, owned_at = ((), frozenset[str]()) if existence else asked_owned(text, words)
    pronoun = (
        r"\W*\w+\s+(?:it|he|she|they|you|(?:this|that|these|those)"
        r"(?!\s+\w+\s+(?:still|in|on|at|of|from|an?|the|\w+ing|\w+ed)\b))\b"
    )
    return VerdictQuestion(
        thing=thing,
        absent=existence is not None and existence.absent,
        words=words,
        quoted=quote[1] if quote else "",
        subject=re.match(pronoun, text, re.IGNORECASE) is None and words != (trend,),
        number=_number(text),
        value=value[1] if value and not existence else "",
        sides=_sides(text),
        is_polar=_WH.match(text) is None,
        place=asked_place(text),
        modified=bool(trend or (ends and _MODIFIED.match(text, ends[0]))),
        times=moments,
        bound=asked_bound(text),
        letter=letter[1] if letter else "",
        changes=bool(trend),
        owned=owned,
        owned_at=owned_at,
        name=named[1] if (named := _NAME_ASKED.search(text)) and not existence else "",
        always=_ALWAYS.search(text) is not None,
        adjuncts=frozenset() if existence else _adjuncts(text, words),
        appraisal=_appraisal(text),
        ending=(last[1], content_words(last[2])) if (last := _ENDING_NAME.search(text)) else None,
        quality="" if _NOUN_LAST.search(text) or not words else words[-1],
    )


def _appraisal(text: str) -> str:
    """The stem of the quality that a question asks for, or of what it asks leave for."""
    match = _APPRAISED.match(text)
    return stem(match["quality"].lower()) if match else "allow" if _MAY.match(text) else ""


def _adjuncts(text: str, words: Sequence[str]) -> frozenset[str]:
    """The stems from the first preposition after the word that follows the subject."""
    ends = [end for word, _, end in content_places(text) if word in words[1:]]
    match = _PREPOSITION.search(text, ends[0]) if ends else None
    return content_words(text[match.start() :]) if match else frozenset()


def times(text: str) -> frozenset[str]:
    """The years, months, days of the week and letters of things that a text names, in lower case.

    >>> sorted(times("on 3 March 2019"))
    ['2019', 'march']
    """
    return frozenset(match[0].lower() for match in _NAMED_TIME.finditer(text))


def _number(text: str) -> int | None:
    match = _HOW_MANY.search(text)
    if not match:
        return None
    word = match[1].lower()
    return int(word) if word.isdigit() else {**UNITS, **TEENS}[word]


def _sides(text: str) -> tuple[frozenset[str], str, frozenset[str]] | None:
    before, _, after = text.replace(" ahead of ", " ahead than ").partition(" than ")
    words = re.findall(r"\w+", before.lower())
    if not after or not words:
        return None
    more = re.search(r"\bmore\s+(?=\w+\s*\Z)", before) or re.search(r"\bmore\b", before)
    # "Is the chair closer to the camera than the table?"
    scales = [word for word in words if word != "more" and is_comparative(stem(word))]
    last = scales[-1] if scales else words[-1]
    comparative = "more" if more and last[-2:] != "er" else stem(last)
    first, second = frozenset(_sided(before)) - {comparative}, frozenset(_sided(after))
    # "The level in tube 2" and "in tube 1": the numbers tell them apart, as "left" and "right" do.
    one = frozenset(word for word in first - second if _excluded_by(word, second - first))
    two = frozenset(word for word in second - first if _excluded_by(word, first - second))
    return (one, comparative, two) if one and two else (first, comparative, second)


def _sided(text: str) -> list[str]:
    marks = re.findall(r"\b(?i:left|right|\d+)\b|(?<=[a-z] )[A-Z]\b|\b[B-HJ-Z]\b", text)
    return [*stems(text), *(mark.lower() for mark in marks)]


def _excluded_by(word: str, others: frozenset[str]) -> bool:
    """Whether a word names one of two things of a kind, of which some others name another."""
    if word.isdigit():
        return any(map(str.isdigit, others))
    if len(word) == 1:
        return any(len(other) == 1 and other.isalpha() for other in others)
    return opposite(word, [*others])[0] is not None


@cache
def kinds() -> dict[str, frozenset[str]]:
    """The stems of things, each with those of its other names and its kinds."""
    rows = [row.partition(":") for row in word_rows("kinds")]
    return {stem(name): frozenset(stems_of(others)) for name, _, others in rows}


@cache
def wider(name: str) -> frozenset[str]:
    """The stems of the kinds of which a thing is one: where there is no animal there is no dog."""
    return frozenset(kind for kind, names in kinds().items() if name in names) - ANYONE


#: The stems of "person", "anyone" and the like.
ANYONE = frozenset(["person", "anyon", "anybody", "someon", "somebody"])
