"""Shared by all extractors: clean a text without moving positions, and find stated answers.

Every transformation keeps the length of the text, so a span in the cleaned text is also a span in
the model's own answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, Generic, Protocol, TypeVar

from chef.frozen import Frozen

#: Version of the extraction rules. Increase it with any change that can alter a score.
POLICY = "chef-extract-20"

T = TypeVar("T")

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_FOLD: dict[int, int | str] = {
    **_FULL_WIDTH,
    **{0x24B6 + place: 65 + place for place in range(26)},  # letters in circles
    **{
        ord(old): new for old, new in zip("　。、“”‘’「」【】−\xa0", ' .,""\'\'""[]- ', strict=True)
    },
}
_THOUGHT = "think|thinking|thought|reasoning|reflection|scratchpad"
_CLOSED = re.compile(rf"<({_THOUGHT})>(?:(?!<\1>).)*?</\1>", re.IGNORECASE | re.DOTALL)
_OPENED = re.compile(rf"<(?:{_THOUGHT})>.*\Z", re.IGNORECASE | re.DOTALL)
_TAIL = re.compile(rf"\A.*</(?:{_THOUGHT})>", re.IGNORECASE | re.DOTALL)
_FONT = re.compile(r"\\(?:text|math)?(?:bf|rm|it|tt|sf)?\b(?=\s*\{)")
_SIGNS = "*_`$#~{}\\"
#: Indices such as 13 in ``a_{13}`` are no numbers of the answer.
_INDEX = re.compile(r"_\{(?<=\w_\{)\w{1,6}\}")
_FRACTION = re.compile(r"\\[dt]?frac\s?\{\s?(\w{1,6})\s?\}\s?\{\s?(\w{1,6})\s?\}")
#: A full stop inside a number or an abbreviation does not end a sentence.
#: A pattern that begins with some characters is found much faster than one with a condition.
_SENTENCE_END = re.compile(
    r"[.!?;\n](?:(?<=\n)|(?<=[.!?;])(?<!\bi\.e.)(?<!\be\.g.)(?=[\s\"')\]*]|\Z)|(?<=[!?;])(?=\w)"
    r"|(?<=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]\.)(?!\d))"
)
#: How far back the start of a sentence is looked for, in characters.
_USUAL_SENTENCE, _LONGEST_SENTENCE = 120, 1000


class Reading(Frozen, Generic[T]):
    """The value that was read from an answer, with evidence.

    Attributes:
        value: None if the answer could not be read.
        rule: the name of the rule that decided; ``ambiguous`` or ``none`` if there is no value.
        text: the words that matched, as the model wrote them.
        span: their position in the answer, ``(start, end)`` in characters.
    """

    value: T | None
    rule: str
    text: str = ""
    span: tuple[int, int] | None = None

    def evidence(self) -> dict[str, Any]:
        """The evidence for the sample's entry: ``rule, text, span``."""
        return evidence(self.rule, self.text, self.span)


#: Several answers, none of which counts; and no answer.
AMBIGUOUS: Reading[Any] = Reading(None, "ambiguous")
NOTHING: Reading[Any] = Reading(None, "none")


def evidence(rule: str, text: str = "", span: tuple[int, int] | None = None) -> dict[str, Any]:
    """Evidence as plain data; the arguments are the attributes of `Reading`.

    >>> evidence("boxes")
    {'rule': 'boxes', 'text': '', 'span': None}
    """
    return {"rule": rule, "text": text, "span": None if span is None else list(span)}


class Searchable(Protocol):
    """What searches a text: a regular expression or a `chef.reading.patterns.Pattern`."""

    def search(self, text: str, /) -> re.Match[str] | None:
        """The first match."""


class Hit(Frozen, Generic[T]):
    """A candidate found at ``start:end``."""

    value: T
    start: int
    end: int


def fold(text: str) -> str:
    """Replace full-width letters and typographic quotes by plain ones, one character each.

    >>> fold("（Ｂ）")
    '(B)'
    """
    return text if text.isascii() else text.translate(_FOLD)


def strip_reasoning(text: str) -> str:
    """``text``, folded and with reasoning blocks replaced by line breaks.

    An unclosed block reaches to the end of the text. If there is only a closing tag (the prompts of
    some models contain the opening one), everything before it is reasoning.

    >>> strip_reasoning("<think>A?</think>B").strip()
    'B'
    """
    folded = fold(text)
    if "<" not in folded:
        return folded
    for pattern in (_CLOSED, _TAIL, _OPENED):
        folded = pattern.sub(lambda match: "\n" * len(match[0]), folded)
    return folded


