"""Words that say yes or no elsewhere, as what is said of a thing: "the slope is positive"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chef.reading.asked import asked
from chef.reading.opposites import sides_of
from chef.reading.passage import Span
from chef.reading.questions import content_words
from chef.reading.refusals import UNDECIDED
from chef.reading.text import sentence_start
from chef.reading.word_index import blanked

#: What it is that is not known; a clause with "whether" has blanks in its place by then.
_WHETHER = re.compile(
    r"\b(?:whether|if|what|who|which|how|where|when|why|that|ob|si|se|или|ли)\b|\s{3}\W*\Z",
    re.IGNORECASE,
)
#: "The slope is therefore": what follows is said of the slope.
_IS_CONCLUDED = re.compile(
    r"\b(?!(?:and|but|so|or)\b)\w+\s+(?:therefore|thus|hence|consequently)\W*\Z",
    re.IGNORECASE,
)
_LONGEST_MARK = 40
#: "As far as the desk is concerned, yes. As for the shelf, I can't tell."
_FOR_ANOTHER = re.compile(
    r"(?:\A|(?<=[.!?;\n]))\s*(?:as\s+far\s+as|(?:as\s+)?for)\s+(?P<who>the\s+(?!(?:most\s+part|time\s+being|moment|record)\b)"
    r"[^.,;:!?\n]{1,60}?)(?:\s+(?:is|are)\s+concerned)?,\s+(?:yes|no)(?=\s*[.,;!])",
    re.IGNORECASE,
)
#: A question for a quality that is a verdict as well.
_QUALITIES = re.compile(
    r"\b(?:true|false|untrue|(?:in)?correct|wrong|(?:in)?accurate)\W*\Z", re.IGNORECASE
)
#: "El hombre sí lleva gafas; el niño no."
_BUT_THE_OTHER = re.compile(
    r"(?:\A|[,;:.])\s*(?:pero\s+)?(?:el|la|los|las)\s+\w+\s+\Z", re.IGNORECASE
)
_REMARK = re.compile(r"\b(?:that|this|which|answer)(?:'s|\s+is)?\W*\Z", re.IGNORECASE)
_IS_BEFORE = re.compile(
    r"\w\s+(?:is|are|was|were)(?:n't)?(?:\s+(?:\w+ly|not|indeed|thus|therefore|hence))*\W*\Z",
    re.IGNORECASE,
)
_IS_WITHIN = re.compile(r"\w\s+(?:is|are|was|were|isn't)\s", re.IGNORECASE)


def undecided(text: str, question: str) -> list[Span]:
    """What of a text decides nothing; "the sky is not clear" decides whether it is clear.

    >>> undecided("The sky is not clear.", "Is the sky clear?")
    []
    >>> undecided("The sky is not clear.", "Is the sky blue?")
    [(11, 20)]
    """
    query = asked(question)
    quality = query.quality if query else ""
    qualities = {quality, *sides_of(quality)[1]} if quality else frozenset[str]()
    return [
        match.span()
        for match in UNDECIDED.finditer(text)
        if _WHETHER.search(match[0]) or content_words(match[0]).isdisjoint(qualities)
    ]


def decided(text: str, question: str) -> str:
    """A text with blanks in place of what decides nothing."""
    return blanked(text, [*undecided(text, question), *_of_others(text, question)])


def _of_others(text: str, question: str) -> Iterator[Span]:
    """The verdicts on other things, where a text names that of the question, too."""
    wanted = content_words(question)
    for match in _FOR_ANOTHER.finditer(text):
        other = content_words(match["who"])
        rest = content_words(blanked(text, [match.span()]))
        if other - wanted and rest & (wanted - other):
            yield match.span()


def predicate_start(plain: str, start: int) -> int:
    """Where the sentence begins that has a word such as "therefore" before its predicate.

    Otherwise ``start``, which is right behind that word.

    >>> predicate_start("It falls. The slope is thus negative.", 27), predicate_start("So no.", 2)
    (9, 2)
    """
    is_inside = _IS_CONCLUDED.search(plain, max(0, start - _LONGEST_MARK), start)
    return sentence_start(plain, start) if is_inside else start


def is_predicate(plain: str, match: re.Match[str], question: str) -> bool:
    """Whether a verdict is what its sentence says of a thing of which just this is asked.

    >>> text = "The label is wrong."
    >>> is_predicate(text, re.search("wrong", text), "Is the label wrong?")
    True
    """
    before = plain[sentence_start(plain, match.start()) : match.start()]
    if match[0].lower() == "no" and _BUT_THE_OTHER.search(before):
        return True
    if not _QUALITIES.search(question):
        return False
    if _REMARK.search(before) or _REMARK.match(match[0]):
        return False  # "That's wrong."
    return bool(_IS_BEFORE.search(before) or _IS_WITHIN.search(match[0]))
