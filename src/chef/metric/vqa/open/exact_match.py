"""Exact match of free answers."""

from __future__ import annotations

import re
import unicodedata

from chef.metric.vqa.open.base import OpenAnswerMetric

_ARTICLES = re.compile(r"\b(?:an?|the)\b(?=\s)")
#: Punctuation; what belongs to a number stays: "12.5", "10:30", "-2".
_PUNCTUATION = re.compile(r"(?P<kept>(?<=\d)[.,:/-](?=\d)|(?<!\w)[-.](?=\d))|[^\w\s+%$€£°]")
#: Apostrophes and the full stops of "U.S." stand inside of words; other signs between words.
_INSIDE = re.compile(r"['’]|(?<=\b[^\W\d_])\.")


class ExactMatch(OpenAnswerMetric):
    """Share of free answers that equal a reference.

    Case, punctuation, articles and blanks do not count (after Rajpurkar et al. 2016, "SQuAD";
    there "t-shirt" is not "t shirt", here it is).

    Metrics:
        ``exact_match``: in % of all scored.
    """

    primary = mean_figure = "exact_match"
    compared = "right where they equal a reference, up to case, articles and punctuation"

    def score(self, answer: str, references: list[str]) -> float:
        """1 or 0."""
        return float(plain(answer) in {plain(reference) for reference in references})


def plain(text: str) -> str:
    """A text in lower case without punctuation and articles.

    >>> plain(" The Eiffel-Tower! "), plain("12.5"), plain("U.S."), plain("?")
    ('eiffel tower', '12.5', 'us', '?')
    """
    lowered = unicodedata.normalize("NFKC", text).casefold()
    spaced = _PUNCTUATION.sub(_blank, _INSIDE.sub("", lowered))
    bare = " ".join(_ARTICLES.sub(" ", spaced).split())
    return bare or lowered.strip()


def _blank(match: re.Match[str]) -> str:
    return match["kept"] or " "
