"""The words of a text: told once, so that rules run only in the sentences that have theirs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from threading import Lock
from typing import ClassVar

_NO_WORD = re.compile(r"\W")
#: Turns what is no part of a word into blanks, in ASCII.
_NO_WORDS = {code: " " for code in range(128) if not re.match(r"\w", chr(code))}


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


def words_near(text: str) -> frozenset[str]:
    """The words of a text, and maybe some that were taken out of it; told faster than `words_in`.

    >>> sorted(words_near("It isn't A."))
    ['a', 'isn', 'it', 't']
    """
    split = _SPLIT.get(text)
    return words_in(text) if split is None else split.words


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


def spans_of(text: str, words: frozenset[str]) -> list[tuple[int, int]]:
    """The spans of some words in a text, in order; they are in lower case.

    >>> spans_of("It isn't a knot, not here", frozenset(["not"]))
    [(17, 20)]
    """
    spaced, spans = f" {_spaced_words(lower(text))} ", []
    for word in words & words_near(text):
        item, size = f" {word} ", len(word)
        place = spaced.find(item)
        while place >= 0:
            spans.append((place, place + size))
            place = spaced.find(item, place + 1)
    return sorted(spans)


#: How much of it stands before the last letter of "n't" and "'m", in characters.
_BEFORE_IT = {"t": 2, "m": 1}


class Sentences:
    """The sentences and lines of a text, and which of them have a word; a text is split once.

    >>> text = Sentences("No. It is 3.5 m")
    >>> [text.spans[place] for place in text.places(text.having["m"])]
    [(3, 15)]
    """

    def __init__(self, text: str) -> None:
        limits = [0, *[match.end() for match in _STOP.finditer(text)], len(text)]
        #: Where each begins and ends.
        self.spans = [(start, end) for start, end in pairwise(limits) if start < end]
        #: For each word in lower case the sentences that have it: bit ``i`` stands for sentence
        #: ``i``.
        self.having: dict[str, int] = {}
        having, spaced = self.having, _spaced_words(lower(text))
        self._spaced = f" {spaced} "
        for place, (start, end) in enumerate(self.spans):
            if words := spaced[start:end].split():  # no bit as long as the text for a bare stop
                bit = 1 << place
                for word in words:
                    having[word] = having.get(word, 0) | bit
        #: All words of the text, and those of them with which a phrase of any needs begins.
        self.words = frozenset(having)
        self.ruled = frozenset[str]()
        #: What was asked before (`Needs.sentences`).
        self.places_of: dict[Needs, list[int]] = {}
        self._firsts_of: dict[Needs, list[str]] = {}
        self._rules = self._known = 0

    def rules(self) -> int:
        """The bits of the needs of which the text has the first word of any phrase."""
        if self._known != Needs.count:
            # All rules are told at once, in one pass over the words.
            known, rules, by_word = Needs.count, 0, Needs.by_word
            self.ruled = self.words & by_word.keys()
            for word in self.ruled:
                rules |= by_word[word]
            self._rules, self._known = rules, known
        return self._rules

    def may_have(self, needs: Needs) -> bool:
        """Whether the text has the first word of any phrase of some needs."""
        if self._known != Needs.count:
            self.rules()
        return self._rules & needs.bit != 0

    def starts(self, phrases: Needs, start: int, end: int) -> list[int]:
        """Where phrases may begin in a part, each with its first word, in order; "t" is that of
        "n't", and "m" that of "'m".

        >>> Sentences("It isn't a lie.").starts(Needs(["t", "a joke"]), 0, 15)
        [5]
        """
        firsts = self._firsts_of.get(phrases)
        if firsts is None:
            self.rules()
            there = phrases.firsts & self.ruled
            firsts = [word for word in there if phrases.any_in((word,), self.words)]
            self._firsts_of[phrases] = firsts
        starts: list[int] = []
        for word in firsts:
            item, before = f" {word} ", _BEFORE_IT.get(word, 0)
            limit = end + before + len(word) + 1
            place = self._spaced.find(item, start + before, limit)
            while place >= 0:
                starts.append(place - before)
                place = self._spaced.find(item, place + 1, limit)
        return sorted(starts) if starts else starts

    @staticmethod
    def places(bits: int) -> list[int]:
        """The numbers of the sentences whose bits are set, in order."""
        numbers = []
        while bits:
            last = bits & -bits
            numbers.append(last.bit_length() - 1)
            bits ^= last
        return numbers


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
    """Phrases, each with its rarest word first, of which a text has all words of one if a pattern
    matches.

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
        # Of two that a text may have beside the first word, the longer one tells nothing more.
        self._rests = {
            first: ()
            if frozenset() in others
            else tuple(one for one in others if not any(other < one for other in others))
            for first, others in rests.items()
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
        return self.any_in(self.firsts & there, there)

    def any_in(self, firsts: Iterable[str], there: frozenset[str]) -> bool:
        """As `may_be_in`, of phrases that begin with some of the words."""
        for first in firsts:
            rests = self._rests[first]
            if not rests:
                return True
            for rest in rests:
                if rest <= there:
                    return True
        return False

    def may_match(self, text: str) -> bool:
        """As `may_be_in`, of the words of a text; where it was split already, of the known ones."""
        split = _SPLIT.get(text)
        if split is None:
            return self.may_be_in(words_in(text))
        return split.may_have(self) and self.any_in(self.firsts & split.ruled, split.words)

    def sentences(self, split: Sentences) -> list[int]:
        """The numbers of the sentences in which all words of any of the phrases are, in order."""
        places = split.places_of.get(self)
        if places is not None:
            return places
        having, bits = split.having, 0
        for first in self.firsts & split.ruled:
            rests = self._rests[first]
            if not rests:
                bits |= having[first]
            for rest in rests:
                if rest <= split.words:
                    there = having[first]
                    for word in rest:
                        there &= having[word]
                    bits |= there
        places = split.places_of[self] = split.places(bits)
        return places


def matches_inside(
    pattern: re.Pattern[str],
    needs: Needs,
    text: str,
    searched: str,
    start: int = 0,
    *,
    begins: Needs | None = None,
) -> Iterator[re.Match[str]]:
    """The matches that begin in sentences of ``text`` with words of the pattern, in order;
    ``searched`` is ``text``, or the same in lower case; each match ``begins`` with such a phrase.
    """
    split = _SPLIT.get(text) or sentences(text)  # most texts were split: no call
    if not split.may_have(needs):
        return iter(())
    return _inside(pattern, needs, split, searched, start, begins=begins)


def _inside(
    pattern: re.Pattern[str],
    needs: Needs,
    split: Sentences,
    searched: str,
    start: int,
    *,
    begins: Needs | None,
) -> Iterator[re.Match[str]]:
    for place in needs.sentences(split):
        begin, end = split.spans[place]
        if begins is not None:
            for at in split.starts(begins, begin, end):
                if at >= start and (match := pattern.match(searched, at, end + _BEYOND)):
                    yield match
                    start = match.end()
        elif end > start:
            for match in pattern.finditer(searched, max(begin, start), end + _BEYOND):
                if match.start() >= end:
                    break
                yield match
                start = max(start, match.end())
