"""Find the numbers of a text, in digits and in words, without judging what they count."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from chef.extraction.characters import AFTER, BEFORE, WORD
from chef.extraction.number_words import (
    CHINESE_NUMERAL,
    COUNTERS,
    EUROPEAN,
    JAPANESE,
    KOREAN_FULL,
    KOREAN_NUMERAL,
    SCALES,
    TEENS,
    TENS,
    UNITS,
    chinese_value,
    decimal_comma,
    english_value,
    european_value,
    korean_value,
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number at ``start:end``; ``form`` is digits, words, zero, fraction, ordinal or one."""

    value: float
    start: int
    end: int
    form: str


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
    r"(?:\d{1,3}(?:,\d{3})+(?![\d,]*\d)(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+(?!\d)|\d{1,3}(?:\.\d{3}){2,}(?!\d)"
    r"|\d{1,3}(?:[  \u2009\u202f']\d{3})+(?![\d.,]*\d)|(?<!\d,)\d+,\d{1,2}(?!,?\d)|\d+(?:\.\d+)?|\.\d+)"
)
_SCALE = rf"(?:\s?(?P<scale>{'|'.join(sorted(SCALES, key=len, reverse=True))})(?![a-zà-ÿ]))?"
#: Units that stand at the number without a space.
_GLUED = (
    r"(?:cm|mm|km|kg|mg|ml|px|ft|in|mph|kph|kmh|mi|lbs?|oz|pcs|ppl|yrs?|min|sec|hrs?|bn|[mglshkMBVWA])"
    rf"(?:\d|/\w+)?(?!{WORD})"
)
_WORDED_FRACTIONS = {"half": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourths": 4,
                     "fifth": 5, "fifths": 5, "tenth": 10, "tenths": 10}  # fmt: skip
_GLYPHS = {"½": 0.5, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 0.25, "¾": 0.75, "⅕": 0.2, "⅛": 0.125}
_NO_THING = (
    r"doubt|idea|way|longer|more|matter|less|fewer|one|problem|need|wonder|question|means|reason"
    r"|information|answer|comment|context|wait|actually|sorry|there|it|that|this|i|the|they|we|he|she"
    r"|not|clear|specific|visible\s+way|only|use|point|clue|image|picture|photo|photograph|attachment"
)
_NUMBER = re.compile(
    # Dates, times and sizes ("2 x 3 grid") are skipped as a whole.
    r"(?P<skip>(?<![\d.])\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)|(?<![\d.])\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})(?![\d.])"
    r"|(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?!\d)|\d{1,2}\s?[ap]\.?m\b\.?"
    r"|(?<![\d×+=-])(?<![×+=-]\s)\d+\s?[×x]\s?\d+(?!\d|\s*[×x+=≈-]|\.\d)(?=\s*(?:grid|square|table|matrix|pixel|px|image|block|board|layout|\w+s:))|24/7)"
    # A hyphen after a number makes a range ("3-4"), after a letter a name ("F-16").
    rf"|(?P<digits>(?:(?<![\w.)])(?<![\d)]\s)[+-]|(?<![A-Za-z\d.])(?:minus\s+|negative\s+|moins\s+|meno\s+|menos\s+|负)|(?<!{WORD})(?<!\d\.)(?<![A-Za-z]-))"
    rf"(?:(?:\d+\s)?(?P<top>\d+)\s?[/⁄]\s?(?P<bottom>\d+)(?!\s?[/⁄\d])|(?:\d+\s?)?[½⅓⅔¼¾⅕⅛]"
    rf"|{_DIGITS}(?P<withhalf>\s+and\s+a\s+half\b)?(?:(?P<power>[eE][+-]?\d+|\s?×\s*10\s?\^\s*\(?\s*[+-]?\d+)|{_SCALE}))"
    rf"(?P<ordinal>st|nd|rd|th|º|ª)?(?:(?!{WORD}|\.\d)|(?={_GLUED})))"
    rf"|(?P<frac>{BEFORE}(?:(?:an?\s+|(?P<count>one|two|three)\s+)?(?P<part>{'|'.join(_WORDED_FRACTIONS)})(?<!(?<![a-z]\s)\bthird)(?<!(?<![a-z]\s)\bfifth)(?<!(?<![a-z]\s)\btenth)(?=\s+(?:of|a\s+dozen|full)\b|\s*\Z)))"
    rf"|(?P<words>{BEFORE}(?P<minus>minus\s+|negative\s+)?{_WORDED}(?P<plushalf>\s+and\s+a\s+half\b)?)(?!-(?:way|time|of|off)\b)"
    rf"|(?P<couple>{BEFORE}(?:an?\s+)?(?:couple|pair|brace|duo|trio|quartet)\b|{BEFORE}(?:a|only\s+a|just\s+a)\s+(?:single|sole|lone)\b)"
    rf"|(?P<zero>{BEFORE}(?:zero|none|nobody|nothing|no\s+one|no(?=\s+(?!(?:{_NO_THING})\b)[a-z])"
    r"|(?:not|n't|without|never)\s+(?:\w+\s+){0,2}?(?:a\s+single(?:\s+one)?|any|even\s+one|one(?=\s+[a-z]))|no\s+single)\b"
    r"|(?<=n't)\s+(?:\w+\s+){0,2}?(?:a\s+single|any|even\s+one)\b"
    rf"|没有(?:任何)?|(?<!也)无(?!法|需|论|关|从|疑)|不存在|ありません|いません|ゼロ|없습니다|없어요|없다|нет{AFTER})"
    rf"|(?P<japanese>{'|'.join(JAPANESE)})"
    rf"|(?P<chinese>(?!十分(?!钟))(?<![第唯统同之]){CHINESE_NUMERAL}+(?=\s?(?:{COUNTERS})|[到至或~-]{CHINESE_NUMERAL}|\s*(?:\Z|[.,;!?)\"'\]，、\n]))(?!下|起|样|定|分别))"
    rf"|(?P<korean>{KOREAN_FULL}|(?<![\uac00-\ud7af]){KOREAN_NUMERAL}(?=\s?(?:{COUNTERS})))"
    rf"|(?P<european>{BEFORE}(?:{'|'.join(sorted(EUROPEAN, key=len, reverse=True))}){AFTER})"
    r"|(?P<place>\b(?:first|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b)",
    re.IGNORECASE,
)
_GROUPS = {"couple": 2, "pair": 2, "brace": 2, "duo": 2, "trio": 3, "quartet": 4}
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
           "tenth")  # fmt: skip
