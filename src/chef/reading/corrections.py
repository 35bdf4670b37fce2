"""Read the last part of an answer that corrects itself, where "no" may be an answer itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from chef.reading.discourse import withdraws
from chef.reading.text import Reading

T = TypeVar("T")

_CORRECTION = re.compile(
    r"(?:\A|(?<=[\s.,;:!?(—–…-]))(?:"
    r"(?:oh,?\s+)?(?:no,?\s+)?wait(?=\s*(?:[,.!:;—–…-]|no\b|I\b|there\b|actually\b|that\b|it\b"
    r"|let\b|the\b|one\b))(?:\s+(?:a\s+(?:second|minute|moment)))?"
    r"|hold\s+on|hang\s+on|hm+(?=\W)|oops|whoops|correction|actually(?=,)|(?<=[.!?—–-]\s)actually"
    r"|scratch\s+that|scrap\s+that|strike\s+that|make\s+that|on\s+(?:second\s+thoughts?"
    r"|(?:further\s+|closer\s+)?reflection|closer\s+(?:inspection|look))"
    r"|let\s+me\s+(?:re\w+|double[\s-]?check|correct|look\s+(?:again|closer)|zoom\s+in"
    r"|think\s+again"
    r"|check\s+again|count\s+again|have\s+(?:another|a\s+closer)\s+look)(?:\s+(?:that|this|myself"
    r"|it|them|again|the\s+\w+))*"
    r"|I\s+(?:mean|meant|take\s+(?:that|it)\s+back|stand\s+corrected|misspoke|misread|miscounted"
    r"|missed\s+one"
    r"|made\s+a\s+mistake|was\s+wrong|must\s+correct\s+myself|need\s+to\s+correct\s+(?:that"
    r"|myself))|my\s+(?:mistake|bad|apologies|error)"
    r"|to\s+correct\s+myself|(?:looking|having\s+looked|after\s+looking)\s+(?:again|closer"
    r"|more\s+closely|at\s+it\s+again)"
    r"|(?:upon|on)\s+(?:a\s+)?(?:closer|further|second)\s+\w+|edit(?=:)|(?:sorry|apologies)(?=,"
    r"|\s*[—–-])|(?:I've\s+)?changed?\s+my\s+mind"
    r"|(?:a\s+)?second\s+look|non(?=,\s*(?:attendez|pardon|en\s+fait))|(?<=[,.;…]\s)en\s+fait"
    r"|perdón|pardon|(?<=[.…]\s)Moment|Korrektur|halt(?=,))"
    r"(?![\w'])[\s.,;:!?—–…-]*"
    r"|(?:等等|等一下|(?<=[。，,.!…哦啊])\s*不对(?=[，,。.])|(?<=哦)不对|(?<=[？?])\s*不(?=[，,])|更正|纠正|抱歉"
    r"|仔细再看(?:了)?(?:一下)?|再仔细看|重新(?:检查|考虑|看|数)(?:了)?(?:一下)?|再(?:想|看|数)(?:想|看|数|一下|一遍)"
    r"|(?<=[….。、,!?—])\s*いや(?=[、,])|待って|訂正|失礼|잠깐|정정|(?<=[….,!?])\s*아니(?=[,.\s]))[，,、。.!:：\s…]*",
    re.IGNORECASE,
)
#: "3, no, 4"; only for numbers, because "no" is an answer to other questions.
_NO = re.compile(
    r"(?<=[,.;!?…—–-])\s*\b(?:no|nope|nah|non|nein)\b[,.!…—–-]+\s*|(?<=[.…,])\s*no\s+(?=\d)"
    r"|(?<=[,;])\s*rather\b,?",
    re.IGNORECASE,
)
#: Blanks that stand for what comes before a part: more than any rule looks back.
_MARGIN = 64
_TAKES_BACK = re.compile(
    r"(?:\bsorry|scrap\s+that|scratch\s+that|strike\s+that|I\s+was\s+wrong|my\s+mistake"
    r"|correction|misread|miscounted"
    r"|misspoke|take\s+(?:that|it)\s+back|更正|訂正|정정)\W*\Z",
    re.IGNORECASE,
)


def settled(
    text: str, read: Callable[[int, int], Reading[T] | None], *, no_corrects: bool = False
) -> Reading[T] | None:
    """What ``read(start, end)`` finds in the last part of ``text`` that says anything.

    A part begins after words of correction, such as "wait". A part that only withdraws ("that's
    wrong") leaves no reading.

    Args:
        text: the answer without markup.
        read: the reader of one part.
        no_corrects: whether "no," is a correction too.

    >>> from chef.reading.text import Reading
    >>> read = lambda start, end: Reading("B. Wait, C."[start:end], "")
    >>> settled("B. Wait, C.", read).value
    'C.'
    """
    for start, end in reversed(parts(text, no_corrects=no_corrects)):
        result = read(start, end)
        if result is not None:
            return result
        if start and withdraws(text[start:end]):
            return None
        # "Yes. Sorry, I looked at the other one." takes back what was said.
        if start and _TAKES_BACK.search(text[max(0, start - 30) : start]):
            return Reading(None, "ambiguous")
    return None


def part_of(text: str, start: int, end: int) -> tuple[str, int]:
    """A part of a text after some blanks, and how many characters before them are left out.

    As many blanks as characters before the part would keep all positions, but in an answer of many
    parts each of them would cost the time of the whole answer.

    >>> part_of("No. Wait, yes", 10, 13)
    ('          yes', 0)
    """
    margin = min(start, _MARGIN)
    return " " * margin + text[start:end], start - margin


def moved(result: Reading[T] | None, by: int) -> Reading[T] | None:
    """A reading of a part as one of the whole text, whose positions are ``by`` greater."""
    if result is None or result.span is None:
        return result
    return replace(result, span=(result.span[0] + by, result.span[1] + by))


def parts(text: str, *, no_corrects: bool = False) -> list[tuple[int, int]]:
    """The spans between words of correction.

    >>> text = "3, no, 4"
    >>> [text[start:end] for start, end in parts(text, no_corrects=True)]
    ['3,', '4']
    """
    matches = [match.span() for match in _CORRECTION.finditer(text)]
    if no_corrects:
        matches = sorted([*matches, *(match.span() for match in _NO.finditer(text))])
    limits = [0]
    for start, end in matches:
        if start >= limits[-1]:
            limits += (start, end)
    limits.append(len(text))
    spans = zip(limits[::2], limits[1::2], strict=True)
    return [(start, end) for start, end in spans if re.search(r"\w|[✓✔✗✘✅❌]", text[start:end])]


_ENDED = re.compile(r"[.!?:;)\]}\"'|`*…~✓✔✗✘✅❌>]\Z|[^\W\d_a-zA-Z]\Z")
_LIST_LINE = re.compile(r"(?:^|\n)[ \t]*(?:[-*•|]|\(?\d+[.)])[^\n]*\Z")


def cut_off(plain: str) -> bool:
    """Whether a text of several sentences ends in the middle of one.

    >>> cut_off("First I count the cups. There are 2 in front. In the second row")
    True
    >>> cut_off("There are 2 cups. All of them are blue.")
    False
    """
    text = plain.rstrip()
    sentences = re.split(r"(?<=[.!?])\s+", text)
    tail = sentences[-1].rpartition("\n")[2]
    if len(sentences) < 2 or _ENDED.search(text) or _LIST_LINE.search(text):
        return False
    return len(tail.split()) > (2 if len(sentences) > 2 else 8) or text.endswith("=")
