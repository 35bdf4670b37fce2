"""Number words of several languages, and the numerals of Chinese, Japanese and Korean."""

from __future__ import annotations

import re
from functools import cache

from chef.reading.lexicon import entries

# fmt: off
UNITS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
         "nine": 9}
TEENS = {"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
         "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19}
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60,
        "seventy": 70, "eighty": 80, "ninety": 90}
#: Words after a number that multiply it.
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "millions": 10**6, "mio": 10**6,
          "millionen": 10**6, "millones": 10**6, "milioni": 10**6, "milhões": 10**6,
          "billion": 10**9, "trillion": 10**12, "mille": 1000, "mil": 1000, "tausend": 1000,
          "dozen": 12, "万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8, "만": 10**4,
          "억": 10**8, "千": 1000, "тысяч": 1000, "миллионов": 10**6, "миллиона": 10**6}
#: Words of other languages that are also words of English, or of each other: with a word of their
#: own language only.
_SHARED = {"once": "es", "dos": "es", "due": "it", "sei": "it", "elf": "de", "null": "de",
           "venti": "it", "mil": "es", "doze": "pt", "cent": "fr"}
_HINTS = {
    "es": re.compile(
        r"\b(?:hay|en|los|las|el|del|con|según|está|una?|cuánt[oa]s?|imagen)\b|[ñ¿¡]",
        re.IGNORECASE,
    ),
    "it": re.compile(
        r"\b(?:ci|sono|il|nella?|della?|delle|gli|con|secondo|è|una|quant[ieoa]|immagine|foto"
        r"|vedo)\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\b(?:es|sind|ist|der|die|das|dem|den|im|ich|und|auf|laut|mit|von|eine?|wie|viele|bild)\b",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r"\b(?:há|na|no|os|são|com|em|é|da|dos|das|uma|não|segundo|quant[oa]s?|imagem|vejo)\b",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(?:il|y|les?|des|du|une|avec|selon|sont|sur|dans|est|combien|voi[st])\b",
        re.IGNORECASE,
    ),
}
_DIGITS = {"零": 0, "〇": 0, "一": 1, "壹": 1, "二": 2, "两": 2, "兩": 2, "俩": 2, "三": 3, "仨": 3,
           "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_PLACES = {"十": 10, "百": 100, "千": 1000}
_BIG = {"万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8}
_KOREAN_TENS = {"열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50}
_KOREAN_UNITS = {"하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "석": 3, "넷": 4, "네": 4,
                 "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9}
_SINO = {"일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6, "칠": 7, "팔": 8, "구": 9}
JAPANESE = {"ひとつ": 1, "一つ": 1, "ふたつ": 2, "二つ": 2, "みっつ": 3, "三つ": 3, "よっつ": 4,
            "四つ": 4, "いつつ": 5, "五つ": 5, "むっつ": 6, "六つ": 6, "ななつ": 7, "七つ": 7,
            "やっつ": 8, "八つ": 8, "ここのつ": 9, "九つ": 9, "ひとり": 1, "ふたり": 2}
# fmt: on


@cache
def european() -> dict[str, int]:
    """The numbers from 0 to 100 of French, German, Spanish, Italian, Portuguese; Russian to 30."""
    table = entries("numbers")
    names = {language: text.split() for language, text in table["names"].items()}
    found = {
        word: value for words in names.values() for value, word in enumerate(words) if word != "-"
    }
    for language, (first, tens, one) in table["tens"].items():
        for place, ten in enumerate(tens.split(), first):
            found[ten] = 10 * place
            for unit, word in enumerate((one, *names[language][2:10]), 1):
                found |= dict.fromkeys(_joined(language, ten, word), 10 * place + unit)
    for unit, word in enumerate(("un", *names["fr"][2:20]), 1):
        found[f"quatre-vingt-{word}"] = 80 + unit
        if unit >= 10:
            found[f"soixante-{word}"] = 60 + unit
    return found | {
        word: value for value, text in table["more"].items() for word in text.split(", ")
    }


def _joined(language: str, ten: str, unit: str) -> list[str]:
    """How a language writes a ten with a unit."""
    if language == "de":
        return [f"{unit}und{ten}"]
    if language == "it":
        return [(ten[:-1] if unit[0] in "uo" else ten) + unit]
    if language == "fr":
        return [f"{ten}-{unit}", f"{ten} {unit.replace('-', ' ')}"]
    return [f"{ten} {'y' if language == 'es' else 'e'} {unit}"]


_MONTH_NAMES = (
    "january february march april may june july august september october november december"
)
#: The months in English, in order.
MONTHS = tuple(_MONTH_NAMES.split())
CHINESE_NUMERAL = "[零〇一二两兩俩三仨四五六七八九十百千万萬億亿壹]"
#: Words for what is counted; they come right after the number.
COUNTERS = (
    "个|個|只|隻|条|條|匹|头|頭|张|張|本|把|辆|輛|台|架|艘|朵|棵|株|座|栋|棟|扇|位|名|人|件|块|塊|片"
    "|支|枝|根|颗|顆|粒|瓶|杯|盏|盆|份|种|種|类|層|层|次|岁|歳|口|羽|枚|冊|册|軒|足|着|皿|通|箱|袋"
    "|串|顶|頂|面|幅|间|間|所|家|门|門|句|行|列|排|段|篇|章|盘|碗|包|盒|桶|匙|元|块钱|米|厘米|公里|度"
    "|倍|点|分|つ|こ|ヶ|か所|カ所|匹|頭|本|杯|명|마리|개|대|권|그루|송이|잔|병|장|사람|채|켤레|분|살|벌"
    "|자루|척|층|가지|군데|조각|번|그릇|접시|쌍"
)
_KOREAN = (
    f"(?:(?:{'|'.join(_KOREAN_TENS)})(?:{'|'.join(_KOREAN_UNITS)})?|{'|'.join(_KOREAN_UNITS)})"
)
KOREAN_NUMERAL = _KOREAN
#: Korean numerals that are no other word: they need no counter.
KOREAN_FULL = (
    f"(?:(?:{'|'.join(_KOREAN_TENS)})(?:{'|'.join(_KOREAN_UNITS)})"
    "|다섯|여섯|일곱|여덟|아홉|하나|스물)"
)


def chinese_value(text: str) -> int | None:
    """The value of a Chinese numeral; None where the characters do not form one.

    >>> chinese_value("二十一"), chinese_value("一百零五"), chinese_value("三万")
    (21, 105, 30000)
    >>> chinese_value("百十") is None
    True
    """
    total = section = 0
    digit: int | None = None
    place = 10**9
    for char in text:
        if char in _DIGITS:
            if digit:
                return None
            digit = _DIGITS[char]
        elif char in _PLACES:
            if _PLACES[char] >= place or (char != "十" and digit is None):
                return None
            place = _PLACES[char]
            section += (1 if digit is None else digit) * place
            digit = None
        else:
            total += (section + (digit or 0)) * _BIG[char]
            section, digit, place = 0, None, 10**9
    return total + section + (digit or 0)


def korean_value(text: str) -> int | None:
    """The value of a native Korean numeral.

    >>> korean_value("열두"), korean_value("세")
    (12, 3)
    """
    for word, value in _KOREAN_TENS.items():
        if text.startswith(word):
            return value + (_KOREAN_UNITS[text[len(word) :]] if text != word else 0)
    return _KOREAN_UNITS.get(text) or _SINO.get(text)


def european_value(word: str, around: str) -> int | None:
    """The value of a word of another European language, read in the text ``around`` it.

    >>> european_value("acht", ""), european_value("once", "I saw it once")
    (8, None)
    """
    folded = " ".join(word.lower().split())
    language = _SHARED.get(folded)
    if language and not _HINTS[language].search(around.replace(word, " ")):
        return None
    return european().get(folded)


def decimal_comma(text: str) -> bool:
    """Whether a text is in a language that writes 3.5 as "3,5".

    >>> decimal_comma("Der Umsatz ist 3,5"), decimal_comma("It is 3,5")
    (True, False)
    """
    return any(len(hint.findall(text)) >= 2 for hint in _HINTS.values())


def english_value(words: list[str]) -> int:
    """The value of English number words.

    >>> english_value(["two", "thousand", "three", "hundred", "and", "five"])
    2305
    """
    values = {**UNITS, **TEENS, **TENS}
    total = current = 0
    for word in words:
        if word in ("thousand", "million", "billion"):
            total, current = total + (current or 1) * SCALES[word], 0
        elif word in SCALES:
            current = (current or 1) * SCALES[word]
        else:
            current += values.get(word, 0)
    return total + current
