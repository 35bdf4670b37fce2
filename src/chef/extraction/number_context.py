"""Judge from the words around a number what it is: a count, a part, a bound, a year, a label."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from chef.extraction.characters import CJK
from chef.extraction.number_forms import Number, numbers_in
from chef.extraction.questions import asks_for_count, content_places, content_words
from chef.extraction.text import Hit


class Role(IntEnum):
    """What a number is; a lower one is considered only where there is no higher one."""

    DROPPED = 0  # the marker of a list, a number that is ruled out
    LABEL = 1  # a year, an ordinal, "Figure 3", "3-door", the 8 of "3 of the 8"
    GIVEN = 2  # "the two events"
    PART = 3  # "2 of them", "including 2", in parentheses
    OPEN = 4  # "2 or 3", "more than 3": not one number
    COUNT = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A number with its role, and the words that go with it."""

    number: Number
    role: Role
    #: Stems in the clause around the number, and the stems of the words right after it.
    zone: frozenset[str]
    noun: tuple[str, ...]
    #: Whether no noun follows: "2 on the left". Then it counts what the question asks for.
    bare: bool

    @property
    def value(self) -> float:
        """The value of the number."""
        return self.number.value

    @property
    def hit(self) -> Hit[float]:
        """The value with its place."""
        return Hit(self.number.value, self.number.start, self.number.end)


