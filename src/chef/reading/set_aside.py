"""What a free answer sets aside: it refuses it, supposes it, or says it of another thing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chef.reading.answering import ELSEWHERE
from chef.reading.characters import CJK
from chef.reading.clauses import clauses, is_denied
from chef.reading.contrasts import asks_for_extreme, lesser
from chef.reading.lexicon import needed_words, word_list, word_pattern
from chef.reading.opposites import opposite
from chef.reading.patterns import Pattern
from chef.reading.questions import content_words, stem
from chef.reading.refusals import no_answer
from chef.reading.word_index import blanked

Span = tuple[int, int]
_WORD = re.compile(r"\w+")

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
_NAME = r"(?<!\w)(?!and\b)[^\W\d_]+(?:\s[^\W\d_]+)??"
_VALUE = (
    r"(?:\s?[:=]|\s(?:has|had|is|was|got|scored|sold))?\s+[($€£]?\d[\d.,]*(?<=\d)(?:\s?%)?\)?"
    r"(?:\s[^\W\d_]{1,8}(?=[.,;\n]|\sand\b))?"
)
_NEXT = r"(?:\s*[,;]\s*(?:and\s+)?|\s+and\s+|[ \t]*\n[ \t]*(?:[-•*]\s+)?)"
#: "Italy 45, Japan 21 and Spain 58": what a chart has.
_VALUES, _VALUED = (
    re.compile(rf"(?:{_NAME}{_VALUE}{_NEXT}){{2,}}{_NAME}{_VALUE}"),
    re.compile(rf"({_NAME}){_VALUE}"),
)
_ARTICLE = r"(?:the|an|its|his|her|der|die|das|le|la|les|el|los|las|il|lo|gli|os?|as?)"
_AND = r"(?:and|but|while|whereas|und|aber|während|et|mais|tandis\s+que|y|pero|e|ma|mentre|mas)"
#: A clause that says what a thing is, and what it says: "the lamp is made of ceramic".
_SAID_OF = re.compile(
    rf"(?:(?<=[.;,!?\n])|\A|(?=\s{_AND}\s))\s*(?:{_AND}\s+)?{_ARTICLE}\s+(?P<who>\w+(?:\s\w+)?),?\s+"
    r"(?:(?P<but>however|(?:by|in)\s+contrast|on\s+the\s+other\s+hand|dagegen|hingegen|en\s+revanche|par\s+contre"
    r"|en\s+cambio|invece|já),?\s+)?"
    r"(?P<verb>is|are|was|were|has|says|reads|shows|ist|sind|hat|est|sont|es|son|tiene|è|sono|é|são|tem)\s+"
    rf"(?P<what>(?:(?!\s{_AND}\s+{_ARTICLE}\s)[^.,;!?\n])+)",
    re.IGNORECASE,
)


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
    yield from _of_other_subject(text, question)
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
    yield from _values_before_result(text, question)


def _values_before_result(text: str, question: str) -> Iterator[Span]:
    """The values of a chart, where the rest of a text names one thing as that of the highest."""
    lists = list(_VALUES.finditer(text)) if asks_for_extreme(question) else []
    rest = blanked(text, [match.span() for match in lists]).lower()
    rest = f" {' '.join(_WORD.findall(rest))} "
    for match in lists:
        names = {name.lower() for name in _VALUED.findall(match[0])}
        if sum(f" {name} " in rest for name in names) == 1:
            yield match.span()


def _of_other_subject(text: str, question: str) -> Iterator[Span]:
    """What is said of another subject, in contrast to one of the question or as it is of that."""
    sayings = list(_SAID_OF.finditer(text))
    mine = [match for match in sayings if _shares(match["who"], question)]
    for match in sayings:
        is_other = any(_is_parallel(match, other) for other in mine)
        if match not in mine and (is_other or (match["but"] and _shares(text, question))):
            yield match.span()


def _is_parallel(one: re.Match[str], two: re.Match[str]) -> bool:
    """Whether two clauses say things of one kind: "is made of wood" and "is made of ceramic"."""
    words, others = (_WORD.findall(match["what"].lower()) for match in (one, two))
    if one["verb"] != two["verb"] or not words or not others:
        return False
    colors = {words[-1], others[-1]} & word_list("colors")
    if colors or len(words) == 1:
        is_rival = opposite(stem(words[-1]), [stem(others[-1])])[0] is not None
        return is_rival or {words[-1], others[-1]} == colors
    return bool(words[0] == others[0])


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
