"""Find a phrase in a text, whatever the case, accents, articles, hyphens, number and spelling."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise

from chef.frozen import Frozen
from chef.reading.characters import CJK, is_cjk
from chef.reading.lexicon import SPACED, word_pattern
from chef.reading.mentions import normal
from chef.reading.number_forms import PLACES
from chef.reading.number_words import TEENS, TENS, UNITS
from chef.reading.other_forms import (
    derived,
    inflections,
    irregular,
    other_names,
    singular,
    spelled,
)
from chef.reading.text import fold

#: Vowel signs and the like, which go on with a word.
_MARKS = (
    "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0e31-\u0e3a\u0e47-\u0e4e"
)
#: Signs that mean something; others only stand between words.
_SIGNS = "+#%$€£°=<>×÷*^?!@&~|/\\-"
#: A word, a number with what belongs to it (12:30, 555-1234), a character without spaces, what ends
#: a sentence, a sign.
_ASCII_TOKEN, _TOKEN = (
    re.compile(
        rf"(?P<word>{word}+(?:['’](?i:s|t|re|ve|ll|d|m)\b)?)|(?P<phone>\(?\b\d{{3}}(?:\)\s?|[\s.-])\d{{3}}[.-]\d{{4}}\b)"
        rf"|(?P<number>\d{{4}}\s+(?i:to)\s+\d{{4}}|(?:(?<![\w)])[–-])?\d+(?:[.,:/–-]\d+)*)|(?P<cjk>[{CJK}])"
        r"|(?P<stop>(?<=[^\W\d_])[!?]+)"
        rf"|(?P<sign>[{re.escape(_SIGNS)}])"
    )
    for word in ("[a-zA-Z]", rf"(?:(?![{CJK}])[^\W\d_]|[{_MARKS}])")
)
#: What makes a number an hour: "9:00 am" is "9 am".
_HOUR = re.compile(r"\s?(?:[ap]\.?m\b|o['’]clock\b)", re.IGNORECASE)
_ARTICLES = frozenset(["a", "an", "the"])
_DIGITS = {word: str(value) for word, value in {**UNITS, **TEENS, **TENS}.items()}
_PLACES = {word: f"{place}th" for place, word in enumerate(PLACES, 1)}


class Token(Frozen):
    """A word, number or sign at ``start:end``; ``form`` is what it is compared by."""

    form: str
    start: int
    end: int
    kind: str


def tokens_of(text: str) -> list[Token]:
    """The words, numbers and signs of a text, in order.

    >>> [token.form for token in tokens_of("The 2 Dogs' café, 1,200 km")]
    ['the', '2', 'dog', 'cafe', '1200', 'kilometer']
    """
    tokens = []
    for match in (_ASCII_TOKEN if text.isascii() else _TOKEN).finditer(text):
        kind, shown = str(match.lastgroup), match[0]
        if kind == "stop":
            continue
        if kind == "number" and _HOUR.match(text, match.end()):
            shown = shown.removesuffix(":00")
        tokens.append(Token(_form(shown, kind), *match.span(), kind))
    return tokens


@lru_cache(1 << 14)
def _form(text: str, kind: str) -> str:
    if kind == "phone":
        return re.sub(r"\D", "", text)
    if kind == "number":
        plain = re.sub(r"\s+to\s+|–", "-", re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text))
        if len(plain) > 7:  # telephone numbers are grouped in many ways
            plain = plain[0] + plain[1:].replace("-", "")
        return re.sub(r"(\.\d*?)0+\Z", r"\1", plain).removesuffix(".") if "." in plain else plain
    if kind != "word":
        return "and" if text == "&" else text
    lowered = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    lowered = lowered.removesuffix("'s").replace("'", "")
    bare = "".join(
        char for char in unicodedata.normalize("NFD", lowered) if not "\u0300" <= char <= "\u036f"
    )
    bare = spelled(bare)
    bare = irregular().get(bare, bare)
    bare = inflections().get(bare) or derived().get(bare, bare)
    return _DIGITS.get(bare) or _PLACES.get(bare) or singular(bare)


@lru_cache(1 << 10)
def phrase_keys(reference: str) -> list[str]:
    """The joined forms of a reference, without and with its articles, and of other names for it;
    none for mere punctuation.

    >>> phrase_keys("the T-shirts"), phrase_keys("Sofa")
    (['tshirt', 'thetshirt'], ['sofa', 'couch'])
    """
    names = (reference, *other_names(normal(reference)))
    return [key for name in names for key in own_keys(name)]


def own_keys(name: str) -> list[str]:
    """As `phrase_keys`, without other names."""
    everything = tokens_of(fold(name))
    tokens = [token for token in everything if not _between(token)] or everything
    bare = [token for token in tokens[:-1] if token.form not in _ARTICLES] + tokens[-1:]
    return list(dict.fromkeys(key for part in (bare, tokens) if (key := _joined(part))))


def _joined(tokens: Sequence[Token]) -> str:
    return "".join(token.form for token in tokens)


def _between(token: Token) -> bool:
    """Whether a sign only joins words: a hyphen, a slash."""
    return token.form in {"-", "/", "\\", "|"}


def occurrences(tokens: Sequence[Token], key: str) -> list[tuple[int, int]]:
    """The places in a text where a phrase stands as a whole, as spans of characters.

    >>> occurrences(tokens_of("a T-Shirt, no shirts"), "shirt")
    [(14, 20)]
    """
    occurrences = []
    for first, token in enumerate(tokens):
        last = _match(tokens, first, key) if key.startswith(token.form) else None
        if last is None or not _whole(tokens, first, last):
            continue
        occurrences.append((token.start, tokens[last].end))
    return occurrences


def _match(tokens: Sequence[Token], first: int, key: str) -> int | None:
    """The last token of the phrase that begins at ``first``."""
    done = 0
    for place in range(first, len(tokens)):
        form = tokens[place].form
        if key.startswith(form, done):
            done += len(form)
            if done == len(key):
                return place
        elif place == first or not (form in _ARTICLES or _between(tokens[place])):
            return None
    return None


def _whole(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether no word, number or sign goes on at the edges: "red" is not in "red-hot" or "C++"."""
    before = tokens[first - 1] if first else None
    after = tokens[last + 1] if last + 1 < len(tokens) else None
    if before and before.end == tokens[first].start and _bound(before, tokens[first]):
        beyond = tokens[first - 2] if first > 1 else None
        if before.kind != "sign" or (beyond and beyond.end == before.start):
            return False
    if after and after.start == tokens[last].end and _bound(tokens[last], after):
        beyond = tokens[last + 2] if last + 2 < len(tokens) else None
        joins = beyond is not None and beyond.start == after.end
        if after.kind != "sign" or joins or after.form in "+#":
            return False
    return True


