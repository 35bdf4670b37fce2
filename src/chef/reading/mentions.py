"""Find the texts of options in prose: whole words, longest match first, no negated mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from chef.reading.alternatives import joined_groups
from chef.reading.assertion import denied_beside
from chef.reading.characters import continues_word, is_cjk
from chef.reading.lexicon import Phrases
from chef.reading.other_forms import forms_of, other_names
from chef.reading.patterns import words
from chef.reading.text import Hit, fold, strip_markup
from chef.reading.word_index import lower

_EDGES = " \t\n.,;:!?\"'"
_ARTICLE = re.compile(r"(?:an?|the)\s+", re.IGNORECASE)
#: "On the left" is any place on that side: "to the left of the chair".
_SIDE = re.compile(
    r"(?:on|to|at)\s+the\s+(?P<side>left|right)(?:(?:-hand)?\s+side)?", re.IGNORECASE
)
#: "To the left of it" is to the left of whatever the question names.
_OF_IT = re.compile(
    r"(?P<where>\b(?:of|behind|beneath|underneath|under|above|below|beside|near|inside|outside))"
    r"\s+(?:it|them)\Z",
    re.IGNORECASE,
)
_PUNCTUATION = re.compile(r"[^\w+-]*")
#: A shorter answer may be part of an option by chance.
_SHORTEST_PART = 3
#: So many characters beside an option's text are not only punctuation.
_MARGIN = 40
#: More characters than the first word of an option's text has.
_FIRST_PIECE = 200
#: "catch the bus" is "catch a bus".
_APART = r"\s+(?:(?:an?|the|his|her|its|their|your)\s+)?"
_DETERMINERS = words("a an the his her its their your")
_COMPOUNDS = Phrases("compounds")
#: "On the right behind the car" names a side.
_IDIOMS = Phrases("idioms", before=r"(?<!the )", at_words=True)
#: Other spellings of a word of an option.
_SPELLINGS = {
    "and": r"(?:and|&)",
    "cannot": r"(?:cannot|can't|can\s+not)",
    "top": r"(?:top|upper(?=[\s-]+(?:left|right|corner|half|part)))",
    "upper": r"(?:upper|top(?=[\s-]+(?:left|right|corner|half|part)))",
    "lower": r"(?:lower|bottom(?=[\s-]+(?:left|right|corner|half|part)))",
    "bottom": r"(?:bottom|lower(?=[\s-]+(?:left|right|corner|half|part)))",
}
#: What of them any text has that names them.
_SPELLED = {"and": "", "cannot": "can", "top": "", "bottom": "", "upper": "", "lower": ""}
#: An order of things: "2-4-1-3" is "2, 4, 1, 3".
_ORDER = re.compile(r"\w{1,2}(?:\s*(?:[-–—,>→]+)\s*\w{1,2}){2,}")
_ORDERED = r"\s*(?:[-–—,>→]+|then|,\s*then)\s*"
_PIECE = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|\S", re.UNICODE)


def normal(text: str) -> str:
    """An option's text in the form that is searched for: no markup, no punctuation at the ends.

    A text that consists of symbols ("~", "#") stays as it is.

    >>> normal(" **Washington  D.C.** "), normal("#")
    ('Washington D.C', '#')
    """
    folded = " ".join(fold(text).split())
    return " ".join(strip_markup(folded).split()).strip(_EDGES) or folded


@lru_cache(1 << 14)
def searched(text: str) -> str:
    """The `normal` form of an option's text without its article: "the dog" names "a dog" too.

    >>> searched("A dog.")
    'dog'
    """
    trimmed = normal(text)
    if side := _SIDE.fullmatch(trimmed):
        return side["side"]
    trimmed = _OF_IT.sub(r"\g<where>", trimmed)
    return trimmed[_end_of(_ARTICLE, trimmed, 0, len(trimmed)) :] or trimmed


def compounds(text: str) -> list[tuple[int, int]]:
    """Where a text names things that are not what their last word says.

    >>> compounds("He eats a hot dog.")
    [(10, 17)]
    """
    return [match.span() for match in _COMPOUNDS.finditer(text)]


def same_text(plain: str, texts: Sequence[str]) -> list[Hit[int]]:
    """The options whose text is the whole answer, up to case, articles and punctuation."""
    if _is_longer(plain, texts):
        return []
    wanted = _bare(plain)
    start = len(plain) - len(plain.lstrip())
    end = len(plain.rstrip())
    same = [i for i, text in enumerate(texts) if wanted and _bare(text) == wanted]
    if len(same) > 1:  # "Aa" beside "aa"
        same = [i for i in same if searched(plain) == texts[i]] or same
    if not same and " " in wanted:  # "screw driver"
        joined = wanted.replace(" ", "")
        same = [i for i, text in enumerate(texts) if _bare(text) == joined]
    return [Hit(i, start, end) for i in same]


def part_of_one(plain: str, texts: Sequence[str]) -> list[Hit[int]]:
    """The options that contain the whole answer as words: "Monet" in "Claude Monet".

    >>> [hit.value for hit in part_of_one("same", ["left", "right", "same size"])]
    [2]
    """
    if _is_longer(plain, texts):
        return []
    words = _words(plain)
    if len("".join(words)) < _SHORTEST_PART and not (plain.strip().isdigit() and _numbered(texts)):
        return []
    start = len(plain) - len(plain.lstrip())
    holders = [index for index, text in enumerate(texts) if _holds(_words(text), words)]
    return [Hit(index, start, len(plain.rstrip())) for index in holders]


def _numbered(texts: Sequence[str]) -> bool:
    """Whether texts differ in their numbers alone: "Row 1", "Row 2"."""
    rests = {tuple(word for word in _words(text) if not word.isdigit()) for text in texts}
    return len(rests) == 1 < len(texts)


def _is_longer(plain: str, texts: Sequence[str]) -> bool:
    """Whether a text has more to it than any of the options; a cheap test for long answers."""
    longest = max(map(len, texts), default=0) + _MARGIN
    if len(plain) <= longest:
        return False
    # The beginning of a long text tells, unless it is blank.
    heads = (plain[: 4 * longest], plain) if len(plain) > 4 * longest else (plain,)
    return any(len("".join(part.split())) > longest for part in heads)


@lru_cache(1 << 14)
def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", _bare(text).replace(".", "")))


def _holds(words: Sequence[str], part: Sequence[str]) -> bool:
    size = len(part)
    return any(words[at : at + size] == part for at in range(len(words) - size + 1))


def text_at(plain: str, texts: Sequence[str], start: int, end: int) -> Hit[int] | None:
    """The longest option text at ``start``, after an optional article and punctuation."""
    first = _end_of(_PUNCTUATION, plain, start, end)
    after_article = _end_of(_ARTICLE, plain, first, end)
    hits, low = [], lower(plain)
    near = plain[start : min(end, after_article + _FIRST_PIECE)]
    for index, text in _searchable(texts, near):
        for place in dict.fromkeys((first, after_article, start)):
            match = _pattern(text).match(low, place, end)
            if match and _limits(text, plain, *match.span()):
                hits.append(Hit(index, *match.span()))
                break
    best = max(
        hits, key=lambda hit: (hit.end - hit.start, _likeness(plain, texts, hit)), default=None
    )
    return None if best and _is_idle(plain, best) else best


def _is_idle(plain: str, hit: Hit[int]) -> bool:
    """Whether a mention is a part of an idiom: "right next to", "that's right"."""
    return any(start <= hit.start and hit.end <= end for start, end in _idioms(plain))


@lru_cache(64)
def _idioms(plain: str) -> list[tuple[int, int]]:
    """Where the idioms of a text stand; looked for once. Cached."""
    return [match.span() for match in _IDIOMS.finditer(plain)]


def _end_of(pattern: re.Pattern[str], plain: str, start: int, end: int) -> int:
    match = pattern.match(plain, start, end)
    return match.end() if match else start


def mentions(plain: str, texts: Sequence[str], start: int, end: int) -> list[Hit[int]]:
    """The places of option texts as whole words; not "red" in "red circle" if that is one, too."""
    hits = all_mentions(plain, texts, start, end)
    refused = {
        place for place, hit in enumerate(hits) if denied_beside(plain, (hit.start, hit.end))
    }  # fmt: skip
    for group in joined_groups(plain, hits):
        # "not a cat, a dog or a bird" rules out all of them.
        if group[0] in refused:
            refused.update(group)
    return [hit for place, hit in enumerate(hits) if place not in refused]


def all_mentions(plain: str, texts: Sequence[str], start: int, end: int) -> list[Hit[int]]:
    """As `mentions`, with those that are ruled out."""
    hits = [
        Hit(index, *span)
        for index, text in _searchable(texts, plain[start:end])
        for span in _occurrences(text, plain, start, end)
    ]
    hits.sort(key=lambda hit: (hit.start, -hit.end, -_likeness(plain, texts, hit)))
    named = compounds(plain) if hits else []
    outer: list[Hit[int]] = []
    for hit in hits:
        if any(first < hit.start and hit.end <= last for first, last in named):
            continue
        if _is_idle(plain, hit):
            continue
        # Only the last one can contain it, because each ends after those before it.
        last = outer[-1] if outer else None
        if last is None or hit.end > last.end or _is_as_likely(plain, texts, hit, last):
            outer.append(hit)
    return outer


def _searchable(texts: Sequence[str], region: str) -> Iterator[tuple[int, str]]:
    """The texts to search for with their indices: no single Latin letter, which would match every
    "a", and none whose first characters are not there, for data sets with a thousand options.
    """
    folded = region.casefold()
    for index, text in enumerate(texts):
        proper = len(text) > 1 or not (text.isascii() and text.isalpha())
        if text and proper and _first_piece(text) in folded:
            yield index, text


@lru_cache(1 << 14)
def _first_piece(text: str) -> str:
    if other_names(text):
        return ""
    match = _PIECE.search(text)
    first = match[0].casefold() if match else text.casefold()
    first = _SPELLED.get(first, first)
    # What all forms of a word have in common.
    forms = [first, *forms_of(first)]
    same = takewhile(lambda chars: len({*chars}) == 1, zip(*forms, strict=False))
    return "".join(chars[0] for chars in same)


def _likeness(plain: str, texts: Sequence[str], hit: Hit[int]) -> int:
    """2 for an option that is written just so, 1 up to case, else 0: "cats" where "cat" is one,
    "aa" where "AA" is.
    """
    text, written = texts[hit.value], plain[hit.start : hit.end]
    return (lower(text) == lower(written)) + (text == written)


def _is_as_likely(plain: str, texts: Sequence[str], hit: Hit[int], other: Hit[int]) -> bool:
    """Whether a place names a second option no less than the one that was found there."""
    if (hit.start, hit.end) != (other.start, other.end):
        return False
    likeness = _likeness(plain, texts, other)
    one, two = texts[hit.value], texts[other.value]
    is_twin = one != two and lower(one) == lower(two)
    return not likeness or (is_twin and likeness == _likeness(plain, texts, hit))


def _occurrences(text: str, plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans of ``text`` in ``plain`` as whole words."""
    for match in _pattern(text).finditer(lower(plain), start, end):
        if _limits(text, plain, *match.span()):
            yield match.span()


