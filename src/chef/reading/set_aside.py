"""What a free answer sets aside: it refuses it, supposes it, or says it of another thing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chef.reading.answering import ELSEWHERE
from chef.reading.characters import CJK
from chef.reading.clauses import clauses, is_denied
from chef.reading.contrasts import about_extreme, asks_for_extreme, lesser
from chef.reading.lexicon import needed_words, word_pattern
from chef.reading.patterns import Pattern
from chef.reading.questions import content_words
from chef.reading.refusals import no_answer
from chef.reading.word_index import blanked

Span = tuple[int, int]

#: "The answer is not a fig", "it cannot be A or B", "I ruled out A and B", "A and B do not fit".
_REFUSED = Pattern(
    lambda: (
        r"\b(?:(?:answer|it|this|that)\s+(?:can(?:not|'t|\s+not)|could(?:\s+not|n't))\s+(?:possibly\s+)?be"
        r"|answer\s+(?:is\s+not|isn't)|(?:do|does|did)(?:\s+not|n't)\s+(?:fit|match|apply|qualify)"
        rf"|(?:I(?:'ve|\s+can|\s+have)?|(?:is|are|was|were|be))\s+{word_pattern('eliminations')})\b"
        r"(?!\s+(?:any\w*|other|else|more|less|better)\b)"
    ),
    needs=lambda: [
        *("cannot be", "not be", "t be", "not answer", "t answer", "fit", "match", "apply"),
        *("qualify", *needed_words("eliminations")),
    ],
    cjk=True,
    inside=True,
)
#: "The obvious guess would be A; the right answer, however, is B." "At first A, but it is B."
_GUESSED = Pattern(
    r"(?:\b(?:the|an?|(?:my|our)\s+(?:first|initial))\s+(?:\w+\s+)?(?:guess|assumption|idea|thought)\s+would\s+be"
    r"|\bat\s+first\s+(?:glance|sight)|\bauf\s+den\s+ersten\s+blick|à\s+première\s+vue|\ba\s+prim\w+\s+vista)\b,?"
    r"[^.;,!?\n]{0,160}(?=[.;,!?\n](?:\s*\w+){0,4}\W*\b(?:but|however|yet|still|actually|in\s+fact|correct|right"
    r"|tatsächlich|in\s+wirklichkeit|en\s+réalité|en\s+realidad|in\s+realtà)\b)",
    needs="guess would be | assumption would be | idea would be | thought would be"
    " | glance at first | sight at first | blick auf | vue première | vista a",
)
#: "It might be A, but it might equally be B."
_EQUAL = Pattern(
    r"(?i)(?:\bit\s+)?\b(?:might|could|may)\s+be\s[^.;,!?\n]{0,80},?\s(?:but|and|or)\s+(?:it\s+)?(?:might|could|may)\s+"
    r"(?:equally|just\s+as\s+(?:well|easily))\s+be\s[^.;,!?\n]{0,80}(?:[.;,]\s*both\s+are\s\w+)?",
    needs="equally be | well just as | easily just as",
)
#: Two cases of which the answer does not say which one holds.
_CASES = Pattern(
    r"(?:(?<=[.;:!?\n])|\A)\s{0,4}(?:if(?!\s+(?:I|we|you|one)\b)|wenn|falls)\b[^.;!?\n]*[.;]\s*(?:(?:and|but|und|aber)\s+)?"
    r"(?:if|wenn|falls|otherwise|sonst|andernfalls)\b[^.;!?\n]*",
    needs="if wenn falls",
)
#: "The hat, by contrast, is red", "der Hut dagegen ist rot"
_IN_CONTRAST = Pattern(
    r"\b(?:the|an?|der|die|das|le|la|les|el|los|las|il|lo|o|os)\s+(?P<who>\w++(?:\s\w++)?),?\s+(?:(?:by|in)\s+contrast"
    r"|on\s+the\s+other\s+hand|dagegen|hingegen|en\s+revanche|par\s+contre|en\s+cambio|invece|já)\b[^.;!?\n]*",
    needs="contrast by | contrast in | hand other on | dagegen | hingegen | revanche | contre par"
    " | cambio en | invece | já",
    inside=True,
)
#: 帽子是绿色的，而房子是红色的; 而是 is "but".
_ASIAN_CONTRAST = Pattern(
    rf"(?P<first>(?P<one>[{CJK}]{{1,8}}?)是[^。，,；;！？\n]*)?[，,；;。]\s*"
    rf"(?P<second>而(?![是且])(?P<two>(?![它他她这那此答我])[{CJK}]{{1,8}}?)(?:则|却)?是[^。，；！？\n]*)",
    flags=0,
    signs="而",
)
#: "What is the man doing?"
_ACT_ASKED = re.compile(
    r"\bwhat\s+(?:is|are|was|were)\s+the\s+(?P<who>[^?]+?)\s+doing\b", re.IGNORECASE
)
#: What an article first names, or what is elsewhere, is another person than the one in question.
_ACT_OF_OTHER = re.compile(
    rf"(?:(?<=[.;!?\n])|\A)\s{{0,4}}(?:(?:in|on|at|{ELSEWHERE})\b(?!\s+(?:the|this)\s+(?:image|picture|photo|scene))"
    r"[^.,;!?\n]{0,40},\s*(?:the\s+)?)?(?:(?<=the\s)|(?:an?|another)\s+)(?P<who>(?!person\b|figure\b)\w+(?:\s\w+)?)"
    r"\s+(?:is|are|was|were)\s+\w+ing\b[^.;!?\n]*",
    re.IGNORECASE,
)
#: Who wrote a letter, and whom it is to.
_WRITER_ASKED = re.compile(r"(?i)\bwho (?:signed|wrote|sent)\b|\b(?:signed|written) by\b")
_ADDRESSED = re.compile(
    r"(?i)(?:\b(?:it|this)(?:'s|\s+is)\s+)?(?:\b(?:the|an?)\s+)?\b(?:letter|(?:post)?card|note|e-?mail|message"
    r"|addressed)\s+to\s+(?:(?!\b(?:and|by|from|is|was|has)\b)[^.,;:!?\n])*"
)
#: "Who is Ben in relation to Ann?" and what is said of somebody: "Carla is Ann's boss".
_PERSON_ASKED = re.compile(r"\b(?:[Ww]ho|[Hh]ow) is (?P<who>[A-Z]\w+) (?:related|in relation)\b")
_IS_OF_PERSON = re.compile(r"(?:(?<=[.;,]\s)|\A)(?:and\s|but\s)?(?P<who>[A-Z]\w+) is\b[^.,;!?\n]*")
#: "The invoice number", of which there is another one; the largest one is one of any sort.
_SORT_ASKED = re.compile(
    r"(?i)\bthe\s(?P<sort>(?!(?:main|most|right|correct|\w+est)\b)\w+)\s(?P<noun>\w+)\W*\Z"
)
_ITEM = r"(?<!\w)[^\W\d_]+(?:\s[^\W\d_]+)?:?\s+\(?\d[\d.]*\s?%?\)?"
#: "Italy 45, Japan 21 and Spain 58": what a chart has.
_VALUES = re.compile(rf"(?:{_ITEM}(?:\s*,\s*(?:and\s+)?|\s+and\s+)){{2,}}{_ITEM}")


def without_set_aside(text: str, question: str) -> str:
    """``text`` with blanks for what it refuses, if it says more than that, for what it only
    supposes, and for what it says of other things than the one that the question asks about.

    >>> without_set_aside("It is a pear. The answer is not a fig.", "Which fruit is it?").strip()
    'It is a pear.                        .'
    """
    forms = (_GUESSED, _EQUAL, _CASES)
    undecided = (match.span() for form in forms for match in form.finditer(text))
    rest = blanked(text, [*undecided, *_of_others(text, question)])
    # "Which of them does not fit?"
    if not _REFUSED.search(rest) or _REFUSED.search(question) or is_denied(question):
        return rest
    parts = (span for span in clauses(rest, 0, len(rest)) if _REFUSED.search(rest, *span))
    stated = blanked(rest, (span for span in parts if not no_answer(rest[slice(*span)])))
    return stated if re.search(r"\w", stated) else rest


def _of_others(text: str, question: str) -> Iterator[Span]:
    """What is said of another person or thing than that of the question."""
    yield from lesser(text, question)
    for match in _IN_CONTRAST.finditer(text):
        if _shares(text, question) and not _shares(match["who"], question):
            yield match.span()
    for match in _ASIAN_CONTRAST.finditer(text):
        if match["two"] not in question:
            yield match.span("second")
        elif match["one"] and match["one"] not in question:
            yield match.span("first")
    if (query := _ACT_ASKED.search(question)) and _shares(query["who"], text):
        others = _ACT_OF_OTHER.finditer(text)
        yield from (match.span() for match in others if not _shares(match["who"], query["who"]))
    if _WRITER_ASKED.search(question):
        yield from (match.span() for match in _ADDRESSED.finditer(text))
    yield from _of_other_sort(text, question)
    if not asks_for_extreme(question):
        return
    result = about_extreme(_VALUES.sub(" ", text), question)
    if content_words(result) - content_words(question):
        yield from (match.span() for match in _VALUES.finditer(text))


def _of_other_sort(text: str, question: str) -> Iterator[Span]:
    """What is said of somebody, or something, else of the same sort that is asked for and named."""
    if (person := _PERSON_ASKED.search(question)) and f"{person['who']} is " in text:
        persons = _IS_OF_PERSON.finditer(text)
        yield from (match.span() for match in persons if match["who"] != person["who"])
    if sort := _SORT_ASKED.search(question):
        mine = rf"\bthe\s+{sort['sort']}\s+(?:{sort['noun']}|one)\b"
        other = re.compile(
            rf"(?i)(?<!\bas\s)(?<!\bthan\s)(?<!(?<!there)\sis\s)\bthe\s+(?!{sort['sort']}\b)\w+\s+(?:{sort['noun']}|one)\b"
            r"(?![^.;!?\n]{0,80}\b(?:which|that)\s+is\s+the\b)"
            rf"(?P<rest>(?:(?!{mine}|,?\s+(?:and|but|so|while|whereas|which)\b)[^.;!?\n])*)"
        )
        if re.search(mine, text, re.IGNORECASE):
            yield from (match.span("rest") for match in other.finditer(text))


def _shares(one: str, two: str) -> bool:
    return not content_words(one).isdisjoint(content_words(two))
