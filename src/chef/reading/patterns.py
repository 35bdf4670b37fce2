"""Regular expressions that can be read, and that run only where they may match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Generic, Protocol, TypeVar

from chef.reading.characters import CJK
from chef.reading.word_index import (
    Needs,
    blanked,
    last_word,
    lower,
    matches_inside,
    sentences,
)

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


def all_words(phrases: str) -> list[str]:
    r"""The words of each of the phrases that `any_of` takes, for `Needs`.

    >>> all_words(r"one of the | incl\.?")
    ['one of the', 'incl']
    """
    return [" ".join(re.findall(r"\w+", phrase)) for phrase in phrases.split(" | ")]


def _spaced(phrase: str) -> str:
    return r"\s+".join(phrase.split())


def words(text: str) -> frozenset[str]:
    """The words of a text, which blanks separate.

    >>> sorted(words("is was"))
    ['is', 'was']
    """
    return frozenset(text.split())


def _has_any(text: str, signs: Iterable[str]) -> bool:
    for sign in signs:  # noqa: SIM110 a generator takes three times as long
        if sign in text:
            return True
    return False


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
        needs: words in lower case, or phrases (`Needs`), parted by `` | ``; a text without any of
            them cannot match. Empty: no such test.
        signs: texts that may stand in place of the words, such as "->".
        cjk: whether a text with Chinese characters, kana or hangul is always tried.
        among: texts of which one has to be there as well, such as ":" behind a label.
        inside: whether each match begins in a sentence that has such words; no other is searched.
        asian: an alternative to ``source`` that matches no text in ASCII, and runs in none.
        last: words of which the last word of each text that matches is one; they stand for
            ``needs``.
        first: phrases with one of which each match in a text in ASCII begins (`Sentences.starts`);
            the expression is tried at their first words alone.
        lowered: whether it is an expression for the text in lower case, of which matches are.

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
        asian: Callable[[], str] | None = None,
        last: Iterable[str] = (),
        first: str | Callable[[], Iterable[str]] = "",
        lowered: bool = False,
    ) -> None:
        self._source, self._flags = source, flags
        self._needs = needs
        self._signs, self._cjk, self._among = tuple(signs), cjk, tuple(among)
        self._inside, self._asian, self._last = inside, asian, frozenset(last)
        self._first, self._lowered = first, lowered

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The compiled expression, for texts in ASCII."""
        source = self._source if isinstance(self._source, str) else self._source()
        return re.compile(source, self._flags)

    @cached_property
    def _whole(self) -> re.Pattern[str]:
        """The compiled expression, for any text."""
        asian = self._asian() if self._asian else ""
        return re.compile(f"{self.pattern}|{asian}", self._flags) if asian else self.compiled

    def _for(self, text: str) -> re.Pattern[str]:
        return self.compiled if text.isascii() else self._whole

    @cached_property
    def needs(self) -> Needs:
        """The words of which each match has one."""
        needs = self._needs() if callable(self._needs) else self._needs
        if isinstance(needs, str):
            return Needs(needs.split("|") if "|" in needs else needs.split())
        return Needs(needs)

    @cached_property
    def _begins(self) -> Needs:
        """The phrases with which a match in a text in ASCII begins."""
        return Needs(self._first() if callable(self._first) else self._first.split())

    @property
    def pattern(self) -> str:
        """The expression as text."""
        return self.compiled.pattern

    @cached_property
    def bit(self) -> int:
        """The bit of its needs, for `Rules`; 0 if something else may stand in place of them."""
        return 0 if self._always or self._signs or self._last else self.needs.bit

    def may_match(self, text: str) -> bool:
        """Whether a text has one of the words that each match contains."""
        if self._among and not _has_any(text, self._among):
            return False
        if self._last:
            is_last = last_word(text) in self._last or not text.isascii()
            return is_last or _has_any(text, self._signs)
        if self._always or self.needs.may_match(text):
            return True
        return (self._cjk and has_cjk(text)) or (bool(self._signs) and _has_any(text, self._signs))

    @cached_property
    def _always(self) -> bool:
        """Whether nothing tells which texts cannot match."""
        return not (self.needs or self._signs or self._cjk)

    def finditer(
        self, text: str, start: int = 0, end: int | None = None
    ) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`."""
        if end is None and self._inside and not (self._cjk and has_cjk(text)):
            if self._among and not _has_any(text, self._among):
                return iter(())
            searched = lower(text) if self._lowered else text
            if not text.isascii():
                return matches_inside(self._whole, self.needs, text, searched, start)
            begins = self._begins if self._first else None
            return matches_inside(self.compiled, self.needs, text, searched, start, begins=begins)
        if not self.may_match(text):
            return iter(())
        pattern, text = self._for(text), lower(text) if self._lowered else text
        return pattern.finditer(text, start, len(text) if end is None else end)

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        if self._inside:
            return next(self.finditer(text, start, end), None)
        if not self.may_match(text):
            return None
        if self._first and not start and end is None and text.isascii():
            return self.search_in(text, 0, len(text))
        pattern, text = self._for(text), lower(text) if self._lowered else text
        return pattern.search(text, start, len(text) if end is None else end)

    def search_in(self, text: str, start: int, end: int) -> re.Match[str] | None:
        """As `search` of a part, for a text of which many are searched by a rule with ``first``."""
        if not text.isascii():
            return self.search(text[start:end])
        starts = sentences(text).starts(self._begins, start, end)
        if not starts:
            return None
        part = (lower(text) if self._lowered else text)[start:end]
        matches = (self.compiled.match(part, place - start) for place in starts)
        return next(filter(None, matches), None)

    @cached_property
    def match(self) -> Callable[..., re.Match[str] | None]:
        """`re.Pattern.match`; at one place there is nothing to be saved, so it always runs."""
        return self._whole.match

    @cached_property
    def fullmatch(self) -> Callable[..., re.Match[str] | None]:
        """`re.Pattern.fullmatch`."""
        return self._whole.fullmatch

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
        spans = list(map(re.Match.span, self.finditer(text)))
        return blanked(text, spans) if spans else text


class Searched(Protocol):
    """A `Pattern`, or phrases of the lexicon."""

    @property
    def bit(self) -> int:
        """The bit of what its matches need; 0 if nothing tells which texts have none."""

    def finditer(self, text: str, start: int = 0, /) -> Iterator[re.Match[str]]:
        """The matches in a text."""


R = TypeVar("R", bound=Searched)


class Rules(Generic[R]):
    """Patterns that are tried one after the other; of most the words are in no text.

    >>> yes, no = Pattern("yes", needs="yes"), Pattern("no", needs="no")
    >>> [rule.pattern for rule in Rules(yes, no).of("Oh no.")]
    ['no']
    """

    def __init__(self, *rules: R) -> None:
        self._rules = rules

    def of(self, text: str) -> Sequence[R]:
        """Those of them that may match a text, in order; told for all of them at once."""
        if not text.isascii():
            return self._rules
        pairs = self._bits  # these come first: rules that are made later have no bits yet
        bits = sentences(text).rules()
        return [rule for rule, bit in pairs if not bit or bits & bit]

    @cached_property
    def _bits(self) -> list[tuple[R, int]]:
        return [(rule, rule.bit) for rule in self._rules]
