"""ChEF's and LAMM's rules for free text: open questions, counts, yes and no, quotes, words."""

from __future__ import annotations

import re
import string
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from chef.reading.rules.vqa_normal import chef_normal
from chef.reading.text import NOTHING, Reading

if TYPE_CHECKING:
    from nltk.tokenize import NLTKWordTokenizer

#: What comes before an answer to an open question of MMMU (Yue et al. 2024), also inside a word:
#: "this is" ends with "is ".
_INDICATORS = ("could be ", "so ", "is ", "thus ", "therefore ", "final ", "answer ", "result ")
#: The digits of a number are searched from the first one only, which takes linear time.
_NUMBERS = (
    re.compile(r"-?\b\d{1,3}(?:,\d{3})+\b"),
    re.compile(r"-?(?<!\d)\d+(?:\.\d+)?[eE][+-]?\d+"),
    re.compile(r"-?(?:(?<!\d)\d+\.\d+|\.\d+|(?<!\d)\d+\b)(?![eE][+-]?\d+)(?![,\d])"),
)
_NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty",
)  # fmt: skip
_VALUES = {"no": 0, **{word: number for number, word in enumerate(_NUMBER_WORDS)}}
_NO = frozenset({"No", "not", "no"})
_QUOTE = re.compile(r"['\"]")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def chef_open_answer(answer: str, references: Sequence[str]) -> Reading[str]:
    """ChEF's rule for open questions: the reference that an answer contains.

    Of each line the shortest text after an indicator ("is", "so", "answer", ...; "=" in the last
    line) is kept, of an answer without indicators everything. These texts and the numbers in them
    are compared with the references: numbers are equal if they are so with two decimals, a text is
    given by a text that contains it ("cat" by "category"). A single letter is compared with a space
    before it, and with one behind it.

    Args:
        answer: the model's text, its chain of thought included.
        references: the accepted answers.

    Returns:
        The reference (``rule`` is ``number`` or ``words``); the last of the texts if none is given
        (``other``), None if the answer is empty (``none``).

    >>> chef_open_answer("This gives the result b.", ["B"]).value
    'B'
    """
    texts = _open_texts(answer)
    if not texts:
        return NOTHING
    forms = _forms_of(texts)
    for reference in references:
        if rule := given_as(reference, forms):
            return Reading(reference, rule, reference)
    return Reading(texts[-1], "other", texts[-1])


def open_forms(answer: str) -> list[str | float]:
    """What `chef_open_answer` compares of an answer, each once.

    >>> open_forms("The answer is 5"), open_forms("so 2 or x = b")
    ([5.0], [' b', 'b '])
    """
    return list(dict.fromkeys(_forms_of(_open_texts(answer))))


def given_as(reference: str, given: Collection[object]) -> str:
    """Whether a reference is among `open_forms` as a ``number`` or by ``words``; empty if not."""
    for wanted in _forms(reference):
        if isinstance(wanted, float):
            if wanted in given:
                return "number"
        elif any(isinstance(item, str) and wanted in item for item in given):
            return "words"
    return ""


def _open_texts(answer: str) -> list[str]:
    """The texts in which an answer to an open question is sought."""
    text = answer.strip().strip(".").lower()
    return _tails(text.split("\n")) or [text] if text else []


def _forms_of(texts: Sequence[str]) -> list[str | float]:
    """Texts, and the numbers in them, as they are compared."""
    numbers = [number for text in texts for form in _NUMBERS for number in form.findall(text)]
    return [form for item in (*texts, *numbers) for form in _forms(item)]


def _tails(lines: Sequence[str]) -> list[str]:
    """The shortest text after an indicator, of each line that has one."""
    tails = []
    for place, line in enumerate(lines):
        marks = (*_INDICATORS, "=") if place == len(lines) - 1 else _INDICATORS
        shortest = ""
        for mark in marks:
            tail = line.rpartition(mark)[2].strip()
            if mark in line and (not shortest or len(tail) < len(shortest)):
                shortest = tail
        if shortest and shortest not in {":", ",", ".", "!", "?", ";", "'"}:
            tails.append(shortest)
    return tails


