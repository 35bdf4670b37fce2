"""Which clauses of a free answer say what the question asks for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from chef.frozen import Frozen
from chef.reading.alternatives import is_listed
from chef.reading.final import ABBREVIATED
from chef.reading.marks import concluded
from chef.reading.opposites import opposite
from chef.reading.patterns import words
from chef.reading.questions import content_places, content_words, stem
from chef.reading.text import sentence_end
from chef.reading.word_index import lower, words_in

Span = tuple[int, int]

_PREPOSITION = (
    r"(?:of|in|on|at|from|for|with|by|to|near|under|behind|above|below|beside|next|inside|along"
    r"|von|vom|im|am|auf|aus|mit|bei|de|du|des|del|della|di|do|da|dans|sur|en|nel|nella|em|na|no)"
)
_IS = r"(?:is|are|was|were|ist|sind|war|waren|est|sont|es|son|è|sono|é|são|was|were)"
#: What the noun of a question stands for, which an answer replaces: "which month", "what kind of".
KIND_ASKED = re.compile(
    r"\b(?:what|which|welche[rsnm]?|quel(?:le)?s?|qu[ée]|quale?|qual|как(?:ой|ая|ое|ие|ого|ому|им|ую|их))\s+"
    r"(?:(?:kind|type|sort)s?\s+of\s+)?(?P<noun>\w+)",
    re.IGNORECASE,
)
#: "What is the title of", "who is the sender": what follows "is" is one thing with a name.
_NAME_ASKED = re.compile(
    rf"\b(?:what|who|which|was|wer|quel(?:le)?|qui|cu[áa]l|qui[ée]n|qual[ei]?|chi|quem)(?:'s|\s+{_IS}"
    r")\s+(?:the|his|her|its|their|der|die|das|le|la|l'|el|il|o|a)\s",
    re.IGNORECASE,
)
#: "What is on the table?", "What hangs above the bed?": there may be several things.
_PLACE_ASKED = re.compile(
    rf"\bwhat(?:'s|\s+{_IS})?\s+(?:(?:can\s+be\s+)?\w+(?:ing|ed|en|s)\s+)?(?:on|in|under|behind"
    r"|above|below|beside|inside|near|next|at)\b",
    re.IGNORECASE,
)
_AFTER_NOUN = re.compile(rf"\b{_PREPOSITION}\b|[?,]", re.IGNORECASE)
_CONTRAST = (
    r"while|whereas|but|though|whilst|während|aber|sondern|tandis\s+que|mais|mientras|pero|mentre|ma"
    r"|enquanto|mas|а|но"
)
#: Where another clause begins, in a text in lower case; it starts with signs, to be found fast.
_CLAUSE = re.compile(
    rf"[;,\s](?:(?<=;)|(?:(?<=,)\s{{1,4}}|(?<=\s)\s{{0,3}})(?=[a-zано])(?:(?P<contrast>{_CONTRAST})\b"
    r"|(?:and|or|und|et|y|e)(?=\s+(?:the|an?|his|her|its|their|der|die|das|le|la|el|il|o)\s+"
    rf"\w+(?:\s+\w+)?\s+(?:{_IS}|has|had|have|{_PREPOSITION})\b))"
    r"|(?<=,)\s{1,4}(?:and\s{1,4})?(?:so|hence|thus|therefore)\b)"
)
#: What joins a clause to another one, or stresses its subject.
_JOINED = re.compile(
    rf"\A\W*(?:{_CONTRAST}|and|or|so|hence|thus)\b|\b\w+sel(?:f|ves)\b", re.IGNORECASE
)
_PRONOUN = re.compile(
    r"\W*(?:(?:so|thus|hence|therefore|then|and|but)\W+)?(?:it|she|he|they|its|his|her|their|this|that)\b"
)
#: Verbs of signs and drawings, any of which stands for another.
_SHOWS = words(
    "show shows say says tell tells contain contains represent represents stand stands denote"
    " denotes mean means indicate indicates depict depicts display displays read reads"
)
_IT_IS = re.compile(
    r"\W*(?:that\s+)?(?:it|this|that|they|he|she)\s*(?:(?:'s|'re|is|are)\s+an?\s+"
    r"(?!(?:\w+\s+)?one\b)|(?:must|has\s+to|have\s+to|can\s+only)\s+be\s+)(?=\w)",
    re.IGNORECASE,
)
#: "Which part is labelled X?", "Which planet is number 4?"
SIGN_ASKED = re.compile(
    r"\b(?:labell?ed|label|marked|numbered|number|letter|lettered)\s+(?:as\s+|with\s+|by\s+)?"
    r"[\"'(]?(?P<sign>[A-Z]|\d{1,2})\b",
)
#: A sign before its thing: "X = stamen", "label A is the sepal".
_SIGN = re.compile(
    r"(?<![\w.])(?:(?i:label|letter|part|number)\s+)?(?P<sign>[A-Z]|\d{1,2})"
    r"[\"')]*\s*(?P<equals>[=:.)]|→|[-–—>]+|is|stands\s+for|marks|denotes|means|refers\s+to)?\s*"
    r"(?:(?:an?|the)\s+)?\Z"
)
#: "What is the role of the part labelled A?" asks for another thing than its name.
_OF_SIGN = re.compile(r"\b(?:what|which)\s+(?:is|are)\s+the\s+\w+\s+of\b", re.IGNORECASE)
#: How far before a thing its sign may begin, in characters.
_SIGN_REACH = 30
#: Fewer words are a part of an answer ("Red, and the car is old"), more of them say something.
_A_CLAUSE = 3
_WORD = re.compile(r"\w+")
_COPULA = re.compile(rf"\b{_IS}\b", re.IGNORECASE)
#: What only says where or of what: "the roof (of the house) is".
_PHRASE = re.compile(
    rf"\b{_PREPOSITION}\s+(?:(?:the|an?|this|his|her|its|der|die|das|dem|la|le|il|el)\s+)?\w+",
    re.IGNORECASE,
)
#: What follows "is" and names nothing: "on the corner", "is parked", "was born".
_NO_NAME = re.compile(
    rf"\s*(?:{_PREPOSITION}\b|the\s+same\b|(?:\w+\s+)?(?:\w{{2,}}ed|born|made|seen|shown|written|drawn"
    r"|told)\b)",
    re.IGNORECASE,
)
#: A clause with a verb that is no "is": "the foreword was written by".
_OWN_VERB = re.compile(r"\b(?:was|were|has|had|did)\s+\w+|\b(?:wrote|says|shows)\b", re.IGNORECASE)
_SUPERLATIVE = re.compile(r"\b(?:\w{2,}est|most|least)\b", re.IGNORECASE)
#: "B's is slightly wider" speaks of another thing than the widest.
_COMPARED = re.compile(
    r"\b(?:slightly|somewhat|much|even|far|a\s+(?:bit|little|lot))\s+(?:\w{2,}er|more|less)\b",
    re.IGNORECASE,
)
NO_ANSWER = re.compile(
    r"\b(?:not|no|never|unclear|unknown|hard|difficult|cannot|nicht|kein\w*|pas|non|não)\b|n't\b",
    re.IGNORECASE,
)
#: What begins a sentence about what is at another place.
ELSEWHERE = (
    r"(?:behind|beyond|beside|near|next\s+to|not\s+far|f[au]rther|nearby|meanwhile|elsewhere|hinter|neben|daneben"
    r"|weiter|derrière|à\s+côté|plus\s+loin|detrás|al\s+lado|más|dietro|accanto|più)"
)
_IS_ELSEWHERE = re.compile(rf"\W*{ELSEWHERE}\b", re.IGNORECASE)
#: A finite verb with what it says: "a man is ironing", "a tree blocks the road".
_FINITE = re.compile(
    r"\w\s+(?:(?:is|are|was|were|has|have)\s+\w+|(?:turn|become|get|go)s\s+\w+"
    r"|[a-z]{3,}(?:s|ed)\s+(?:the|an?|it|that|its|his|her|their)\b)"
)
#: In words: a shorter reference is a name.
_A_SENTENCE = 4
#: In words: a shorter answer names what happened, and can be compared.
_A_NAME = 5
#: What asks for an event or a sense, which many words tell; what somebody is doing has a name.
_TOLD_ASKED = re.compile(
    r"\b(?:what\s+(?:has\s+|had\s+)?happen\w*|what\s+did\s[^?]*\sdo|what\s+do(?:es)?\s[^?]*\smean"
    r"|was\s+(?:ist|passiert|geschah|bedeutet)(?=[^?]*\b(?:passiert|geschehen|bedeutet|geschah)\b)"
    r"|que\s+(?:s'est-il\s+passé|signifie)|qué\s+(?:pasó|significa))\b",
    re.IGNORECASE,
)


class _Clause(Frozen):
    """A clause, with where its sentence begins; ``shared`` counts its words of the question,
    ``is_about`` tells whether it speaks of what is asked about, and ``answers`` whether it does
    what the question asks for.
    """

    start: int
    end: int
    sentence: int
    is_contrast: bool
    shared: int
    is_about: bool
    answers: bool


class _Query(Frozen):
    """What a clause has to speak of: the stems of the question and of the thing that is asked for;
    ``shows`` asks what something shows, ``is_name`` what something is, ``asks_place`` what there is
    at a place.
    """

    words: frozenset[str]
    needed: frozenset[str]
    shows: bool
    is_name: bool
    asks_place: bool


def is_answered_elsewhere(text: str, span: Span, question: str) -> bool:
    """Whether another clause than that of a mention says what the question asks for.

    >>> text = "From: Ann. To: Bob. The sender is Ann."
    >>> is_answered_elsewhere(text, (15, 18), "Who is the sender?")
    True
    """
    clauses = _clauses(text, question)
    answers = [clause for clause in clauses if clause.answers]
    home = next((clause for clause in clauses if clause.start <= span[0] < clause.end), None)
    if home is None or home.answers:
        return False
    if not home.shared and len(_WORD.findall(text, home.start, home.end)) >= _A_CLAUSE:
        near = [clause for clause in clauses if clause.sentence == home.sentence]
        if any(clause.is_about for clause in near if clause != home):
            return True
    if not answers or home.shared + (home.sentence != answers[-1].sentence) > answers[-1].shared:
        return False
    if _query(question).asks_place:
        return False
    if span[0] < answers[-1].start:
        return True
    # "It points to a part of the plant. The plant has roots, stem, leaves and a flower."
    lists = not home.shared and is_listed(text, span, least=4)
    is_other = home.is_contrast or lists or _is_of_another(text, home, answers[-1], question)
    return is_other and not _PRONOUN.match(lower(text), home.start)


def may_be_retold(result: str, references: Sequence[str], question: str) -> bool:
    """Whether words alone cannot tell if an answer says in other words what a reference says: a
    sentence, or an event that a sentence tells without the contrary of a reference.

    >>> may_be_retold("It fell to the floor and shattered", ["it broke"], "What happened?")
    True
    """
    if any(len(item.split()) >= _A_SENTENCE and _FINITE.search(item) for item in references):
        return True
    if not _TOLD_ASKED.search(question) or len(result.split()) <= _A_NAME:
        return False
    stems = sorted(content_words(result))
    return not any(opposite(word, stems)[0] for item in references for word in content_words(item))


def _is_of_another(text: str, home: _Clause, answer: _Clause, question: str) -> bool:
    """Whether a clause behind the answer has a subject of its own."""
    clause = text[home.start : home.end]
    if home.shared or len(_WORD.findall(clause)) < _A_CLAUSE:
        return False
    # "The animal in front of the house is a duck. Behind the fence one sees a horse."
    if _IS_ELSEWHERE.match(clause) and KIND_ASKED.search(question):
        return True
    # "The author is A. The foreword was written by B."
    if _query(question).is_name and home.sentence > answer.start:
        return _OWN_VERB.search(clause) is not None
    return bool(_SUPERLATIVE.search(question) and _COMPARED.search(clause))


def sign_before(text: str, start: int, question: str) -> bool | None:
    """Whether the sign before a thing is the one that a question names; None without such a sign.

    >>> sign_before("A: sepal, B: petal", 13, "What is labelled A?")
    False
    """
    asked = SIGN_ASKED.search(question)
    match = asked and _SIGN.search(text[max(0, start - _SIGN_REACH) : start])
    if not asked or not match or (match["sign"] == "A" and not match["equals"]):
        return None
    return match["sign"] == asked["sign"]


def is_of_other_sign(text: str, span: Span, question: str) -> bool:
    """Whether a mention has another sign than the one that a question asks about.

    >>> is_of_other_sign("label A is the sepal", (15, 20), "What is labelled B?")
    True
    """
    same = sign_before(text, span[0], question)
    asked = SIGN_ASKED.search(question)
    if same is not None or asked is None or _OF_SIGN.search(question):
        return same is False
    stated = (
        rf"\b(?i:label|letter|part|number)\s+{asked['sign']}[\"')]*\s*(?:[=:]|is|marks|denotes)\s"
    )
    statement = re.search(stated, text)
    # The same sentence may name it: "label 2 is the one with the ozone, the stratosphere".
    return statement is not None and not (
        statement.end() < span[0] < sentence_end(text, statement.end(), len(text))
    )


@lru_cache(256)
def _query(question: str) -> _Query:
    shows = bool(words_in(question) & _SHOWS)
    verbs = {stem(word) for word in _SHOWS} if shows else set()
    places = [place for place in content_places(question) if place[0] not in verbs]
    stems = frozenset(name for name, _, _ in places)
    if _PLACE_ASKED.search(question):
        return _Query(stems, stems, shows, is_name=False, asks_place=True)
    kind = KIND_ASKED.search(question)
    replaced = {stem(kind["noun"].lower())} & stems if kind else set()
    ends = [end for name, _, end in places if name not in replaced]
    limit = _AFTER_NOUN.search(question, ends[0]) if ends else None
    needed = content_words(question[: limit.start()] if limit else question) & stems - replaced
    return _Query(stems, needed, shows, _NAME_ASKED.search(question) is not None, asks_place=False)


@lru_cache(64)
def _clauses(text: str, question: str) -> tuple[_Clause, ...]:
    """The clauses of a text. Cached: it is asked about every mention."""
    query = _query(question)
    if not query.words:
        return ()
    conclusions = [start for start, _ in concluded(text)]
    clauses = []
    for start, end, sentence, is_contrast in parts(text):
        clause = text[start:end]
        at = bisect_left(conclusions, start)
        conclusion = conclusions[at] if at < len(conclusions) and conclusions[at] < end else None
        if conclusion is not None and _IT_IS.match(text, conclusion, end):
            shared = len(query.words)
            clauses.append(_Clause(start, end, sentence, is_contrast, shared, False, True))
            continue
        same = content_words(clause) & query.words
        shared = len(same) + bool(_PRONOUN.match(lower(text), start, end))
        answers = _answers(clause, query, conclusion is not None)
        is_about = bool(same) and _names(clause, query.words) and not NO_ANSWER.search(clause)
        clauses.append(_Clause(start, end, sentence, is_contrast, shared, is_about, answers))
    return tuple(clauses)


def parts(text: str) -> list[tuple[int, int, int, bool]]:
    """Of each clause its span, where its sentence begins, and whether it is set against another."""
    parts, start, sentence, low = [], 0, 0, lower(text)
    while start < len(text):
        end, contrast = _sentence_end(text, start), False
        if not text.endswith((";", "; "), 0, start):
            sentence = start
        for match in _CLAUSE.finditer(low, start + 1, end):
            parts.append((start, match.start(), sentence, contrast))
            start, contrast = match.start(), match["contrast"] is not None
        parts.append((start, end, sentence, contrast))
        start = end
    return parts


def _sentence_end(text: str, start: int) -> int:
    """The end of a sentence, which "T." of a name does not end."""
    end = sentence_end(text, start, len(text))
    while (
        end < len(text) and text[end] == "." and ABBREVIATED.search(text, max(start, end - 5), end)
    ):
        end = sentence_end(text, end + 1, len(text))
    return min(len(text), end + 1)


def _answers(clause: str, query: _Query, concludes: bool) -> bool:
    """Whether a clause says something new of what is asked for."""
    words = content_words(clause)
    missing = len(query.needed - words)
    # "she" stands for one word of the question
    if missing == len(query.needed) or missing > (_PRONOUN.match(lower(clause)) is not None):
        return False
    if not words - query.words or NO_ANSWER.search(clause):
        return False
    shows = query.shows and bool(words_in(clause) & _SHOWS)
    if query.is_name and (copula := _COPULA.search(clause)):
        other = _NO_NAME.match(clause, copula.end())
        repeats = other is not None and not content_words(other[0]).isdisjoint(query.words)
        return (other is None or repeats) and _names(clause, query.words)
    return concludes or len(query.needed) + shows > 1


def _names(clause: str, stems: frozenset[str]) -> bool:
    """Whether a clause says of the thing that is asked for, and of no part of it, what it is."""
    copula = _COPULA.search(clause)
    if copula is None:
        return False
    subject = _PHRASE.sub(" ", _JOINED.sub("", clause[: copula.start()]))
    return bool(content_words(subject) & stems) and not content_words(subject) - stems