def _bound(one: Token, two: Token) -> bool:
    """Whether two tokens without a space between them are one word."""
    if is_cjk(one.form[:1]) or is_cjk(two.form[:1]):
        return False
    if "sign" in (one.kind, two.kind):
        return one.form in "-+#@&" or two.form in "-+#@&"
    return True


#: What a thing has with it: "green with a yellow front", "a mother with her little daughter".
_WITH = (
    r"\b(?:with\s+(?:(?:an?|some)\s+|(?:her|his|its|their)\s+(?:\w+\s+)?)|mit\s+(?:ein|ihr|sein)\w*\s+"
    r"|avec\s+(?:une?|sa|son|ses)\s+|con\s+(?:un[ao]?|sus?|la\s+sua|il\s+suo)\s+|com\s+(?:uma?|sua|seu)\s+)"
)


#: What comes next in an order: "red, then blue".
_THEN = r"\b(?:then|next|finally|lastly|followed\s+by|dann|puis|luego|poi)\b"


@cache
def _separator() -> re.Pattern[str]:
    also = word_pattern("conjunctions", languages=SPACED)
    return re.compile(
        rf"\s*,(?!\d{{3}}(?!\d))\s*(?:{also}\s+)?|\s+{also}\s+|\s*(?:[&、和と]|(?<=\w)\s*\+\s*(?=\w))\s*",
        re.IGNORECASE,
    )


