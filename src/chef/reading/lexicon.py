"""The words of ten languages by what they do in an answer: they correct, deny, weaken, refuse.

One YAML file a language in ``lexicon/``; every reader takes its words from here, so a phrase that
stands there works for options, verdicts, numbers and free answers alike. A phrase is plain words;
``(a|b)`` offers words, and ``(a|)`` may be left out. `expansions` writes them out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import chain, product
from typing import Any

from chef.common.yaml_text import shipped
from chef.frozen import Frozen
from chef.reading.patterns import has_cjk, words
from chef.reading.word_index import Needs, lower, matches_inside

#: Languages in Latin letters are read together: a short answer does not tell its language.
LATIN = ("en", "de", "fr", "es", "it", "pt")
CYRILLIC = ("ru",)
ASIAN = ("zh", "ja", "ko")
#: Languages in which blanks part words.
SPACED = (*LATIN, *CYRILLIC)
LANGUAGES = (*SPACED, *ASIAN)
_SCRIPTS = (LATIN, CYRILLIC, ASIAN)
_CHOICE = re.compile(r"\(([^()]*)\)")
_PARTS, _NO_LETTER = re.compile(r"[^\s,-]+"), re.compile(r"\W")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
#: Words that stand in most answers.
_COMMON = words(
    "a an and as at be for from he i in is it me of on or she that the there they this to we which"
    " with you image picture photo see"
)
#: What may stand between two words of a phrase: "no, wait" and "double-check".
_GAP = r"(?:,?\s+|-)"


class Lexicon(Frozen):
    """The phrases of one language, in groups by what they do; each group may be empty.

    Attributes:
        corrections: take back what was said, wherever they stand ("scrap that").
        corrections_before_pause: do so where a comma, dash, colon or stop follows ("sorry, ...").
        corrections_opening: do so at the start of a sentence ("Actually it is ...").
        corrections_alone: do so between a stop and a pause ("..., いや, ..."); else they mean no.
        withdrawals: corrections after which nothing is left, even if nothing new is said.
        negations: deny what follows them as the predicate: "is *hardly* a cat".
        negations_without_article: do so but before "the", "his" and the like: "*far from* blue".
        negations_of_things: deny the thing that follows them: "*without* a cat".
        negations_of_clauses: deny the clause that they stand in: "it *lacks* a cat".
        negations_after: deny what stands before them (Japanese, Korean).
        exclusions: name what is not chosen: "*rather than* A".
        eliminations: rule something out, and may be asked about: "*rejects* A".
        comparisons: name what something is only compared with: "*than* a cat".
        likenesses: name what something only seems to be, if "but" follows.
        faults: adjectives that rule an option out: "B is *wrong*".
        hedges: weaken a statement, which counts all the same: "*probably* B".
        inability, unwillingness, deciding: that somebody cannot or does not do something, and
            what that must be for the words to refuse: "*I cannot* *tell*".
        perceiving: the same where no yes or no is asked for: "I can't *see* a dog" says no.
        no_answers: are no answer as the whole of one: "n/a".
        refusals: say that there will be no answer.
        undecided: decide nothing: "*maybe*".
        unseen: say that something cannot be read or made out: "*too blurry*".
        alternatives, conjunctions: join what is offered: "A *or* B", "A *and* B".
        conclusions: what follows is the result: "*therefore* B".
        additions: a sentence with one adds something to what was said: "it is *also* B".
        temptations: the clause that they stand in says what one might choose by mistake.
        contrasts: what follows is so, and what "not" stands before is not: "not A *but rather* B".
        concessions: what follows, up to a comma, speaks against what is said: "*although* B".
        affirmations, denials: say yes and no wherever they stand as words.
        affirmations_opening, denials_opening: do so as the whole answer or at its beginning.
        checks: introduce a calculation that only tries the answer: "*Check*: 3 * 4 = 12".
        idioms: phrases none of whose words means itself: "*right next to*" is no side.
        compounds: names of things that are not what their last word says: "hot dog".
        existence: say that something is there, or in Russian, Japanese and Korean that it is not:
            "*hay* un gato"; English has its own rules, as its words are compared with the question.
        courtesies: friendly words before an answer: "I can help you with that".
    """

    language: str
    corrections: tuple[str, ...] = ()
    corrections_before_pause: tuple[str, ...] = ()
    corrections_opening: tuple[str, ...] = ()
    corrections_alone: tuple[str, ...] = ()
    withdrawals: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    negations_without_article: tuple[str, ...] = ()
    negations_of_things: tuple[str, ...] = ()
    negations_of_clauses: tuple[str, ...] = ()
    negations_after: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()
    eliminations: tuple[str, ...] = ()
    comparisons: tuple[str, ...] = ()
    likenesses: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    hedges: tuple[str, ...] = ()
    inability: tuple[str, ...] = ()
    unwillingness: tuple[str, ...] = ()
    deciding: tuple[str, ...] = ()
    perceiving: tuple[str, ...] = ()
    no_answers: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    conjunctions: tuple[str, ...] = ()
    conclusions: tuple[str, ...] = ()
    concessions: tuple[str, ...] = ()
    temptations: tuple[str, ...] = ()
    additions: tuple[str, ...] = ()
    contrasts: tuple[str, ...] = ()
    affirmations: tuple[str, ...] = ()
    denials: tuple[str, ...] = ()
    affirmations_opening: tuple[str, ...] = ()
    denials_opening: tuple[str, ...] = ()
    existence: tuple[str, ...] = ()
    courtesies: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    idioms: tuple[str, ...] = ()
    compounds: tuple[str, ...] = ()


@cache
def word_rows(name: str) -> tuple[str, ...]:
    """The groups of words of an entry of ``lexicon/words.yaml``, which commas or lines part.

    >>> word_rows("opposites")[1]
    'on : off'
    """
    rows = re.split(r"[,\n]", entries("words")[name].strip())
    return tuple(" ".join(row.split()) for row in rows)


@cache
def word_list(name: str) -> frozenset[str]:
    """All words of an entry of ``lexicon/words.yaml``.

    >>> "teal" in word_list("colors")
    True
    """
    return words(entries("words")[name])


@cache
def entries(name: str) -> dict[str, Any]:
    """The content of a file of the folder ``lexicon``, by its name without ``.yaml``."""
    content: dict[str, Any] = shipped("chef.reading", "lexicon", f"{name}.yaml")
    return content


@cache
def lexicon(language: str) -> Lexicon:
    """The lexicon of a language, read once.

    >>> "scrap that" in lexicon("en").corrections
    True
    """
    phrases = {
        group: tuple(form for item in items for form in expansions(item))
        for group, items in entries(language).items()
    }
    return Lexicon(language, **phrases)


def expansions(phrase: str, *, least: bool = False) -> tuple[str, ...]:
    """All forms of a phrase; the ``least`` ones have nothing that may be left out.

    >>> expansions("(on|upon) (closer |)reflection")[:3]
    ('on closer reflection', 'on reflection', 'upon closer reflection')
    >>> expansions("(on|upon) (closer |)reflection", least=True)
    ('on reflection', 'upon reflection')
    """
    pieces = _CHOICE.split(phrase)
    choices = [piece.split("|") if place % 2 else [piece] for place, piece in enumerate(pieces)]
    if least:
        choices = [[""] if _is_spare(choice) else choice for choice in choices]
    return tuple(dict.fromkeys(" ".join("".join(form).split()) for form in product(*choices)))


def _is_spare(choice: Iterable[str]) -> bool:
    """Whether words may be left out of a phrase; an ending of a word is none."""
    return "" in choice and all(item[-1:] in ("", " ") for item in choice)


def phrases_of(*groups: str, languages: Iterable[str] = LATIN) -> tuple[str, ...]:
    """The phrases of some groups in some languages, without repetition."""
    return tuple(
        dict.fromkeys(
            phrase
            for language in languages
            for group in groups
            for phrase in getattr(lexicon(language), group)
        )
    )


def alternation(phrases: Iterable[str], *, spaced: bool = True) -> str:
    r"""A pattern, for lower-case texts, of any of some words, the longest first; whole words if
    ``spaced``.

    >>> re.findall(alternation(["no", "no longer"]), "no dog, no longer, nothing")
    ['no', 'no longer']
    """
    if not spaced:
        items = sorted((re.escape(item.lower()) for item in phrases), key=len, reverse=True)
    else:
        items = heads(phrases)
    return f"(?:{'|'.join(items)})" if items else "(?!)"


def heads(phrases: Iterable[str], before: str = "", after: str = "") -> list[str]:
    """The patterns of `alternation`, one for each first letter; ``before`` is a condition behind
    this letter, and ``after`` is what follows.

    A pattern that begins with a letter, in one of a text in lower case, is found much faster than
    one that begins with a condition, such as the limit of a word.
    """
    tree: dict[str, dict] = {}  # type: ignore[type-arg]
    for phrase in phrases:
        node = tree
        for part in _PARTS.findall(phrase.lower()):
            node = node.setdefault(part, {})
        node[""] = {}
    by_letter: dict[str, dict[str, str]] = {}
    for first, node in tree.items():
        by_letter.setdefault(first[0], {})[first[1:]] = _tail(node)
    return [
        rf"{re.escape(char)}(?<!\w.){before}(?:{'|'.join(_by_tail(tails))}){after}"
        for char, tails in by_letter.items()
    ]


def clause_limit(
    text: str, signs: str, follows: str = "", also: Iterable[str] = ()
) -> re.Pattern[str]:
    """Where a clause ends, in a text in lower case: at some words, at a sign before what
    ``follows``, or at something else.

    >>> clause_limit("but and", ",", "(?![0-9])").split("1,5, not 3 but 4")
    ['1,5', ' not 3 ', ' 4']
    """
    at_signs = (re.escape(sign) + follows for sign in signs)
    return re.compile("|".join([*heads(text.split()), *at_signs, *also]))


def _tail(tree: Mapping[str, Mapping[str, object]]) -> str:
    """The pattern of what may follow a word."""
    tails = {part: _tail(node) for part, node in tree.items() if part}  # type: ignore[arg-type]
    longer = [f"{_GAP}{item}" for item in _by_tail(tails)]
    ends = [r"(?!\w)"] if "" in tree else []
    return f"(?:{'|'.join([*longer, *ends])})"


def _by_tail(tails: Mapping[str, str]) -> list[str]:
    """The patterns of some words, the longest first, and of what follows each; words that the same
    follows stand together, as a phrase with several choices has thousands of forms.
    """
    ordered = sorted(tails, key=len, reverse=True)
    if any(map(_NO_LETTER.search, ordered)):  # "can" might be found where "can't" is to be
        return [re.escape(word) + tails[word] for word in ordered]
    together: dict[str, list[str]] = {}
    for word in ordered:
        together.setdefault(tails[word], []).append(word)
    return [f"(?:{'|'.join(words)}){tail}" for tail, words in together.items()]


class Phrases:
    """The phrases of groups of all languages, looked for in those of a text's script; regular
    expressions say what has to stand before and after. Few phrases that begin in common letters are
    found faster ``at_words``, if nothing before them is a part of the match.

    >>> [match[0] for match in Phrases("corrections").finditer("B. Scrap that, C.")]
    ['scrap that']
    """

    def __init__(
        self, *groups: str, before: str = "", after: str = "", at_words: bool = False
    ) -> None:
        self._groups, self._before, self._after = groups, before, after
        self._at_words = at_words
        self._compiled: dict[tuple[str, ...], tuple[re.Pattern[str], Needs]] = {}

    def finditer(self, text: str, start: int = 0) -> Iterator[re.Match[str]]:
        """The places of phrases, in order for each script; matches are of the lower-case text."""
        low = lower(text)
        if low.isascii():
            pattern, needs = self._compiled.get(LATIN) or self._for(LATIN)
            begins = self._begins if self._at_words else None
            return matches_inside(pattern, needs, text, low, start, begins=begins)
        found = []
        for script in _SCRIPTS:
            if not _is_written_in(script, text):
                continue
            pattern, needs = self._for(script)
            if script is ASIAN:
                found.append(pattern.finditer(low, start))
            else:
                found.append(matches_inside(pattern, needs, text, low, start))
        return chain.from_iterable(found)

    @cached_property
    def bit(self) -> int:
        """The bit of what their places in a text in ASCII need; see `chef.reading.patterns`."""
        return self._for(LATIN)[1].bit

    @cached_property
    def _begins(self) -> Needs:
        """With what phrases in a text in ASCII begin."""
        return Needs(opening_words(*self._groups))

    def search(self, text: str) -> re.Match[str] | None:
        """The first of the places."""
        return next(self.finditer(text), None)

    def _for(self, script: tuple[str, ...]) -> tuple[re.Pattern[str], Needs]:
        known = self._compiled.get(script)
        if known is None:
            phrases = phrases_of(*self._groups, languages=script)
            inner = alternation(phrases, spaced=script is not ASIAN)
            pattern = re.compile(f"{self._before}{inner}{self._after}")
            known = pattern, Needs(needed_words(*self._groups, languages=script))
            self._compiled[script] = known
        return known


def opening_words(*groups: str) -> list[str]:
    """The words of each phrase of some groups in their order, where blanks part words, for `Needs`.

    >>> "anything but" in opening_words("negations")
    True
    """
    phrases = phrases_of(*groups, languages=SPACED)
    return [" ".join(re.findall(r"\w+", phrase.lower())) for phrase in phrases]


def far_from() -> list[str]:
    """What denies the word that follows, but not a thing with "the": `heads`."""
    phrases = phrases_of("negations_without_article", languages=LATIN)
    names = r"the|its?|his|her|their|each|this|that|here|there|one|home|him|them|me|us|you"
    return heads(phrases, after=rf"(?!\s+(?:{names})\b)")


def needed_words(*groups: str, languages: Iterable[str] = SPACED) -> list[str]:
    """The words of each phrase of some groups, for `Needs`, without those that may be left out.

    >>> "sure not" in needed_words("undecided")
    True
    """
    items = (
        item
        for language in languages
        for group in groups
        for item in entries(language).get(group, ())
    )
    phrases = dict.fromkeys(form for item in items for form in expansions(item, least=True))
    return list(map(_rarest_first, phrases))


def _rarest_first(phrase: str) -> str:
    """The words of a phrase, first the longest one that is not in most texts."""
    parts = set(re.findall(r"\w+", phrase.lower()))
    return " ".join(sorted(parts, key=lambda part: (part in _COMMON, -len(part), part)))


def _is_written_in(script: tuple[str, ...], text: str) -> bool:
    if script is LATIN:
        return True
    if text.isascii():
        return False
    return has_cjk(text) if script is ASIAN else _CYRILLIC.search(text) is not None


def asian(*groups: str) -> str:
    """A pattern of the phrases of some groups in Chinese, Japanese and Korean.

    >>> re.search(asian("denials"), "不是猫")[0]
    '不是'
    """
    return alternation(phrases_of(*groups, languages=ASIAN), spaced=False)


def word_pattern(*groups: str, languages: Iterable[str] = LANGUAGES) -> str:
    """A pattern, to be spliced into a longer one that ignores case, of phrases of some groups.

    >>> re.search(word_pattern("faults", languages=("en",)), "that is wrong")[0]
    'wrong'
    """
    spaced = [item for item in languages if item not in ASIAN]
    unspaced = [item for item in languages if item in ASIAN]
    parts = [
        alternation(phrases_of(*groups, languages=spaced)) if spaced else "",
        alternation(phrases_of(*groups, languages=unspaced), spaced=False) if unspaced else "",
    ]
    return f"(?:{'|'.join(part for part in parts if part)})"
