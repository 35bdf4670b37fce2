"""An answer written as its references are: dates, times, ratios, names, telephone numbers,
colors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from chef.reading.clock import CLOCK, same_times
from chef.reading.dates import same_days
from chef.reading.lexicon import word_list
from chef.reading.mentions import normal
from chef.reading.other_forms import forms_of, inflections, singular
from chef.reading.patterns import Pattern
from chef.reading.questions import content_words, stem
from chef.reading.word_forms import own_keys, phrase_keys, tokens_of

#: A telephone number, or another number whose digits stand in groups.
_PHONE = re.compile(
    r"(?<![\w+.,])(?:\+\s?)?(?:\(\d{1,6}\)|\d)(?:\(\d{1,6}\)|[\d /.\xa0-]){5,20}\d(?!\w|[.,]\d)"
)
#: So many digits has a telephone number at least, and the code of a country at most.
_PHONE_DIGITS, _COUNTRY = 7, 3
_RATIO = re.compile(r"(?<![\w.,:])(\d+)\s*(?::|\bto\b|\bzu\b|\bà\b)\s*(\d+)(?![\w:]|[.,]\d)")
_TITLES = re.compile(r"(?:\b(?:Dr|Prof|Mr|Mrs|Ms|Miss|Sir|Herr|Frau|M|Mme|Sra?|Sig|Dott)\b\.?\s+)+")
#: A name of two to four words, of which the last is no initial, and its family name.
_NAME = re.compile(
    rf"(?:{_TITLES.pattern})?(?:(?!{_TITLES.pattern}|The\b)[A-Z][\w'’-]*\.?\s+){{1,3}}?"
    r"(?P<family>(?:(?i:van|von|de[nr]?|d[aiu]|dell?a?|l[ae]|el|al|bin|te[nr])\s+){0,2}[A-Z][\w'’-]{2,})"
)
_PERSON_ASKED = re.compile(
    r"\b(?:who[ms]?|whose|author|artist|painter|composer|wer|we[mn]|qui|qui[ée]n|chi|quem|кто)\b|谁|誰",
    re.IGNORECASE,
)
#: What a question asks for: "which theorem", "the name of the hotel".
_NOUN_ASKED = re.compile(
    r"\b(?:(?:what|which)(?:\s+(?:kind|type|sort)\s+of|\s+is\s+the|'s\s+the)?|of\s+th(?:e|is|at)"
    r"|welche[rsnm]?|des|der|quel(?:le)?|del?|qu[ée]|d[eo]|della?|какой|какая)\s+(\w+)",
    re.IGNORECASE,
)
#: "A hat made out of straw", "ein Hut aus Stroh": a thing and what it is made of.
_MADE_OF = Pattern(
    r"\b(?P<thing>\w++)(?:,?\s+(?:that|which))?(?:\s+(?:is|are|was|were))?\s+"
    r"(?:(?:entirely\s+)?(?:made|woven|built|carved|knitted|constructed)\s+(?:up\s+)?"
    r"(?:(?:out\s+)?of|from|with)|(?:gemacht\s+)?aus)\s+(?P<stuff>\w+)",
    needs="made woven built carved knitted constructed aus",
    inside=True,
)
#: "More likely the latter" names the second of two things, which are quoted or joined by "or".
_LATTER = Pattern(
    r"\bthe\s+(?:latter|(?P<first>former))\b(?=\W*\Z|[.,;!)\n])",
    flags=0,
    needs="latter former",
)
_QUOTED = re.compile(r"(?<!\w)[\"“]([^\"“”\n]{1,80})[\"”](?!\w)")
_PAIR = re.compile(r"\ban?\s+(\w+(?:\s\w+)?),?\s+or\s+(?:(?:maybe|perhaps)\s+)?an?\s+(\w+)\b")
#: The second parts of words that say a shape or a color: "cone-shaped", "kegelförmig".
_OF_KIND = re.compile(r"-(?<=\w.)(?:shaped|colou?red)\b|f(?<=\w{3}.)(?:örmig|arben)(?:e[nmrs]?)?\b")
_RANGE = re.compile(r"(\d+)\s?[-–—]\s?(\d+)")
#: "Between 35 and 45", "from 35 to 45", "35 to 45".
_RANGE_IN_WORDS = re.compile(
    r"\b(?:(?:between|zwischen|entre|tra|fra)\s+(?P<low>\d+)\s+(?:and|und|et|y|e)"
    r"|(?:(?:from|von|de|da)\s+)?(?P<first>\d+)\s+(?:to|through|bis|à))"
    r"\s+(?P<high>\d+)(?![\w:]|[.,]\d)",
    re.IGNORECASE,
)
#: "3:0" is a score, "3:05" a time.
_SCORE = re.compile(r"(?<![\w:.,])(\d{1,2}):(0|[1-9]\d?)(?![\w:]|[.,]\d)")
#: "x_1 = 7 and x_2 = 3" are two values of x.
_SUBSCRIPT = re.compile(r"(?<![^\W_])([a-z])(?:_\{?\d\}?|[₁₂₃])(?=\s*=)")
_KIND_ASKED = re.compile(r"\b(?:shape|form|colou?r|farbe)", re.IGNORECASE)


def as_written(text: str, references: Sequence[str], question: str = "") -> str:
    """``text`` with dates, times, ratios, ranges, scores, names and telephone numbers as the
    references have them, and "a hat made of straw" as "straw hat".

    >>> as_written("It leaves at 5:45 PM.", ["17:45"]), as_written("2 to 1", ["2:1"])
    ('It leaves at 17:45.', '2:1')
    >>> as_written("Call +49 30 5567812.", ["030 5567 812"])
    'Call 030 5567 812.'
    """
    text = same_days(text, references)
    text = _LATTER.sub(_antecedent, text)
    if any(_RANGE.fullmatch(item.strip()) for item in references):
        text = _RANGE_IN_WORDS.sub(lambda it: f"{it['low'] or it['first']}-{it['high']}", text)
        text = _SCORE.sub(r"\1-\2", text)
    if any(len(re.findall(r"\b[a-z] =", item)) > 1 for item in references):
        text = _SUBSCRIPT.sub(r"\1", text)
    keys = {key for item in references for key in phrase_keys(item)}
    text = _MADE_OF.sub(lambda match: _compound(match, keys), text)
    for name in filter(None, map(_NAME.fullmatch, references)):
        text = _with_name(text, name, question)
    if any(map(CLOCK.fullmatch, references)):
        return same_times(text, references)
    if (ratios := with_ratios(text, references)) != text:
        return ratios
    phones = [
        item for item in references if _PHONE.fullmatch(item.strip()) and item.count(".") != 1
    ]
    places = [match.span() for match in _PHONE.finditer(text)] if phones else []
    for item in phones:
        # Of two numbers the one that is written otherwise may be another attempt at it.
        if places and all(_is_same_phone(item, text[slice(*place)]) for place in places):
            return _PHONE.sub(item, text)
    return text


def with_ratios(text: str, references: Sequence[str]) -> str:
    """``text`` with ratios as "2:1", if a reference is one.

    >>> with_ratios("It is 2 to 1.", ["2:1"])
    'It is 2:1.'
    """
    return _RATIO.sub(r"\1:\2", text) if any(map(_RATIO.fullmatch, references)) else text


def _antecedent(match: re.Match[str]) -> str:
    """What "the latter" stands for, or "the former", where just two things stand before it."""
    before = match.string[: match.start()]
    quotes, pairs = _QUOTED.findall(before), _PAIR.findall(before)
    pair = quotes if len(quotes) == 2 else pairs[-1] if pairs and not quotes else ()
    return pair[0 if match["first"] else 1] if pair else match[0]


def _compound(match: re.Match[str], keys: set[str]) -> str:
    """A thing and its material as one name, if that is what is looked for: "straw hat"."""
    stuff = match["stuff"].lower()
    names = [f"{form} {match['thing']}" for form in (stuff, *forms_of(stuff))]
    return next((name for name in names if keys.intersection(own_keys(name))), match[0])


def _with_name(text: str, name: re.Match[str], question: str) -> str:
    """``text`` with the forms of a name as the whole name; a person's family name is one."""
    text = _name_form(name[0]).sub(lambda _: name[0], text)
    if not _PERSON_ASKED.search(question) or name["family"].lower() in question.lower():
        return text
    return _family_form(name["family"]).sub(lambda it: it[0] if it[1] else name[0], text)


