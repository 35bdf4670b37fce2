"""Extract yes or no from text."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias, cast

from chef.extraction.leaks import answer_body
from chef.extraction.statements import stated, tagged
from chef.extraction.text import (
    Extraction,
    Hit,
    decide,
    found,
    last_of,
    lines,
    strip_markup,
)

Verdict: TypeAlias = Literal["yes", "no"]

_YES = r"yes|yeah|yep|true"
_NO = r"no|nope|false"
_TOKEN = re.compile(
    rf"(?<![\w'-])(?:(?P<yes>{_YES})|(?P<no>{_NO}))(?![\w'-])"
    r"(?!\s+(?:doubt|idea|matter|wonder|longer|one)\b)",
    re.IGNORECASE,
)
_PAIR = re.compile(
    rf"\b(?:(?:{_YES})\s*(?:or|and|/)\s*(?:{_NO})|(?:{_NO})\s*(?:or|and|/)\s*(?:{_YES}))\b",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"\W*(?:(?P<yes>{_YES}|y)|(?P<no>{_NO}|n))\W*\Z", re.IGNORECASE)
_THEREFORE = re.compile(r"\b(?:therefore|thus|hence|so)\b[,:]?\s+", re.IGNORECASE)
_EXISTENCE = re.compile(
    r"(?<!\bif )(?<!whether )\bthere\s*"
    r"(?:(?P<no>(?:is|are)\s*(?:n't|not|no)\b)"
    r"|(?P<yes>(?:is|are|'s)\s+(?:an?|the|one|two|three|some|several|many|[0-9]+)\b))",
    re.IGNORECASE,
)


def extract_verdict(answer: str) -> Extraction[Verdict]:
    """Whether an answer says yes or no.

    Reasoning blocks and markup are removed, and so is a repetition of the question ("yes or no").
    Then the first of these decides: the whole answer, if it is a verdict (also ``y`` and ``n``); a
    tagged or boxed verdict; the last explicit statement ("the answer is no", "so yes"); lines that
    consist of a verdict, which are ambiguous if they differ; the first whole word that is a verdict
    (yes, yeah, yep, true, no, nope, false), or "there is a ..." or "there is not ..." if that comes
    earlier. "nothing", "know" and "no doubt" are not no, and "Yes, there is no dog" is yes.

    >>> extract_verdict("**Yes**, there is no dog.").value
    'yes'
    >>> extract_verdict("I know nothing.").value is None
    True
    """
    seen = answer_body(answer)
    plain = _PAIR.sub(lambda match: " " * len(match[0]), strip_markup(seen))
    alone = [_hit(_ALONE.match(plain, start, end)) for start, end in lines(plain)]
    return (
        decide(_some([_hit(_ALONE.match(plain))]), "whole", answer)
        or _in_tags(seen, plain, answer)
        or _in_statements(plain, answer)
        or decide(_some(alone), "line", answer)
        or _first(plain, answer)
        or Extraction(None, "none")
    )


def _in_tags(seen: str, plain: str, answer: str) -> Extraction[Verdict] | None:
    hits = _some([_hit(_TOKEN.search(plain, start, end)) for start, end in tagged(seen)])
    return found(hits[-1], "tagged", answer) if hits else None


def _in_statements(plain: str, answer: str) -> Extraction[Verdict] | None:
    """Verdicts right after "the answer is", or after "so"."""
    starts = [start for start, _ in stated(plain)]
    starts += [match.end() for match in _THEREFORE.finditer(plain)]
    opening = re.compile(rf"\W*{_TOKEN.pattern}", re.IGNORECASE)
    hits = _some([_hit(opening.match(plain, start)) for start in sorted(starts)])
    return last_of(hits, "statement", plain, answer)


def _first(plain: str, answer: str) -> Extraction[Verdict] | None:
    hits = _some([_hit(pattern.search(plain)) for pattern in (_TOKEN, _EXISTENCE)])
    first = min(hits, key=lambda hit: hit.start, default=None)
    return found(first, "first verdict", answer) if first else None


def _hit(match: re.Match[str] | None) -> Hit[Verdict] | None:
    if match is None:
        return None
    group = "yes" if match["yes"] else "no"
    return Hit(cast("Verdict", group), *match.span(group))


def _some(hits: list[Hit[Verdict] | None]) -> list[Hit[Verdict]]:
    return [hit for hit in hits if hit is not None]
