"""Find the numbers of a text, in digits and in words, without judging what they count."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from chef.frozen import Frozen
from chef.reading.assertion import negated
from chef.reading.number_pattern import NUMBER, WORDED_FRACTIONS, number_starts
from chef.reading.number_phrases import AND, BETWEEN, DENIED, RANGE
from chef.reading.number_words import (
    JAPANESE,
    SCALES,
    UNITS,
    chinese_value,
    decimal_comma,
    english_value,
    european_value,
    korean_value,
)
from chef.reading.patterns import has_cjk, words
from chef.reading.units import units_after, units_in
from chef.reading.word_index import lower, words_in, words_near


class Number(Frozen):
    """A number at ``start:end``; ``form`` is digits, words, zero, fraction, ordinal or one."""

    value: float
    start: int
    end: int
    form: str


#: So many characters of a text show its language.
_SHOWN = 2000
#: Longer texts are no number.
_LONGEST = 80
_GLYPHS = {"½": 0.5, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 0.25, "¾": 0.75, "⅕": 0.2, "⅛": 0.125}
_LETTERS = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "b": 10**9, "bn": 10**9}
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−", "0123456789+--")
_SIGN = re.compile(r"^(?:[+–-]|minus|negative|moins|menos|meno|负)\s*")
#: What follows a decimal comma, but no list.
_UNIT = re.compile(
    r"\s?(?:[€$£%°]|(?:cm|mm|km|m|kg|g|l|ml|Mio|Mrd|Prozent|euros?|EUR|USD|reais|Grad|graus|grados|degrés|gradi|градус\w*)\b)",
    re.IGNORECASE,
)
#: What precedes one; the dollar of "R$" is markup.
_PRICED = re.compile(r"(?:[€£]|\bR)\s{0,2}\Z")
_GROUPS = {"couple": 2, "pair": 2, "brace": 2, "duo": 2, "trio": 3, "quartet": 4}
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
           "tenth")  # fmt: skip
#: Things that come in pairs and are one: "a pair of glasses".
_PAIRED = re.compile(
    r"\s+of\s+(?:\w+\s+){0,2}?(?:glasses|sunglasses|scissors|pants|trousers|jeans|shorts|pliers"
    r"|tweezers|binoculars|headphones|goggles|tongs)\b",
    re.IGNORECASE,
)
_PORTUGUESE_WORDS = words("uma quantos quantas imagem contei vejo os dos das com")
_PORTUGUESE = re.compile(
    r"\b(?:há|são|quant[oa]s|uma?|não|você|imagem|contei|vejo|os|dos|das|com)\b|[ãõ]", re.IGNORECASE
)


def numbers_in(plain: str, around: str = "", start: int = 0) -> Iterator[Number]:
    """The numbers of a text without markup, in order; ``around`` shows its language, too.

    >>> [number.value for number in numbers_in("In 2019, two dozen birds: 1/2 and 1,000.")]
    [2019, 24, 0.5, 1000]
    """
    language = f"{plain[:_SHOWN]} {around}"
    for match in _matches(plain, start):
        number = _number(match, plain, language)
        if number is not None:
            yield number


def _matches(plain: str, start: int) -> Iterator[re.Match[str]]:
    """The matches of the pattern, which runs where a number may begin."""
    low = lower(plain)
    if has_cjk(plain):
        yield from NUMBER.finditer(low, start)
        return
    end = start
    for place in number_starts(plain, start):
        match = NUMBER.match(low, place) if place >= end else None
        if match is not None:
            end = match.end()
            yield match


_PERCENT = re.compile(
    r"\s?(?:%|per\s?cent\b|prozent\b|pour\s?cent\b|por\s?ciento\b|per\s?cento\b|por\s?cento\b|процент)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^[ \t>]*[(\[]?(\d{1,2})(?:[.):\]]|\s-)[ \t]+(?=\S)", re.MULTILINE)
_INLINE = re.compile(r"\((\d{1,2})\)\s|(?<![\w.])(\d{1,2})\)\s")
#: How the first marker of a numbered list ends; a cheap test, for most texts have none.
_MARKER_ENDS = tuple(f"{digit}{sign}" for digit in "01" for sign in ".):]")
_MARKER_DASH = re.compile(r"[01]\s-")


def list_markers(plain: str) -> list[tuple[int, int]]:
    """Spans of the markers of a numbered list: "1." and "2." at line starts, "(1)" and "(2)"."""
    if not any(end in plain for end in _MARKER_ENDS) and not (
        "-" in plain and _MARKER_DASH.search(plain)
    ):
        return []
    for pattern in (_ITEM, _INLINE):
        found = list(pattern.finditer(plain))
        counts = [int(match[1] or match[match.lastindex or 1]) for match in found]
        if (
            len(found) > 1
            and counts[0] in (0, 1)
            and counts == list(range(counts[0], counts[0] + len(counts)))
        ):
            return [match.span() for match in found]
    return []


def whole_number(plain: str, around: str = "") -> Number | None:
    """The number that a text consists of, without other words; None for any other text.

    >>> whole_number("three"), whole_number("3 dogs")
    (Number(value=3, start=0, end=5, form='words'), None)
    """
    match = NUMBER.fullmatch(lower(plain)) if len(plain) <= _LONGEST else None
    return _number(match, plain, f"{plain} {around}") if match else None


class _Token(Frozen):
    """A match of the pattern, in a text that has a language."""

    match: re.Match[str]
    plain: str
    language: str

    def __getitem__(self, group: str) -> str:
        return self.match[group] or ""

    @property
    def text(self) -> str:
        """The words of the number, in lower case."""
        return self.match[0]

    @property
    def around(self) -> str:
        """What shows the language beside the text."""
        return self.language[len(self.plain[:_SHOWN]) :]

    def before(self, length: int) -> str:
        """The characters before the number."""
        return self.plain[max(0, self.match.start() - length) : self.match.start()]

    def after(self, length: int) -> str:
        """The characters after the number."""
        return self.plain[self.match.end() : self.match.end() + length]


def _number(match: re.Match[str], plain: str, language: str) -> Number | None:
    group = str(match.lastgroup)  # the outermost one, which ends last
    value = _READERS[group](_Token(match, plain, language))
    if value is None or not math.isfinite(value):
        return None
    # Beyond 2**53 floats do not represent every whole number, so an int would look too exact.
    whole = float(value).is_integer() and abs(value) < 2**53
    return Number(int(value) if whole else value, *match.span(), _form(match, group))


def _form(match: re.Match[str], group: str) -> str:
    if group == "digits":
        return "ordinal" if match["ordinal"] else "fraction" if match["bottom"] else "digits"
    if match[0].lower() == "one":
        return "one"
    return {"zero": "zero", "frac": "fraction", "place": "ordinal"}.get(group, "words")


def _digits(token: _Token) -> float | None:
    if token.match[0].isdecimal():
        return float(token.match[0]) * _scale(token)
    text = _SIGN.sub("", token.text)
    sign = -1.0 if re.match(r"[–-]|minus|negative|moins|meno|负", token.text) else 1.0
    text = text.removesuffix(token["ordinal"].lower())
    if token["withhalf"]:
        return sign * (float(text.split()[0].replace(",", "")) + 0.5)
    if token["bottom"]:
        whole = re.match(r"(\d+)\s\d", text)
        bottom = float(token["bottom"])
        added = float(whole[1]) if whole else 0.0
        return sign * (added + float(token["top"]) / bottom) if bottom else None
    if text[-1] in _GLYPHS:
        return sign * (float(text[:-1] or 0) + _GLYPHS[text[-1]])
    exponent = 0
    if token["power"]:
        power = token["power"].translate(_RAISED)
        exponent = int(re.sub(r"^.*?([+-]?\d+)\W*\Z", r"\1", power.partition("10")[2] or power))
        text = text.removesuffix(token["power"].lower())
    point = _point(text.removesuffix(token["scale"].lower()).strip(), token)
    return None if point is None else sign * float(f"{point}e{exponent}") * _scale(token)


_SCALE_ASKED = re.compile(r"\b(thousand|million|billion|trillion)s?\b", re.IGNORECASE)


def _scale(token: _Token) -> float:
    """What a number is multiplied by: "million", "M"."""
    scale = token["scale"].lower()
    if not scale and not token.after(1).isalpha():
        return 1
    letter = re.match(r"(?:[kK]|M|B|bn)(?!\w)", token.after(3))
    factor = SCALES[scale] if scale else _LETTERS[letter[0]] if letter else 1
    # "in million dollars": the number is given in the unit of the question.
    asked = _SCALE_ASKED.search(token.around) if factor > 1 else None
    if asked and asked[1].lower() in SCALES:  # "in thousands" of "3.4 million"
        return factor / SCALES[asked[1].lower()]
    return 1 if scale and scale[:3] in token.around.lower() else factor


def _point(text: str, token: _Token) -> str | None:
    """The digits with a decimal point; None where a comma may be one or not."""
    grouped, text = text, re.sub(r"[\s\u2009\u202f']", "", text)
    if re.fullmatch(r"\d+,\d{1,2}", text):
        unit = _UNIT.match(token.after(12)) or _PRICED.search(token.before(4)) or text != grouped
        sure = text.startswith("0,") or unit or token["scale"] or decimal_comma(token.language)
        return text.replace(",", ".") if sure else None
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d+", text):
        return text.replace(".", "").replace(",", ".")
    thousands = re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", text) and decimal_comma(token.language)
    if text.count(".") > 1 or thousands:
        return text.replace(".", "")
    return text.replace(",", "")


def _part(token: _Token) -> float | None:
    part = token["part"].lower()
    if part == "half" and re.match(r"\s+a\s+dozen\b", token.after(12), re.IGNORECASE):
        return None  # `_worded` reads "half a dozen".
    return UNITS.get(token["count"].lower() or "one", 1) / WORDED_FRACTIONS[part]


def _worded(token: _Token) -> float | None:
    words = re.findall(r"[a-z]+", token["words"].lower())
    value: float = english_value([word for word in words if word != "half"])
    before = token.plain[max(0, token.match.start() - 8) : token.match.start()]
    if "dozen" in words and re.search(r"\bhalf\s+(?:a\s+)?\Z", before, re.IGNORECASE):
        value = value / 2
    value += 0.5 if token["plushalf"] else 0
    return -value if token["minus"] else value


def _couple(token: _Token) -> float | None:
    word = token.text.split()[-1]
    if word in ("pair", "couple") and _PAIRED.match(token.plain, token.match.end()):
        return 1
    return _GROUPS.get(word, 1)


_BESIDES = re.compile(r"\s+(?:else|others?)\b", re.IGNORECASE)


def _zero(token: _Token) -> float | None:
    # In Portuguese "no" means "in the"; "none other" counts others only.
    if _BESIDES.match(token.after(8)):
        return None
    return None if token.text == "no" and is_portuguese(token.plain, token.around) else 0


@lru_cache(16)
def is_portuguese(plain: str, around: str = "") -> bool:
    """Whether "no" in a text is the Portuguese for "in the"."""
    text = plain[:_SHOWN] + around
    if text.isascii() and _PORTUGUESE_WORDS.isdisjoint(words_near(plain) | words_in(around)):
        return False
    return len(_PORTUGUESE.findall(text)) > 1


_READERS: dict[str, Callable[[_Token], float | None]] = {
    "skip": lambda _: None,
    "digits": _digits,
    "frac": _part,
    "words": _worded,
    "couple": _couple,
    "zero": _zero,
    "japanese": lambda token: JAPANESE[token["japanese"]],
    "chinese": lambda token: chinese_value(token["chinese"]),
    "korean": lambda token: korean_value(token["korean"]),
    "european": lambda token: european_value(token["european"], token.language),
    "place": lambda token: PLACES.index(token["place"].lower()) + 1,
}


def without_denials(numbers: Sequence[Number], plain: str) -> list[Number]:
    """Without the zeros that only deny a number beside them: "nothing like a 3", "no un 3"."""
    kept: list[Number] = []
    for place, number in enumerate(numbers):
        before = plain[numbers[place - 1].end : number.start] if place else ""
        after = plain[number.end : numbers[place + 1].start] if place + 1 < len(numbers) else ""
        is_word = number.value == 0 and number.form in {"zero", "words"}
        is_word = is_word and plain[number.start : number.end].lower() != "zero"
        if not (is_word and (DENIED.fullmatch(after) or before in {"では", "じゃ"})):
            kept.append(number)
    return kept


#: "8" of "16 - 8" or "48 / 6".
_OPERATED = re.compile(r"[\d)]?\s?[-−+×÷*·/]\s?\Z")


def merged(numbers: list[Number], plain: str) -> list[Number]:
    """With a word and the digits that repeat it as one: "thirteen (13)", but not "16 - 8 = 8"."""
    found: list[Number] = []
    for number in numbers:
        before = found[-1] if found else None
        gap = plain[before.end : number.start] if before else ""
        is_same = before and before.value == number.value and re.fullmatch(r"\s*[(=]\s*", gap)
        if (
            before
            and is_same
            and not _OPERATED.search(plain, max(0, before.start - 3), before.start)
        ):
            closed = plain[number.end : number.end + 1] == ")"
            found[-1] = replace(before, end=number.end + closed)
        else:
            found.append(number)
    return found


#: Between the parts of "1 hour and 17 minutes".
_PARTED = re.compile(r"\s*(?:,\s*)?(?:(?:and|und|et|y|e|и)\s+)?")


def in_one_unit(numbers: list[Number], plain: str, question: str) -> list[Number]:
    """With a quantity in two units as one in the unit that is asked for: "1 hour 17 minutes"."""
    sizes = {unit.dimension: unit.size for unit in units_in(question)} if numbers[1:] else {}
    joined: list[Number] = []
    for number in numbers if sizes else ():
        units, end = units_after(plain, number.end)
        first, gap = units_after(plain, joined[-1].end) if joined else (frozenset(), 0)
        pairs = [(one, two) for one in first for two in units if one.dimension == two.dimension]
        pairs = [pair for pair in pairs if number.value * pair[1].size < pair[0].size]
        size = sizes.get(pairs[0][0].dimension) if pairs else None
        if size and _PARTED.fullmatch(plain, gap, number.start):
            one, two = pairs[0]
            value = round((joined[-1].value * one.size + number.value * two.size) / size, 9)
            joined[-1] = replace(joined[-1], value=int(value) if value % 1 == 0 else value, end=end)
        else:
            joined.append(number)
    return joined or numbers


def is_range(plain: str, one: Number, two: Number) -> bool:
    """Whether two numbers beside each other are the ends of a range: "2 or 3", "3:4"."""
    gap = plain[one.end : two.start]
    if gap == ":":
        return True
    if len(gap) > 40 or not RANGE.fullmatch(gap):
        return False
    if one.value == two.value or share_of(plain, one) == share_of(plain, two):
        return False  # "5/8 or 62.5 %"
    # "from $20 in 2010 to $35", "4 as opposed to 3", "6 people — 4 seated"
    if (
        (is_year(one) != is_year(two) and re.search(r"\bto\b", gap))
        or negated(plain, two.start)
        or (one.value > two.value and re.search(r"[a-z]\s*[-–—]", gap))
    ):
        return False
    if AND.search(gap):
        return BETWEEN.search(plain[max(0, one.start - 24) : one.start]) is not None
    return "zero" not in (one.form, two.form)


def share_of(plain: str, number: Number) -> float:
    """The value of a number of a text, or of a percentage the share that it is.

    >>> share_of("25% of it", Number(25, 0, 2, "digits"))
    0.25
    """
    return round(number.value / (100 if is_percent(plain, number) else 1), 9)


def is_percent(plain: str, number: Number) -> bool:
    """Whether a sign or a word for percent follows a number of a text."""
    return _PERCENT.match(plain, number.end) is not None


def is_year(number: Number) -> bool:
    """Whether it looks like a year: four digits, and none of "1,284"."""
    is_short = number.form == "digits" and number.end - number.start == len("2024")
    return is_short and 1000 <= number.value <= 2100
