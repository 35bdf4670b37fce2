"""Classes of statements that were once misread, in words that no corpus has."""

from __future__ import annotations

import pytest

from chef.reading.free_answers import compare
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
        ("Is the price higher than 20?", "The price is 25.", "yes"),
        ("Are there more forks than knives?", "The forks outnumber the knives.", "yes"),
        ("Are there more forks than knives?", "The knives outnumber the forks.", "no"),
        ("Is the caption right?", "All of it is visible, so the caption holds.", "yes"),
        ("Is the caption right?", "The caption does not hold.", "no"),
        ("Is the blue bar the largest?", "The blue bar is the smallest.", "no"),
        ("Is the blue bar the largest?", "The blue bar is not the smallest.", None),
        ("Is the blue bar the largest?", "The largest bar is the red one.", "no"),
        ("Is the blue bar the largest?", "The largest bar is blue.", "yes"),
        ("Is the blue bar the largest?", "Blue is the largest category.", None),
        ("Does Germany have the lowest value?", "Germany has the highest value.", "no"),
        ("Is the woman the tallest person?", "The tallest person is the man in red.", "no"),
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


CAT = "Is there a cat in the image?"


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("En la imagen no hay gatos.", "no"),
        ("No se ve ningún gato.", "no"),
        ("Hay un gato en la imagen.", "yes"),
        ("Auf dem Bild ist keine Katze zu sehen.", "no"),
        ("Es gibt eine Katze im Bild.", "yes"),
        ("Il n'y a pas de chat dans l'image.", "no"),
        ("L'image montre un chat.", "yes"),
        ("Non vedo alcun gatto.", "no"),
        ("A imagem não mostra um gato.", "no"),
        ("Há um gato na imagem.", "yes"),
        ("На изображении нет кошки.", "no"),
        ("На изображении есть кошка.", "yes"),
        ("図には猫はいません。", "no"),
        ("猫がいます。", "yes"),
        ("고양이가 없습니다.", "no"),
        ("No hay perros, pero hay un gato.", None),
        ("A horse is eating hay.", None),
        ("There is hay on the floor of the barn.", None),
        ("No veo la imagen.", None),
    ],
)
def test_statements_in_another_language_than_the_question(answer: str, value: str | None) -> None:
    assert extract_verdict(answer, CAT).value == value


@pytest.mark.parametrize(
    ("answer", "question", "texts", "place"),
    [
        ("To the left of the chair there is a plant.", "", ["on the left", "on the right"], 0),
        ("It stands to the right of it.", "", ["On the left side", "On the right side"], 1),
        ("Oslo has the highest rent, Cairo the lowest.", "Which has the highest?", CITIES, 1),
        ("While Cairo is the smallest, Oslo leads.", "Which is the largest?", CITIES, 1),
    ],
)
def test_sides_and_ends_of_a_scale(
    answer: str, question: str, texts: list[str], place: int
) -> None:
    assert extract_option(answer, texts, question=question).value == place


@pytest.mark.parametrize(
    ("answer", "reference", "right"),
    [
        ("It is dated March 12, 1998.", "12 March 1998", True),
        ("12th of March, 1998", "March 12, 1998", True),
        ("1998-03-12", "March 12, 1998", True),
        ("It was signed on the 4th of May 2011.", "May 4, 2011", True),
        ("March 13, 1998", "12 March 1998", False),
        ("March 12, 1999", "12 March 1998", False),
        ("March 12, 1998, not March 21, 1998", "21 March 1998", False),
        ("march past 12 houses", "12 March", False),
    ],
)
def test_a_date_is_the_same_in_each_order(answer: str, reference: str, right: bool) -> None:
    assert compare(answer, [reference], "What is the date of the letter?").right is right
