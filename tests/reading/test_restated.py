"""Of several things the one counts of which an answer says what its question asks."""

from __future__ import annotations

import pytest

from chef.reading.numbers import extract_number
from chef.reading.options import extract_option

OPTIONS = [
    (
        "What color is the umbrella?",
        "The umbrella is yellow. The woman next to it wears a blue coat and red boots.",
        ("red", "yellow", "blue"),
        1,
    ),
    (
        "Which animal is sitting on the fence?",
        "A crow is sitting on the fence. A cat is watching it, and a dog sleeps near the door.",
        ("a cat", "a crow", "a dog"),
        1,
    ),
    (
        "What is the boy holding?",
        "The boy is holding a kite. The girl has a balloon and their father carries a basket.",
        ("a balloon", "a basket", "a kite"),
        2,
    ),
    (
        "Where is the bicycle parked?",
        "The bicycle is parked in front of the shop. There is a car behind the church.",
        ("behind the church", "in front of the shop"),
        1,
    ),
    (
        "What color is the umbrella?",
        "At first sight the umbrella is yellow. On closer inspection, the umbrella is blue.",
        ("yellow", "blue", "red"),
        1,
    ),
    (
        "Wer steht neben dem Auto?",
        "Neben dem Auto steht ein Polizist. Im Hintergrund sieht man einen Feuerwehrmann.",
        ("ein Feuerwehrmann", "ein Polizist"),
        1,
    ),
    (
        "Welche Farbe hat das Dach des Hauses?",
        "Das Dach des Hauses ist rot. Die Tür ist grün, und die Fenster sind weiß.",
        ("grün", "rot", "weiß"),
        1,
    ),
    (
        "¿De qué color es la camisa del niño?",
        "La camisa del niño es verde. La niña lleva una falda azul.",
        ("azul", "verde", "roja"),
        1,
    ),
    (
        "Quelle est la couleur de la porte du garage ?",
        "La porte du garage est verte. À côté, on voit une voiture rouge.",
        ("rouge", "verte"),
        1,
    ),
    (
        "Qual è il colore della bicicletta appoggiata al muro?",
        "La bicicletta appoggiata al muro è gialla. Accanto c'è un'auto rossa.",
        ("rossa", "gialla"),
        1,
    ),
    (
        "Какое животное сидит на заборе?",
        "На заборе сидит кошка. Внизу лежит собака.",
        ("собака", "кошка"),
        1,
    ),
]

NO_OPTION = [
    (
        "What is on the fence?",
        "A crow is sitting on the fence. A cat is sitting on the fence, too.",
        ("a cat", "a crow"),
    ),
    (
        "Which animal is sitting on the fence?",
        "No crow is sitting on the fence. There are a cat and a dog.",
        ("a crow", "a dog", "a cat"),
    ),
    # It breaks off while it looks at one thing after another.
    (
        "Which animal is the largest?",
        "Let me see. The largest animal may be the cow. The horse is large, and the sheep",
        ("a cow", "a horse", "a sheep"),
    ),
]

NUMBERS = [
    (
        "What is the speed limit on the sign?",
        "The speed limit on the sign is 60. The speedometer shows 72, and the clock 10.",
        60,
    ),
    (
        "What was the population in 1990?",
        "In 1990 the population was 4,200. In 2000 it was 5,100 and in 2010 it was 6,050.",
        4200,
    ),
    (
        "¿Cuál es el precio del café?",
        "El precio del café es 2,50 euros. El té cuesta 1,80 y el zumo 3,20.",
        2.5,
    ),
    ("What is the y-value at x = 3?", "The y-value at x = 3 is 9. At x = 4 it is 16.", 9),
    (
        "What is the total price?",
        "The price of the soup is 4 and of the bread 2. The total price is 6.",
        6,
    ),
    # A text that breaks off says what it opens with.
    ("What is the number on the bus?", "The number on the bus is 142. The bus is a double", 142),
    ("What is the score of the home team?", "The score of the home team is 2 or 3.", None),
    (
        "What is the number on the bus?",
        "Let me look. The number on the bus is 142. The other bus has 7, or is it",
        None,
    ),
]


@pytest.mark.parametrize(("question", "answer", "options", "place"), OPTIONS)
def test_the_option_of_the_clause_that_repeats_the_question(
    question: str, answer: str, options: tuple[str, ...], place: int
) -> None:
    assert extract_option(answer, options, None, question).value == place
    # What it says of other things may come first.
    first, rest = answer.split(". ", 1)
    if not rest.startswith("On closer"):
        turned = extract_option(f"{rest} {first}.", options, None, question)
        assert turned.value == place


@pytest.mark.parametrize(("question", "answer", "options"), NO_OPTION)
def test_it_repeats_the_question_with_several_or_none(
    question: str, answer: str, options: tuple[str, ...]
) -> None:
    assert extract_option(answer, options, None, question).value is None


@pytest.mark.parametrize(("question", "answer", "number"), NUMBERS)
def test_the_number_of_the_clause_that_repeats_the_question(
    question: str, answer: str, number: float | None
) -> None:
    assert extract_number(answer, question).value == number


GENOTYPES = ("AA", "Aa", "aa", "Cannot be determined")
PICTURES = ("Picture 1: ice melting", "Picture 2: paper burning", "Picture 3: glass breaking")


@pytest.mark.parametrize(
    ("answer", "options", "place"),
    [
        ("Affected people must be aa, others AA or Aa.\n\nIt is **aa**.", GENOTYPES, 2),
        ("Aa", GENOTYPES, 1),
        ("The genotype is AA.", GENOTYPES, 0),
        ("Ice melting is a physical change. The picture that shows it is Picture 2.", PICTURES, 1),
        ("**Picture 3**", PICTURES, 2),
        ("Picture 1 or picture 2", PICTURES, None),
    ],
)
def test_options_that_differ_in_case_or_have_names(
    answer: str, options: tuple[str, ...], place: int | None
) -> None:
    assert extract_option(answer, options, None, "Which one is it?").value == place
