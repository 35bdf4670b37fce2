"""What the numbers of an answer are to one another: a sum, a rounding, the end of a counting."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from chef.reading.lexicon import alternation, word_list
from chef.reading.number_context import Candidate, Role
from chef.reading.number_forms import is_percent, share_of
from chef.reading.number_years import same_value
from chef.reading.patterns import Pattern
from chef.reading.questions import asks_for_count, content_words, counted_words, predicate_words
from chef.reading.text import sentence_start
from chef.reading.units import units_after, units_in
from chef.reading.word_index import words_in

#: "How many more cats than dogs", "how many years older is Ann", "by how much".
_MORE_ASKED = Pattern(
    lambda: (
        r"\bhow\s+(?:many|much)\s+(?:\w+s\s+)?"
        rf"{alternation(word_list('more_scales') | word_list('less_scales'))}\b"
        r"|\bby\s+how\s+(?:much|many)\b"
    ),
    needs="how",
)
#: "from 20 to 35, an increase of 15"
_CHANGE = re.compile(
    r"\b(?:an?|the)\s+(?:\w+\s+)?(?:increase|decrease|rise|drop|fall|gain|growth|decline|difference|reduction|gap)\s+of\W*(?:\w+\s+)?\Z"
    r"|(?<!divided )(?<!multiplied )\bby\s+(?:\w+\s+)?[$€£]?\Z",
    re.IGNORECASE,
)
_MORE = re.compile(r"\s*(?:\w+\s+)?(?:more|fewer|less|\w{2,}er)\b(?!\s+than\s+\d)", re.IGNORECASE)
_WHICH_LABEL = re.compile(
    r"\b(?:which|what)\s+(?P<noun>page|slide|floor|gate|platform|room|bus|line|chapter|figure|track"
    r"|seat|row|step|exit|lane)\b(?!\s+(?:number|has|have))",
    re.IGNORECASE,
)
#: "What is the value of x?", "solve for y".
_VARIABLE = re.compile(
    r"\b(?:[Vv]alue\s+of|[Ss]olve\s+for|[Ff]ind|[Ww]hat(?:'s|\s+is))\s+(?P<noun>[b-z])\b(?!')"
)
#: Behind the 3 of "y = 3x + 1", or of "3 · 2".
_IN_TERM = re.compile(r"\s*(?:[a-z]\b|[=≈+×·*/^(√π–-])")
#: "Dover", "angle A"; "A" may be an article elsewhere.
_NAMES = re.compile(r"(?<=[a-z,] )(?:[A-Z][\w-]+|[A-Z](?=[\s?.,]))|(?<=[\"'])\w[\w ]*(?=[\"'])")
_BOUND = re.compile(r"\b(?:than|over|above|below|under|at\s+least|at\s+most)\b", re.IGNORECASE)
#: "by how many percent", which no difference of two counts is.
_SHARE = re.compile(
    r"%|\bper\s?cent(?:age)?\b(?!\s+points)|\bproz\w+|\bporcent\w+|\bpour\s?cent\w*|\bпроцент\w*|百分",
    re.IGNORECASE,
)
#: Between 11 and 13 of "11 boys and 13 girls".
_PAIRED = re.compile(r"\s+\w+(?:,|,?\s+(?:and|und|et|y|e|и))\s+")
#: How far apart two numbers of a counting may stand, in characters.
_APART = 60
#: "Trucks generally have ten in total" counts nothing in a picture.
_IN_GENERAL = re.compile(r"\b(?:usually|generally|typically|normally|often)\b", re.IGNORECASE)
_IN_TURN = Pattern(
    r"\brespectively\b|\bthe\s+(?:former|latter)\b", needs="respectively former latter"
)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
_OF_THE_TWO = re.compile(r"\s+of\s+the\s+(former|latter)\b", re.IGNORECASE)
_TWO_NAMES = re.compile(r"\b([^\W\d]+)\s+and\s+(?:the\s+)?([^\W\d]+)")
#: "How many are there, not counting the toy?", and what an answer says of it.
_INCLUDED = re.compile(
    r"\b(?:(?P<not>without|not\s+(?:counting|including)|excluding|leaving\s+out)"
    r"|including|counting)\b",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"\b(?:without|not\s+(?:counting|including)|excluding|leaving\s+out)\s+"
    r"(?:it|them|that|this|these|those|the)\b",
    re.IGNORECASE,
)
_ROUNDED = Pattern(r"\bround(?:s|ed|ing)\b", needs="rounds rounded rounding")


def rounding(numbers: Sequence[Candidate], question: str) -> Candidate | None:
    """The last number that is another one, rounded: "1.6875, rounded to two decimals 1.69", or
    "1.69 (from 1.6875)" where the question asks to round.
    """
    is_asked = _ROUNDED.search(question) is not None
    if not numbers or not (is_asked or _ROUNDED.may_match(numbers[0].plain)):
        return None
    for number in reversed(numbers):
        if not is_asked and _ROUNDED.search(number.before) is None:
            continue
        decimals = number.plain[number.number.start : number.number.end].partition(".")[2]
        exact = numbers if is_asked else numbers[: numbers.index(number)]
        if any(c.value != number.value == round(c.value, len(decimals)) for c in exact):
            return number
    return None


def as_share(numbers: Sequence[Candidate], question: str) -> Sequence[Candidate]:
    """Where percent are asked for, some numbers without what one is as a share: "5/8 or 62.5 %"."""
    if not _SHARE.search(question):
        return numbers
    percents = [c for c in numbers if is_percent(c.plain, c.number)]
    shares = {share_of(c.plain, c.number) for c in percents}
    return [c for c in numbers if c in percents or share_of(c.plain, c.number) not in shares]


def in_unit(numbers: Sequence[Candidate], question: str) -> Sequence[Candidate]:
    """Where a unit is asked for, some numbers without what one with it is in another: "4.7 kΩ
    (4700 Ω)".
    """
    goal = units_in(question)
    if not goal:
        return numbers
    units = {c.place: units_after(c.plain, c.number.end)[0] for c in numbers}
    sizes = {
        c.place: {(unit.dimension, c.value * unit.size) for unit in units[c.place]} for c in numbers
    }
    same = [size for place, group in sizes.items() if units[place] & goal for size in group]
    return [
        c
        for c in numbers
        if units[c.place] & goal
        or not any(_same_size(one, other) for one in sizes[c.place] for other in same)
    ]


def fitting(numbers: Sequence[Candidate], question: str) -> Sequence[Candidate]:
    """Some numbers without those that are of another kind than what is asked for: the 2 of "two
    scales" for kilograms, shares where things are counted, degrees ("7 × 26° ≈ 180°").
    """
    goal = units_in(_BOUND.split(question)[0])  # "taller than 160 cm" asks for no centimeters
    head = frozenset[str]() if _SHARE.search(question) else counted_words(question)
    units = {c.place: units_after(c.plain, c.number.end)[0] for c in numbers} if goal else {}
    if any(group & goal for group in units.values()):
        return [c for c in numbers if units[c.place] or head & {*c.noun} or not c.noun]
    if not asks_for_count(question):
        return numbers
    others = numbers
    if "degree" not in question.lower():
        others = [c for c in others if not c.after.startswith("°")]
    if not _SHARE.search(question):
        others = [c for c in others if not is_percent(c.plain, c.number)]
    return others or numbers


def names_in(number: Candidate, question: str) -> int:
    """How many of the proper names and letters of a question stand in the clause of a number."""
    patterns = _names(question)
    clause = number.plain[slice(*number.limits)] if patterns else ""
    return sum(pattern.search(clause) is not None for pattern in patterns)


@lru_cache(256)
def _names(question: str) -> list[re.Pattern[str]]:
    names = {*_NAMES.findall(question)}
    return [re.compile(rf"\b{re.escape(name)}\b") for name in names]


def labelled(numbers: Sequence[Candidate], question: str) -> Candidate | None:
    """The number right behind the noun, or the variable, that a question asks for: "page 32 of 76",
    the 8 of "5x = 40, x = 8".
    """
    match, is_at = _WHICH_LABEL.search(question), r"\b{}\s+(?:number\s+|no\.?\s*|#\s*)?\Z"
    if match is None:
        match, is_at = _VARIABLE.search(question), r"(?<![\w*×+^/-])(?<![+-]\s){}\s*[=≈]\s*[$€£]?\Z"
    if match is None:
        return None
    names = re.compile(is_at.format(match["noun"]), re.IGNORECASE)
    behind = [c for c in numbers if names.search(c.near) and not _IN_TERM.match(c.after)]
    return behind[-1] if same_value(behind) else None


def in_turn(numbers: Sequence[Candidate], question: str) -> Candidate | None:
    """The number of the one of two things that the question names: "the ducks and geese number 3
    and 5, respectively", "3 of the former and 5 of the latter".
    """
    if len(numbers) != 2 or not _IN_TURN.may_match(numbers[0].plain):
        return None
    first, second = numbers
    names = [*_TWO_NAMES.finditer(first.plain, 0, first.number.start)][-1:]
    ends = [match[1].lower() for c in numbers if (match := _OF_THE_TWO.match(c.after))]
    is_in_turn = _RESPECTIVELY.search(first.plain) and not ends
    if not names or not (is_in_turn or len(set(ends)) == 2):
        return None
    pair = (second, first) if ends == ["latter", "former"] else (first, second)
    terms = content_words(question)
    matches = [
        c for c, name in zip(pair, names[0].groups(), strict=True) if content_words(name) & terms
    ]
    return matches[0] if len(matches) == 1 else None


def counted_with(numbers: Sequence[Candidate], question: str) -> Candidate | None:
    """The number with the thing that the question includes, or without the one that it leaves out,
    where the answer gives both: "with the toy there are 9, without it 8".
    """
    wish = _INCLUDED.search(question)
    numbers = [c for c in numbers if c.role is not Role.LABEL]
    if wish is None or len(numbers) != 2:
        return None
    left_out = [(c, _LEFT_OUT.search(c.plain, *c.limits)) for c in numbers]
    without = [c for c, match in left_out if match]
    if len(without) != 1:
        return None
    return next(c for c in numbers if (c is without[0]) == bool(wish["not"]))


def _same_size(one: tuple[str, float], other: tuple[str, float]) -> bool:
    return one[0] == other[0] and math.isclose(one[1], other[1], rel_tol=0.01)


def within_range(numbers: Sequence[Candidate], others: Sequence[Candidate]) -> Candidate | None:
    """The only one of some others between the ends of a range: "between 300 and 400: 342.6"."""
    ends = [c.value for c in numbers if c.role is Role.OPEN]
    if len(ends) != 2 or len(ends) != len(numbers):
        return None
    inside = [c for c in others if c.role is Role.COUNT and ends[0] < c.value < ends[1]]
    return inside[-1] if same_value(inside) else None


def asks_for_part(total: Candidate, numbers: Sequence[Candidate], question: str) -> bool:
    """Whether one part of a total counts what is asked for: the girls of "11 boys and 13 girls"."""
    head, traits = counted_words(question), predicate_words(question)
    parts = [c for c in numbers if c.place < total.place]
    if traits and not traits & total.zone and len({traits <= {*c.noun} for c in parts}) > 1:
        return True  # "4 blue benches and 11 black ones, 15 in all"
    if not head.isdisjoint(total.noun):
        return False
    pairs = [pair for pair in pairwise(parts) if _PAIRED.fullmatch(pair[1].gap)]
    return any(
        one.noun and two.noun and len({one.noun[0] in head, two.noun[0] in head}) == 2
        for one, two in pairs
    )


def is_beside(number: Candidate, question: str) -> bool:
    """Whether a number counts something of which a question that counts things has no word."""
    terms = content_words(question)
    is_share = is_percent(number.plain, number.number) and not _SHARE.search(question)
    is_other = number.noun and terms.isdisjoint((*number.noun, *number.zone))
    return asks_for_count(question) and bool(terms) and bool(is_other or is_share)


def is_general(plain: str, place: int) -> bool:
    """Whether a sentence tells what is usual up to a place, and not what there is."""
    return _IN_GENERAL.search(plain, sentence_start(plain, place), place) is not None


def sum_of_others(numbers: Sequence[Candidate], floor: Role) -> Candidate | None:
    """The number that is the sum of all others: "5: 2 on the left and 3 on the right"."""
    if len(numbers) < 3:
        return None
    ends = (next((c for c in order if c.role > floor), None) for order in (numbers, numbers[::-1]))
    whole = max((c.value for c in ends if c), default=0)
    # One that is larger than the whole tells that there is none, whatever the others are.
    if any(c.value > whole and c.role > floor for c in numbers):
        return None
    counts = [c for c in numbers if c.role > floor]
    if len(counts) < 3 or any(c.role is Role.OPEN for c in counts):
        return None
    whole = sum(c.value for c in counts)
    hits = [c for c in (counts[0], counts[-1]) if c.value * 2 == whole and c.value > 0]
    return hits[0] if same_value(hits) else None


def difference(numbers: Sequence[Candidate], question: str) -> Candidate | None:
    """How many more there are, or are left, where the question asks for it: the last number before
    "more" or "fewer", or behind "an increase of", else the last one, if it is the difference of two
    before it ("412 and 367: a lead of 45").
    """
    is_more = _MORE_ASKED.search(question) is not None
    is_asked = is_more or words_in(question) & word_list("differences")
    # A difference may stand before its terms: "0.57 (1.23 - 0.66)".
    open_ones = [c for c in numbers if not _in_brackets(c)]
    if is_more and (more := [c for c in open_ones if _MORE.match(c.after)]):
        return more[-1]
    for floor in (Role.LABEL, Role.PART) if is_asked and not _SHARE.search(question) else ():
        last = next((c for c in reversed(open_ones) if c.role > floor), None)
        pairs = combinations([c.value for c in numbers if last and c.place < last.place], 2)
        # "3 pillows minus 2 cups is 1"
        results = {one for a, b in pairs if a != b for one in (abs(a - b), a + min(b, -b))}
        if last and any(math.isclose(one, last.value) for one in results):
            return last
    changes = [c for c in open_ones if is_more and _CHANGE.search(c.near)]
    return changes[-1] if changes else None


def _in_brackets(number: Candidate) -> bool:
    opened, closed = (number.plain.rfind(sign, 0, number.number.start) for sign in "()")
    return opened > closed


def lacks_difference(numbers: Sequence[Candidate], question: str) -> bool:
    """Whether an answer has only the two values whose difference a question asks for."""
    if not _MORE_ASKED.search(question) or _SHARE.search(question):
        return False
    return len({c.value for c in numbers if c.role > Role.PART}) == 2


def counting_up(numbers: Sequence[Candidate], floor: Role, plain: str) -> list[Candidate]:
    """The longest beginning of 1, 2, 3, ... in a row; "..." stands for what is left out."""
    run: list[Candidate] = []
    near = (one for one, two in pairwise(numbers) if two.number.start - one.number.end <= _APART)
    if all(one.value != 1 for one in near):
        return run  # no role need be judged
    for number in numbers:
        if (not run and number.value != 1) or number.role <= floor:
            continue
        gap = plain[run[-1].number.end : number.number.start] if run else ""
        if not run:
            run = [number]
        elif len(gap) > _APART or (len(gap) > 3 and re.search(r"[;]|\w{3,}.*\n", gap)):
            break
        elif number.value == run[-1].value + 1 or (
            re.search(r"\.\.|…", gap) and number.value > run[-1].value
        ):
            run.append(number)
        else:
            break
    # "1 man, 2 women, 3 dogs" counts different things.
    nouns = {c.noun[0] for c in run[:-1] if c.noun and not c.bare}
    return run if len(run) >= 3 and len(nouns) < 2 else []
