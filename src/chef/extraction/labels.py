"""Find option labels in prose, without mistaking words and initials for labels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.common.options import letters
from chef.extraction.mentions import negated
from chef.extraction.text import Hit

_LABEL_FORM = re.compile(
    r"\(?\s*([A-Za-z])\s*[).:]?|\(\s*(\d{1,3}|[A-Z]{2})\s*\)?|(\d{1,3}|[A-Z]{2})[).:]"
)
#: In all patterns, LABEL stands for any label of the sample.
_MARKED = (
    r"(?<!\w)\(\s*LABEL\s*\)",
    r"(?<!\w)\[\s*LABEL\s*\]",
    r"(?<!\w)\{\s*LABEL\s*\}",
    r"(?<!\w)(?P<mark>[\"'`$])\s*LABEL\s*[.:)]?(?P=mark)(?!\w)",
    r"(?<![\w*])(?P<mark>\*\*|\*|__)\s*\(?\s*LABEL\s*[.:)]*\s*(?P=mark)(?!\w)",
)
_NAMED = r"\b(?:option|choice|letter)\s+LABEL(?!\w)"
_ONLY = r"\W*(?:(?:option|choice|answer|letter)\W+)?LABEL\W*\Z"
#: A full stop may touch the next word ("B.dog") but not the next initial ("D.C.").
_OPENING = r"[^\w\n]*LABEL\s*(?:[.):\]](?!\w\b|\s+[A-Z]\.)|\s[-–—]\s)"
_START = r"\W*(?:(?:option|choice|letter)\s+)?LABEL(?!\w|'|\.\w\b|\.\s+[A-Z]\.)"
_BARE = r"(?<![\w.'-])LABEL(?![\w'-]|\.\w\b|\.\s*[A-Z]\.)"
_ENDORSED = (
    r"(?<!\w)LABEL[\"')\]]?\s+is\s+(?:the\s+)?(?:(?:most|best|only)\s+)?"
    r"(?:correct|right|best|answer)\b"
)
_THEREFORE = (
    r"\b(?i:therefore|thus|hence|so)\b\W+(?i:it(?:'s|\s+is)\b\W*)?(?i:option\b\W*)?LABEL(?!\w)"
)
#: What may follow a bare ``A``, ``I`` or lower-case letter if it is an answer and not a word.
_STANDS = re.compile(
    r"[ \t]*(?:\Z|[,;:!?)\]\"'\n]|\.(?!\w)|(?:because|since|as|or|and|is|for|which|due)\b)"
)
_JOIN = r"\W{0,3}(?:\bor\b|\band\b|[/,&])\W{0,3}"
_DELIMITER = re.compile(r"\s*[).:\]](?!\w\b)")
_PAIRS = frozenset({"()", "[]", "{}", '""', "''", "**", "``", "$$", "__"})
_WORDS = frozenset({"A", "I"})


def option_names(
    options: Sequence[str] | None, choices: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels and the texts of a sample's options.

    Options such as ``(A`` or ``2.`` are labels, and ``choices`` holds their texts. Options that
    are texts themselves have no labels: a letter in the answer to "red or blue?" has no meaning.
    Without options, choices are labelled A, B, C.

    >>> option_names(["(A", "(B"], ["cat", "dog"])
    (('A', 'B'), ('cat', 'dog'))
    >>> option_names(["cat", "dog"], None)
    ((), ('cat', 'dog'))
    """
    texts = tuple(str(choice) for choice in choices or ())
    if not options:
        return tuple(letters(len(texts))), texts
    forms = [_LABEL_FORM.fullmatch(str(option).strip()) for option in options]
    labels = [next(group for group in form.groups() if group) for form in forms if form]
    if len(labels) == len(options) == len({label.casefold() for label in labels}):
        return tuple(labels), texts if len(texts) == len(labels) else ()
    return (), tuple(str(option) for option in options)


