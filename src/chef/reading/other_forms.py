"""Other forms of a word, and other names of a thing: facts of ``lexicon/words.yaml``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from chef.reading.lexicon import word_list, word_rows

#: A shorter word is no noun that has a plural: "no".
_SHORTEST_NOUN = 3
#: What is written in one way in Britain and in another one in America: both are read alike.
_BRITISH = (
    (r"(?<=[a-z]{2})(al|an|ar|as|at|el|er|es|et|gn|ic|id|il|im|in|it|ll|og|ol|on|or|rg|rn|ul|ur)is"
     r"(?=(?:e[ds]?|ing|ations?|ers?|able)\Z)", r"\1iz"),
    (r"lys(?=e[ds]?\Z|ing\Z)", "lyz"),
    (r"(?<=[a-z]{2})our(?=(?:s|ed|ing|ful|less|able|hoods?|ites?|y)?\Z)", "or"),
    (r"\A(\w*met|\w*lit|cent|\w*theat|fib|calib|sab|spect|lust|scept)re(?=s?\Z)", r"\1er"),
    (r"([aeiou][a-z]{1,3}e)ll(?=(?:ed|ing|ers?|ous)\Z)", r"\1l"),
    (r"logue(?=s?\Z)", "log"),
    (r"sulph", "sulf"),
    (r"(?<=[a-z]{2})strasse\Z", "str"),
    (r"ae(?=m[io]|di|ol|sar|sth)|oe(?=soph|strog|dem|tus|tal|a\Z)", "e"),
)  # fmt: skip
#: Plurals in "es".
_IN_ES = re.compile(r"(?:ss|x|zz|ch|sh|to|ro)es\Z")


@cache
def irregular() -> dict[str, str]:
    """Forms that no rule gives, and their stems or singulars: "wore" and "wear"."""
    return dict(pair.split() for pair in word_rows("irregular"))


@cache
def _spellings() -> tuple[dict[str, str], tuple[tuple[re.Pattern[str], str], ...]]:
    rules = tuple((re.compile(rule), spelled) for rule, spelled in _BRITISH)
    return dict(pair.split() for pair in word_rows("spellings")), rules


@lru_cache(1 << 14)
def spelled(word: str) -> str:
    """A word in lower case as it is written in America.

    >>> spelled("organisation"), spelled("neighbours"), spelled("anaemia"), spelled("surprise")
    ('organization', 'neighbors', 'anemia', 'surprise')
    """
    others, rules = _spellings()
    if word in others or not word.isascii():
        return others.get(word, word)
    for rule, other in rules:
        word = rule.sub(other, word)
    return word


#: Parts of words in America, and what stands for them in Britain.
_AMERICAN = (
    "iz is",
    "yz ys",
    "or our",
    "er re",
    "el ell",
    "log logue",
    "sulf sulph",
    "e ae",
    "e oe",
)


def _other_spellings(word: str) -> list[str]:
    """A word as it is written on the other side of the ocean."""
    others = [
        f"{word[: match.start()]}{other}{word[match.end() :]}"
        for part, other in map(str.split, _AMERICAN)
        for match in re.finditer(part, word)
    ]
    rows = [form for form, base in _spellings()[0].items() if base == word]
    forms = [spelled(word), *rows, *(other for other in others if spelled(other) == word)]
    return [form for form in dict.fromkeys(forms) if form != word]


@cache
def inflections() -> dict[str, str]:
    """Forms of adjectives, and the one by which they are compared: "rote" and "rot"."""
    return _bases("inflections")


@cache
def derived() -> dict[str, str]:
    """Words of another class that say the same, and the one that they come from."""
    return _bases("derived")


def _bases(name: str) -> dict[str, str]:
    forms: dict[str, str] = {}
    for row in word_rows(name):
        endings, _, stems = row.partition(":")
        base, *others = ("" if ending == "-" else ending for ending in endings.split())
        forms |= {name + ending: name + base for name in stems.split() for ending in others}
    return forms


@cache
def _forms() -> dict[str, list[str]]:
    forms: dict[str, list[str]] = {}
    for form, base in {**inflections(), **_bases("materials")}.items():
        forms.setdefault(base, []).append(form)
    for form, base in {**derived(), **irregular()}.items():
        forms.setdefault(base, []).append(form)
        forms.setdefault(form, []).append(base)
    return forms


@lru_cache(1 << 12)
def forms_of(word: str) -> Sequence[str]:
    """Other forms of a word in lower case: its number and spelling, adjectives of materials,
    countries and shapes, nouns of feelings.

    >>> forms_of("wood"), forms_of("cats"), forms_of("no")
    (['wooden', 'woods'], ['cat'], [])
    """
    forms = [*_forms().get(word, ()), *_of_other_number(word)]
    return [*forms, *(other for form in (word, *forms) for other in _other_spellings(form))]


def _of_other_number(word: str) -> Sequence[str]:
    """A regular noun in the plural, or in the singular if it is one; so far as can be told."""
    if len(word) < _SHORTEST_NOUN or not (word.isascii() and word.isalpha()):
        return ()
    if word in word_list("empty"):
        return ()
    if word.endswith("us"):
        return (f"{word}es",)
    if word.endswith("s"):
        return () if (one := singular(word)) == word else (one,)
    if word.endswith("y") and word[-2] not in "aeiou":
        return (f"{word[:-1]}ies",)
    return (f"{word}es" if word.endswith(("x", "z", "ch", "sh")) else f"{word}s",)


def singular(word: str) -> str:
    """A word without the regular ending of the plural.

    >>> singular("berries"), singular("boxes"), singular("bus")
    ('berry', 'box', 'bus')
    """
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word in word_list("no_verbs"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-2] if _IN_ES.search(word) else word[:-1]


@cache
def _names() -> dict[str, Sequence[str]]:
    rows = [tuple(item.strip() for item in row.split("/")) for row in word_rows("names")]
    names = {name: tuple(other for other in row if other != name) for row in rows for name in row}
    # Who asks for a formula is not answered by a name.
    substances = (tuple(map(str.strip, row.split("/"))) for row in word_rows("formulas"))
    return names | {name: formulas for name, *formulas in substances}


def other_names(text: str) -> Sequence[str]:
    """Other names of a thing, in lower case.

    >>> other_names("sofa"), other_names("cat")
    (('couch',), ())
    """
    return _names().get(text.lower(), ())
