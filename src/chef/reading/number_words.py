"""Number words of several languages, and the numerals of Chinese, Japanese and Korean."""

from __future__ import annotations

import re

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
_FRENCH = ("zéro", "", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix",
           "onze", "douze", "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit",
           "dix-neuf", "vingt")
_GERMAN = ("null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun",
           "zehn", "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn",
           "achtzehn", "neunzehn", "zwanzig")
_SPANISH = ("cero", "", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez",
            "once", "doce", "trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho",
            "diecinueve", "veinte", "veintiuno", "veintidós", "veintitrés", "veinticuatro",
            "veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve", "treinta")
_ITALIAN = ("zero", "", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove", "dieci",
            "undici", "dodici", "tredici", "quattordici", "quindici", "sedici", "diciassette",
            "diciotto", "diciannove", "venti", "ventuno", "ventidue", "ventitré", "ventiquattro",
            "venticinque", "ventisei", "ventisette", "ventotto", "ventinove", "trenta")
_PORTUGUESE = ("zero", "", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez",
               "onze", "doze", "treze", "quatorze", "quinze", "dezesseis", "dezessete", "dezoito",
               "dezenove", "vinte")
_RUSSIAN = ("ноль", "", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять",
            "десять", "одиннадцать", "двенадцать", "тринадцать", "четырнадцать", "пятнадцать",
            "шестнадцать", "семнадцать", "восемнадцать", "девятнадцать", "двадцать")
_MORE = {"uno": 1, "duas": 2, "catorze": 14, "due": 2, "две": 2, "двое": 2, "трое": 3,
         "четверо": 4, "пятеро": 5, "один": 1, "одна": 1, "одно": 1, "vinte e um": 21,
         "vingt et un": 21, "vingt-deux": 22, "vingt-trois": 23, "vingt-quatre": 24,
         "vingt-cinq": 25, "trente": 30, "quarante": 40, "cinquante": 50, "dreißig": 30,
         "vierzig": 40, "fünfzig": 50, "hundert": 100, "cien": 100, "cuarenta": 40,
         "cincuenta": 50, "trinta": 30, "quarenta": 40, "тридцать": 30, "zwo": 2,
         "une douzaine": 12, "ein dutzend": 12, "una docena": 12, "una dozzina": 12,
         "uma dúzia": 12, "дюжина": 12, "двух": 2, "трёх": 3,
         "трех": 3, "четырёх": 4, "четырех": 4, "пяти": 5, "шести": 6,
         "una decena": 10, "une dizaine": 10, "una decina": 10,
         "une vingtaine": 20, "una veintena": 20, "un seul": 1, "une seule": 1, "un solo": 1,
         "una sola": 1, "un único": 1, "una única": 1, "nur ein": 1, "nur eine": 1, "nur einen": 1,
         "ein einziger": 1, "eine einzige": 1, "ein einziges": 1, "einen einzigen": 1,
         "um único": 1, "uma única": 1, "apenas um": 1, "apenas uma": 1, "solo un": 1,
         "solo una": 1, "aucun": 0, "aucune": 0, "ningún": 0, "ninguno": 0, "ninguna": 0,
         "nessun": 0, "nessuno": 0, "nessuna": 0, "nenhum": 0, "nenhuma": 0, "kein": 0, "keine": 0,
         "keinen": 0, "keiner": 0, "нисколько": 0}
#: Words of other languages that are also words of English, or of each other: with a word of their
#: own language only.
_SHARED = {"once": "es", "dos": "es", "due": "it", "sei": "it", "elf": "de", "null": "de",
           "venti": "it", "mil": "es", "doze": "pt", "cent": "fr"}
_HINTS = {
    "es": re.compile(r"\b(?:hay|en|los|las|el|una?|cuánt[oa]s?|imagen)\b|[ñ¿¡]", re.IGNORECASE),
    "it": re.compile(
        r"\b(?:ci|sono|il|nella?|gli|quant[ieoa]|immagine|foto|vedo)\b", re.IGNORECASE
    ),
    "de": re.compile(
        r"\b(?:es|sind|ist|der|die|das|dem|den|im|ich|und|auf|wie|viele|bild)\b",
        re.IGNORECASE,
    ),
    "pt": re.compile(r"\b(?:há|na|no|os|são|quant[oa]s|imagem|vejo)\b", re.IGNORECASE),
    "fr": re.compile(r"\b(?:il|y|les?|des|sur|dans|est|combien|voi[st])\b", re.IGNORECASE),
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


def _compounds() -> dict[str, int]:
    """The numbers from 21 to 99 of French, German, Spanish, Italian and Portuguese."""
    found: dict[str, int] = {}
    german = (
        "zwanzig",
        "dreißig",
        "vierzig",
        "fünfzig",
        "sechzig",
        "siebzig",
        "achtzig",
        "neunzig",
    )
    french = ("vingt", "trente", "quarante", "cinquante", "soixante")
    spanish = ("treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa")
    italian = ("trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta")
    portuguese = ("vinte", "trinta", "quarenta", "cinquenta", "sessenta", "setenta", "oitenta",
                  "noventa")  # fmt: skip
    for first, tens, between, units in (
        (2, german, "und", ("ein", *_GERMAN[2:10])),
        (3, spanish, " y ", ("uno", *_SPANISH[2:10])),
        (2, portuguese, " e ", ("um", *_PORTUGUESE[2:10])),
    ):
        for place, ten in enumerate(tens, first):
            found[ten] = 10 * place
            for unit, word in enumerate(units, 1):
                name = f"{word}{between}{ten}" if between == "und" else f"{ten}{between}{word}"
                found[name] = 10 * place + unit
    for place, ten in enumerate(italian, 3):
        found[ten] = 10 * place
        for unit, word in enumerate(("uno", *_ITALIAN[2:10]), 1):
            found[(ten[:-1] if word[0] in "uo" else ten) + word] = 10 * place + unit
    for place, ten in enumerate(french, 2):
        found[ten] = 10 * place
        for unit, word in enumerate(("et-un", *_FRENCH[2:10]), 1):
            found[f"{ten}-{word}"] = found[f"{ten} {word.replace('-', ' ')}"] = 10 * place + unit
    for unit, word in enumerate(("dix", *_FRENCH[11:20])):
        found[f"soixante-{word}"] = 70 + unit
        found[f"quatre-vingt-{word}"] = 90 + unit
    for unit, word in enumerate(("un", *_FRENCH[2:10]), 1):
        found[f"quatre-vingt-{word}"] = 80 + unit
    found |= {"quatre-vingts": 80, "quatre-vingt": 80, "soixante et onze": 71, "cent": 100}
    return found


EUROPEAN = (
    _compounds()
    | {
        word: value
        for names in (_FRENCH, _GERMAN, _SPANISH, _ITALIAN, _PORTUGUESE, _RUSSIAN)
        for value, word in enumerate(names)
        if word
    }
    | _MORE
)

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
    return EUROPEAN.get(folded)


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
