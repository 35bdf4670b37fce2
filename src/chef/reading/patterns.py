"""Regular expressions that can be read, and that run only where they may match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import pairwise
from threading import Lock
from typing import ClassVar

from chef.reading.characters import CJK

_NO_WORD = re.compile(r"\W")
_CJK = re.compile(f"[{CJK}]")
#: Turns what is no part of a word into blanks, in ASCII.
_NO_WORDS = {code: " " for code in range(128) if not re.match(r"\w", chr(code))}


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


@lru_cache(64)
def lower(text: str) -> str:
    """``text`` in lower case, of the same length.

    >>> lower("İs"), len(lower("İs"))
    ('İs', 2)
    """
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


@lru_cache(256)
def words_in(text: str) -> frozenset[str]:
    """The words of a text in lower case; what a rule asks before it runs. Cached.

    >>> sorted(words_in("It isn't A."))
    ['a', 'isn', 'it', 't']
    """
    return frozenset(_spaced_words(lower(text)).split())


#: Of a text so many characters are looked at for its last word; blanks may follow it.
_LONGEST = 64


@lru_cache(256)
def last_word(text: str) -> str:
    """The last word of a text in lower case; "" without any. Cached.

    >>> last_word("more than (")
    'than'
    """
    parts = _spaced_words(lower(text[-_LONGEST:])).split()
    return parts[-1] if parts else ""


def _spaced_words(low: str) -> str:
    """A text with blanks in place of what is no part of a word, of the same length."""
    return low.translate(_NO_WORDS) if low.isascii() else _NO_WORD.sub(" ", low)


#: Where a sentence ends at the latest; a full stop inside a number or a name does not end one.
_STOP = re.compile(r"[.!?\n](?!\w)")
#: How far behind the sentence in which a match begins its end, and what has to follow, may stand.
_BEYOND = 40


class Sentences:
    """The sentences and lines of a text, and which of them have a word; a text is split once.

    >>> text = Sentences("No. It is 3.5 m")
    >>> [text.spans[place] for place in text.places(text.having.get("m", 0))]
    [(3, 15)]
    """

    def __init__(self, text: str) -> None:
        limits = [0, *[match.end() for match in _STOP.finditer(text)], len(text)]
        #: Where each begins and ends.
        self.spans = [(start, end) for start, end in pairwise(limits) if start < end]
        #: The sentences that have a word in lower case: bit ``i`` stands for sentence ``i``.
        self.having: dict[str, int] = {}
        spaced, bit, having = _spaced_words(lower(text)), 1, self.having
        for start, end in self.spans:
            for word in spaced[start:end].split():
                having[word] = having.get(word, 0) | bit
            bit <<= 1
        #: All words of the text.
        self.words = frozenset(having)
        self._rules = self._known = 0

    def may_have(self, needs: Needs) -> bool:
        """Whether the text has the first word of any phrase of some needs."""
        if self._known != Needs.count:
            # All rules are told at once, in one pass over the words.
            known, rules, by_word = Needs.count, 0, Needs.by_word
            for word in self.having:
                rules |= by_word.get(word, 0)
            self._rules, self._known = rules, known
        return self._rules & needs.bit != 0

    @staticmethod
    def places(bits: int) -> Iterator[int]:
        """The numbers of the sentences whose bits are set, in order."""
        while bits:
            last = bits & -bits
            yield last.bit_length() - 1
            bits ^= last


#: The sentences of the texts that were read last.
_SPLIT: dict[str, Sentences] = {}
_KEPT = 64


def sentences(text: str) -> Sentences:
    """The sentences of a text. Cached."""
    return _SPLIT.get(text) or _keep(text, Sentences(text))


def _keep(text: str, split: Sentences) -> Sentences:
    if len(_SPLIT) >= _KEPT:
        _SPLIT.clear()
    _SPLIT[text] = split
    return split


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """``text`` with blanks in place of some spans, which may overlap; positions stay.

    The text need not be split again: its sentences are those of ``text``, of which some may have
    fewer words than they seem to have, and some no stop.

    >>> blanked("a dog. No cat.", [(7, 10)])
    'a dog.    cat.'
    """
    pieces, done = [], 0
    for start, end in sorted(spans):
        if end > done:
            first = max(start, done)
            pieces += [text[done:first], " " * (end - first)]
            done = end
    if not pieces:
        return text
    new = "".join([*pieces, text[done:]])
    if text in _SPLIT:
        _keep(new, _SPLIT[text])
    return new


class Needs:
    """Phrases of which a text has one, if a pattern matches in it; told from its words alone.

    Args:
        phrases: each in any order of its words, the rarest first.

    >>> needs = Needs(["doubt no", "never"])
    >>> needs.may_be_in(words_in("No, I doubt it")), needs.may_be_in(words_in("I doubt it"))
    (True, False)
    """

    #: How many there are, and the bits of those that have a phrase with a word as its first.
    count: ClassVar[int] = 0
    by_word: ClassVar[dict[str, int]] = {}
    _lock: ClassVar[Lock] = Lock()

    def __init__(self, phrases: Iterable[str]) -> None:
        rests: dict[str, set[frozenset[str]]] = {}
        for phrase in phrases:
            first, *rest = phrase.split()
            rests.setdefault(first, set()).add(frozenset(rest))
        self._rests = {
            first: () if frozenset() in others else tuple(others) for first, others in rests.items()
        }
        #: The first words of the phrases.
        self.firsts = frozenset(rests)
        with self._lock:
            self.bit = 1 << Needs.count
            for first in rests:
                self.by_word[first] = self.by_word.get(first, 0) | self.bit
            Needs.count += 1

    def __bool__(self) -> bool:
        return bool(self.firsts)

    def may_be_in(self, there: frozenset[str]) -> bool:
        """Whether all words of any of the phrases are among the words of a text."""
        if self.firsts.isdisjoint(there):
            return False
        for first in self.firsts & there:
            rests = self._rests[first]
            if not rests:
                return True
            for rest in rests:
                if rest <= there:
                    return True
        return False

    def sentences(self, split: Sentences) -> int:
        """The bits of the sentences in which all words of any of the phrases are."""
        having, bits = split.having, 0
        for first in self.firsts & split.words:
            rests = self._rests[first]
            if not rests:
                bits |= having[first]
            for rest in rests:
                shared = having[first]
                for word in rest:
                    shared &= having.get(word, 0)
                bits |= shared
        return bits


def matches_inside(
    pattern: re.Pattern[str], needs: Needs, text: str, searched: str, start: int = 0
) -> Iterator[re.Match[str]]:
    """The matches that begin in sentences of ``text`` with words of the pattern, in order;
    ``searched`` is ``text``, or the same in lower case.
    """
    split = _SPLIT.get(text) or sentences(text)  # most texts were split: no call
    return _inside(pattern, needs, split, searched, start) if split.may_have(needs) else iter(())


def _inside(
    pattern: re.Pattern[str], needs: Needs, split: Sentences, searched: str, start: int
) -> Iterator[re.Match[str]]:
    for place in split.places(needs.sentences(split)):
        begin, end = split.spans[place]
        if end > start:
            for match in pattern.finditer(searched, max(begin, start), end + _BEYOND):
                if match.start() >= end:
                    break
                yield match
                start = max(start, match.end())


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
    ) -> None:
        self._source, self._flags = source, flags
        self._needs = needs
        self._signs, self._cjk, self._among = tuple(signs), cjk, tuple(among)
        self._inside, self._asian, self._last = inside, asian, frozenset(last)

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

    @property
    def pattern(self) -> str:
        """The expression as text."""
        return self.compiled.pattern

    def may_match(self, text: str) -> bool:
        """Whether a text has one of the words that each match contains."""
        if self._among and not _has_any(text, self._among):
            return False
        if self._last:
            is_last = last_word(text) in self._last or not text.isascii()
            return is_last or _has_any(text, self._signs)
        if self._always or self._may_have(text):
            return True
        return (self._cjk and has_cjk(text)) or (bool(self._signs) and _has_any(text, self._signs))

    def _may_have(self, text: str) -> bool:
        split = _SPLIT.get(text)
        if split is None:
            return self.needs.may_be_in(words_in(text))
        return split.may_have(self.needs) and self.needs.may_be_in(split.words)

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
            return matches_inside(self._for(text), self.needs, text, text, start)
        if not self.may_match(text):
            return iter(())
        return self._for(text).finditer(text, start, len(text) if end is None else end)

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        if self._inside:
            return next(self.finditer(text, start, end), None)
        if not self.may_match(text):
            return None
        return self._for(text).search(text, start, len(text) if end is None else end)

    def match(self, text: str, *limits: int) -> re.Match[str] | None:
        """As `re.Pattern.match`; at one place there is nothing to be saved, so it always runs."""
        return self._for(text).match(text, *limits)

    def fullmatch(self, text: str, *limits: int) -> re.Match[str] | None:
        """As `re.Pattern.fullmatch`."""
        return self._for(text).fullmatch(text, *limits)

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
