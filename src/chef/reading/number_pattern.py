"""The pattern of a number: digits, words of many languages, fractions, ordinals, and "none".

A cheap scan tells where a number may begin, so that the long pattern runs at few places only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from chef.reading.characters import AFTER, BEFORE, WORD
from chef.reading.number_words import (
    CHINESE_NUMERAL,
    COUNTERS,
    JAPANESE,
    KOREAN_FULL,
    KOREAN_NUMERAL,
    SCALES,
    TEENS,
    TENS,
    UNITS,
    european,
)
from chef.reading.patterns import Pattern, words
from chef.reading.word_index import lower, words_in, words_near


def _any(words: dict[str, int]) -> str:
    return f"(?:{'|'.join(words)})"


_SMALL = rf"(?:{_any(TENS)}(?:[\s-]{_any(UNITS)}\b)?|{_any(TEENS)}|{_any(UNITS)})\b"
_HUNDREDS = (
    rf"(?:(?:{_SMALL}\s+)?hundred\b(?:\s+(?:and\s+)?{_SMALL})?|(?:{_SMALL}\s+)?dozen\b|{_SMALL})"
)
_WORDED = (
    rf"(?:{_HUNDREDS}\s+(?:million|billion)\b|(?:{_HUNDREDS}\s+)?thousand\b"
    rf"(?:\s+(?:and\s+)?{_HUNDREDS})?|{_HUNDREDS})"
)
_DIGITS = (
    r"(?:\d{1,3}(?:,\d{3})+(?![\d,]*\d)(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+(?!\d)"
    r"|\d{1,3}(?:\.\d{3}){2,}(?!\d)"
    r"|\d{1,3}(?:[  \u2009\u202f']\d{3})+,\d\d(?!\d)"
    r"|\d{1,3}(?:[  \u2009\u202f']\d{3})+(?![\d.,]*\d)|(?<!\d,)\d+,\d{1,2}(?!,?\d)|\d+(?:\.\d+)?"
    r"|\.\d+)"
)
#: Between a number and its scale: a blank, or where LaTeX has been ("4.2 \text{ million}").
_SCALE = (
    rf"(?:(?:\s?| {{2,12}})(?P<scale>{'|'.join(sorted(SCALES, key=len, reverse=True))})"
    r"(?![a-zà-ÿ]))?"
)
#: Units that stand at the number without a space.
_GLUED = (
    r"(?:cm|mm|km|kg|mg|ml|px|ft|in|mph|kph|kmh|mi|lbs?|oz|pcs|ppl|yrs?|min|sec|hrs?|bn"
    r"|[mglshkbvwa])"
    rf"(?:\d|/\w+)?(?!{WORD})"
)
#: Words for a part, with what they divide by.
WORDED_FRACTIONS = {"half": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourths": 4,
                     "fifth": 5, "fifths": 5, "tenth": 10, "tenths": 10}  # fmt: skip
_NO_THING = (
    r"doubt|idea|way|longer|more|matter|less|fewer|one|problem|need|wonder|question|means|reason"
    r"|information|answer|comment|context|wait|actually|sorry|there|it|that|this|i|the|they|we|he"
    r"|she|not|clear|specific|visible\s+way|only|use|point|clue|image|picture|photo|photograph"
    r"|attachment"
)
#: A number; EUROPEAN stands for the words of `european`.
_NUMBER = (
    # Dates, times and sizes ("2 x 3 grid") are skipped as a whole.
    r"(?P<skip>(?<![\d.])\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)"
    r"|(?<![\d.])\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})(?![\d.])"
    r"|(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?!\d)|\d{1,2}:\d{2}\s?[ap]\.?m\b\.?"
    r"|(?<![\d×+=-])(?<![×+=-]\s)\d+\s?[×x]\s?\d+(?!\d|\s*[×x+=≈-]|\.\d)(?=\s*(?:grid|square"
    r"|table|matrix|pixel|px|image|block|board|layout|\w+s:))|24/7|\b(?:his|her|their|the|early|late|mid)[\s-]\d{1,3}0'?s\b)"
    # A hyphen after a number makes a range ("3-4"), after a letter a name ("F-16").
    rf"|(?P<digits>(?:(?<![\w.)])(?<![\d)]\s)[+–-]|(?<![a-z\d.])(?:minus\s+|negative\s+"
    rf"|(?<!au\s)moins\s+|meno\s+|menos\s+|负)|(?<!{WORD})(?<!\d\.)(?<![a-z]-)(?<!\^))"
    rf"(?:(?:\d+\s)?(?P<top>\d+)\s?[/⁄]\s?(?P<bottom>\d+)(?!\s?[/⁄\d])|(?:\d+\s?)?[½⅓⅔¼¾⅕⅛]"
    rf"|{_DIGITS}(?P<withhalf>\s+and\s+a\s+half\b)?(?:(?P<power>[eE][+-]?\d+"
    rf"|\s?[×x·]\s*10(?:\s?\^\s*[({{]?\s*[+−-]?\d+[)}}]?|[⁻⁺]?[⁰¹²³⁴-⁹]+))|{_SCALE}))"
    rf"(?P<ordinal>st|nd|rd|th|º|ª)?(?:(?!{WORD}|\.\d)|(?={_GLUED})))"
    # "Third" alone is an ordinal.
    rf"|(?P<frac>{BEFORE}(?!(?:third|fifth|tenth)\b)(?:(?:an?\s+|(?P<count>one|two|three)\s+)?"
    rf"(?P<part>{'|'.join(WORDED_FRACTIONS)})(?=\s+(?:of|a\s+dozen|full)\b|\s*\Z)))"
    rf"|(?P<words>{BEFORE}(?P<minus>minus\s+"
    rf"|negative\s+)?{_WORDED}(?P<plushalf>\s+and\s+a\s+half\b)?)(?!-(?:way|time|of|off)\b)"
    rf"|(?P<couple>{BEFORE}(?:an?\s+)?(?:couple|pair|brace|duo|trio|quartet)\b|{BEFORE}(?:a"
    rf"|only\s+a|just\s+a)\s+(?:single|sole|lone)\b)"
    rf"|(?P<zero>{BEFORE}(?:zero|none|no\s?body|nothing|no\s+one|no(?=\s+(?!(?:{_NO_THING})\b)[a-z])"
    r"|(?:not|n't|without|never)\s+(?:\w+\s+){0,2}?(?:a\s+single(?:\s+one)?|any|even\s+one"
    r"|one(?=\s+[a-z]))|no\s+single)\b"
    r"|(?<=n't)\s+(?:\w+\s+){0,2}?(?:a\s+single|any|even\s+one)\b"
    r"|(?<=there)\s+(?:isn't|aren't|is\s+not|are\s+not)\s+an?\s(?=[a-z])"
    r"|(?<=i)\s+(?:don't|do\s+not|can't|cannot)\s+see\s+(?:an?\s+|the\s+)?(?!(?:how|many|more|enough"
    r"|all|exactly|image|picture|photo|it|them|clearly|well|that|if|any|the|an?)\b)(?=[a-z])"
    r"|\bn'y\s+(?:en\s+)?a\s+pas\b|\bno\s+hay(?=\s*[.,!]|\s*\Z)|\bnon\s+ce\s+ne\s+sono\b"
    r"|\b(?:non\s+ci\s+sono|não\s+há)(?=\s+(?!informa|abbastanza|suffici|dados|elementos|como\b|dubbi|dúvida)[a-zà-ú])"
    r"|一[^\s,.]{0,2}(?:也|都)(?:没有?|不|无)|一[^\s,.]{0,3}も(?:いま|い|ありま|あり)せ?ん?"
    rf"|没有(?:任何)?|(?<!也)无(?!法|需|论|关|从|疑)|不存在|ありません|いません|ゼロ|없습니다|없어요|없다|нет{AFTER})"
    rf"|(?P<japanese>{'|'.join(JAPANESE)})"
    rf"|(?P<chinese>(?!十分(?!钟))(?<![第唯统同之]){CHINESE_NUMERAL}+(?=\s?(?:{COUNTERS})"
    rf"|[到至或~-]{CHINESE_NUMERAL}|\s*(?:\Z|[.,;!?)\"'\]，、\n]))(?!下|起|样|定|分别))"
    rf"|(?P<korean>{KOREAN_FULL}|(?<![\uac00-\ud7af]){KOREAN_NUMERAL}(?=\s?(?:{COUNTERS})))"
    rf"|(?P<european>{BEFORE}(?:EUROPEAN){AFTER})"
    r"|(?P<place>\b(?:first|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b|\bsecond(?=\s*\Z|\s+(?:place|position|floor)\b))"
)


def _number() -> str:
    # By their first letters, so that hardly any word is compared with each of hundreds.
    by_letter: dict[str, list[str]] = {}
    for word in sorted(european(), key=len, reverse=True):
        by_letter.setdefault(word[0], []).append(word[1:])
    words = (f"{letter}(?:{'|'.join(rests)})" for letter, rests in by_letter.items())
    return _NUMBER.replace("EUROPEAN", "|".join(words))


#: A number in a text in lower case, which is matched much faster than one in any case; its groups
#: tell how it is written.
NUMBER = Pattern(_number, flags=0)

_FIGURES, _ASCII_FIGURES = re.compile(r"[\d½⅓⅔¼¾⅕⅛]+"), re.compile("[0-9]+")
_SIGNS = "+.-–"
#: Words that begin a number whatever follows.
_FIRST = words(
    "minus negative moins meno menos half third thirds quarter quarters fourths fifth fifths tenth"
    " tenths hundred thousand dozen couple pair brace duo trio quartet zero none nobody nothing no"
    " n y hay non não first second fourth sixth seventh eighth ninth нет never without not n'y"
)
_SOON = "a an only just"
#: How far behind "a" the words stand that go with it, in characters: "just a single".
_NEAR = 20
#: Words before which one begins ("a couple", "the 1980s") or behind which one does ("there isn't
#: a", "I don't see a", "isn't any"), if a text has one of the words that they go with.
_WITH = {
    _SOON: words(
        "couple pair brace duo trio quartet single sole lone half third quarter fourth fifth tenth"
    ),
    "t": words("single any even"),
    "there": words("isn aren not"),
    "i": words("see"),
}
_BEHIND = words("t there i")
_DECADES = words("his her their the early late mid")


@cache
def _first_words() -> frozenset[str]:
    """The words with which numbers begin."""
    named = [*UNITS, *TEENS, *TENS, *SCALES, *european()]
    return _FIRST | {re.split(r"[\s-]", word)[0] for word in named}


def number_starts(text: str, start: int = 0) -> Iterator[int]:
    """The places where a number may begin, in order; more than those where one does.

    >>> list(number_starts("The 3 dogs and a couple, -5 or two"))
    [4, 15, 17, 25, 26, 31]
    """
    present = words_near(text) if not start else words_in(text[start:])
    places: set[int] = set()
    for match in (_ASCII_FIGURES if text.isascii() else _FIGURES).finditer(text, start):
        first = match.start()
        while first > max(start, match.start() - 2) and text[first - 1] in _SIGNS:
            first -= 1
        places.update(range(first, match.end()))
    low = lower(text)
    for names, needs in _WITH.items():
        near = tuple(needs & present)
        for place, end in _places(low, present & words(names), start) if near else ():
            if names != _SOON or any(low.find(word, end, end + _NEAR) >= 0 for word in near):
                places.add(end if names in _BEHIND else place)
    wanted = present & _first_words()
    if "0s" in low or "0's" in low:
        wanted |= present & _DECADES
    places.update(place for place, _ in _places(low, wanted, start))
    yield from sorted(places)


def _places(low: str, wanted: Iterable[str], start: int) -> Iterator[tuple[int, int]]:
    """The spans of some words that no letters touch."""
    for word in wanted:
        for match in _alone(word).finditer(low, start):
            yield match.span()


@cache
def _alone(word: str) -> re.Pattern[str]:
    """A pattern that begins with the word, which is found much faster than a condition."""
    return re.compile(rf"{re.escape(word)}(?<![^\W\d_]{re.escape(word)})(?![^\W\d_])")
