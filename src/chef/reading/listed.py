"""Read which of several listed options an answer approves: "A. no / B. a dog - correct"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.reading.candidates import Candidate
from chef.reading.patterns import any_of
from chef.reading.text import line_end, sentence_start

_EDGE = r"[\s\"')\](}*|:;,.=–—>→-]*"
_GOOD_SIGN, _BAD_SIGN = r"(?:[✓✔✅☑√○◯⭕]|\[[xX]\])", r"(?:[✗❌✘✖×☐]|\[\s?\])"
_YES = (
    r"(?:yes|correct)\b|是(?!否)|对(?!应|比)|正确|符合|正解|はい|正しい|네|예\b|맞"
    r"|oui\b|sí\b|ja\b|richtig|vrai|correcto|да\b"
)
#: These mark a line only where all others are ruled out: "on the right" is a place.
_MAYBE_YES = r"(?:true|right|matches|match|ok|fits)\b"
_NO = (
    any_of(
        "no | false | incorrect | wrong | not correct | not right | not true | not matching",
        "doesn't match | does not match | eliminated | ruled out | excluded | out | irrelevant",
    )
    + r"\b|否|错误?|不对|不正确|不符|誤り?|違う?|いいえ|아니|틀"
    r"|non\b|nein\b|falsch|faux|incorrecto|нет\b"
)


def _judging(no: str, yes: str, maybe: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A verdict right behind an option, and one at the end of its line."""
    verdict = rf"(?:(?P<no>{no})|(?P<yes>{yes})|(?P<maybe>{maybe}))"
    return (
        re.compile(rf"{_EDGE}{verdict}", re.IGNORECASE),
        re.compile(rf"(?:(?<=[\s.,;:|()→>–—-])|(?<=^)){verdict}\W*\Z", re.IGNORECASE),
    )


_SIGNED = _judging(_BAD_SIGN, _GOOD_SIGN, "(?!)")
_WORDED = _judging(f"{_NO}|{_BAD_SIGN}", f"{_YES}|{_GOOD_SIGN}", _MAYBE_YES)
_GOOD = re.compile(
    r"\b(?:correct|chosen|selected|this\s+one|this\s+is\s+(?:it|the\s+(?:answer|one)))\b|正确|符合|正解|정답",
    re.IGNORECASE,
)
_MAYBE_GOOD = re.compile(
    r"\b(?:right(?!-)|true|matches|match|fits|consistent|best|supported|accurate)\b", re.IGNORECASE
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


def approved(plain: str, hits: Sequence[Candidate], *, signs: bool = False) -> list[Candidate]:
    """The options that a list approves; empty if there is no list of options with verdicts.

    Each place's verdict stands right after the option ("B yes", "C. a cat: wrong"), at the end of
    its line, or as a mark before it ("- [x] B"). Words such as "right" and "fits", which may say
    anything of an option, approve one only where most others of the list are ruled out.

    Args:
        plain: the answer without markup.
        hits: all candidates in order, those that are ruled out too.
        signs: whether only signs count (✓, ✗, [x]), and no words.
    """
    good: dict[int, Candidate] = {}
    maybe: dict[int, Candidate] = {}
    bad: set[int] = set()
    doubted: set[int] = set()
    for hit, after in zip(hits, _next_others(plain, hits), strict=True):
        verdict = _verdict(plain, hit, after, signs=signs)
        if verdict == "yes":
            good[hit.value] = hit
        elif verdict == "maybe":
            maybe[hit.value] = hit
        elif verdict == "no" or (hit.is_refused and not signs):
            bad.add(hit.value)
        elif verdict == "doubt":
            doubted.add(hit.value)
    listed = opened(plain, hits)
    others = listed - set(maybe)
    if not good and len(maybe) == 1 and 2 * len(others & (bad | doubted)) > len(others):
        good = maybe
    judged = len(bad | set(good)) > 1 or len(listed) > 1
    return [hit for value, hit in good.items() if value not in bad] if judged else []


def opened(plain: str, hits: Sequence[Candidate]) -> set[int]:
    """The options that lines begin with."""
    values: set[int] = set()
    for hit in hits:
        start = plain.rfind("\n", 0, hit.start) + 1
        if _LEAD.fullmatch(plain, start, hit.start):
            values.add(hit.value)
    return values


def _next_others(plain: str, hits: Sequence[Candidate]) -> list[int]:
    """For each candidate, where the next one of another option starts, or the text ends."""
    limits: list[int] = []
    limit = len(plain)
    for place in range(len(hits) - 1, -1, -1):
        if place + 1 < len(hits) and hits[place + 1].value != hits[place].value:
            limit = hits[place + 1].start
        limits.append(limit)
    return limits[::-1]


def _verdict(plain: str, hit: Candidate, after: int, *, signs: bool) -> str:
    """What the words around a candidate say of it: yes, no, maybe, doubt or nothing ("").

    Args:
        plain: the answer without markup.
        hit: the candidate.
        after: where the next option is named.
        signs: whether only signs count.
    """
    start = sentence_start(plain, hit.start)
    end = min(after, line_end(plain, hit.end))
    before = plain[start : hit.start]
    if checked := _CHECKED.search(before) or _UNCHECKED.search(before):
        return "yes" if checked.re is _CHECKED else "no"
    soon, last = _SIGNED if signs else _WORDED
    match = soon.match(plain, hit.end, end)
    if match:
        return match.lastgroup or ""
    if not _LEAD.fullmatch(before):
        return ""
    # The rest of the line belongs to the option that opens it.
    rest = plain[hit.end : end]
    match = last.search(rest)
    if match or signs:
        return (match and match.lastgroup) or ""
    if _BAD.search(rest):
        return "doubt"
    return "yes" if _GOOD.search(rest) else "maybe" if _MAYBE_GOOD.search(rest) else ""


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