class LabelFinder:
    """Finds the labels that one answer mentions.

    Args:
        seen: the answer without its reasoning (`strip_reasoning`).
        plain: the same text without markup (`strip_markup`); both have the same length.
        labels: the labels of the options; may be empty.
    """

    def __init__(self, seen: str, plain: str, labels: Sequence[str]) -> None:
        self._seen = seen
        self._plain = plain
        self._index = {label.casefold(): number for number, label in enumerate(labels)}
        longest = sorted((re.escape(label) for label in labels), key=len, reverse=True)
        # Without labels the pattern matches nothing.
        names = "|".join(longest) if labels else "(?!)"
        self._label = f"(?P<label>{names})"
        self._joined_before = re.compile(rf"(?<!\w)(?:{names}){_JOIN}\Z")
        self._joined_after = re.compile(rf"{_JOIN}(?:{names})(?!\w)")

    def only(self, start: int, end: int) -> Hit[int] | None:
        """The label, if there is nothing else between ``start`` and ``end``."""
        match = self._compiled(_ONLY).match(self._plain, start, end)
        return self._hit(match) if match else None

    def opening(self, start: int, end: int) -> Hit[int] | None:
        """The label that a line starts with, as in "B. a cat"."""
        match = self._compiled(_OPENING).match(self._plain, start, end)
        return self._hit(match) if match else None

    def at(self, start: int, end: int) -> tuple[Hit[int] | None, bool]:
        """The label at ``start``, and whether brackets or a delimiter make it unambiguous."""
        match = self._compiled(_START).match(self._plain, start, end)
        if not match:
            return None, False
        hit = self._hit(match)
        if self._enclosed(hit) or _DELIMITER.match(self._plain, hit.end, end):
            return hit, True
        return (hit, False) if self._stands(match, end) else (None, False)

    def marked(self, start: int, end: int) -> list[Hit[int]]:
        """Labels in brackets, quotes or bold, or after the word "option"."""
        matches = [
            match
            for form in _MARKED
            for match in self._compiled(form).finditer(self._seen, start, end)
        ]
        # "option A looks right", but not "the best option I can see".
        worded = self._compiled(_NAMED).finditer(self._plain, start, end)
        matches += [item for item in worded if item["label"] == "A" or self._stands(item, end)]
        hits = sorted((self._hit(match) for match in matches), key=lambda hit: hit.start)
        return [hit for hit in hits if not negated(self._plain, hit.start)]

    def bare(self, start: int, end: int) -> list[Hit[int]]:
        """Capitals alone, but not initials or abbreviations; A and I only next to another label."""
        pattern = re.compile(_BARE.replace("LABEL", self._label))
        matches = [
            match
            for match in pattern.finditer(self._plain, start, end)
            if self._is_capital(match) or self._is_joined(match)
        ]
        hits = [self._hit(match) for match in matches]
        return [hit for hit in hits if not negated(self._plain, hit.start)]

    def endorsed(self) -> list[Hit[int]]:
        """The label in "B is correct"; case matters, because "a is the best" may hold a word."""
        pattern = re.compile(_ENDORSED.replace("LABEL", self._label))
        return [self._hit(match) for match in pattern.finditer(self._plain)]

    def concluded(self) -> list[Hit[int]]:
        """The label in "Therefore, B". Texts are not read: "so the dog ..." is no conclusion."""
        pattern = re.compile(_THEREFORE.replace("LABEL", self._label))
        matches = pattern.finditer(self._plain)
        return [
            self._hit(match) for match in matches if _STANDS.match(self._plain, match.end("label"))
        ]

    def _compiled(self, form: str) -> re.Pattern[str]:
        return re.compile(form.replace("LABEL", self._label), re.IGNORECASE)

    def _hit(self, match: re.Match[str]) -> Hit[int]:
        return Hit(self._index[match["label"].casefold()], *match.span("label"))

    def _enclosed(self, hit: Hit[int]) -> bool:
        pair = self._seen[: hit.start].rstrip()[-1:] + self._seen[hit.end :].lstrip()[:1]
        return pair in _PAIRS

    def _stands(self, match: re.Match[str], end: int) -> bool:
        """Whether a bare label can be an answer in its context."""
        if match["label"].isupper() and match["label"] not in _WORDS:
            return self._is_capital(match)
        return _STANDS.match(self._plain, match.end("label"), end) is not None

    def _is_joined(self, match: re.Match[str]) -> bool:
        before = self._plain[: match.start("label")][-_REACH:]
        after = self._joined_after.match(self._plain, match.end("label"))
        return bool(after or self._joined_before.search(before))

    def _is_capital(self, match: re.Match[str]) -> bool:
        """Whether a label is a capital, but no word or initial ("Mr. B. Smith", "D. C.")."""
        if not match["label"].isupper() or match["label"] in _WORDS:
            return False
        before = self._plain[: match.start("label")][-_REACH:]
        if re.search(r"\b[A-Z]\.\s*\Z", before):
            return False
        name_before = re.search(r"\b[A-Z][\w']*\.?[ \t]+\Z", before)
        name_after = re.compile(r"\.\s*[A-Z]").match(self._plain, match.end("label"))
        return not (name_before and name_after)


#: How far back a name before an initial may start, in characters.
_REACH = 40
