"""Read which of several listed options an answer approves: "A. no / B. a dog - correct"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.reading.candidates import Candidate
from chef.reading.patterns import any_of
from chef.reading.text import line_end, sentence_start

_EDGE = r"[\s\"')\](}*|:;,.=–—>→-]*"
_YES = (
    r"(?:yes|true|correct|right|matches|match|ok)\b|[✓✔✅☑√○◯⭕]"
    r"|是(?!否)|对(?!应|比)|正确|符合|正解|はい|正しい|네|예\b|맞"
    r"|oui\b|sí\b|ja\b|richtig|vrai|correcto|да\b"
)
_NO = (
    any_of(
        "no | false | incorrect | wrong | not correct | not right | not true | not matching",
        "doesn't match | does not match | eliminated | ruled out | excluded | out | irrelevant",
    )
    + r"\b|[✗❌✘✖×]"
    r"|否|错误?|不对|不正确|不符|誤り?|違う?|いいえ|아니|틀"
    r"|non\b|nein\b|falsch|faux|incorrecto|нет\b"
)
_SOON = re.compile(rf"{_EDGE}(?:(?P<no>{_NO})|(?P<yes>{_YES}))", re.IGNORECASE)
_LAST = re.compile(
    rf"(?:(?:(?<=[\s.,;:|()→>–—-])|(?<=^))(?:(?P<no>{_NO})|(?P<yes>{_YES})))\W*\Z", re.IGNORECASE
)
_GOOD = re.compile(
    r"\b(?:correct|right(?!-)|true|matches|match|fits|consistent|best|chosen|selected|supported"
    r"|accurate|this\s+one|this\s+is\s+(?:it|the\s+(?:answer|one)))\b|正确|符合|正解|정답",
    re.IGNORECASE,
)
_BAD = re.compile(
    r"\b(?:not|no|never|none|wrong|incorrect|false|eliminated|excluded|rejected|out|cannot|unlikely"
    r"|implausible|inconsistent|invalid|too|neither|nor|without|but|lacks|would)\b|n't\b|不|错|没|否|違|아니|틀",
    re.IGNORECASE,
)
#: What may stand before an option that opens its line: a bullet or a number.
_LEAD = re.compile(r"\W*(?:\d{1,2}[.)])?\W*(?:(?:option|choice|选项)\W*)?", re.IGNORECASE)
_CHECKED = re.compile(r"\[\s*[xX✓✔√]\s*\]\W*\Z|[✓✔✅☑]\W{0,3}\Z")
_UNCHECKED = re.compile(r"\[\s{0,2}\]\W*\Z|[✗❌✘✖☐]\W{0,3}\Z")


def approved(plain: str, hits: Sequence[Candidate]) -> list[Candidate]:
    """The options that a list approves; empty if there is no list of options with verdicts.

    Each place's verdict stands right after the option ("B yes", "C. a cat: wrong"), at the end of
    its line, or as a mark before it ("- [x] B").

    Args:
        plain: the answer without markup.
        hits: all candidates in order, those that are ruled out too.
    """
    good: dict[int, Candidate] = {}
    bad: set[int] = set()
    for hit, after in zip(hits, _next_others(plain, hits), strict=True):
        verdict = _verdict(plain, hit, after)
        if verdict:
            good[hit.value] = hit
        elif verdict is False or hit.is_refused:
            bad.add(hit.value)
    judged = len(bad | set(good)) > 1 or opened(plain, hits) > 1
    return [hit for value, hit in good.items() if value not in bad] if judged else []


def opened(plain: str, hits: Sequence[Candidate]) -> int:
    """The number of options that lines begin with."""
    values = set()
    for hit in hits:
        start = plain.rfind("\n", 0, hit.start) + 1
        if _LEAD.fullmatch(plain, start, hit.start):
            values.add(hit.value)
    return len(values)


def _next_others(plain: str, hits: Sequence[Candidate]) -> list[int]:
    """For each candidate, where the next one of another option starts, or the text ends."""
    limits: list[int] = []
    limit = len(plain)
    for place in range(len(hits) - 1, -1, -1):
        if place + 1 < len(hits) and hits[place + 1].value != hits[place].value:
            limit = hits[place + 1].start
        limits.append(limit)
    return limits[::-1]


def _verdict(plain: str, hit: Candidate, after: int) -> bool | None:
    """Whether the words around a candidate approve it; None if they say neither.

    Args:
        plain: the answer without markup.
        hit: the candidate.
        after: where the next option is named.
    """
    start = sentence_start(plain, hit.start)
    end = min(after, line_end(plain, hit.end))
    before = plain[start : hit.start]
    if checked := _CHECKED.search(before) or _UNCHECKED.search(before):
        return checked.re is _CHECKED
    match = _SOON.match(plain, hit.end, end)
    if match:
        return match["yes"] is not None
    if not _LEAD.fullmatch(before):
        return None
    # The rest of the line belongs to the option that opens it.
    rest = plain[hit.end : end]
    match = _LAST.search(rest)
    if match:
        return match["yes"] is not None
    if _BAD.search(rest):
        return None
    return True if _GOOD.search(rest) else None


_SCORE = re.compile(r"[\s\"')\]}(|:=–—-]*(0?\.\d+|\d{1,3}(?:\.\d+)?\s*%|[01](?:\.0+)?(?![\d.]))")
#: Fewer options with a number may be anything.
_SCORED = 3


def most_probable(plain: str, hits: Sequence[Candidate]) -> list[Candidate]:
    """The option with the highest probability, if a text lists one for three options or more.

    The probabilities are fractions or percentages, and add up to about one.
    """
    scores: dict[int, float] = {}
    places: dict[int, Candidate] = {}
    for hit in hits:
        match = _SCORE.match(plain, hit.end)
        if match:
            share = match[1].replace("%", "")
            scores[hit.value] = float(share) / (100 if "%" in match[1] else 1)
            places[hit.value] = hit
    total = sum(scores.values())
    if len(scores) < _SCORED or not 0.9 <= total <= 1.1:
        return []
    best = max(scores.values())
    return [places[value] for value, score in scores.items() if score == best]