@lru_cache(256)
def _name_form(name: str) -> re.Pattern[str]:
    """Forms of a person's name: with initials, without titles and middle names."""
    first, *middle, last = _TITLES.sub("", name).split()
    forms = [rf"{re.escape(word)}|{word[0]}\." for word in (first, *middle)]
    others = "".join(rf"(?:(?:{form})\s?)?" for form in forms[1:])
    return re.compile(rf"(?:{_TITLES.pattern})?\b(?:{forms[0]})\s?{others}\b{re.escape(last)}\b")


@lru_cache(256)
def _family_form(family: str) -> re.Pattern[str]:
    """A family name, with what may be another first name in the first group; no name of a place."""
    *particles, last = family.split()
    lead = "".join(rf"(?i:{particle})\s+" for particle in particles)
    first = rf"((?!{_TITLES.pattern})[A-Z][\w'’-]*\.?\s+)?(?:{_TITLES.pattern})?"
    return re.compile(rf"(?<![\w-]){first}{lead}{re.escape(last)}(?![\w-]|\s+[A-Z])")


def _is_same_phone(one: str, two: str) -> bool:
    """Whether two numbers have the same digits, or one has the code of a country before them."""
    (mine, is_abroad), (theirs, is_abroad_too) = _phone(one), _phone(two)
    if is_abroad == is_abroad_too:
        return mine == theirs
    long, short = (mine, theirs) if is_abroad else (theirs, mine)
    short = short.removeprefix("0")
    return len(short) >= _PHONE_DIGITS and any(
        long[code:] == short for code in range(1, _COUNTRY + 1)
    )


