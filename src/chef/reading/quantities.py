"""Compare numbers by value and unit: "12.5 %" is "12.5 percent", and "5 km" is not "5 m"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from chef.frozen import Frozen
from chef.reading.excerpt import LONGEST
from chef.reading.latex import plain_math
from chef.reading.mathematics import expression_value, is_close
from chef.reading.number_forms import numbers_in, whole_number
from chef.reading.number_words import COUNTERS, SCALES
from chef.reading.numbers import as_number, extract_number
from chef.reading.questions import asks_for_count, content_words
from chef.reading.text import Reading, fold, strip_markup
from chef.reading.units import (
    CURRENCIES,
    Unit,
    Units,
    units_after,
    units_before,
    units_in,
    units_named,
)

_LEFT, _RIGHT = " \t\n,;:!?\"'([=≈~#", " \t\n.,;:!?\"')]"
_COUNTER = re.compile(rf"\s?(?:{COUNTERS})\Z")
_MATH = re.compile(r"\$([^$\n]+)\$(?!\d)")
#: "x = 5", "No. 5", "about 5"
_LEAD = re.compile(
    r"(?:[a-zA-Z]\s*=|no\.|number|nr\.?|about|approximately|around)\s*", re.IGNORECASE
)
#: What is a number from 0 to 1.
_PROPORTION = re.compile(
    r"\b(?:probabilit|probabil|proba\b|wahrscheinlichkeit|chances?\b|proportion|fraction\b|anteil|bruchteil"
    r"|proporción|proporzione|proporção|вероятност|доля)|概率|機率|確率|확률",
    re.IGNORECASE,
)
_SCALE = re.compile(r"\b(thousand|million|billion|trillion)s?\b", re.IGNORECASE)
#: A thing that is counted: "45 people" is no percentage, and "45 dollars" is read before.
_COUNTED = re.compile(
    r"\s+(?:people|men|women|children|(?!(?:says|does|equals|shows|means|represents|indicates"
    r"|corresponds|always|perhaps|minus|thus|times)\b)[a-z]{2,}[^\W_s]s)\b"
)
_THINGS: Units = frozenset([Unit("things", 1)])


#: Longer texts are sentences.
_LONGEST = 120
_HAS_NUMBER = re.compile(r"[\dπ√½⅓⅔¼¾]|\\(?:pi|sqrt)|[^\W_]{2}")
#: What LaTeX and Markdown put around a quantity, and its signs as plain characters.
_WRITTEN = (
    (re.compile(r"\\(?:boxed|fbox)\s*\{(.*)\}"), r"\1"),
    (re.compile(r"\^\s*(?:\{\s*\\circ\s*\}|\\circ)|\\(?:degree|circ)(?![a-zA-Z])"), "°"),
    (re.compile(r"\\(?:text|mathrm|mathbf|mbox|textbf|rm|operatorname)\s*\{([^{}]*)\}"), r" \1 "),
    (re.compile(r"(?<=[a-z])\s*\^\s*\{?([23])\}?"), r"^\1"),
    (re.compile(r"\\%"), "%"),
    (re.compile(r"\*\*|`|\\[()\[\]]|\$\$"), " "),
    (re.compile(r"(?<!\\)\$([^$\n]*)(?<!\\)\$"), r" \1 "),
    (re.compile(r"\\\$"), "$"),
)
#: Where a unit may begin: behind the end of an expression.
_UNIT_STARTS = re.compile(r"(?<=[\d)}π\s²³½¼¾])(?=[^\W\d_]|[%°℃℉$€£₹₩¥¢Ω])")


class Quantity(Frozen):
    """A number, and what its unit may be; no unit for a bare number."""

    value: float
    units: Units = frozenset()

    def equals(self, other: Quantity, asked: Units) -> bool:
        """Whether an answer gives this quantity: it may leave out a currency, or the unit of the
        question; a unit that only one of them names must not differ from the one that is asked for.
        """
        mine, theirs = self.units, other.units
        if not mine and not theirs:
            return is_close(self.value, other.value)
        if not mine:
            same = [(one, two) for one in asked for two in theirs if one.dimension == two.dimension]
            return (
                _any_close(self.value, other.value, same)
                if same
                else is_close(self.value, other.value)
            )
        if not theirs and all(unit.dimension in CURRENCIES for unit in mine):
            return is_close(self.value, other.value)
        theirs = theirs or frozenset(
            unit for unit in asked if any(unit.dimension == own.dimension for own in mine)
        )
        pairs = [(one, two) for one in mine for two in theirs if one.dimension == two.dimension]
        return _any_close(self.value, other.value, pairs)


def quantity(reference: str, question: str = "") -> Quantity | None:
    """The quantity that a reference is; None for any other text.

    >>> quantity("12.5 percent").value, quantity("route 66")
    (12.5, None)
    """
    if len(reference) > LONGEST:
        return None
    text = strip_markup(plain_math(fold(reference)), kept=("$",)).lstrip(_LEFT).rstrip(_RIGHT)
    lead = _LEAD.match(text)
    text = text[lead.end() :] if lead else text
    whole = as_number(text)
    if whole is not None and not re.search(r"[^\w\s.,/-]", text):
        return Quantity(whole)
    found = list(numbers_in(text))
    if len(found) != 1 or found[0].form in {"ordinal", "zero"}:
        return None
    number = found[0]
    before, start = units_before(text, number.start)
    after, end = units_after(text, number.end)
    rest = (text[:start] + text[end:]).strip(_LEFT + _RIGHT)
    counted = bool(content_words(rest)) and content_words(rest) <= content_words(question)
    if rest and not _COUNTER.fullmatch(rest) and not (counted and asks_for_count(question)):
        return None
    return Quantity(number.value, before or after)


def same_quantity(reference: str, answer: str, question: str = "") -> bool:
    r"""Whether two short texts name one quantity, in plain text, in words or in LaTeX.

    Units are converted where both have one ("0.5 m" is "50 cm"). One of them may leave its unit
    out, unless the question asks for another one.

    Args:
        reference: the text of an option, or a reference.
        answer: what the model gives, without the words around it.
        question: what was asked.

    >>> same_quantity("30°", r"\boxed{30^\circ}"), same_quantity("30°", "30 degrees")
    (True, True)
    >>> same_quantity("2√3 cm", r"$\sqrt{12}$"), same_quantity("12 cm", "12 m")
    (True, False)
    """
    one, two = named_quantity(reference, question), named_quantity(answer, question)
    if one is None or two is None:
        return False
    if one.units and not two.units:
        one, two = two, one
    return one.equals(two, asked_units(question))


@lru_cache(1 << 12)
def named_quantity(text: str, question: str = "") -> Quantity | None:
    r"""The quantity that a text names, an expression of mathematics too; None for any other text.

    >>> named_quantity(r"$4\pi$ cm").value, named_quantity("red")
    (12.566370614359172, None)
    """
    if len(text) > _LONGEST or not _HAS_NUMBER.search(text):
        return None
    plain = text
    for pattern, shown in _WRITTEN:
        plain = pattern.sub(shown, plain)
    plain = plain.strip().lstrip(_LEFT).rstrip(_RIGHT.replace(")", ""))
    lead = _LEAD.match(plain)
    plain = plain[lead.end() :] if lead else plain
    value = expression_value(plain)
    if value is not None:
        return Quantity(value)
    for place in _UNIT_STARTS.finditer(plain):
        units = units_named(plain[place.start() :].rstrip(". "))
        value = expression_value(plain[: place.start()]) if units else None
        if value is not None:
            return Quantity(value, units)
    return quantity(text, question)


def answered_quantity(answer: str, question: str = "") -> tuple[Reading[float], Units]:
    """The number that an answer gives, and what its unit may be."""
    found = extract_number(answer, question)
    if found.span is None:
        return found, frozenset()
    # The dollar signs of "$12$ cm" are marks of LaTeX.
    folded = _MATH.sub(lambda match: f" {match[1]} ", plain_math(fold(answer)))
    start, end = found.span
    # The span of "$5" or "5 %" may or may not contain the sign.
    inner = folded[start:end]
    number = next(iter(numbers_in(inner)), None) or whole_number(inner.strip())
    if number is not None:
        start, end = start + number.start, start + number.end
    before, _ = units_before(folded, start)
    if answer[end:].lstrip().startswith("\\"):
        folded = f"{folded[:end]} {folded[end:].lstrip()}"  # "7\,\text{m}" is "7 m"
    after, _ = units_after(folded, end)
    things = _THINGS if _COUNTED.match(folded, end) else frozenset()
    return found, before or after or things


def asked_units(question: str) -> Units:
    """The units in which a question asks for a quantity: years for "how old" and "age"; a
    probability is a number up to 1, of which "30 %" is another form.

    >>> asked_units("What is the probability of red?")
    frozenset({Unit(dimension='percent', size=100)})
    """
    plain = fold(question)
    if re.search(r"\bhow\s+old\b|\bage\b|几岁|幾歳|何歳|몇\s?살", plain, re.IGNORECASE):
        plain += " years"
    units = units_in(plain)
    if _PROPORTION.search(plain) and not any(unit.dimension == "percent" for unit in units):
        return units | {Unit("percent", 100)}
    return units


def asked_scale(question: str) -> float:
    """What the numbers of an answer are multiplied by: 1,000,000 for "in millions", else 1.

    >>> asked_scale("What was the population in millions?"), asked_scale("How many dogs?")
    (1000000, 1)
    """
    match = _SCALE.search(question)
    return SCALES[match[1].lower()] if match else 1


def _any_close(value: float, other: float, pairs: Sequence[tuple[Unit, Unit]]) -> bool:
    return any(is_close(value * one.size, other * two.size) for one, two in pairs)
