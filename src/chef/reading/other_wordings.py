"""Other wordings in which an answer names its options: dates, times, sums, lists, shorter names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TypeAlias

from chef.frozen import Frozen
from chef.reading.clock import CLOCK, with_clock_times
from chef.reading.dates import date_forms, days_of
from chef.reading.full_names import with_full_names
from chef.reading.lexicon import word_list, word_rows
from chef.reading.number_words import UNITS
from chef.reading.opposites import sides_of
from chef.reading.questions import stem
from chef.reading.second_reading import short_forms
from chef.reading.text import fold, sentence_start
from chef.reading.written import with_ratios

Texts: TypeAlias = tuple[str, ...]
Wording: TypeAlias = tuple[str, Texts]

#: "It is the boy who is taller"
_CLEFT = re.compile(
    r"\bit(?:'s|\s+is|\s+was)\s+(?P<who>the\s+(?:\w+\s+){1,4}?)(?:who|that|which)\s+(?P<does>(?:is|are"
    r"|was|were|has|have)\s)",
    re.IGNORECASE,
)
_THAN = re.compile(r"\s+than\s[^.]*", re.IGNORECASE)
_BRACKET = re.compile(r"\s*\([^()]*\)\s*\Z")
#: "Picture 2: paper burning", no time "10:30".
_HEAD = re.compile(r"(?P<head>[^:\n]{3,30}):\s+\S")
_ARTICLE = re.compile(
    r"(?:l['’]|(?:le|la|les|el|los|las|il|lo|gli|i|der|die|das|un|une|una|uno|ein|eine|um|uma|os|as|o"
    r"|a)\s+)(?=\w)",
    re.IGNORECASE,
)
#: A number with what it is multiplied by: "2.4M", "3 bn".
_SUM = re.compile(
    r"(?<![\w.,])(?P<number>\d[\d,]{0,15}(?:\.\d+)?)\s?(?P<scale>k|K|thousand|M|MM|mn|Mio\.?|million|B|bn|Mrd\.?"
    r"|billion)(?!\w)"
)
_SCALES = {
    **dict.fromkeys(("k", "K", "thousand"), 10**3),
    **dict.fromkeys(("M", "MM", "mn", "Mio", "million"), 10**6),
    **dict.fromkeys(("B", "bn", "Mrd", "billion"), 10**9),
}
#: The zero of "09:15".
_ZERO = re.compile(r"\b0(?=\d:\d\d)")
#: A word with other forms.
_LONG_WORD = re.compile(r"[a-zA-Z]{3,}")
#: "a sled" is no sledding.
_NOUN_BEFORE = re.compile(
    r"\b(?:an?|the|his|her|its|their|with|of|or|on|in|no)\s+\Z", re.IGNORECASE
)
_CURRENCIES = "$€£¥"
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ARROWS = re.compile(r"\s*(?:\\(?:right)?arrow\b|\\to\b|→|->)\s*")
_HYPHENED = re.compile(r"\w+(?:-\w+){2,}")
_JOINED = re.compile(r",?\s+(?:and\s+then|and|then|followed\s+by|und|et|y)\s+", re.IGNORECASE)
_NUMBER = r"(?<![\d.,])\d{1,9}(?:[.,]\d+)?(?:\s?%)?"
_RANGE = re.compile(rf"({_NUMBER})\s*[-–—]\s*({_NUMBER})")
#: "between 25 and 30", "25 to 30", "between 5 s and 7 s"
_BETWEEN = re.compile(
    rf"\b(?:between|zwischen|entre|tra|fra)\s+({_NUMBER})(?:\s?[^\W\d]{{1,3}})?\s+(?:and|und|et|y|e)\s+({_NUMBER})"
    rf"|\b(?:(?:from|von|de|da|от|с)\s+)?({_NUMBER})(?:\s?[^\W\d]{{1,3}})?\s+(?:to|until|bis|à|a|до)\s+({_NUMBER})",
    re.IGNORECASE,
)
_MINUTES = re.compile(r"(?<=\d)\s?mins?\b\.?", re.IGNORECASE)


def other_wordings(text: str, texts: Texts, *, places: bool = False) -> Iterator[Wording]:
    """A text and the options' texts, both reworded so that they may agree; with ``places`` only if
    the last sentence names an option by its place, or options have names before their texts.

    >>> [found for _, found in other_wordings("Point B is closer.", ("Point A (red)", "Point B"))]
    [('Point A', 'Point B')]
    >>> next(other_wordings("It is ten to four.", ("2:50", "3:50")))[0]
    'It is 3:50.'
    """
    rewordings = (_by_place, _heads) if places else _REWORDINGS
    end = sentence_start(text, max(0, len(text.rstrip()) - 2)) if places else len(text)
    for reword in rewordings if len(texts) > 1 and all(texts) else ():
        wording = reword(text, texts)
        if places and wording and wording[1] == texts and wording[0].endswith(text[end:]):
            continue
        if wording and wording != (text, texts) and len(set(wording[1])) == len(texts):
            yield wording


def _uncleft(text: str, texts: Texts) -> Wording:
    """Sentences without what only stresses their subject ("it is the boy who is taller"), and
    options without what they compare it with, if the text has not.
    """
    plain = _CLEFT.sub(r"\g<who>\g<does>", text)
    if _THAN.search(plain):
        return plain, texts
    return plain, tuple(_THAN.sub("", item) for item in texts)


def _without_brackets(text: str, texts: Texts) -> Wording:
    """The options without what stands in brackets behind them: "Point A (red)"."""
    return text, tuple(_BRACKET.sub("", item) or item for item in texts)


def _heads(text: str, texts: Texts) -> Wording | None:
    """What stands before a colon in all options: "Picture 2: paper burning"."""
    matches = [_HEAD.match(item) for item in texts]
    heads = tuple(match["head"] for match in matches if match)
    return (text, heads) if len(heads) == len(texts) else None


def _without_articles(text: str, texts: Texts) -> Wording | None:
    """The options without the articles that all of them begin with: "Le tennis", "L'escrime"."""
    matches = [_ARTICLE.match(fold(item)) for item in texts]
    rests = tuple(item[match.end() :] for item, match in zip(texts, matches, strict=True) if match)
    return (text, rests) if len(rests) == len(texts) else None


def _of_day(text: str, texts: Texts) -> Wording | None:
    """Times of day in digits: "ten to four" for "3:50"."""
    if not any(map(CLOCK.fullmatch, texts)):
        return None
    return _ZERO.sub("", with_clock_times(text)), tuple(_ZERO.sub("", item) for item in texts)


_ROMAN = ("i", "ii", "iii", "iv", "v", "vi")
#: A number behind a noun: "stage II", "caption two".
_NUMBER_WORD = rf"[1-6]|{'|'.join([*UNITS][:6])}"
_NUMERAL = rf"[1-6]|(?-i:[A-F]|I{{1,3}}|IV|VI?)|{'|'.join([*UNITS][:6])}"


@cache
def _ordinals() -> tuple[str, dict[str, int]]:
    """The pattern of ordinal numbers of all languages, and their values; -1 is the last one."""
    rows = [row.partition(":") for row in word_rows("ordinals")]
    values = {
        name.strip().lower(): int(number) for number, _, names in rows for name in names.split("/")
    }
    pattern = "|".join(sorted(map(re.escape, values), key=len, reverse=True))
    for number, signs in enumerate(zip("123456", _ROMAN, "abcdef", UNITS, strict=False), 1):
        values |= dict.fromkeys(signs, number)
    return pattern, values


class _Places(Frozen):
    """The pattern of the noun of options, their names by their numbers, and the options under these
    names; ``counted`` if they have numbers themselves ("Image 1", "II").
    """

    noun: str
    names: dict[int, str]
    texts: Texts
    counted: bool


@lru_cache(1024)
def _places(texts: Texts) -> _Places:
    """The places of options: their numbers, or those in the list, if they are texts."""
    matches = [_numbered_form().fullmatch(item.strip(" .")) for item in texts]
    heads = {(match["head"] or match["noun"] or "").lower() for match in matches if match}
    if len(heads) != 1 or sum(map(bool, matches)) < 2:
        return _Places(_nouns("option_nouns"), dict(enumerate(texts, 1)), texts, False)
    names: dict[int, str] = {}
    renamed = list(texts)
    for place, match in enumerate(matches):
        if match:
            sign = match["end"] or match["first"] or match["roman"]
            number = _ordinals()[1][sign.lower()]
            if match["roman"]:
                renamed[place] = f"Item {number}"
            names[number] = renamed[place]
    head = heads.pop()
    noun = re.escape(head) if head else _nouns("numbered_nouns")
    return _Places(noun, names, tuple(renamed), True)


@cache
def _numbered_form() -> re.Pattern[str]:
    """An option with a number: "Image 1", "First quadrant", "II"."""
    noun = r"[^\W\d_]{3,}"
    return re.compile(
        rf"(?:the\s+)?(?:(?P<head>{noun})\s+(?P<end>{_NUMERAL})|(?P<first>{_ordinals()[0]})\s+(?P<noun>{noun})"
        r"|(?P<roman>(?-i:I{1,3}|IV|VI?)))",
        re.IGNORECASE,
    )


@cache
def _nouns(name: str) -> str:
    return f"(?:{'|'.join(sorted(word_list(name)))})"


@lru_cache(1024)
def _place_form(noun: str, *, counted: bool) -> re.Pattern[str]:
    """What names an option by its place; "the third one", and of ``counted`` ones "the third"."""
    article = r"(?:the|la|le|les|der|die|das|dem|den|el|il|lo)"
    endings = r"(?:[nmrs]|en|er|es|em)?"
    ones = r"(?:one\b|(?=[.,;:!?)\n]|\Z))" if counted else r"one\b"
    final = r"final\s+(?:answer|choice|conclusion|explanation)\b"  # and no option
    return re.compile(
        rf"\b(?<!\bmy\s)(?:{article}\s+)?(?!{final})(?P<first>{_ordinals()[0]}){endings}\s+(?:of\s+the\s+(?:\w+\s+)?)?{noun}\w{{0,2}}\b"
        rf"|\b{noun}\s+(?:number\s+)?(?P<end>{_NUMERAL if counted else _NUMBER_WORD})\b"
        rf"|\bthe\s+(?P<one>first|second|third|fourth|fifth|sixth|last)\s*{ones}",
        re.IGNORECASE,
    )


def _by_place(text: str, texts: Texts) -> Wording | None:
    """Options by their places: "the last caption", "quadrant II" for "Second quadrant"."""
    places = _places(texts)
    at = [place for item in texts if (place := text.lower().find(item.lower())) >= 0]
    listed = len(at) > 2 and at != sorted(at)  # "the third one" of another list

    def name(match: re.Match[str]) -> str:
        if match["one"] and listed:
            return match[0]
        sign = match["first"] or match["end"] or match["one"]
        number = _ordinals()[1][sign.lower()]
        return places.names.get(max(places.names) if number < 0 else number, match[0])

    return _place_form(places.noun, counted=places.counted).sub(name, text), places.texts


@cache
def _first_names() -> tuple[re.Pattern[str], dict[str, str]]:
    """The pattern of things and prepositions with other names, and the first name of each."""
    rows = [row.split("/") for name in ("names", "formulas") for row in word_rows(name)]
    rows += [row.partition(":")[2].split("/") for row in word_rows("places")]
    firsts = {name.strip(): row[0].strip() for row in rows for name in row}
    longest = sorted(firsts, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b", re.IGNORECASE), firsts


def _with_first_names(text: str, texts: Texts) -> Wording | None:
    """One name of each thing and place: "below the couch" for "under the sofa"."""
    pattern, firsts = _first_names()
    # "auf" means nothing where no option has a place.
    names = {firsts[match[0].lower()] for item in texts for match in pattern.finditer(item)}

    def first(match: re.Match[str]) -> str:
        name = firsts[match[0].lower()]
        return name if name in names else match[0]

    if not names:
        return None
    wording, *others = (pattern.sub(first, item) for item in (text, *texts))
    return wording, tuple(others)


@lru_cache(1024)
def _forms(texts: Texts) -> dict[str, str]:
    """The words of options by their stems, and by those that say the same, if only one has them."""
    by_stem: dict[str, set[str]] = {}
    for text in texts:
        for word in _LONG_WORD.findall(text.lower()):
            for item in {stem(word), *sides_of(stem(word))[0]}:
                by_stem.setdefault(item, set()).add(word)
    shared = [
        word
        for word, count in Counter(_LONG_WORD.findall(" ".join(texts).lower())).items()
        if count > 1
    ]
    return {
        item: next(iter(names))
        for item, names in by_stem.items()
        if len(names) == 1 and names.isdisjoint(shared)
    }


def _in_its_forms(text: str, texts: Texts) -> Wording | None:
    """Words in the forms of the options: "runs" for "running", "grows" for "increase"."""
    forms = _forms(texts)

    def form(match: re.Match[str]) -> str:
        word = forms.get(stem(match[0].lower()), match[0])
        is_noun = word.endswith("ing") and _NOUN_BEFORE.search(
            text[max(0, match.start() - 8) : match.start()]
        )
        return match[0] if is_noun else word

    return _LONG_WORD.sub(form, text), texts


def _written_out(text: str, texts: Texts) -> Wording | None:
    """Sums in digits: "$2.4M" and "2.4 million dollars"."""
    if not any(map(_SUM.search, texts)):
        return None
    signs = {item.strip()[:1] for item in texts} & {*_CURRENCIES}
    blanks = {ord(sign): " " for sign in signs}
    wording, *others = (
        _THOUSANDS.sub("", _SUM.sub(_digits, item)).translate(blanks) for item in (text, *texts)
    )
    return wording, tuple(item.strip() for item in others)


def _digits(match: re.Match[str]) -> str:
    value = float(match["number"].replace(",", "")) * _SCALES[match["scale"].rstrip(".")]
    return f"{value:.10g}" if value < 10**10 else f"{value:.0f}"


def _in_order(text: str, texts: Texts) -> Wording | None:
    """Things in a row with commas alone: "green, red and red"; arrows as the options join them."""
    if all("," in item for item in texts):
        return _JOINED.sub(", ", _ARROWS.sub(", ", text)), texts
    return (_ARROWS.sub("-", text), texts) if all(map(_HYPHENED.fullmatch, texts)) else None


def _as_ranges(text: str, texts: Texts) -> Wording | None:
    """Ranges with a hyphen, ratios with a colon: "between 25 and 30 minutes" for "25–30 min"."""
    if not all(map(_RANGE.search, texts)):
        return with_ratios(text, texts[:1]), texts  # "1 to 2" for 1:2
    ranges = (_BETWEEN.sub(_hyphened, item) for item in (text, *texts))
    wording, *others = (_MINUTES.sub(" minutes", _RANGE.sub(r"\1-\2", item)) for item in ranges)
    return wording, tuple(others)


def _hyphened(match: re.Match[str]) -> str:
    return "-".join(group for group in match.groups() if group)


def _with_dates(text: str, texts: Texts) -> Wording | None:
    """Each date in a text as the only option writes it that is the same day."""
    days = [days_of(item.strip(" .")) for item in texts]
    if not all(days):
        return None
    orders = set.intersection(*(set(day) for day in days))
    dates = [{day[order] for order in orders} for day in days]

    def as_option(match: re.Match[str]) -> str:
        days_meant = {*days_of(match[0]).values()}
        same = [item for item, date in zip(texts, dates, strict=True) if date & days_meant]
        return same[0] if len(same) == 1 else match[0]

    for form in date_forms():
        text = form.sub(as_option, text)
    return text, texts


def _without_frame(text: str, texts: Texts) -> Wording | None:
    """The options without what all of them begin or end with: "The girl is *flying a kite*"."""
    forms = short_forms(texts)
    return (text, forms) if forms and all(" " in form for form in forms) else None


_REWORDINGS = (
    _uncleft, _without_brackets, _heads, _without_articles, _of_day, _written_out, _in_order,
    _as_ranges, _with_dates, with_full_names, _with_first_names, _by_place,
    _without_frame, _in_its_forms,
)  # fmt: skip
