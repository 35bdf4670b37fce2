"""Words that say yes or no elsewhere, as what is said of a thing: "the slope is positive"."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chef.reading.verdicts import extract_verdict

LEADS = (
    "", "So ", "Therefore, ", "Thus ", "Hence ", "In conclusion, ", "Overall, ", "As a result, ",
    "Looking closely, ", "It is dark on the left.\n\nSo ", "**Conclusion:** ",
)  # fmt: skip
#: A thing, what it may be, and what excludes that.
THINGS = (
    ("right lung", "clear", "cloudy"),
    ("right door", "open", "closed"),
    ("correct form", "full", "empty"),
    ("true color", "dark", "light"),
    ("positive terminal", "clean", "dirty"),
    ("negative pole", "hot", "cold"),
    ("sure path", "wet", "dry"),
    ("clear bottle", "full", "empty"),
    ("false ceiling", "low", "high"),
    ("definite line", "straight", "curved"),
    ("likely winner", "tall", "short"),
)
QUALITIES = (
    ("slope", "positive", "negative"),
    ("label", "correct", "wrong"),
    ("label", "correct", "incorrect"),
    ("claim", "true", "false"),
    ("sky", "clear", "unclear"),
    ("outcome", "certain", "uncertain"),
)
ADVERBS = ("", "therefore ", "thus ", "hence ", "clearly ", "indeed ")
OF_ALL = "Is the red bar higher than the blue bar in every year?"
ALL = (
    ("it isn't true for every year", "no"),
    ("it is not true for all of them", "no"),
    ("it is not the case for each of them", "no"),
    ("it does not hold for every year", "no"),
    ("it is true for every year", "yes"),
    ("that is true of all of them", "yes"),
)
Case = tuple[str, str, str]


def after(lead: str, text: str) -> str:
    """A sentence behind its first words."""
    begins = not lead or lead.endswith("** ")
    return f"{lead}{text[0].upper() if begins else text[0]}{text[1:]}."


def said_of_things() -> Iterator[Case]:
    for thing, quality, contrary in THINGS:
        question = f"Is the {thing} {quality}?"
        for lead in LEADS:
            yield question, after(lead, f"the {thing} is {quality}"), "yes"
            for other in (f"is not {quality}", f"isn't {quality}", f"is **not** {quality}"):
                yield question, after(lead, f"the {thing} {other}"), "no"
            yield question, after(lead, f"the {thing} is {contrary}"), "no"


def qualities() -> Iterator[Case]:
    for thing, *pair in QUALITIES:
        for quality, contrary in (pair, pair[::-1]):
            question = f"Is the {thing} {quality}?"
            for adverb in ADVERBS:
                yield question, f"The {thing} is {adverb}{quality}.", "yes"
                yield question, f"The {thing} is {adverb}{contrary}.", "no"
                yield question, f"The {thing} is {adverb}not {quality}.", "no"
            yield question, f"So the {thing} is {contrary}.", "no"
            yield question, f"So the {thing} is not {quality}.", "no"


def of_all() -> Iterator[Case]:
    for text, verdict in ALL:
        for lead in ("", "So ", "Therefore ", "Hence ", "The bars differ. So "):
            yield OF_ALL, after(lead, text), verdict


def current() -> Iterator[Case]:
    """The number of a thing is not what is asked for."""
    for question in ("Does current flow through bulb 2?", "Is there any current in bulb 2?"):
        for text in ("gets no current", "carries no current", "does not get any current"):
            for lead in ("", "S2 is open and lies in series with bulb 2, so "):
                yield question, after(lead, f"the bulb {text}"), "no"


@pytest.mark.parametrize(
    ("cases", "unread"), [(said_of_things, 12), (qualities, 30), (of_all, 0), (current, 8)]
)
def test_what_is_said_of_a_thing_is_no_verdict(cases, unread):
    """None is misread, and no more than so many are unread."""
    readings = [(case, extract_verdict(case[1], case[0]).value) for case in cases()]
    assert [item for item in readings if item[1] not in (None, item[0][2])] == []
    assert sum(value is None for _, value in readings) <= unread


@pytest.mark.parametrize(
    ("question", "answer", "verdict"),
    [
        ("Is the label wrong?", "That's right.", "yes"),
        ("Is the claim 'May is tallest' correct?", "May is at 80, so the statement holds.", "yes"),
        ("Is the sky clear?", "It is not clear whether the sky is clear.", None),
        ("Is the number on the bus 42?", "The number on the bus is 24.", "no"),
        ("Is there a dog?", "The statement is false.", "no"),
    ],
)  # fmt: skip
def test_what_stays_a_verdict(question, answer, verdict):
    assert extract_verdict(answer, question).value == verdict