@cache
def _joint() -> re.Pattern[str]:
    also = word_pattern("conjunctions", languages=SPACED)
    return re.compile(
        r"(?:\s+ones?\b|\s+(?:in|at|on)\s+the\s+[\w-]+|\s*\([^()\n]{1,60}\))?"
        rf"(?:\s*(?:\n\s*[-•*]|\s\d+[.)])\s+|\s*(?:{_WITH}"
        rf"|(?:,\s*(?:{also}\b)?|{also}\b|[&、和と+→/;]|(?={_THEN}))\s*(?:{_THEN}\s+)?(?:(?:an?|the|some|\d+)\s+)?"
        r"(?:(?:one|other|another)\s+(?:one\s+)?(?:is|has)\s+(?:an?\s+)?)?))",
        re.IGNORECASE,
    )


#: Where a line of a list begins, and between the parts of it: "- Left: Ann", "1. Peru (west)".
_BULLET = r"\n\s*(?:[-•*]|\d{1,2}[.)])\s+"
_ITEM, _LINE = re.compile(rf"{_BULLET}(?P<item>[^\n]+)"), re.compile(r"\n\s*(?P<item>[^\n]+)")
_ITEM_PARTS = re.compile(r"\s*[:()]\s*|\s[–—-]\s")
_BEFORE = re.compile(
    r"(?:\w\s*(?:,|&|\band\b)\s*(?:and\s+)?(?:(?:an?|the|some)\s+)?"
    rf"|{_BULLET}[^\n]+{_BULLET})\Z",
    re.IGNORECASE,
)
#: Another item of the list follows, and no clause: "and they are".
_AFTER = re.compile(
    r"\s*(?:,?\s*\b(?:and|or)\b|,|&)\s*(?!(?:it|he|she|they|there|this|that|is|are|which|with|in|on"
    rf"|but|so|as|while|the|and|respectively)\b)\w|{_BULLET}\w",
    re.IGNORECASE,
)


def list_items(text: str) -> list[str]:
    """The items of a list in their order; none of a text that is no list.

    >>> list_items("red, white and blue"), list_items("red"), list_items("1,000")
    (['red', 'white', 'blue'], [], [])
    """
    parts = [part for part in _separator().split(normal(text)) if part]
    return parts if len(parts) > 1 else []


def item_keys(text: str) -> frozenset[str]:
    """The forms of the items of a list, for comparison in any order; empty where it is no list, or
    its order counts: "(3, 5)".

    >>> item_keys("red and white") == item_keys("white, red"), item_keys("red")
    (True, frozenset())
    """
    is_ordered = re.fullmatch(r"\(.*\d.*\)", text.strip()) is not None
    keys = [phrase_keys(part) for part in list_items(text)]
    return frozenset(key[0] for key in keys if key) if all(keys) and not is_ordered else frozenset()


def listed(
    text: str, tokens: list[Token], reference: str, *, in_order: bool = False
) -> tuple[int, int] | None:
    """Where a text lists all items of a reference and nothing else, in any order or in its own.

    >>> from chef.reading.word_forms import tokens_of
    >>> text = "They are white and red."
    >>> listed(text, tokens_of(text), "red and white")
    (9, 22)
    >>> listed(text, tokens_of(text), "red and white", in_order=True) is None
    True
    """
    items = sorted(item_keys(reference))
    if not items:
        return None
    order = [key[0] for key in map(phrase_keys, list_items(reference))] if in_order else []
    bullets = [*_ITEM.finditer(f"\n{text}")] or [*_LINE.finditer(f"\n{text}")]
    parts = [map(own_keys, _ITEM_PARTS.split(normal(match["item"]))) for match in bullets]
    heads = [next((key for keys in part for key in keys if key in items), "") for part in parts]
    if bullets and (heads == order if in_order else sorted(heads) == items):
        return bullets[0].start("item") - 1, bullets[-1].end() - 1
    places = sorted((span, item) for item in items for span in occurrences(tokens, item))
    for first in range(len(places) - len(items) + 1):
        run = places[first : first + len(items)]
        spans, names = [span for span, _ in run], [name for _, name in run]
        gaps = [text[one[1] : two[0]] for one, two in pairwise(spans)]
        whole = (spans[0][0], spans[-1][1])
        if (
            (names == order if in_order else sorted(names) == items)
            and all(_joint().fullmatch(gap) for gap in gaps)
            and not _BEFORE.search(text[: whole[0]])
            and not _AFTER.match(text, whole[1])
        ):
            return whole
    return None
