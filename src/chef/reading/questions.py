"""What a question asks about: its content words, and the thing that it asks to count."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from chef.reading.characters import CJK
from chef.reading.lexicon import word_list
from chef.reading.other_forms import irregular, spelled

#: A word, of Asian languages a character or more; an axis with its letter, "non-members", "C++".
_WORD = re.compile(
    rf"\b[xyz]-ax[ei]s\b|\b[Nn]on-(?=\w)[^\W\d_{CJK}]+|\bC(?:\+\+|#)|[^\W\d_{CJK}]+|[\u3400-\u9fff]|[\u30a0-\u30ff]{{2,}}|[\uac00-\ud7af]+"
)
#: The same in a text in ASCII where no sign is a part of a word.
_ASCII_WORD = re.compile("[a-zA-Z]+")


@cache
def _empty() -> frozenset[str]:
    return word_list("empty").union(*word_list("empty_characters"))


@lru_cache(4096)
def content_words(text: str) -> frozenset[str]:
    """The stems of the words that name something, in a question or in a part of an answer.

    >>> sorted(content_words("How many dogs are sleeping in the picture?"))
    ['dog', 'sleep']
    """
    if not _is_plain(text):
        return frozenset(stem for stem, _, _ in content_places(text))
    words = {*_ASCII_WORD.findall(text.lower())} - _empty()
    return frozenset(stem(word) for word in words if len(word) > 1)


def _is_plain(text: str) -> bool:
    return text.isascii() and not ("-" in text or "C+" in text or "C#" in text)


@lru_cache(4096)
def content_places(text: str) -> list[tuple[str, int, int]]:
    """As `content_words`, in order, with the place of each word."""
    places = []
    empty = _empty()
    for match in (_ASCII_WORD if _is_plain(text) else _WORD).finditer(text):
        word = match[0].lower()
        if word not in empty and (len(word) > 1 or not word.isascii()):
            places.append((stem(word), *match.span()))
    return places


#: Endings of Russian nouns and adjectives.
_RUSSIAN = re.compile(
    r"(?<=[а-яё]{3})(?:[аоыия]ми|[ое]го|[ое]му|[ыи]м|[оые]в|[еоиы]й|[ая]я|[оеыи]е|[ую]ю|[аяоеы]м|[аяы]х|[аяоеыиуюйь])\Z"
)
_SILENT = re.compile(r"[^aeiouy][aeiou][bcdgkmptvz]")


@lru_cache(1 << 14)
def stem(word: str) -> str:
    """A word without the endings of plural, past tense and -ing.

    >>> stem("boxes"), stem("cities"), stem("sitting"), stem("children"), stem("glass")
    ('box', 'city', 'sit', 'child', 'glass')
    """
    word = spelled(word)
    if word in irregular():
        return irregular()[word]
    return _other_stem(word) if not word.isascii() else _stem(word) if len(word) > 3 else word


def _other_stem(word: str) -> str:
    """A word with letters beyond ASCII without the endings of Russian, or of a plural."""
    plain = _RUSSIAN.sub("", word)
    return plain if plain != word or len(word) < 5 else word.removesuffix("s")


def _stem(word: str) -> str:
    if word.endswith(("ies", "ied", "ie")) and len(word) > 4:
        return word[: word.rindex("ie")] + "y"  # "cookie" as "cookies"
    if re.search(r"(?:ss|x|z|ch|sh|o)es\Z", word):
        return word[:-2]
    if word.endswith("s") and not re.search(r"(?:ss|us|is)\Z", word):
        word = word[:-1]
    for ending in ("ing", "ed"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) > 2 and re.search("[aeiouy]", base):
            doubled = base[-1] == base[-2] and base[-1] not in "lsz"
            # "facing" is of "face": after a short vowel the consonant would be doubled.
            silent = "e" if _SILENT.fullmatch(base) else ""
            return base[:-1] if doubled else base + silent
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


#: Before "number of" these make it a name: "the jersey number of the player".
_NO_LABEL = "".join(rf"(?<!\b{word} )" for word in sorted(word_list("numbered_by_name")))
_HEAD = re.compile(
    rf"\bhow\s+many\s+(?P<many>[^?.,\n]{{1,60}})|{_NO_LABEL}\b(?:number|count)\s+of\s+(?P<of>[^?.,\n]{{1,60}})"
    r"|\b(?:combien\s+d(?:e\s+|')|cu[áa]nt[oa]s\s+|quant[ieoa]s?\s+|wie\s*viele?\s+"
    r"|сколько\s+)(?P<other>\w+)",
    re.IGNORECASE,
)
_HEAD_END = re.compile(
    r"\b(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|in|on|at|of|with|by|near"
    r"|behind|there|wear|stand|sit|that|who|which|from|under|visible|remain|left|y|hay|ci|sind|if"
    r"|after|before|between|among|shown|appear|to|(?<!\bof )the)\b",
    re.IGNORECASE,
)


@lru_cache(256)
def counted_words(question: str) -> frozenset[str]:
    """The stems of the thing that a question asks to count.

    >>> sorted(counted_words("How many red apples are on the tree?"))
    ['appl', 'red']
    """
    return _counted(question, _HEAD_END)


def _counted(question: str, ends: re.Pattern[str]) -> frozenset[str]:
    match = _HEAD.search(question)
    if not match:
        return frozenset()
    text = match["many"] or match["of"] or match["other"]
    end = ends.search(text, 1)
    return content_words(text[: end.start()] if end else text)


@lru_cache(256)
def counted_noun(question: str) -> str:
    """The stem of the noun of the thing that a question asks to count; "" if there is none.

    >>> counted_noun("How many red apples are on the tree?")
    'appl'
    """
    words = counted_words(question)
    found = [stem for stem, _, _ in content_places(question) if stem in words]
    return found[-1] if found else ""


_LANDMARK = re.compile(
    r"\b(?:in|on|at|of|with|by|near|behind|around|under|to|from|inside|beside|above|below|along|over)\s+"
    r"(?:the|an?|this|that|his|her|their)\s+(?:\w+\s+)?(\w+)(?=\s*(?:[?.,;]|\Z|(?:in|on|at|of|have|has)\b))",
    re.IGNORECASE,
)


@lru_cache(256)
def landmarks(question: str) -> frozenset[str]:
    """The stems of the things that a question only names to say where: no thing to be counted.

    >>> sorted(landmarks("How many chairs are around the table?"))
    ['tabl']
    """
    return content_words(" ".join(match[1] for match in _LANDMARK.finditer(question)))


@lru_cache(256)
def predicate_words(question: str) -> frozenset[str]:
    """The stems of what a question says of the things to be counted, without where they are.

    >>> sorted(predicate_words("How many animals are drinking from the river?"))
    ['drink']
    """
    return content_words(question) - counted_phrase(question) - landmarks(question)


_VERB = re.compile(
    r"\b(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|in|on|at|there|wear|y"
    r"|hay)\b",
    re.IGNORECASE,
)


@lru_cache(256)
def counted_phrase(question: str) -> frozenset[str]:
    """As `counted_words`, with what is said of the thing.

    >>> sorted(counted_phrase("How many players of the red team are on the field?"))
    ['player', 'red', 'team']
    """
    return _counted(question, _VERB)


@lru_cache(256)
def count_terms(question: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """All stems of a question, and of these `counted_words` and `counted_phrase`."""
    terms = content_words(question)
    return terms, counted_words(question) & terms, counted_phrase(question) & terms


@lru_cache(256)
def asks_for_count(question: str) -> bool:
    """Whether a question asks how many.

    >>> asks_for_count("How many dogs?"), asks_for_count("In which year?")
    (True, False)
    """
    return bool(
        re.search(
            rf"\bhow\s+many|{_NO_LABEL}\bnumber\s+of|\bcount\b|几|多少|幾|いくつ|何[匹人個本枚台]|몇|combien|cu[áa]nt"
            r"|\bquant[ieoa]s?\b|wie\s*viele|сколько",
            question,
            re.IGNORECASE,
        )
    )