#: Things that come in pairs and are one: "a pair of glasses".
_PAIRED = re.compile(
    r"\s+of\s+(?:\w+\s+){0,2}?(?:glasses|sunglasses|scissors|pants|trousers|jeans|shorts|pliers"
    r"|tweezers|binoculars|headphones|goggles|tongs)\b",
    re.IGNORECASE,
)
_PORTUGUESE = re.compile(
    r"\b(?:há|são|quant[oa]s|uma|não|você|imagem|contei|vejo|os|dos|das|com)\b|[ãõ]", re.IGNORECASE
)


def numbers_in(plain: str, around: str = "") -> Iterator[Number]:
    """The numbers of a text without markup, in order.

    Args:
        plain: the text.
        around: more text that shows the language, such as the question.

    >>> [number.value for number in numbers_in("In 2019, two dozen birds: 1/2 and 1,000.")]
    [2019, 24, 0.5, 1000]
    """
    language = f"{plain[:2000]} {around}"
    for match in _NUMBER.finditer(plain):
        number = _number(match, plain, language)
        if number is not None:
            yield number


def whole_number(plain: str, around: str = "") -> Number | None:
    """The number that a text consists of, without other words; None for any other text.

    >>> whole_number("three"), whole_number("3 dogs")
    (Number(value=3, start=0, end=5, form='words'), None)
    """
    match = _NUMBER.fullmatch(plain)
    return _number(match, plain, f"{plain} {around}") if match else None


def _number(match: re.Match[str], plain: str, language: str) -> Number | None:
    group = next(name for name in _READERS if match[name] is not None)
    value = _READERS[group](match, plain, language)
    if value is None or not math.isfinite(value):
        return None
    form = "words" if group not in ("digits", "zero", "frac", "place") else group
    if group == "digits":
        form = "ordinal" if match["ordinal"] else "fraction" if match["bottom"] else "digits"
    form = {"frac": "fraction", "place": "ordinal"}.get(form, form)
    if form == "words" and match[0].lower() == "one":
        form = "one"
    # Beyond 2**53 floats do not represent every whole number, so an int would look too exact.
    whole = float(value).is_integer() and abs(value) < 2**53
    end = match.end()
    return Number(int(value) if whole else value, match.start(), end, form)


def _skip(match: re.Match[str], plain: str, language: str) -> None:
    return None