def _phone(text: str) -> tuple[str, bool]:
    """The digits of a telephone number, and whether they begin with the code of a country."""
    digits = re.sub(r"\D", "", text.replace("(0)", ""))
    is_abroad = text.strip().startswith("+") or digits.startswith("00")
    return digits.removeprefix("00"), is_abroad


@cache
def _shades() -> tuple[Pattern, frozenset[str]]:
    """The first parts of names of shades ("dunkelgrün"), and colors without accents."""
    forms = {*inflections(), *inflections().values(), *word_list("colors")}
    shades = "|".join(rf"{word[0]}(?<!\w.){word[1:]}" for word in word_list("shades"))
    pattern = Pattern(rf"(?:{shades})-?(?P<color>[^\W_]{{3,}})", flags=0, lowered=True)
    return pattern, frozenset(forms)


def without_shades(text: str, question: str = "") -> str:
    """A text with blanks for what makes a color darker or lighter, and for what makes a word that
    of a shape or a color if the question asks for these.

    >>> without_shades("ein dunkelblauer Hut"), without_shades("a cone-shaped hat", "What shape?")
    ('ein       blauer Hut', 'a cone        hat')
    """
    if _KIND_ASKED.search(question):
        text = _OF_KIND.sub(lambda match: " " * len(match[0]), text)
    pattern, colors = _shades()

    def plain(match: re.Match[str]) -> str:
        color = text[slice(*match.span("color"))]
        is_color = tokens_of(color)[0].form in colors
        return color.rjust(len(match[0])) if is_color else text[slice(*match.span())]

    return pattern.sub(plain, text)


def without_noun(reference: str, question: str) -> list[str]:
    """A name without the noun that a question has: "Miramar" for "Hotel Miramar" of a hotel,
    "Archimedes" for his principle, "Indian" for the ocean. "American Airlines" are not "American":
    a plural is a part of the name.
    """
    nouns = {match[1].lower() for match in _NOUN_ASKED.finditer(question)}
    stems = set(map(stem, nouns))
    names = normal(reference).split()
    ends = [(names[0], names[1:])] if len(names) > 1 else []
    last = names[-1].lower() if ends and all(name[0].isupper() for name in names) else ""
    is_class = last in nouns and singular(last) == last
    if ends and (is_class or names[-2].endswith(("'", "'s"))):
        ends.append((names[-1], names[:-1]))
    rests = [" ".join(rest) for noun, rest in ends if stem(noun.lower()) in stems]
    terms = content_words(question)
    return [rest for rest in rests if content_words(rest) - terms == content_words(rest) != set()]
