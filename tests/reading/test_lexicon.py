"""Every phrase of the lexicon, in a frame of each reader and language: all readers agree.

A line added to the YAML is tested without another line here; a reader joins with one entry for
each kind of frame in `READERS`.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chef.reading.boxes import parse_boxes
from chef.reading.free_answers import compare
from chef.reading.lexicon import ASIAN, LANGUAGES, Lexicon, lexicon
from chef.reading.numbers import extract_number
from chef.reading.options import extract_option
from chef.reading.verdicts import extract_verdict

#: Yes and no, a cat and a dog, a question and a statement about a cat, and how words are joined.
WORDS = {
    "en": ("Yes", "no", "cat", "dog", "Is the animal a cat?", "The animal is {} a cat."),
    "de": ("Ja", "nein", "Katze", "Hund", "Ist das Tier eine Katze?", "Es ist {} eine Katze."),
    "fr": ("Oui", "non", "chat", "chien", "L'animal est un chat ?", "L'animal n'est {} un chat."),
    "es": ("Sí", "no", "gato", "perro", "¿El animal es un gato?", "El animal {} es un gato."),
    "it": ("Sì", "no", "gatto", "cane", "L'animale è un gatto?", "L'animale {} è un gatto."),
    "pt": ("Sim", "não", "gato", "cão", "O animal é um gato?", "O animal {} é um gato."),
    "ru": ("Да", "нет", "кошка", "собака", "Это животное кошка?", "Это животное {} кошка."),
    "zh": ("对", "不是", "猫", "狗", "这个动物是猫吗？", "这个动物{}猫。"),
    "ja": ("はい", "いいえ", "猫", "犬", "この動物は猫ですか。", "この動物は猫{}。"),
    "ko": ("네", "아니요", "고양이", "개", "이 동물은 고양이입니까?", "이 동물은 고양이{}."),
}  # fmt: skip

#: What names a dog, and after a phrase the cat that it is not.
CHOSEN = {
    "en": "It is a dog {} a cat.", "de": "Es ist ein Hund {} eine Katze.",
    "fr": "C'est un chien {} un chat.", "es": "Es un perro {} un gato.",
    "it": "È un cane {} un gatto.", "pt": "É um cão {} um gato.", "ru": "Это собака {} кошка.",
    "zh": "这是狗{}猫。", "ja": "犬{}猫。", "ko": "개 {} 고양이.",
}  # fmt: skip


def joined(language: str, first: str, phrase: str, second: str) -> str:
    """A first answer, the phrase, and a second answer."""
    if language in ASIAN:
        return f"{first}。{phrase}，{second}。"
    return f"{first}. {phrase[0].upper()}{phrase[1:]}, {second}."


def denied(language: str, phrase: str) -> str:
    """A statement about a cat with a phrase of negation in it."""
    text = WORDS[language][5].format(phrase)
    # "far from a" ends with the article.
    return text.replace(" a a ", " a ").replace(" an a ", " an ")


def beside(language: str, first: str, phrase: str, second: str) -> str:
    """Two answers with a phrase between them that excludes the second."""
    gap = "" if language in ASIAN else " "
    return f"{first}{gap}{phrase}{gap}{second}"


def option(answer: str, language: str) -> str | None:
    options = [WORDS[language][2], WORDS[language][3]]
    value = extract_option(answer, options).value
    return None if value is None else options[value]


def verdict(answer: str, language: str) -> str | None:
    return extract_verdict(answer, WORDS[language][4]).value


def number(answer: str) -> float | None:
    return extract_number(answer).value


def denied_sign(language: str, phrase: str, sign: str) -> str:
    """The statement about a cat with a number or a box in its place."""
    return denied(language, phrase).replace(WORDS[language][2], sign)


def right(answer: str, language: str) -> tuple[bool, bool]:
    """Whether an answer is right for a cat, and for a dog."""
    cat, dog = WORDS[language][2:4]
    return compare(answer, [cat]).right, compare(answer, [dog]).right


def box(answer: str) -> float | None:
    """The left edge of the only box."""
    boxes = parse_boxes(answer)
    return boxes[0].bbox[0] if len(boxes) == 1 else None


A_BOX, B_BOX = "[0.1, 0.2, 0.3, 0.4]", "[0.5, 0.6, 0.7, 0.8]"
Frame = Callable[[str, str], bool]
#: By reader, whether a phrase does in it what its group says.
READERS: dict[str, dict[str, Frame]] = {
    "options": {
        "corrections": lambda lang, phrase: (
            option(joined(lang, "A", phrase, "B"), lang) == WORDS[lang][3]
        ),
        "negations": lambda lang, phrase: option(denied(lang, phrase), lang) is None,
        "exclusions": lambda lang, phrase: (
            option(CHOSEN[lang].format(phrase), lang) == WORDS[lang][3]
        ),
        "hedges": lambda lang, phrase: option(f"{phrase} B", lang) == WORDS[lang][3],
        "refusals": lambda lang, phrase: option(f"{phrase}.", lang) is None,
    },
    "verdicts": {
        "corrections": lambda lang, phrase: (
            verdict(joined(lang, WORDS[lang][0], phrase, WORDS[lang][1]), lang) == "no"
        ),
        "negations": lambda lang, phrase: verdict(denied(lang, phrase), lang) == "no",
        "exclusions": lambda lang, phrase: verdict(CHOSEN[lang].format(phrase), lang) == "no",
        "hedges": lambda lang, phrase: verdict(f"{phrase} {WORDS[lang][0].lower()}", lang) == "yes",
        "refusals": lambda lang, phrase: verdict(f"{phrase}.", lang) is None,
    },
    "numbers": {
        "corrections": lambda lang, phrase: number(joined(lang, "3", phrase, "4")) == 4,
        "negations": lambda lang, phrase: number(denied_sign(lang, phrase, "3")) is None,
        "exclusions": lambda lang, phrase: number(beside(lang, "4", phrase, "3")) == 4,
        "hedges": lambda lang, phrase: number(f"{phrase} 3") == 3,
        "refusals": lambda lang, phrase: number(f"{phrase}.") is None,
    },
    "free answers": {
        "corrections": lambda lang, phrase: (
            right(joined(lang, WORDS[lang][2], phrase, WORDS[lang][3]), lang) == (False, True)
        ),
        "negations": lambda lang, phrase: right(denied(lang, phrase), lang) == (False, False),
        "exclusions": lambda lang, phrase: (
            right(CHOSEN[lang].format(phrase), lang) == (False, True)
        ),
        "hedges": lambda lang, phrase: right(f"{phrase} {WORDS[lang][3]}", lang) == (False, True),
        "refusals": lambda lang, phrase: compare(f"{phrase}.", ["7"]).reading.value is None,
    },
    "boxes": {
        "corrections": lambda lang, phrase: box(joined(lang, A_BOX, phrase, B_BOX)) == 0.5,
        "negations": lambda lang, phrase: box(denied_sign(lang, phrase, A_BOX)) is None,
        "exclusions": lambda lang, phrase: box(beside(lang, B_BOX, phrase, A_BOX)) == 0.5,
        "hedges": lambda lang, phrase: box(f"{phrase} {B_BOX}") == 0.5,
        "refusals": lambda lang, phrase: box(f"{phrase}.") is None,
    },
}
#: The groups of the lexicon that stand in each kind of frame.
GROUPS = {
    "corrections": (
        "corrections", "corrections_before_pause", "corrections_opening", "corrections_alone",
    ),
    "negations": ("negations", "negations_without_article", "negations_after"),
    "exclusions": ("exclusions",),
    "hedges": ("hedges",),
    "refusals": ("refusals",),
}  # fmt: skip


def refusals_of_two(words: Lexicon) -> list[str]:
    """Refusals that two groups make: "I cannot" and "tell"."""
    unable = [*words.inability, *words.unwillingness]
    return [
        *(f"{one} {words.deciding[0]}" for one in unable),
        *(f"{unable[0]} {one}" for one in words.deciding),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", GROUPS)
@pytest.mark.parametrize("reader", READERS)
def test_a_phrase_does_the_same_for_every_reader(reader: str, kind: str, language: str) -> None:
    holds = READERS[reader][kind]
    words = lexicon(language)
    phrases = [phrase for group in GROUPS[kind] for phrase in getattr(words, group)]
    if kind == "refusals":
        phrases += refusals_of_two(words)
    assert [phrase for phrase in phrases if not holds(language, phrase)] == []