@lru_cache(1 << 14)
def _pattern(text: str) -> re.Pattern[str]:
    """Words in lower case with any space and article between them; "25 cm" is "25cm", too."""
    text = lower(text)
    if _ORDER.fullmatch(text):
        return re.compile(_ORDERED.join(map(re.escape, re.findall(r"\w+", text))))
    return re.compile("|".join(map(_source, (text, *other_names(text)))))


def _source(text: str) -> str:
    body, end = "", None
    for match in _PIECE.finditer(text):
        if end and match[0] in _DETERMINERS and text[match.end() : match.end() + 1] == " ":
            continue
        if end is not None:
            before, after = text[end - 1], match[0][0]
            unit = before.isdigit() != after.isdigit() and before.isalnum() and after.isalnum()
            sign = not (before.isalnum() and after.isalnum())
            body += r"\s*" if unit or sign else _APART if match.start() > end else ""
        forms = sorted({match[0], *forms_of(match[0])}, key=len)[::-1]
        body += _SPELLINGS.get(match[0]) or f"(?:{'|'.join(map(re.escape, forms))})"
        end = match.end()
    return body


def _limits(text: str, plain: str, start: int, end: int) -> bool:
    """Whether ``text`` at ``start:end`` is no part of a longer word; a pattern compiles slowly."""
    before, after = plain[max(0, start - 2) : start].rjust(2), plain[end : end + 2].ljust(2)
    first, last = text[0], text[-1]
    if not first.isalnum():
        open_before = before[1].isspace() or before[1] in "\"'(["
        return open_before and not continues_word(after[0])
    if first.isdigit() and before[1] == "-":
        return False
    return _free(first, before[1], before[0]) and _free(last, after[0], after[1])


def _free(edge: str, near: str, far: str) -> bool:
    """Whether a word ends at ``edge``: 1 is not in 11, 2.1, -1, 1,000, nor "dog" in "dog-like"."""
    if is_cjk(edge):
        return True
    if continues_word(near) or (near == "-" and continues_word(far)):
        return False
    return not (edge.isdigit() and near in ".," and far.isdigit())


@lru_cache(1 << 14)
def _bare(text: str) -> str:
    trimmed = normal(text)
    article = _ARTICLE.match(trimmed)
    return trimmed[article.end() if article else 0 :].casefold()