def _forms(text: str) -> Iterator[str | float]:
    """What is compared: a number, a text in lower case, or a letter with a space on either side."""
    text = text.strip()
    try:
        yield round(float(text.replace(",", "")), 2)
    except ValueError:
        folded = text.lower()
        yield from (f" {folded}", f"{folded} ") if len(folded) == 1 else (folded,)


def first_number(answer: str) -> Reading[float]:
    """ChEF's rule for counts: the first word that is all digits, or no, zero to twenty; else 0.

    Case does not matter. "3." and "1,000" are not numbers by this rule, and "No 5" is 0.

    >>> first_number("I see Two dogs").value, first_number("There are 3.").value
    (2, 0)
    """
    for word in answer.lower().split():
        if word.isdecimal():
            return Reading(int(word), "first number", word)
        if word in _VALUES:
            return Reading(_VALUES[word], "first number", word)
    return Reading(0, "none is 0")


def token_verdict(answer: str) -> Reading[str]:
    """ChEF's rule for POPE: "no" if the first sentence contains the word No, no or not, else "yes".

    >>> token_verdict("There is no dog. Yes.").value, token_verdict("I know nothing").value
    ('no', 'yes')
    """
    first = answer.partition(".")[0].replace(",", "")
    return Reading("no" if _NO & set(first.split(" ")) else "yes", "token", first)


def substring_verdict(answer: str) -> Reading[str]:
    """ChEF's rule for MME: "yes" or "no", if only one of them occurs, even inside a word.

    An answer that is neither is normalised first, which makes a number of "none".

    >>> substring_verdict("I know").value, substring_verdict("Yes, there is no dog").value
    ('no', None)
    """
    text = answer.lower()
    if text not in {"yes", "no"}:
        text = chef_normal(text)
    found = [word for word in ("yes", "no") if word in text]
    return Reading(found[0] if len(found) == 1 else None, "substring", answer)


def no_or_not(answer: str) -> Reading[str]:
    """LAMM's rule for smiles: ``-1`` (no smile) if a word is "no" or "not", else ``1``.

    >>> no_or_not("It is not clear.").value, no_or_not("perhaps").value
    ('-1', '1')
    """
    negative = not {"no", "not"}.isdisjoint(lamm_words(answer))
    return Reading("-1" if negative else "1", "no or not")


def quoted_by_any(text: str) -> str:
    """ChEF's rule for quotes: apostrophes are quotation marks too.

    The text between two quoted parts counts as well, and so do blank parts. The parts are joined by
    ``". "``; if nothing is quoted, the result is the whole text.

    >>> quoted_by_any("It's 'a bar'.")
    's . a bar'
    """
    parts = _QUOTE.split(text)[1:-1]
    return ". ".join(parts) if parts else text


def lamm_words(text: str) -> list[str]:
    """Lower-case words by the rules of the Penn Treebank, without punctuation.

    LAMM leaves out stop words too. None of them is a name of a class, so they make no difference
    and are kept; yes and no are found among them.

    >>> lamm_words("It isn't a dog; I cannot see it.")
    ['it', 'is', "n't", 'a', 'dog', 'i', 'can', 'not', 'see', 'it']
    """
    sentences = _SENTENCE_END.split(text.lower())
    words = [word for sentence in sentences for word in _tokens(sentence)]
    return [word for word in words if not all(sign in string.punctuation for sign in word)]


@lru_cache(1 << 12)
def _tokens(sentence: str) -> tuple[str, ...]:
    """The words of a sentence; a model may write the same one thousands of times."""
    return tuple(_tokenizer().tokenize(sentence))


@cache
def _tokenizer() -> NLTKWordTokenizer:
    from nltk.tokenize import NLTKWordTokenizer

    return NLTKWordTokenizer()
