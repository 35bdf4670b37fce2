"""Classes of statements that were once misread, in words that no corpus has."""

from __future__ import annotations

import pytest

from chef.reading.numbers import extract_number
from chef.reading.options import extract_option
from chef.reading.verdicts import extract_verdict

CITIES = ("Lima", "Oslo", "Cairo", "Quito")
VERDICTS = ("Yes", "No", "Cannot be answered")


@pytest.mark.parametrize(
    ("answer", "texts", "place"),
    [
        ("There is no clock anywhere.", VERDICTS, None),
        ("No clock, no bell", VERDICTS, None),
        ("No, because the clock is hidden.", VERDICTS, 1),
        ("This can't be answered.", VERDICTS, 2),
        ("This can not be answered.", VERDICTS, 2),
        ("The pyramids in the background tell it: Cairo.", CITIES, 2),
        ("It might be Lima or Quito, but the fjord decides: Oslo", CITIES, 1),
        ("Two cities come to mind: Lima and Quito.", CITIES, None),
        ("We use $A = 3$ and $B = 4$ here.", CITIES, None),
        ("The volume is $B = 12$, so the answer is C.", CITIES, 2),
    ],
)
def test_options(answer: str, texts: tuple[str, ...], place: int | None) -> None:
    assert extract_option(answer, texts).value == place


@pytest.mark.parametrize(
    ("question", "answer", "value"),
    [
        ("Is the house number 14?", "The house has the number 41.", "no"),
        ("Is the house number 14?", "The house has the number 14.", "yes"),
        ("Is the house number 14?", "The house number reads 15, not 14.", "no"),
        ("Is the score 3:1?", "The score board shows 3:2.", "no"),
        ("Is the price higher than 20?", "The price is 25.", None),
        ("Are there more forks than knives?", "The forks outnumber the knives.", "yes"),
        ("Are there more forks than knives?", "The knives outnumber the forks.", "no"),
        ("Is the caption right?", "All of it is visible, so the caption holds.", "yes"),
        ("Is the caption right?", "The caption does not hold.", "no"),
    ],
)
def test_verdicts(question: str, answer: str, value: str | None) -> None:
    assert extract_verdict(answer, question).value == value


@pytest.mark.parametrize(
    ("question", "answer", "value"),
    [
        ("How many cars are there?", 'A sign says "NO PARKING 8 AM - 6 PM".', None),
        ("How many cars are there?", "The wall reads 'GATE 12 OPEN'. I see 2 cars.", 2),
        ("How many cars are there?", 'The answer is "5".', 5),
        ("How many spoons lie there?", "Eight spoons: three on the left and four in a row.", 8),
        ("How many spoons lie there?", "Left: 3 spoons, right: 4 spoons, total: 7.", 7),
        ("How long is it in seconds?", "It takes 3 minutes, which equals 180 seconds.", 180),
    ],
)
def test_numbers(question: str, answer: str, value: float | None) -> None:
    assert extract_number(answer, question).value == value
