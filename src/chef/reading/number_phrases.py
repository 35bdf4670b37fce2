"""Words around a number that tell what it is: ranges, bounds, years, labels, parts, pronouns."""

from __future__ import annotations

import re
from functools import lru_cache

from chef.reading.denials import denies
from chef.reading.number_words import MONTHS
from chef.reading.patterns import Pattern, all_words, any_of, words
from chef.reading.questions import content_words
from chef.reading.word_index import spans_of


def _last_words(phrases: str) -> list[str]:
    return [phrase.split()[-1] for phrase in all_words(phrases)]


RANGE = Pattern(
    r"(?!.*\n)[\s\"')\]}%°$€£]*(?:\w{1,12}\s+)?(?:\b(?:or|to|through|bis|oder|ou|o|oppure|à|a|and"
    r"|und|y|et|e|或(?:者)?|到|至|или|до)\b|或(?:者)?|到|至|か|から|또는|에서|~|[-–—/~])"
    r"\s*(?:[a-zA-Z]\s*=\s*)?(?:(?:maybe|perhaps|possibly|even|about|around|approximately"
    r"|at\s+most|an?)\s+)*[\s\"'(\[{$€£]*",
)
AND = Pattern(r"\b(?:and|und|y|et|e)\b|和|と")
BETWEEN = Pattern(
    r"\b(?:between|from|entre|zwischen|tra|fra|anywhere\s+from)\s+"
    r"(?:about\s+|around\s+|the\s+\w+\s+)?\Z",
)
BOUND = Pattern(
    r"(?:(?<!no )(?<!not )\b(?:more|greater|larger|higher|bigger)\s+than"
    r"|(?<!no )(?<!not )\b(?:less|fewer|lower|smaller)\s+than"
    r"|\bno\s+more\s+than|\bnot\s+more\s+than|\bupwards?\s+of|\bwell\s+over|\bover"
    r"|(?<!add )(?<!adds )(?<!sum )(?<!sums )\bup\s+to|\bat\s+most|\ba\s+maximum\s+of|\bunder"
    r"|\bbelow|\babove|\bexceeds?|\bbeyond"
    r"|[<>≤≥]=?|超过|不到|多于|少于|不超过|最多|más\s+de|plus\s+de|mehr\s+als|più\s+di|mais\s+de|более"
    r"|менос\s+de|moins\s+de|weniger\s+als)"
    r"\s*(?:(?:about|around|the|a|some)\s+)?\Z",
    last=words(
        "than of over to most under below above exceed exceeds beyond de als di about around"
        " the a some"
    ),
    signs="<>≤≥",
)
BOUND_AFTER = Pattern(
    r"\s*(?:\+(?!\s*\d)|(?:,\s*(?:an?\s+)?\d{1,9})+,?\s+(?:or|oder|ou|o|или)\s+(?:an?\s+)?\d|(?:or|and)\s+(?:more|so\s+many|fewer|less)\b|[个只人条名匹本枚台]?(?:以上|以下)|(?:명|개"
    r"|마리)?\s?(?:이상|이하)|多(?=[个只人条名])|来(?=[个只人])|[^\d.,;:!?\n]{1,60}?\s+and\s+(?:several|many|some|(?:a\s+)?few|others)"
    r"\s+(?:(?:more|others)\s+)?(?:in|on|at|behind|near|further)\b)",
)
#: "11 if the hidden ones are included, otherwise 10"
IN_CASE = re.compile(
    r"(?:\s+\w+)?,?\s+if\b[^.;!?\n]{1,80}\b(?:otherwise|or\s+else|if\s+not)\b"
    r"|[^.;!?\n]{0,20};\s*(?:if\s+not|otherwise|or\s+else)\b",
    re.IGNORECASE,
)
OTHERWISE = Pattern(
    r"\bif\b.*\b(?:otherwise|or\s+else|if\s+not)\W+(?:(?:it|there|they)\s+(?:is|are)\s+)?\Z"
    r"|\bif\s+(?:so|not|yes|no)\W+\Z",
    needs="otherwise if | else if or | not if | so if | yes if | no if",
)
#: "Germany, with 19 %, is the lowest": the value of the thing before the comma.
APPOSED = re.compile(
    r",\s+(?:with|at|mit|bei|avec|à|con|com|с)\s+(?=(?:(?:about|only|just|around)\s+)?[$€£]?\d[\d.,]*\s?(?:%|[^\W\d]+)?,)"
)
#: The last of some items: "two women and a man".
AND_ONE = Pattern(
    r"\b(?:and|und|et|y|e|и)\s+(?:an?|one|another|eine?n?|une?|una|uma?|um|один|одна)\s",
)
_PARTS = (
    r"including | incl\.? | includes | of which | of whom | of them | among them | among which"
    " | among these | plus | another | the other | other | additional | give or take"
    " | plus or minus | one of the | with | extra | than | dont | davon | darunter | incluyendo"
    " | de los cuales"
)
PART_BEFORE = Pattern(
    rf"(?:\b{any_of(_PARTS)}(?!\w)|±|其中|うち|もう|またもう|그중)\s*(?:[\u4e00-\u9fff]{{1,8}}:)?\s*\Z",
    last=_last_words(_PARTS),
)
#: What somebody else says, what is only granted or less likely, and what another picture shows.
SAID_ELSEWHERE = Pattern(
    r"\b(?:although|(?:even\s+)?though|despite)\b[^,.;:!?\n]*|\bless\s+(?:probably|likely)\s+\w+"
    r"|\b(?:you|(?:the|a|its)\s+(?P<who>caption|title|headline))"
    r"\s+(?:says?|speaks?|reads?|claims?|mentions?)\b[^,.;!?\n]*",
    among=(
        "though ",
        "espite ",
        "less probably",
        "less likely",
        "ou say",
        "ou claim",
        "ou mention",
        "caption ",
        "title ",
        "headline ",
    ),
)
OTHER_PICTURE = Pattern(
    r"\b(?:other|earlier|previous|first|last|second)\s+(?P<who>image|picture|photo|panel|frame)\b"
    r"[^.;!?\n]*",
    among=[
        f"{which} {what}"
        for which in ("other", "earlier", "previous", "first", "last", "second")
        for what in ("image", "picture", "photo", "panel", "frame")
    ],
)
PART_AFTER = Pattern(
    r"\s*(?:\w+\s+)?(?:of\s+(?:them|these|those|which|whom|it)\b|of\s+the\s+[^.,;!?\n]{1,30}\b(?:might|may|could)\b|more\b(?!\s+than)|others?\b"
    r"|additional\b|extra\b|can(?:not|'t|\s+not)\s+be\s+(?:excluded|ruled\s+out)\b"
    r"|times\b|m[áa]s\b|autres\b|weitere\b|altri\b)",
)
#: "One of the dogs", and what counts nothing: "one of the tallest buildings".
ONE_OF = Pattern(r"\s+of\s+(?:the|these|those|them|his|her|its|their)\b", needs="of")
ONE_OF_MOST = Pattern(
    r"\s+of\s+(?:the|his|her|its|their)\s+(?:(?:\w+['’]s?|world)\s+)?(?:most|best|worst|\w{3,}est)\b",
    needs="of",
)
#: The words between 3 and 8 in "3 of the 8", "3 dogs out of 8".
BASE = Pattern(
    r"\s+(?:(?:\w+\s+){0,2}?(?:out\s+of|among|of\s+(?:the|all|these|those|a\s+total\s+of|his|her"
    r"|its|their))|of)\s+"
    r"(?:(?:the|all|these|those|total|a\s+total\s+of)\s+)*(?:(?!(?:is|are|was|were)\b)\w+\s+)?"
    r"|\s+(?:des|sur(?:\s+les)?|de(?:\s+(?:las|los))?|der|von(?:\s+den)?|delle|dei|degli|su|d[ao]s)\s+",
)
#: Before the 30 of "11 scored above 80, out of 30 in total".
OUT_OF = Pattern(
    r"\b(?:out\s+of|von\s+insgesamt|sur\s+un\s+total\s+de|de\s+un\s+total\s+de|su\s+un\s+totale\s+di"
    r"|de\s+um\s+total\s+de|из\s+общего\s+числа)\s+(?:(?:the|all|a\s+total\s+of)\s+)*\Z",
    last=words("of insgesamt de di числа the all"),
)
#: Before the 8 of "Of the 8 dogs, 3 are black".
BASE_BEFORE = Pattern(
    r"(?:\A|[.,;:!?\n]\s*)(?:(?:of|out\s+of|among)\s+(?:the|these|those|all)|out\s+of|von\s+den|de\s+l[oa]s"
    r"|(?:sur|parmi)\s+les|d[ea]lle|d[ea]i|das|dos)\s+\Z",
    last=words("the these those all of den los las les delle dalle dei dai das dos"),
)
_LABELS = (
    r"figure | fig\.? | table | step | line | photo | image | picture | question | option | chapter"
    " | section | row | column | level | page | room | route | highway | bus | gate | platform"
    " | exercise | problem | example | part | lane | track | zone | case | version | apollo | area"
    " | phase | stage | test | task | number | at age | aged | die | class | grade | type | group"
    " | frame | clue | call | dial"
)
LABEL_BEFORE = Pattern(rf"(?:\b{any_of(_LABELS)}\s+|[第])\(?\s*\Z", last=_last_words(_LABELS))
YEAR_BEFORE = Pattern(
    r"(?:\b(?:in|from|since|of|for|year|dated|by|during|until|to|and|between|copyright|around|early"
    r"|late|mid|end\s+of|the|after|before"
    rf"|{'|'.join(MONTHS)}|en|im|nel|desde|seit|de|corresponde\s+a)\s+(?:the\s+)?|[(©'‘:]\s*|^\s*)\Z",
)
YEAR_AFTER = Pattern(
    r"\s*(?:s\b|to\b|and\b|edition\b|model\b|was\b|is\b|with\b|at\b|[,.:;)\]]|\Z|there\b|photo\b|world\b"
    r"|olympic|season\b|calendar\b)",
)
#: "The highest bar is 2017, showing 1,950 visitors": a year whatever stands before it.
SURE_YEAR = Pattern(r"\s*(?:[年년]|,?\s+(?:showing|with\s+(?:an?\s|\d)))")
_MONTHS = (*MONTHS, *(name[:3] for name in MONTHS), "sept")
MONTH = rf"(?:{'|'.join(_MONTHS)})\b"
DAY = Pattern(rf"\s+(?:of\s+)?{MONTH}\.?(?!\s+(?:be|have|not))")
DAY_AFTER_MONTH = Pattern(rf"\b{MONTH}\.?\s+\Z", last=_MONTHS)
#: "Person 1: a man" at the start of a line.
LINE_LABEL = Pattern(r"(?:\A|\n)[\s*•>-]*[A-Z]\w+\s+\Z", flags=0)
COMPOUND = Pattern(
    r"(?:-[A-Za-z]|\s?(?:o'clock|uhr|heures|[ap]\.?m)\b|[月日时時点點](?!\w))",
)
BARE = Pattern(
    r"\s*(?:[^\w\s]|\Z|(?:on|in|at|of|by|near|from|to|here|there|is|are|was|were|has|have|do|does"
    r"|did|can|could|will|altogether|overall|total|visible|shown"
    r"|who|which|that|and|but|more|left|right|behind|next|standing|sitting|dans|sur|en|auf|im|in"
    r"|sont|sind|total|objects?|items?|ones?|things?)\b)",
)
#: "dogs: 3", and the cell of a table.
LABEL_ENDS = (":", "：", "|", "=", ">", "→")
LABELLED = Pattern(r"([^\W\d][\w ()/'-]{0,40}?)\s*(?:[:：|=]|->|→)[\s|]*\Z")
_ALL = "each | every | all | these | those | the | both"
GIVEN = Pattern(rf"\b{any_of(_ALL)}(?:\s+of\s+the)?\s+\Z", last=_last_words(_ALL))
#: "iPhone 12", "Boeing 747": the number belongs to a name.
NAME_BEFORE = Pattern(
    r"(?:(?<=[a-z,;]\s)(?-i:[A-Z]\w+)|\b(?-i:[a-z]+[A-Z]\w*)|\A(?:iPhone"
    r"|The\s+(?-i:[A-Z])\w+))\s\Z",
    flags=0,
)
#: "Rounded to two decimals": how exact a value is.
_PRECISION = Pattern(r"[\s-]+(?:decimals?\b|significant\s+(?:figures?|digits?)\b|sig\.?\s?figs?\b)")
_PRECISION_ASKED = Pattern(r"\bhow\s+many\s+(?:decimal|significant)", needs="how")
#: Before the 44 of "not to be confused with the 44 on the door", which is a fact about the door.
SET_AGAINST = Pattern(
    r"\b(?:opposed\s+to|in\s+contrast\s+(?:to|with)|confused\s+with|unlike)\s+the\s+\Z",
    last=("the",),
)
#: Before the amount of a change, and before its end: "it rises by 5", "it rises to 47".
_CHANGES = (
    r"\b(?:rises?|rose|risen|rising|falls?|fell|fallen|falling|drops?|dropp(?:ed|ing)|gr[eo]w|grows"
    r"|grown|growing|(?:in|de)creas(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|climb(?:s|ed|ing)?)"
)
CHANGE_ASKED = Pattern(rf"\bhow\s+much\b.*{_CHANGES}\b", needs="how")
CHANGED_BY = Pattern(rf"{_CHANGES}\s+by\s+(?:\w+\s+)?[$€£]?\Z", needs="by")
CHANGED_TO = Pattern(rf"{_CHANGES}\s+to\s+(?:\w+\s+)?[$€£]?\Z", needs="to")
FIRST = Pattern(r"\s*(?:at\s+first|initially|before(?:hand)?|at\s+the\s+(?:start|beginning))\b")
LAST = Pattern(r"\s*(?:(?:in|at|by)\s+the\s+end|finally|afterwards)\b")
START_ASKED = Pattern(r"\bat\s+the\s+(?:start|beginning|outset)\b", needs="start beginning outset")
END_ASKED = Pattern(r"\b(?:at|by)\s+the\s+end\b", needs="end")
#: "$3 each": the number of one of several things.
EACH = Pattern(r"\s*(?:\w+\s+){0,2}?(?:each|per|apiece)\b")
#: Between groups and how many each of them has: "4 rows of 6", "3 × 10".
GROUPS = re.compile(r"\s*[×x*]\s*|\s+\w+[sne]\s+(?:of|by|à|de|zu)\s+(?:je\s+)?", re.IGNORECASE)
TIMES = Pattern(r"\s+times\s+(?:as|more|less|larger|bigger)\b")
SUBSET = Pattern(
    r"\s+(?:(?:actually|clearly|also)\s+)?(?:are|were|is|was|have|has|wear|wears|look|looks"
    r"|appear|appears|seem|seems)\b",
)
#: "The numbers on top are 1, 4 and 2": values, and no counts.
VALUES = Pattern(
    r"\bthe\s+(?:numbers|values|digits)\b[^.;!?\n]*\b(?:are|read|show|include)\b[^.;!?\n]*\Z",
    needs="numbers values digits",
)
OF_SOME = Pattern(r"\bhow\s+many\s+of\s+(?:the|these|those)\b", needs="how")
#: "One giraffe is standing and the other is drinking."
THE_OTHER = Pattern(r"[^.;!?\n]*\bthe\s+other\b", needs="other")
PLACE_ASKED = Pattern(r"\b(?:which|what)\b")
#: Nothing but operators and numbers up to "=": "2(3 + 4) = 14".
OPERATION = Pattern(r"(?=[^=]*[+×÷*·/(x^-])[\d\s.+×÷*·/()$€x^²-]{1,60}=")
BEFORE_OPERATOR = Pattern(r"\s*(?:[+×÷*·]|-\s|/)\s*[\d(]")
AFTER_OPERATOR = Pattern(r"\d\)?\s*(?:[+×÷*·/]|-\s)\s*\Z")
#: A number of "the sum of 3, 4 and 5"; N stands for it.
OPERAND = Pattern(
    r"\b(?:sum|difference|product|ratio|quotient|mean|average|median)\s+(?:of"
    r"|between)\s+(?:the\s+)?"
    r"(?:numbers\s+)?(?:[\d.]{1,12}\s*(?:,|and\b|to\b)[\s,]*(?:and\s+)?){0,9}(?:N\s*(?:,|and\b"
    r"|to\b)|(?<=and\s)N|(?<=to\s)N)",
    needs="sum difference product ratio quotient mean average median",
)
#: Where a clause ends.
_LIMITS = words(
    "and but while although though whereas plus with which et und y e aber mais pero ma"
)
_LIMIT_SIGNS = re.compile("[,.;!?\n()。，；而但和其](?:(?<!其)|中)")
FUNCTION = (
    r"of|another|can|could|might|may|is|are|was|has|who|that|which|on|in|at|with|to|by|from|near"
    r"|as|and|or|would|should|will"
)
PRONOUN_BEFORE = Pattern(
    r"\b(?:(?:this|that|each|every|the|which|any|another|an?)\s+(?:\w+\s+)?|(?:big|small|left"
    r"|right|same|\w+(?:er|est))\s+)\Z",
)
PRONOUN_AFTER = Pattern(rf"\s*(?:(?:{FUNCTION}|there)\b|[^\w\s]|\Z)")
ONE_BY_ONE = Pattern(
    r"\bone\s+by\s+one|\bone\s+another|\bat\s+one\s+time|\bone\s+at\s+a\s+time|\bone\s+(?:can"
    r"|could|might|may|would|must|should)\b|\bone-",
)
COUNTED_ONE = Pattern(
    r"\b(?:only|just|exactly|at\s+least|there\s+is|there's|is\s+only)\s+(?:the\s+)?\Z",
)
THE_ONE = Pattern(r"\b(?:the|this|that|each|every|which|any|another)\s+\Z")
#: Between a word of denial and the number that it denies: "nothing like a 3".
DENIED = Pattern(
    r"(?:\s+(?!of\b|de\b|von\b|di\b|(?!(?:es|is|was)\b)\w+s\b)\w+){0,3}\s+",
)
#: Between the items of a list of numbers.
JOINED = Pattern(r"\s*(?:,|and|&|or|,\s*and)\s*")
#: "5 degrees colder than", "32 below": no value of its own.
COMPARING = Pattern(
    r"\W*(?:\w+\s+){0,2}?(?:(?:\w+er|more|less|fewer)\s+than|below|above|ahead|behind)\b",
)
#: Between the numbers of "7 in 10", "three out of five".
ODDS = re.compile(r"\s+(?:in|out\s+of)\s+(?:every\s+)?", re.IGNORECASE)
#: "Guitars usually have six": such a number counts nothing in a picture.
IN_GENERAL = Pattern(
    r"\b(?:usually|generally|typically|normally|often)\b[^.,;:!?\n]*?\b(?:have|has|comes?\s+with)\s+\Z",
    needs="usually generally typically normally often",
)