@cache
def _picture() -> re.Pattern[str]:
    """Little pictures, but for those that say yes and no, or point at something."""
    return re.compile("(?![👍👎🟢🔴🔘🥇🥈🥉👈])[\U0001f000-\U0001faff][\ufe0f\u200d]*")


@cache
def _html() -> re.Pattern[str]:
    """Tags of HTML; those of a table's cells divide them."""
    tags = "table|tbody|thead|tr|b|i|u|strong|em|p|ul|ol|li|span|div|h[1-6]"
    return re.compile(rf"</?(?:(t[dh])|{tags})\b[^<>]*>", re.IGNORECASE)


def strip_markup(text: str, kept: Iterable[str] = ()) -> str:
    r"""``text`` with spaces for the markup of Markdown and LaTeX, and for little pictures; a symbol
    that is an option is none.

    >>> strip_markup(r"**B** \text{cat}")
    '  B         cat '
    """
    if not text.isascii() and (sign := _picture().search(text)) and sign[0] not in "".join(kept):
        text = _picture().sub(lambda match: " " * len(match[0]), text)
    if "</" in text:
        text = _html().sub(lambda match: ("|" if match[1] else " ").ljust(len(match[0])), text)
    if not any(sign in text for sign in _SIGNS):
        return text
    text = _INDEX.sub(lambda match: " " * len(match[0]), text)
    if "\\" in text:
        text = _FRACTION.sub(lambda match: f"{match[1]}/{match[2]}".ljust(len(match[0])), text)
        text = _FONT.sub(lambda match: " " * len(match[0]), text)
    symbols = {item for item in kept if len(item) == 1}
    return text.translate({ord(sign): " " for sign in _SIGNS if sign not in symbols})


def line_end(text: str, start: int) -> int:
    """The end of the line that ``start`` is in."""
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def sentence_end(text: str, start: int, end: int) -> int:
    """The end of the sentence that begins at ``start``; ``end`` where it goes on."""
    match = _SENTENCE_END.search(text, start, end)
    return match.start() if match else end


def sentence_start(text: str, position: int) -> int:
    """The start of the sentence that contains ``position``."""
    for reach in (_USUAL_SENTENCE, _LONGEST_SENTENCE):
        first = max(0, position - reach)
        ends = [match.end() for match in _SENTENCE_END.finditer(text, first, position)]
        if ends or not first:
            break
    return ends[-1] if ends else first


@lru_cache(64)
def limits(text: str, pattern: re.Pattern[str]) -> tuple[list[int], list[int]]:
    """Where the matches of a pattern begin, and where they end; a text is scanned once. Cached.

    >>> limits("red, blue", re.compile(","))
    ([3], [4])
    """
    spans = [match.span() for match in pattern.finditer(text)]
    return [start for start, _ in spans], [end for _, end in spans]


def lines(text: str) -> list[tuple[int, int]]:
    """Spans of the lines that are not blank."""
    return [match.span() for match in re.finditer(r"[^\n]+", text) if match[0].strip()]


def decide(hits: Sequence[Hit[T]], rule: str, text: str) -> Reading[T] | None:
    """The candidates' only value, with its last mention; ambiguous if they differ, None of none."""
    if not hits:
        return None
    if any(hit.value != hits[0].value for hit in hits):
        return AMBIGUOUS
    return found(hits[-1], rule, text)


def found(hit: Hit[T], rule: str, text: str) -> Reading[T]:
    """A hit in ``text`` as the answer, found by ``rule``."""
    return Reading(hit.value, rule, text[hit.start : hit.end], (hit.start, hit.end))


def last_of(hits: Sequence[Hit[T]], rule: str, plain: str, text: str) -> Reading[T] | None:
    """The last statement; ambiguous if another in its sentence contradicts it ("is A or is B")."""
    if not hits:
        return None
    last = hits[-1]
    start = sentence_start(plain, last.start)
    if any(hit.value != last.value and hit.start >= start for hit in hits):
        return AMBIGUOUS
    return found(last, rule, text)


_SENTENCE = re.compile(r"[^.;!?\n]+(?:\.(?=\w)[^.;!?\n]*)*[.!?]?")


def blank_sentences(text: str, pattern: Searchable) -> str:
    """``text`` with spaces for each sentence in which ``pattern`` is found.

    A pattern that begins with any words of a sentence would take quadratic time instead.

    >>> import re
    >>> blank_sentences("Sorry. It is 3.5 m.", re.compile("sorry", re.IGNORECASE))
    '       It is 3.5 m.'
    """
    if pattern.search(text) is None:
        return text
    return _SENTENCE.sub(
        lambda match: " " * len(match[0]) if pattern.search(match[0]) else match[0], text
    )
