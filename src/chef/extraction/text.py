"""What all extractors share: cleaning that keeps positions, and where a text states its answer.

Every transformation here keeps the length of the text, so that a span found in the cleaned text
is a span of the model's own answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

#: Version of the extraction rules; raise it with any change that can alter a score.
POLICY = "chef-extract-1"

T = TypeVar("T")

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_FOLD: dict[int, int | str] = {
    **_FULL_WIDTH,
    **{
        ord(old): new for old, new in zip("　。、“”‘’「」【】−\xa0", ' .,""\'\'""[]- ', strict=True)
    },
}
_THOUGHT = "think|thinking|thought|reasoning|reflection|scratchpad"
_CLOSED = re.compile(rf"<({_THOUGHT})>(?:(?!<\1>).)*?</\1>", re.IGNORECASE | re.DOTALL)
_OPENED = re.compile(rf"<(?:{_THOUGHT})>.*\Z", re.IGNORECASE | re.DOTALL)
_TAIL = re.compile(rf"\A.*</(?:{_THOUGHT})>", re.IGNORECASE | re.DOTALL)
_MARKUP = re.compile(r"\\(?:text|math)?(?:bf|rm|it|tt|sf)?\b(?=\s*\{)|[*_`$#~{}\\]")
_TAGGED = (
    # The last line of a worked solution, as in "#### 42".
    re.compile(r"####[ \t]*([^\n]+)\s*\Z"),
    re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}"),
    re.compile(r"<answer>(.*?)(?:</answer>|\Z)", re.IGNORECASE | re.DOTALL),
    re.compile(r"<\|begin_of_box\|>(.*?)(?:<\|end_of_box\|>|\Z)", re.DOTALL),
)
_STATED = re.compile(
    r"\b(?:answer|(?:correct|right|best)\s+(?:option|choice|one))\b\s*"
    r"(?:(?:(?:is|are|was|would\s+be|should\s+be|must\s+be|to\s+be)\b|[:=])\s*)+"
    r"|答案\s*(?:(?:是|为|:)\s*)*"
    r"|\bI(?:'d|'ll|\s+would|\s+will)?\s+(?:choose|pick|select|go\s+(?:with|for))\s+",
    re.IGNORECASE,
)
#: A full stop inside a number or an abbreviation does not end a sentence.
_SENTENCE_END = re.compile(r"[.!?;](?=\s|\Z)|\n")


@dataclass(frozen=True, slots=True)
class Extraction(Generic[T]):
    """What an answer was taken as.

    Attributes:
        value: None when the answer could not be read.
        rule: the name of the rule that decided; ``ambiguous`` or ``none`` without a value.
        text: the words that matched, as the model wrote them.
        span: where they are in the answer, ``(start, end)`` in characters.
    """

    value: T | None
    rule: str
    text: str = ""
    span: tuple[int, int] | None = None

    def evidence(self) -> dict[str, Any]:
        """Plain data for the sample's entry: ``rule, text, span``."""
        return evidence(self.rule, self.text, self.span)


def evidence(rule: str, text: str = "", span: tuple[int, int] | None = None) -> dict[str, Any]:
    """Why an answer was read as it was, as plain data; arguments as in `Extraction`.

    >>> evidence("boxes")
    {'rule': 'boxes', 'text': '', 'span': None}
    """
    return {"rule": rule, "text": text, "span": None if span is None else list(span)}


@dataclass(frozen=True, slots=True)
class Hit(Generic[T]):
    """A candidate found at ``start:end``."""

    value: T
    start: int
    end: int


def fold(text: str) -> str:
    """Full-width letters and typographic quotes as plain ones, one character for one.

    >>> fold("（Ｂ）")
    '(B)'
    """
    return text.translate(_FOLD)