def is_pronoun(plain: str, start: int, end: int, question: str) -> bool:
    """Whether the "one" at a place is a pronoun: "the one on the left", "one can see"."""
    before, after = plain[max(0, start - 30) : start], plain[end : end + 30]
    if ONE_BY_ONE.match(plain, start) or re.search(r"\bby\s+\Z", before):
        return True
    if COUNTED_ONE.search(before):
        return bool(re.match(r"\s+(?:more|another)\b", after)) and "more" not in question
    if re.match(r"\s+of\b", after):
        return not re.search(r"how\s+many", question, re.IGNORECASE)
    if PRONOUN_BEFORE.search(before) and PRONOUN_AFTER.match(after):
        return True
    return bool(THE_ONE.search(before) and not re.match(r"\s+[a-z]{3,}", after))


def is_subset(form: str, after: str, question: str) -> bool:
    """Whether what follows a number of some form makes it a part of what was counted before, where
    the question asks for no part ("how many of the lamps are on?").

    >>> is_subset("one", " of the dogs is black", ""), is_subset("digits", " dogs", "")
    (True, False)
    """
    part = SUBSET.match(after) or (form == "one" and ONE_OF.match(after))
    return bool(part) and OF_SOME.search(question) is None


def tells_precision(after: str, question: str) -> bool:
    """Whether the number before ``after`` tells how exact a value is, and is not asked for.

    >>> tells_precision(" decimal places: 1.69", "What is the mean?")
    True
    """
    return _PRECISION.match(after) is not None and _PRECISION_ASKED.search(question) is None


