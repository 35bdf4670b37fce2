"""Find option labels in prose, without mistaking words and initials for labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache

from chef.common.options import letters
from chef.reading.assertion import negated
from chef.reading.characters import AFTER, BEFORE, BEFORE_IT, CJK
from chef.reading.lexicon import word_list
from chef.reading.patterns import Pattern, words
from chef.reading.text import Hit, lines
from chef.reading.word_index import words_near

_LABEL_FORM = re.compile(
    r"\(?\s*([A-Za-z])\s*[).:]?|\(\s*(\d{1,3}|[A-Z]{2})\s*\)?|(\d{1,3}|[A-Z]{2})[).:]"
)
#: In all patterns, LABEL stands for any label of the sample, and WORD for one that begins a word.
_MARKED = (
    rf"\({BEFORE_IT}\s*LABEL\s*\)",
    rf"\[{BEFORE_IT}\s*LABEL\s*\]",
    rf"\{{{BEFORE_IT}\s*LABEL\s*\}}",
    rf"(?P<mark>[\"'`$]){BEFORE_IT}\s*LABEL\s*[.:)]?(?P=mark){AFTER}",
    rf"(?<!\*){BEFORE}(?P<mark>\*\*|\*|__)\s*\(?\s*LABEL\s*[.:)]*\s*(?P=mark){AFTER}",
)
#: The signs of which each of these has one.
_MARKING = ("(", "[", "{", "\"'`$", "*_")
_ANYWHERE = rf"WORD{AFTER}"
_WORD_FOR_OPTION = (
    r"(?:option|choice|letter|answer|alternative|selection|réponse|respuesta|antwort|opción|opcion"
    r"|opzione|opção|risposta|resposta|вариант|ответ)"
)
_NAMED = (
    rf"\b{_WORD_FOR_OPTION}\s+LABEL{AFTER}(?!'|-\w)"
    rf"|(?:选项|選択肢|選項|옵션|선택지|보기)\s*[(\"']?LABEL{AFTER}"
)
_ONLY = (
    rf"\W*(?:(?:{_WORD_FOR_OPTION}|选项|答案|選択肢|正解|정답|选|選|我选|我选择|选择)[\W]*)?LABEL\W*"
    r"(?:选项|项|です|。|입니다|번|예요|이다|だ)?\W*\Z"
)
#: A full stop may touch the next word ("B.dog") but not the next initial ("D.C.").
_OPENING = (
    rf"[^\w\n]*(?<!°)(?:(?:option|choice)\s+)?LABEL\s*"
    rf"(?:[.):\]|]+(?!\w\b|\s+[A-Z]\.)|、|\s*[-–—→=]+>?\s|(?-i:[({CJK}])(?!\s*or\b))"
)
_START = (
    rf"\W*(?:(?:{_WORD_FOR_OPTION}|选项|選択肢)\s*\W?)?LABEL{AFTER}(?!'|-\w|\.\w\b|\.\s+[A-Z]\.)"
)
#: Initials: "D.C.", and "B. A. Smith", but not the two sentences "not B. A."
_INITIALS = r"\.\w\b|\.\s+[A-Z]\.\s*[A-Z][a-z]"
_BARE = rf"WORD{AFTER}(?![+'-]\w|\+|'|{_INITIALS})"
#: Signs behind which a capital is no label: "F-A", "25°C".
_NO_LIMIT = frozenset(".'°-")
#: What may follow a bare lower-case letter if it is an answer and not a word.
_STANDING = (
    r"[ \t]*(?:\Z|[,;:!?)\]\"'\n]|\.(?!\w)|(?:because|since|as|or|and|is|for|which|due)\b"
    rf"|(?-i:[{CJK}]))"
)
_STANDS = re.compile(_STANDING)
#: A letter in lower case that is one.
_SMALL = rf"{_ANYWHERE}(?={_STANDING})"
_DELIMITER = re.compile(r"\s*[).:\]](?!\w\b)")
_PAIRS = frozenset({"()", "[]", "{}", '""', "''", "**", "``", "$$", "__"})
#: Nouns that a letter belongs to: "vitamin C" chooses nothing.
_TERMS = words(
    "vitamin hepatitis plan grade type group team class side point fig figure panel influenza"
    " section block gate room terminal zone area lane form table appendix exhibit studio platform"
    " row seat segment vertex vector matrix factor schedule chamber variant streptococcus strep flu"
    " compound element sample line angle note key string battery size level wing building box b"
)
_TERM = Pattern(
    rf"(?:\b(?:{'|'.join(sorted(_TERMS))})|\w-(?:like|shaped))s?[ \t]+\Z",
    last=[word + end for word in (*_TERMS, "like", "shaped") for end in ("", "s")],
)
#: "$A = 5$" is about an area.
_VARIABLE = re.compile(r"[$([]\s?[A-Z]\s*(?:=(?![=>])|≈)")
#: "A = πr² = 16π" is an area; a list of options has commas, or no calculation.
_EQUATION = re.compile(r"\s*=(?![=>])[^\n,;]*[=πr√²³·×⁄]|\s+(?:equals|is\s+equal\s+to)\b")
_INITIAL_OR_UNIT = re.compile(r"\b[A-Z]\.\Z|\d[ \t]*\Z")
#: "The interval from C up to G"
_RANGE = re.compile(r"\s+(?:up\s+|down\s+)?to\s+(?:\w+\s+)?[A-Z]\b")
_INITIAL_BEFORE = re.compile(r"\b[A-Z]\.\s+\Z")
_SURNAME_AFTER = re.compile(r"\.?\s*[A-Z][a-z]")
_NAME_BEFORE = re.compile(r"\b([A-Z][a-z]+)\.?[ \t]+\Z")
_NAME_AFTER = re.compile(r"\.\s*[A-Z]")
#: How far back a name before an initial may start, in characters.
_REACH = 40
#: A thing before a letter in brackets, and words that are no part of its name.
_BEFORE_BRACKET = re.compile(r"(?P<thing>(?:[\w'-]+\s+){1,4})[(\[]\s*\Z")
_THING = re.compile(r"[\w'-]+")
_NO_PART = words(
    "is are was were be it that this he she they doubt and but so or than only just merely has have"
    " which who because since as"
)
#: How far before a bracket a thing may be ruled out, in characters.
_BRACKET_REACH = 80


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


@lru_cache(256)
def _spellings(
    labels: tuple[str, ...],
) -> tuple[dict[str, int], tuple[str, ...], frozenset[str]]:
    """The number of each label, all ways to write them, the longest first, and the words in lower
    case that they are; empty if one is no word or in lower case itself.
    """
    index = {label.casefold(): number for number, label in enumerate(labels)}
    spellings = {*labels, *(label.upper() for label in labels)}
    are_words = all(label.isalnum() and label == label.upper() for label in labels)
    names = tuple(sorted(spellings, key=lambda name: len(re.escape(name)), reverse=True))
    return index, names, frozenset(map(str.lower, labels if are_words else ()))


@lru_cache(1024)
def _compiled(names: tuple[str, ...], form: str, flags: int) -> re.Pattern[str]:
    """A pattern in which any of the names stands for ``LABEL`` and ``WORD``; of none it matches
    nothing.
    """
    forms = {
        "LABEL": map(re.escape, names),
        "WORD": (re.escape(name[:1]) + BEFORE_IT + re.escape(name[1:]) for name in names),
    }
    choices = {word: "|".join(items) or "(?!)" for word, items in forms.items()}
    first, *rest = re.split("(LABEL|WORD)", form)
    pairs = zip(rest[::2], rest[1::2], strict=True)
    parts = [f"(?P<label{at}>{choices[word]}){part}" for at, (word, part) in enumerate(pairs)]
    return re.compile(first + "".join(parts), flags)


class LabelFinder:
    """Finds labels in ``seen`` (without reasoning) and ``plain``, the same text without markup, of
    the same length; ``whole`` finds them in the text of which ``seen`` is a part.
    """

    def __init__(
        self, seen: str, plain: str, labels: Sequence[str], whole: LabelFinder | None = None
    ) -> None:
        self._seen = seen
        self._whole = whole
        self._plain = plain
        self._index, self._names, self._words = _spellings(tuple(labels))

    def only(self, start: int, end: int) -> Hit[int] | None:
        """The label, if there is nothing else between ``start`` and ``end``."""
        match = self.compiled(_ONLY).match(self._plain, start, end)
        return self.hit(match) if match else None

    def opening(self, start: int, end: int) -> Hit[int] | None:
        """The label that a line starts with, as in "B. a cat"."""
        match = self.compiled(_OPENING).match(self._plain, start, end)
        hit = self.hit(match) if match else None
        return None if hit and _EQUATION.match(self._plain, hit.end) else hit

    def at(self, start: int, end: int) -> tuple[Hit[int] | None, bool]:
        """The label at ``start``, and whether brackets or a delimiter make it unambiguous."""
        match = self.compiled(_START).match(self._plain, start, end)
        if not match:
            return None, False
        hit = self.hit(match)
        if self._enclosed(hit) or _DELIMITER.match(self._plain, hit.end, end):
            return hit, True
        return (hit, False) if self.stands(hit) else (None, False)

    def marked(self, start: int, end: int) -> list[Hit[int]]:
        """Labels in brackets, quotes or bold, or after the word "option"."""
        hits = [
            self.hit(match)
            for form, signs in zip(_MARKED, _MARKING, strict=True)
            if any(sign in self._seen for sign in signs)
            for match in self.compiled(form).finditer(self._seen, start, end)
        ]
        if not self.names_any:
            return hits
        # "option A looks right", but not "the best option I can see".
        worded = self.compiled(_NAMED).finditer(self._plain, start, end)
        hits += [hit for hit in map(self.hit, worded) if self.stands(hit)]
        return sorted(hits, key=_start)

    @cached_property
    def names_any(self) -> bool:
        """Whether any label stands where it may be an answer; articles and pronouns do not."""
        if self._whole is not None and not self._whole.names_any:
            return False
        # Most texts have "a" in many places, and as an answer in none.
        small = tuple(dict.fromkeys(map(str.lower, self._there)))
        if not small:
            return False
        if _compiled(small, _SMALL, 0).search(self._plain):
            return True
        flags = re.IGNORECASE if len(max(small, key=len)) > 1 else re.RegexFlag(0)  # "Ab" for "AB"
        matches = _compiled(self._there, _ANYWHERE, flags).finditer(self._plain)
        return any(self.stands(self.hit(match)) for match in matches)

    @cached_property
    def _there(self) -> tuple[str, ...]:
        """The labels; none, or only "A", if no other one is a word of the text."""
        if not self._plain.isascii() or not self._words:
            return self._names
        there = self._words & words_near(self._plain)
        return () if not there else ("A",) if there == {"a"} else self._names

    def openings(self) -> list[Hit[int]]:
        """The labels that lines start with."""
        hits = (self.opening(start, end) for start, end in lines(self._plain))
        return [hit for hit in hits if hit]

    def bare(self, start: int, end: int) -> list[Hit[int]]:
        """Capitals alone, which may be words (`is_answer`), but no abbreviations."""
        if not self._there:
            return []
        matches = _compiled(self._there, _BARE, 0).finditer(self._plain, start, end)
        hits = map(self.hit, matches)
        return [hit for hit in hits if self._plain[hit.start - 1 : hit.start] not in _NO_LIMIT]

    def matches(self, form: str, flags: int = re.IGNORECASE) -> list[Hit[int]]:
        """The labels at ``LABEL`` in the matches of a pattern, if they are no words."""
        if not self.names_any:
            return []
        matches = self.compiled(form, flags).finditer(self._plain)
        return [hit for hit in map(self.hit, matches) if self.stands(hit)]

    def stands(self, hit: Hit[int]) -> bool:
        """Whether a label can be an answer where it stands."""
        if self._plain[hit.start : hit.end].isupper() or not self._plain[hit.start].isalpha():
            return self.is_answer(hit)
        return _STANDS.match(self._plain, hit.end) is not None

    def is_answer(self, hit: Hit[int]) -> bool:
        """Whether a capital is no word, initial or part of a term ("Mr. B. Smith", "vitamin C")."""
        label = self._plain[hit.start : hit.end]
        if not label[0].isalpha():
            return True
        if label.islower():
            return _STANDS.match(self._plain, hit.end) is not None
        before = self._plain[max(0, hit.start - _REACH) : hit.start]
        is_variable = hit.start and _VARIABLE.match(self._seen, hit.start - 1)
        if (
            is_variable
            or _EQUATION.match(self._plain, hit.end)
            or _INITIAL_OR_UNIT.search(before)
            or _TERM.search(before)
            or (before.endswith("from ") and _RANGE.match(self._plain, hit.end))
        ):
            return False
        if _INITIAL_BEFORE.search(before) and _SURNAME_AFTER.match(self._plain, hit.end):
            return False
        if _NAME_AFTER.match(self._plain, hit.end) and _is_name(before):
            return False
        return not is_word(label, self._plain, hit.end)

    def compiled(self, form: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
        """A pattern with the labels of the sample in the place of ``LABEL``."""
        return _compiled(self._names, form, flags)

    def hit(self, match: re.Match[str]) -> Hit[int]:
        """The label that a pattern matched."""
        name = str(match.lastgroup)  # what is marked stands behind its sign
        return Hit(self._index[match[name].casefold()], *match.span(name))

    def _enclosed(self, hit: Hit[int]) -> bool:
        pair = self._seen[: hit.start].rstrip()[-1:] + self._seen[hit.end :].lstrip()[:1]
        return pair in _PAIRS


def is_dismissed(plain: str, start: int) -> bool:
    """Whether a letter stands in brackets behind what is ruled out.

    >>> is_dismissed("It is no crow (C).", 15), is_dismissed("It is a crow (C).", 14)
    (True, False)
    """
    before = plain[max(0, start - _BRACKET_REACH) : start]
    match = _BEFORE_BRACKET.search(before) if before.rstrip().endswith(("(", "[")) else None
    if match is None:
        return False
    first = max(0, start - _BRACKET_REACH) + match.start()
    for word in reversed([*_THING.finditer(match["thing"])]):
        if word[0].lower() in _NO_PART:
            return False
        if negated(plain, first + word.start()):
            return True
    return False


def _is_name(before: str) -> bool:
    """Whether a text ends with a first name or a title, as before "B. Smith"."""
    match = _NAME_BEFORE.search(before)
    return match is not None and match[1].casefold() not in word_list("no_names")


def _start(hit: Hit[int]) -> int:
    return hit.start


_NEXT = re.compile(r"[ \t]+(?P<word>[^\W\d_][\w'’-]*)")
#: Letters that are words, in English or in Portuguese, Italian and Spanish.
_WORDS = frozenset("AIEOY")
#: Verdicts count only where the clause ends: "A correct", but "A correct reading".
_VERDICT = re.compile(
    r"[ \t]+(?:yes|no|true|false|correct|incorrect|right|wrong|out|ok)\b(?=\W*(?:[,;.:!?\n]|\Z))",
    re.IGNORECASE,
)
_COUNT = re.compile(r"[ \t]+(?!0?\.\d)\d")


def is_word(label: str, plain: str, end: int) -> bool:
    """Whether a capital A or I, which ends at ``end``, is the article or the pronoun.

    It is an article before a noun phrase: before a word in lower case that is neither a verb in
    the third person ("A shows") nor a conjunction, a preposition or the like ("A because").
    "I" is an option where a sentence or a clause ends, and before a verb in the third person.

    >>> is_word("A", "A dog", 1), is_word("A", "A shows a dog", 1), is_word("A", "It is A.", 7)
    (True, False, False)
    >>> is_word("I", "I think", 1), is_word("I", "Answer: I", 9), is_word("B", "B dog", 1)
    (True, False, False)
    """
    if label == "A" and _COUNT.match(plain, end):
        return True
    following = _NEXT.match(plain, end)
    if label not in _WORDS or following is None or _VERDICT.match(plain, end):
        return False
    word = following["word"]
    if len(word) == 1 and word.isupper():  # "A B": two letters
        return False
    if label == "I":
        return not (word.casefold() in word_list("after_i") or _is_verb(word))
    if word.endswith("ly") or word.casefold() in {"also", "always", "never"}:
        # "A clearly shows", but "A clearly visible dog".
        return is_word(label, plain, following.end())
    return word.casefold() not in word_list("after_label") and (
        word[0].isupper() or not _is_verb(word)
    )


def _is_verb(word: str) -> bool:
    """Whether a word may be a verb in the third person: "shows", but not "glass"."""
    return word.endswith("s") and not word.endswith("ss") and word not in word_list("no_verbs")