def strip_reasoning(text: str) -> str:
    """``text`` folded, with reasoning blocks blanked.

    A block that was never closed is reasoning to its end; a closing tag alone (the opening one
    sits in the prompt of some models) makes reasoning of everything before it.

    >>> strip_reasoning("<think>A?</think>B").strip()
    'B'
    """
    folded = fold(text)
    for pattern in (_CLOSED, _TAIL, _OPENED):
        folded = pattern.sub(lambda match: "\n" * len(match[0]), folded)
    return folded


def strip_markup(text: str) -> str:
    r"""``text`` with the marks of Markdown and LaTeX blanked.

    >>> strip_markup(r"**B** \text{cat}")
    '  B         cat '
    """
    return _MARKUP.sub(lambda match: " " * len(match[0]), text)


def tagged(text: str) -> list[tuple[int, int]]:
    r"""Spans of what stands in ``\boxed{}``, ``<answer>`` and the like, in order."""
    found = [match.span(1) for pattern in _TAGGED for match in pattern.finditer(text)]
    return sorted(found)


def stated(plain: str) -> list[tuple[int, int]]:
    """Spans of what follows words such as "the answer is", in order; see `after`."""
    return after(_STATED, plain)


def after(marker: re.Pattern[str], plain: str) -> list[tuple[int, int]]:
    """Spans from each match of ``marker`` to the end of the line, or to the next match."""
    matches = list(marker.finditer(plain))
    limits = [*(match.start() for match in matches), len(plain)][1:]
    # Ends at the next match: a model that repeats itself must not cost quadratic time.
    return [
        (match.end(), min(limit, line_end(plain, match.end())))
        for match, limit in zip(matches, limits, strict=True)
    ]


def line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def sentence_end(text: str, start: int, end: int) -> int:
    match = _SENTENCE_END.search(text, start, end)
    return match.start() if match else end


def sentence_start(text: str, position: int) -> int:
    """Where the sentence that holds ``position`` starts."""
    ends = (match.end() for match in _SENTENCE_END.finditer(text, 0, position))
    return max(ends, default=0)


def lines(text: str) -> list[tuple[int, int]]:
    """Spans of the lines that hold more than white space."""
    return [match.span() for match in re.finditer(r"[^\n]+", text) if match[0].strip()]


def decide(hits: list[Hit[T]], rule: str, text: str) -> Extraction[T] | None:
    """One candidate is the answer (its last mention the evidence), two are ambiguous, none is None.

    Args:
        hits: candidates.
        rule: that found them.
        text: the answer as the model wrote it.
    """
    if not hits:
        return None
    if any(hit.value != hits[0].value for hit in hits):
        return Extraction(None, "ambiguous")
    return found(hits[-1], rule, text)


def found(hit: Hit[T], rule: str, text: str) -> Extraction[T]:
    return Extraction(hit.value, rule, text[hit.start : hit.end], (hit.start, hit.end))


def last_of(hits: list[Hit[T]], rule: str, plain: str, text: str) -> Extraction[T] | None:
    """The last statement counts, unless the one before it in the same sentence says otherwise.

    So "First I said the answer is A. The answer is B." is B, and "the answer is A or the answer
    is B" is ambiguous.
    """
    if not hits:
        return None
    last = hits[-1]
    start = sentence_start(plain, last.start)
    if any(hit.value != last.value and hit.start >= start for hit in hits):
        return Extraction(None, "ambiguous")
    return found(last, rule, text)


def final_text(text: str) -> str:
    """The answer without its reasoning: what is tagged as the answer, else what is stated as it.

    For open questions, where there are no candidates to look for.

    >>> final_text("<think>Rome? no</think>The answer is **Paris**.")
    'Paris'
    """
    seen = strip_reasoning(text)
    plain = strip_markup(seen)
    for spans in (tagged(seen), stated(plain)):
        if spans:
            start, end = spans[-1]
            return plain[start : sentence_end(plain, start, end)].strip(" \t\n.,;:!?\"'")
    return plain.strip()