def is_odds(gap: str, after: str) -> bool:
    """Whether a number between some words is a share in other words than a percentage elsewhere:
    "7 in 10: 69%".
    """
    gaps = () if after.lstrip().startswith("%") else (gap, re.split(r"\d", after)[0])
    return any(map(ODDS.fullmatch, gaps))


def is_set_against(near: str, stems: frozenset[str], question: str) -> bool:
    """Whether a number, with the stems of its clause, is a value of what the question names, which
    the answer compares with another one.
    """
    if not SET_AGAINST.search(near) or denies(question):
        return False
    return not stems.isdisjoint(content_words(question))


def is_presupposed(near: str, stems: frozenset[str], question: str) -> bool:
    """Whether the words before a number take it for known: "the two", "all six"."""
    return bool(GIVEN.search(near)) and not is_set_against(near, stems, question)


def is_other_time(near: str, after: str, question: str) -> bool:
    """Whether a number between some words is a change, or the other end of one, where the question
    asks for the start or the end.

    >>> is_other_time("it rises by ", ".", "What is it at the end?"), is_other_time("by ", ".", "")
    (True, False)
    """
    from_start = START_ASKED.search(question) is not None
    is_change = CHANGE_ASKED.search(question) is not None
    if is_change or from_start == (END_ASKED.search(question) is not None):
        return False
    if CHANGED_BY.search(near) or (LAST if from_start else FIRST).match(after):
        return True
    return from_start and CHANGED_TO.search(near) is not None


@lru_cache(16)
def _matches(phrase: Pattern, plain: str) -> list[re.Match[str]]:
    return list(phrase.finditer(plain))


def stands_in(phrase: Pattern, plain: str, place: int, question: str) -> bool:
    """Whether a place is in words of which the one that says them is none of the question."""
    inside = (match for match in _matches(phrase, plain) if match.start() <= place < match.end())
    return any((match["who"] or "-") not in question for match in inside)


@lru_cache(16)
def clause_limits(plain: str) -> tuple[list[int], list[int]]:
    """Where what ends a clause begins, and where it ends.

    >>> clause_limits("2 red and 3, all")
    ([6, 11], [9, 12])
    """
    signs = map(re.Match.span, _LIMIT_SIGNS.finditer(plain))
    spans = sorted([*signs, *spans_of(plain, _LIMITS)])
    return [start for start, _ in spans], [end for _, end in spans]
