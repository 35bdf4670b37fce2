"""Regular expressions that can be read, and that run only where they may match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache

from chef.reading.characters import CJK

_WORD = re.compile(r"\w+")
_CJK = re.compile(f"[{CJK}]")


def any_of(*phrases: str) -> str:
    r"""A pattern for any of several phrases, which ``" | "`` separates; a blank is any space.

    The phrases are regular expressions themselves. Longer ones are tried first, so that "vote for"
    is not read as "vote".

    >>> any_of("vote | vote for", "=")
    '(?:vote\\s+for|vote|=)'
    """
    items = [item for text in phrases for item in text.strip().split(" | ")]
    items.sort(key=len, reverse=True)
    return f"(?:{'|'.join(_spaced(item) for item in items)})"


def _spaced(phrase: str) -> str:
    return r"\s+".join(phrase.split())


def words(text: str) -> frozenset[str]:
    """The words of a text, which blanks separate.

    >>> sorted(words("is was"))
    ['is', 'was']
    """
    return frozenset(text.split())


def lower(text: str) -> str:
    """``text`` in lower case, of the same length.

    >>> lower("İs"), len(lower("İs"))
    ('İs', 2)
    """
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


@lru_cache(64)
def words_in(text: str) -> frozenset[str]:
    """The words of a text in lower case; what a rule asks before it runs. Cached.

    >>> sorted(words_in("It isn't A."))
    ['a', 'isn', 'it', 't']
    """
    return frozenset(_WORD.findall(text.lower()))


#: Where a sentence ends at the latest; a full stop inside a number or a name does not end one.
_STOP = re.compile(r"[.!?\n](?!\w)")


def _sentences_with(text: str, needs: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Spans of the sentences in which one of some words stands, in order."""
    low, last = lower(text), 0
    words_there = needs & words_in(text)
    while places := [place for word in words_there if (place := low.find(word, last)) >= 0]:
        place = min(places)
        start = max(text.rfind(mark, last, place) for mark in ".!?\n") + 1
        stop = _STOP.search(text, place)
        start, last = max(start, last), stop.end() if stop else len(text)
        yield start, last


@lru_cache(64)
def has_cjk(text: str) -> bool:
    """Whether a text has Chinese characters, kana or hangul. Cached.

    >>> has_cjk("B"), has_cjk("选B")
    (False, True)
    """
    return not text.isascii() and _CJK.search(text) is not None


class Pattern:
    r"""A regular expression that is compiled when it is first used, and runs where it may match.

    Args:
        source: the regular expression.
        flags: its flags.
        needs: words in lower case; a text without any of them cannot match. Empty: no such test.
        signs: texts that may stand in place of the words, such as "->".
        cjk: whether a text with Chinese characters, kana or hangul is always tried.
        among: texts of which one has to be there as well, such as ":" behind a label.
        inside: whether each match is inside one sentence, so that the others are not searched.

    >>> pattern = Pattern(r"\bthe answer is (\w)", re.IGNORECASE, needs="answer")
    >>> pattern.search("The answer is B")[1], pattern.search("It is B")
    ('B', None)
    """

    def __init__(
        self,
        source: str | Callable[[], str],
        flags: int = re.IGNORECASE,
        *,
        needs: str | Iterable[str] | Callable[[], Iterable[str]] = "",
        signs: Iterable[str] = (),
        cjk: bool = False,
        among: Iterable[str] = (),
        inside: bool = False,
    ) -> None:
        self._source, self._flags = source, flags
        self._needs = needs
        self._signs, self._cjk, self._among = tuple(signs), cjk, tuple(among)
        self._inside = inside

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The compiled expression."""
        source = self._source if isinstance(self._source, str) else self._source()
        return re.compile(source, self._flags)

    @cached_property
    def needs(self) -> frozenset[str]:
        """The words of which each match has one."""
        if isinstance(self._needs, str):
            return words(self._needs)
        return frozenset(self._needs() if callable(self._needs) else self._needs)

    @property
    def pattern(self) -> str:
        """The expression as text."""
        return self.compiled.pattern

    def may_match(self, text: str) -> bool:
        """Whether a text has one of the words that each match contains."""
        if self._among and not any(sign in text for sign in self._among):
            return False
        return (
            not (self.needs or self._signs or self._cjk)
            or not self.needs.isdisjoint(words_in(text))
            or (self._cjk and has_cjk(text))
            or any(sign in text for sign in self._signs)
        )

    def finditer(self, text: str, *limits: int) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`."""
        if not self.may_match(text):
            return iter(())
        if limits or not self._inside or (self._cjk and has_cjk(text)):
            return self.compiled.finditer(text, *limits)
        return (
            match
            for span in _sentences_with(text, self.needs)
            for match in self.compiled.finditer(text, *span)
        )

    def search(self, text: str, *limits: int) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        return next(self.finditer(text, *limits), None)

    def match(self, text: str, *limits: int) -> re.Match[str] | None:
        """As `re.Pattern.match`; at one place there is nothing to be saved, so it always runs."""
        return self.compiled.match(text, *limits)

    def fullmatch(self, text: str, *limits: int) -> re.Match[str] | None:
        """As `re.Pattern.fullmatch`."""
        return self.compiled.fullmatch(text, *limits)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str) -> str:
        """As `re.Pattern.sub`, but a text stands as it is."""
        pieces, end = [], 0
        for match in self.finditer(text):
            pieces += [text[end : match.start()], new if isinstance(new, str) else new(match)]
            end = match.end()
        return "".join([*pieces, text[end:]]) if pieces else text

    def blank(self, text: str) -> str:
        """``text`` with blanks in place of each match; positions stay.

        >>> Pattern("b+").blank("abbc")
        'a  c'
        """
        return self.sub(lambda match: " " * len(match[0]), text)
