"""Find the texts of options in prose: whole words, longest match first, no negated mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chef.extraction.text import Hit, fold, strip_markup

_EDGES = " \t\n.,;:!?\"'"
_ARTICLE = re.compile(r"(?:an?|the)\s+", re.IGNORECASE)
_NEGATION = re.compile(
    r"(?:\b(?:not|never|no|nor|neither|without|rather\s+than|instead\s+of)|n't)\s+"
    r"(?:(?:an?|the|option|choice)\s+)*[\"'(\[]*\Z",
    re.IGNORECASE,
)
#: How far back a negation may start, in characters; longer than the longest one above.
_REACH = 40


def normal(text: str) -> str:
    """An option's text in the form that is searched for: no markup, no punctuation at the ends.

    >>> normal(" **Washington  D.C.** ")
    'Washington D.C'
    """
    return " ".join(strip_markup(fold(text)).split()).strip(_EDGES)


def negated(plain: str, start: int) -> bool:
    """Whether "not", "no" or the like comes right before ``start``.

    >>> negated("it is not a dog", 12), negated("No, a dog", 6)
    (True, False)
    """
    return _NEGATION.search(plain[max(0, start - _REACH) : start]) is not None


def same_text(plain: str, texts: Sequence[str]) -> list[Hit[int]]:
    """The options whose text is the whole answer, up to case, articles and punctuation."""
    wanted = _bare(plain)
    start = len(plain) - len(plain.lstrip())
    end = len(plain.rstrip())
    return [Hit(i, start, end) for i, text in enumerate(texts) if wanted and _bare(text) == wanted]


def text_at(plain: str, texts: Sequence[str], start: int, end: int) -> Hit[int] | None:
    """The longest option text at ``start``, after an optional article and punctuation."""
    lead = re.compile(r"[^\w+-]*(?:(?:an?|the)\s+)?", re.IGNORECASE).match(plain, start, end)
    begin = lead.end() if lead else start
    hits = []
    for index, text in _searchable(texts, plain[start:end]):
        match = _pattern(text).match(plain, begin, end) or _pattern(text).match(plain, start, end)
        if match:
            hits.append(Hit(index, *match.span()))
    return max(hits, key=lambda hit: hit.end - hit.start, default=None)


def mentions(plain: str, texts: Sequence[str], start: int, end: int) -> list[Hit[int]]:
    """The places where option texts occur as whole words.

    "red" inside "red circle" does not count if "red circle" is an option too. Negated mentions do
    not count.
    """
    hits = [
        Hit(index, *match.span())
        for index, text in _searchable(texts, plain[start:end])
        for match in _pattern(text).finditer(plain, start, end)
    ]
    outer = [hit for hit in hits if not any(_contains(other, hit) for other in hits)]
    return sorted(
        (hit for hit in outer if not negated(plain, hit.start)), key=lambda hit: hit.start
    )


def _searchable(texts: Sequence[str], region: str) -> Iterator[tuple[int, str]]:
    """The texts to search for, with their indices.

    A single Latin letter is left out, because it would match every "a". So are texts whose first
    word is not in the region: this is a cheap test for data sets with a thousand options.
    """
    folded = region.casefold()
    for index, text in enumerate(texts):
        proper = len(text) > 1 or text.isdigit() or not text.isascii()
        if proper and text.split(maxsplit=1)[0].casefold() in folded:
            yield index, text


def _contains(outer: Hit[int], inner: Hit[int]) -> bool:
    longer = outer.end - outer.start > inner.end - inner.start
    return longer and outer.start <= inner.start and inner.end <= outer.end


def _pattern(text: str) -> re.Pattern[str]:
    body = r"\s+".join(re.escape(word) for word in text.split())
    before, after = r"(?<!\w)(?<!\w-)", r"(?!\w)(?!-\w)"
    # 1 is not in 11, 2.1, -1, 1.5 or 1,000.
    if text[0].isdigit():
        before += r"(?<![\d][.,])(?<!-)"
    if text[-1].isdigit():
        after += r"(?![.,]\d)"
    return re.compile(before + body + after, re.IGNORECASE)


def _bare(text: str) -> str:
    trimmed = normal(text)
    article = _ARTICLE.match(trimmed)
    return trimmed[article.end() if article else 0 :].casefold()