def _digits(match: re.Match[str], plain: str, language: str) -> float | None:
    text = match[0].lower()
    if match["withhalf"]:
        return float(re.match(r"[\d.]+", text.lstrip("+-"))[0]) + 0.5  # type: ignore[index]
    sign = -1.0 if re.match(r"-|minus|negative|moins|meno|负", text) else 1.0
    text = re.sub(r"^(?:[+-]|minus|negative|moins|menos|meno|负)\s*", "", text)
    if match["ordinal"]:
        text = text[: -len(match["ordinal"])]
    if match["bottom"]:
        if float(match["bottom"]) == 0:
            return None
        whole = re.match(r"(\d+)\s\d", text)
        added = float(whole[1]) if whole else 0.0
        return sign * (added + float(match["top"]) / float(match["bottom"]))
    if text[-1] in _GLYPHS:
        return sign * (float(text[:-1] or 0) + _GLYPHS[text[-1]])
    if match["scale"]:
        text = text[: -len(match["scale"])].strip()
    exponent = 0
    if match["power"]:
        exponent = int(re.sub(r"^.*?([+-]?\d+)\Z", r"\1", match["power"].replace("× 10", "")))
        text = text[: -len(match["power"])]
    plain_text = _point(text, plain, match, language)
    if plain_text is None:
        return None
    value = sign * float(f"{plain_text}e{exponent}")
    scale = (match["scale"] or "").lower()
    letter = re.match(r"(?:[kK]|M|B|bn)(?!\w)", plain[match.end() : match.end() + 3])
    if letter and not scale:
        value *= {"k": 10**3, "M": 10**6, "b": 10**9}[
            letter[0] if letter[0] == "M" else letter[0][0].lower()
        ]
    # "in million dollars": the number is given in the unit of the question.
    asked = bool(scale) and scale[:3] in language[len(plain[:2000]) :].lower()
    return value * SCALES[scale] if scale and not asked else value


def _point(text: str, plain: str, match: re.Match[str], language: str) -> str | None:
    """The digits with a decimal point; None where a comma may be one or not."""
    text = re.sub(r"[\s\u2009\u202f']", "", text)
    if re.fullmatch(r"\d+,\d{1,2}", text):
        unit = re.match(r"\s?(?:[€$£%°]|(?:cm|mm|km|m|kg|g|l|ml|Mio|Mrd|Prozent|euros?|EUR|USD)\b)",
                        plain[match.end() : match.end() + 12], re.IGNORECASE)  # fmt: skip
        sure = text.startswith("0,") or unit or match["scale"] or decimal_comma(language)
        return text.replace(",", ".") if sure else None
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d+", text):
        return text.replace(".", "").replace(",", ".")
    if text.count(".") > 1:
        return text.replace(".", "")
    if re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", text) and decimal_comma(language):
        return text.replace(".", "")
    return text.replace(",", "")


def _fraction_words(match: re.Match[str], plain: str, language: str) -> float | None:
    part = match["part"].lower()
    if part == "half" and re.match(r"\s+a\s+dozen\b", plain[match.end() :][:12], re.IGNORECASE):
        return None  # `_couple` reads "half a dozen"
    return UNITS.get((match["count"] or "one").lower(), 1) / _WORDED_FRACTIONS[part]


def _worded(match: re.Match[str], plain: str, language: str) -> float | None:
    words = re.findall(r"[a-z]+", match["words"].lower())
    value: float = english_value([word for word in words if word != "half"])
    if re.search(
        r"\bhalf\s+(?:a\s+)?\Z", plain[max(0, match.start() - 8) : match.start()], re.IGNORECASE
    ):
        value = value / 2 if "dozen" in words else value
    if match["plushalf"]:
        value += 0.5
    return -value if match["minus"] else value


def _couple(match: re.Match[str], plain: str, language: str) -> float | None:
    word = match[0].lower().split()[-1]
    if word in ("pair", "couple") and _PAIRED.match(plain, match.end()):
        return 1
    return _GROUPS.get(word, 1)


def _zero(match: re.Match[str], plain: str, language: str) -> float | None:
    # In Portuguese "no" means "in the".
    if match[0].lower() == "no" and len(_PORTUGUESE.findall(language)) > 1:
        return None
    return 0


def _asian(match: re.Match[str], plain: str, language: str) -> float | None:
    if match["japanese"]:
        return JAPANESE[match["japanese"]]
    if match["korean"]:
        return korean_value(match["korean"])
    return chinese_value(match["chinese"])


def _european(match: re.Match[str], plain: str, language: str) -> float | None:
    return european_value(match["european"], language)


def _place(match: re.Match[str], plain: str, language: str) -> float | None:
    return _PLACES.index(match["place"].lower()) + 1


_READERS = {
    "skip": _skip, "digits": _digits, "frac": _fraction_words, "words": _worded,
    "couple": _couple, "zero": _zero, "japanese": _asian, "chinese": _asian, "korean": _asian,
    "european": _european, "place": _place,
}  # fmt: skip
