"""What the numbers of an answer are to one another: a sum, a rounding, the end of a counting."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.reading.number_context import Candidate, Role
from chef.reading.number_years import same_value
from chef.reading.patterns import Pattern

_ROUNDED = Pattern(r"\bround(?:s|ed|ing)\b", needs="rounds rounded rounding")


def rounding(numbers: Sequence[Candidate]) -> Candidate | None:
    """The last number that is one before it, rounded: "1.6875, rounded to two decimals 1.69"."""
    if not (numbers and _ROUNDED.may_match(numbers[0].plain)):
        return None
    for place in range(len(numbers) - 1, 0, -1):
        if _ROUNDED.search(numbers[place].before) is None:
            continue
        digits = numbers[place].hit
        decimals = numbers[place].plain[digits.start : digits.end].partition(".")[2]
        value = digits.value
        if any(c.value != value == round(c.value, len(decimals)) for c in numbers[:place]):
            return numbers[place]
    return None


def sum_of_others(numbers: Sequence[Candidate], floor: Role) -> Candidate | None:
    """The number that is the sum of all others: "5: 2 on the left and 3 on the right"."""
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


def counting_up(numbers: Sequence[Candidate], floor: Role, plain: str) -> list[Candidate]:
    """The longest beginning of 1, 2, 3, ... in a row; "..." stands for what is left out."""
    run: list[Candidate] = []
    for number in numbers:
        if (not run and number.value != 1) or number.role <= floor:
            continue
        gap = plain[run[-1].number.end : number.number.start] if run else ""
        if not run:
            run = [number]
        elif len(gap) > 60 or (len(gap) > 3 and re.search(r"[;]|\w{3,}.*\n", gap)):
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