_WINDOW = 90
_RANGE = re.compile(
    r"(?!.*\n)[\s\"')\]}%°$€£]*(?:\w{1,12}\s+)?(?:\b(?:or|to|through|bis|oder|ou|o|oppure|à|a|and|und|y|et|e|或(?:者)?|到|至|или|до)\b|或(?:者)?|到|至|か|から|또는|에서|~|[-–—/~])"
    r"\s*(?:(?:maybe|perhaps|possibly|even|about|around|approximately|at\s+most)\s+)*[\s\"'(\[{$€£]*",
    re.IGNORECASE,
)
_AND = re.compile(r"\b(?:and|und|y|et|e)\b|和|と", re.IGNORECASE)
_BETWEEN = re.compile(
    r"\b(?:between|from|entre|zwischen|tra|fra|anywhere\s+from)\s+(?:about\s+|around\s+)?\Z",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"(?:(?<!no )(?<!not )\b(?:more|greater|larger|higher|bigger)\s+than|(?<!no )(?<!not )\b(?:less|fewer|lower|smaller)\s+than"
    r"|\bno\s+more\s+than|\bnot\s+more\s+than|\bupwards?\s+of|\bwell\s+over|\bover|(?<!add )(?<!adds )(?<!sum )(?<!sums )\bup\s+to|\bat\s+most|\ba\s+maximum\s+of|\bunder|\bbelow|\babove|\bexceeds?|\bbeyond"
    r"|[<>≤≥]=?|超过|不到|多于|少于|不超过|最多|más\s+de|plus\s+de|mehr\s+als|più\s+di|mais\s+de|более|менос\s+de|moins\s+de|weniger\s+als)"
    r"\s*(?:(?:about|around|the|a|some)\s+)?\Z",
    re.IGNORECASE,
)
_BOUND_AFTER = re.compile(
    r"\s*(?:\+(?!\s*\d)|(?:or|and)\s+(?:more|so\s+many|fewer|less)\b|[个只人条名匹本枚台]?(?:以上|以下)|(?:명|개|마리)?\s?(?:이상|이하)|多(?=[个只人条名])|来(?=[个只人]))",
    re.IGNORECASE,
)
_RULED_OUT = re.compile(
    r"(?:\bnot|n't|\brather\s+than|\binstead\s+of|\bnever|不是|并非|\bpas|\bnicht|\bno\s+son|\bnon|не)\s+(?:(?:exactly|actually|just|only|be|see|the|have|count|is|are)\s+){0,2}\Z",
    re.IGNORECASE,
)
_PART_BEFORE = re.compile(
    r"(?:\b(?:including|incl\.?|includes|of\s+which|of\s+whom|of\s+them|among\s+(?:them|which|these)|plus|another|the\s+other|other|additional"
    r"|give\s+or\s+take|plus\s+or\s+minus|one\s+of\s+the|with|extra|than|dont|davon|darunter|incluyendo|de\s+los\s+cuales)(?!\w)|±|其中|もう|またもう|그중)\s*(?:[\u4e00-\u9fff]{1,8}:)?\s*\Z",
    re.IGNORECASE,
)
_PART_AFTER = re.compile(
    r"\s*(?:\w+\s+)?(?:of\s+(?:them|these|those|which|whom|it)\b|more\b(?!\s+than)|others?\b|additional\b|extra\b"
    r"|times\b|m[áa]s\b|autres\b|weitere\b|altri\b)",
    re.IGNORECASE,
)
#: The words between 3 and 8 in "3 of the 8", "3 dogs out of 8".
_BASE = re.compile(
    r"\s+(?:(?:\w+\s+){0,2}?(?:out\s+of|among|of\s+(?:the|all|these|those|a\s+total\s+of|his|her|its|their))|of)\s+"
    r"(?:(?:the|all|these|those|total|a\s+total\s+of)\s+)*(?:\w+\s+)?",
    re.IGNORECASE,
)
_LABEL_BEFORE = re.compile(
    r"(?:\b(?:figure|fig\.?|table|step|line|photo|image|picture|question|option|chapter|section|row|column|level|page"
    r"|room|route|highway|bus|gate|platform|exercise|problem|example|part|lane|track|zone|case|version|apollo|area"
    r"|phase|stage|test|task|number|at\s+age|aged|die|class|grade|type|group|frame|clue|call|dial)\s+|[第])\(?\s*\Z",
    re.IGNORECASE,
)
_YEAR_BEFORE = re.compile(
    r"(?:\b(?:in|from|since|of|year|dated|by|during|until|to|and|between|copyright|around|early|late|mid|end\s+of|the|after|before"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|en|im|nel|desde|seit|de)\s+(?:the\s+)?|[(©'‘:]\s*|^\s*)\Z",
    re.IGNORECASE,
)
_YEAR_AFTER = re.compile(
    r"\s*(?:年|년|s\b|to\b|and\b|edition\b|model\b|was\b|is\b|[,.:;)\]]|\Z|there\b|photo\b|world\b|olympic|season\b|calendar\b)",
    re.IGNORECASE,
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
_DAY = re.compile(rf"\s+(?:of\s+)?{_MONTH}\.?(?!\s+(?:be|have|not))", re.IGNORECASE)
_DAY_AFTER_MONTH = re.compile(rf"\b{_MONTH}\.?\s+\Z", re.IGNORECASE)
#: "Person 1: a man" at the start of a line.
_LINE_LABEL = re.compile(r"(?:\A|\n)[\s*•>-]*[A-Z]\w+\s+\Z")
_COMPOUND = re.compile(
    r"(?:-[A-Za-z]|\s?(?:o'clock|uhr|heures|p\.m|a\.m)\b|[月日时時点點](?!\w))", re.IGNORECASE
)
_BARE = re.compile(
    r"\s*(?:[^\w\s]|\Z|(?:on|in|at|of|by|near|from|to|here|there|is|are|was|were|has|have|do|does|did|can|could|will|altogether|overall|total|visible|shown"
    r"|who|which|that|and|but|more|left|right|behind|next|standing|sitting|dans|sur|en|auf|im|in|sont|sind|total|objects?|items?|ones?|things?)\b)",
    re.IGNORECASE,
)
#: "dogs: 3", and the cell of a table.
_LABELLED = re.compile(r"([^\W\d][\w ()/'-]{0,40}?)\s*(?:[:：|=]|->|→)[\s|]*\Z")
_GIVEN = re.compile(
    r"\b(?:each|every|all|these|those|the|both)(?:\s+of\s+the)?\s+\Z", re.IGNORECASE
)
_SUBSET = re.compile(
    r"\s+(?:(?:actually|clearly|also)\s+)?(?:are|were|is|was|have|has|wear|wears|look|looks|appear|appears|seem|seems)\b",
    re.IGNORECASE,
)
_PLACE_ASKED = re.compile(r"\b(?:which|what)\b", re.IGNORECASE)
#: Nothing but operators and numbers up to "=": "2(3 + 4) = 14".
_OPERATION = re.compile(r"(?=[^=]*[+×÷*·/(x^-])[\d\s.+×÷*·/()$€x^²-]{1,60}=")
_BEFORE_OPERATOR = re.compile(r"\s*(?:[+×÷*·]|-\s|/)\s*[\d(]")
_AFTER_OPERATOR = re.compile(r"\d\)?\s*(?:[+×÷*·/]|-\s)\s*\Z")
#: The first or second number of "the sum of 3 and 4".
_OPERAND = re.compile(
    r"\b(?:sum|difference|product|ratio|quotient)\s+(?:of|between)\s+(?:(?:the\s+)?N\s+(?:and|to)\b|\S+\s+(?:and|to)\s+N)",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"[,.;!?\n()。，；]|\b(?:and|but|while|although|though|whereas|plus|with|which|et|und|y|e|aber|mais|pero|ma)\b|而|但|其中|和",
    re.IGNORECASE,
)
_FUNCTION = r"of|another|can|could|might|may|is|are|was|has|who|that|which|on|in|at|with|to|by|from|near|as|and|or|would|should|will"
_PRONOUN_BEFORE = re.compile(
    r"\b(?:(?:this|that|each|every|the|which|any|another|an?)\s+(?:\w+\s+)?|(?:big|small|left|right|same|\w+(?:er|est))\s+)\Z",
    re.IGNORECASE,
)
_PRONOUN_AFTER = re.compile(rf"\s*(?:(?:{_FUNCTION})\b|[^\w\s]|\Z)", re.IGNORECASE)
_ONE_OF = re.compile(r"\s+of\b", re.IGNORECASE)
_ONE_BY_ONE = re.compile(
    r"\bone\s+by\s+one|\bone\s+another|\bat\s+one\s+time|\bone\s+at\s+a\s+time|\bone\s+(?:can|could|might|may|would|must|should)\b|\bone-",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^[ \t>]*[(\[]?(\d{1,2})(?:[.):\]]|\s-)[ \t]+(?=\S)", re.MULTILINE)
_INLINE = re.compile(r"\((\d{1,2})\)\s|(?<![\w.])(\d{1,2})\)\s")


def candidates(plain: str, question: str = "") -> list[Candidate]:
    """The numbers of a text without markup, with their roles, in order.

    >>> [(c.value, c.role.name) for c in candidates("In 2019: 6 birds, 2 of them black.")]
    [(2019, 'LABEL'), (6, 'COUNT'), (2, 'PART')]
    """
    numbers = [n for n in numbers_in(plain, question) if not _pronoun(n, plain, question)]
    markers = list_markers(plain)
    if not _PLACE_ASKED.search(question):
        numbers = [n for n in numbers if n.form != "ordinal" or plain[n.start].isdigit()]
    numbers = [n for n in numbers if not any(s <= n.start < e for s, e in markers)]
    numbers = _repeated(numbers, plain)
    found = []
    for place, number in enumerate(numbers):
        before = plain[max(0, number.start - _WINDOW) : number.start]
        role = _role(number, before, plain, numbers, place)
        if number.form == "fraction" and number.value < 1 and asks_for_count(question):
            role = Role.OPEN
        if 1000 <= number.value <= 2100 and str(number.value) in question:
            role = min(role, Role.LABEL)
        left = numbers[place - 1].end if place else 0
        right = numbers[place + 1].start if place + 1 < len(numbers) else len(plain)
        found.append(_candidate(number, role, plain, left, right))
    return found


def list_markers(plain: str) -> list[tuple[int, int]]:
    """Spans of the markers of a numbered list: "1." and "2." at line starts, "(1)" and "(2)"."""
    for pattern in (_ITEM, _INLINE):
        found = list(pattern.finditer(plain))
        counts = [int(match[1] or match[match.lastindex or 1]) for match in found]
        if (
            len(found) > 1
            and counts[0] in (0, 1)
            and counts == list(range(counts[0], counts[0] + len(counts)))
        ):
            return [match.span() for match in found]
    return []


def _repeated(numbers: list[Number], plain: str) -> list[Number]:
    """Without the digits that repeat a word right before them: "thirteen (13)"."""
    return [
        number
        for place, number in enumerate(numbers)
        if not place
        or number.value != numbers[place - 1].value
        or re.fullmatch(r"\s*[(=]\s*", plain[numbers[place - 1].end : number.start]) is None
    ]


def _pronoun(number: Number, plain: str, question: str) -> bool:
    """Whether "one" is a pronoun: "the one on the left", "one can see"."""
    if number.form != "one":
        return False
    before, after = (
        plain[max(0, number.start - 30) : number.start],
        plain[number.end : number.end + 30],
    )
    if _ONE_BY_ONE.match(plain, number.start) or re.search(r"\bby\s+\Z", before):
        return True
    counted = re.search(
        r"\b(?:only|just|exactly|at\s+least|there\s+is|there's|is\s+only)\s+(?:the\s+)?\Z",
        before,
        re.IGNORECASE,
    )
    if counted:
        return bool(re.match(r"\s+(?:more|another)\b", after))
    if _ONE_OF.match(after):
        return not re.search(r"how\s+many", question, re.IGNORECASE)
    return bool(_PRONOUN_BEFORE.search(before) and _PRONOUN_AFTER.match(after)) or bool(
        re.search(r"\b(?:the|this|that|each|every|which|any|another)\s+\Z", before, re.IGNORECASE)
        and not re.match(r"\s+[a-z]{3,}", after)
    )


def _role(number: Number, before: str, plain: str, numbers: Sequence[Number], place: int) -> Role:
    after = plain[number.end : number.end + 40]
    if number.form != "zero" and _RULED_OUT.search(before):
        return Role.DROPPED
    line = plain[number.end : number.end + 80].partition("\n")[0]
    if _OPERATION.match(line):
        return Role.LABEL
    if "=" in line and (_BEFORE_OPERATOR.match(after) or _AFTER_OPERATOR.search(before)):
        return Role.LABEL
    if _OPERAND.search(before + "N" + after):
        return Role.LABEL
    if number.form == "ordinal" or _is_label(number, before, after):
        return Role.LABEL
    if (
        _ranged(number, before, plain, numbers, place)
        or _BOUND.search(before)
        or _BOUND_AFTER.match(after)
    ):
        return Role.OPEN
    gap = plain[numbers[place - 1].end : number.start] if place else "\n"
    if len(gap) < 40 and _BASE.fullmatch(gap) and numbers[place - 1].form != "ordinal":
        return Role.LABEL
    if re.match(r"\s*(?:\w+\s+){0,2}?(?:each|per|apiece)\b", after):
        return Role.OPEN
    if place and _SUBSET.match(after):
        return Role.PART
    if _GIVEN.search(before):
        return Role.GIVEN
    if _PART_BEFORE.search(before) or _PART_AFTER.match(after) or _in_parentheses(number, plain):
        return Role.PART
    return Role.COUNT


def _is_label(number: Number, before: str, after: str) -> bool:
    if number.form in ("zero", "fraction"):
        return False
    if _COMPOUND.match(after) or re.match(r"\s+times\s+(?:as|more|less|larger|bigger)\b", after):
        return True
    if (
        number.form == "digits"
        and number.value <= 31
        and (_DAY.match(after) or _DAY_AFTER_MONTH.search(before))
    ):
        return True
    if _LINE_LABEL.search(before) and re.match(r"\s*:", after):
        return True
    year = (
        number.form == "digits"
        and 1000 <= number.value <= 2100
        and float(number.value).is_integer()
    )
    if (
        year
        and re.match(r"[12]\d{3}\s*:", f"{number.value}{after}")
        and re.search(r"[\w(]\s*\Z", before)
    ):
        return True
    if year and _YEAR_BEFORE.search(before) and _YEAR_AFTER.match(after):
        return True
    return number.form in ("digits", "words", "one") and bool(_LABEL_BEFORE.search(before))


def _ranged(number: Number, before: str, plain: str, numbers: Sequence[Number], place: int) -> bool:
    if number.form in ("zero",):
        return False
    for first, second in ((place - 1, place), (place, place + 1)):
        if first < 0 or second >= len(numbers):
            continue
        one, two = numbers[first], numbers[second]
        gap = plain[one.end : two.start]
        if len(gap) > 40 or one.value == two.value or not _RANGE.fullmatch(gap):
            continue
        lead = plain[max(0, one.start - 24) : one.start]
        if _AND.search(gap):
            if _BETWEEN.search(lead):
                return True
        elif "zero" not in (one.form, two.form):
            return True
    return False


def _in_parentheses(number: Number, plain: str) -> bool:
    opened = plain.rfind("(", max(0, number.start - 200), number.start)
    return opened >= 0 and ")" not in plain[opened : number.start] and bool(plain[:opened].strip())


def _candidate(number: Number, role: Role, plain: str, left: int, right: int) -> Candidate:
    start, end = max(left, number.start - _WINDOW), min(right, number.end + _WINDOW)
    for match in _LIMIT.finditer(plain, start, number.start):
        start = match.end()
    limit = _LIMIT.search(plain, number.end, end) or re.compile(r"[:：]").search(
        plain, number.end, end
    )
    colon = re.compile(r"[:：]").search(plain, number.end, end)
    stop = min([end, *(match.start() for match in (limit, colon) if match)])
    around = plain[start : number.start] + " | " + plain[number.end : stop]
    following = content_places(plain[number.end : stop])
    noun = tuple(stem for stem, place, _ in following if place < 30)[:3]
    bare = bool(_BARE.match(plain, number.end)) and not re.match(
        f"[ ]?[{CJK}]{{1,3}}", plain[number.end :]
    )
    label = _LABELLED.search(plain, start, number.start)
    if label and bare:
        noun, bare = tuple(content_words(label[1])), False
    return Candidate(number, role, content_words(around), noun, bare)
