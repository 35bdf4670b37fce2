"""Free answers that speak of two things, of which one is the answer, or neither: frames and words.

Each frame is filled with words drawn by a seed, so that the reading is true by construction. Of
``{a}`` and ``{b}`` the answer of a frame of ``ANSWERS`` says that ``{a}`` is right; one of ``OPEN``
decides for neither; those of ``WRITTEN`` are a reference in another form, or another value.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from chef.reading.free_answers import compare

WORDS = {
    "color": "red blue green yellow orange purple pink brown black white gray",
    "farbe": "rot blau gelb schwarz weiß",
    "颜色": "红色 蓝色 绿色 黄色 黑色 白色",
    "thing": "kettle laptop clock candle bottle pillow camera hammer basket mirror guitar toaster",
    "weather": "sunny cloudy rainy snowy foggy windy stormy",
    "country": "Japan France Brazil Canada Kenya Norway Poland Chile Egypt India Spain Mexico",
    "name": "Anna Ben Clara David Emma Felix Grace Henry Irene Jack Laura",
    "act": "reading,cooking soup,painting a wall,feeding ducks,throwing a ball,climbing a ladder",
}
SHELF = "What is on the shelf?"
FRUIT = "Which object is on the shelf?"
MAN = "What is the man doing?"
HIGHEST = "Which country has the highest value?"

#: What the words are of, the question, and an answer that says ``{a}``.
ANSWERS = [
    ("thing", SHELF, "The {b} is under the chair, and the {a} is on the shelf."),
    ("thing", SHELF, "A {b} is under the chair, and a {a} is on the shelf."),
    ("thing", SHELF, "There is a {a} on the shelf and a {b} next to the bed."),
    ("thing", FRUIT, "The object on the shelf is a {a}. A {c} and a {b} do not fit."),
    ("thing", FRUIT, "The object on the shelf is a {a}. A {b} and a {c} do not fit."),
    ("thing", FRUIT, "It is a {a}. The answer is not a {b}."),
    ("thing", FRUIT, "It cannot be a {b} or a {c}; the object is a {a}."),
    ("thing", FRUIT, "I ruled out {c} and {b}. The object on the shelf is a {a}."),
    ("thing", FRUIT, "The obvious guess would be a {b}; the right answer, however, is a {a}."),
    ("weather", "What is the weather like?", "It can't be {b} or {c}; the weather is {a}."),
    ("act", MAN, "The man is {a}. In the background, a woman is {b}."),
    ("act", MAN, "A woman is {b}. The man is {a}."),
    ("act", MAN, "The man is {a}. Not far away, the waiter is {b}."),
    ("thing", "What is written on the red sign?",
     "The blue one reads {b}, and the red one reads {a}."),
    ("thing", "What is in the upper drawer?",
     "The lower drawer holds a {b}, the upper drawer a {a}."),
    ("name", "Who is Tina in relation to Tom?", "Tina is Tom's {a}, and Nora is Tom's {b}."),
    ("name", "Who signed the letter?",
     "It is a letter to {b} Novak; the signature is that of {a}."),
    ("name", "Who signed the letter?", "The letter to {b} was signed by {a}."),
    ("country", "In which country does the river Lune rise?",
     "The river Lune rises in {a}. Further south, beyond the hills, one reaches {b}."),
    ("farbe", "Welche Farbe hat die Tür?",
     "Auf den ersten Blick wirkt die Tür {b}, tatsächlich ist sie aber {a}."),
    ("color", "What color is the hat?", "The hat is {a}; the door, by contrast, is {b}."),
    ("farbe", "Welche Farbe hat der Hut?", "Der Hut ist {a}, die Tür dagegen ist {b}."),
    ("颜色", "图中的帽子是什么颜色？", "帽子是{a}的，而房子是{b}的。"),
    ("颜色", "图中的帽子是什么颜色？", "房子是{b}的，而帽子是{a}的。"),
    ("country", HIGHEST, "The values are {b} 45, {c} 21 and {a} 58. The highest is {a}."),
    ("country", HIGHEST, "The values are {c} 45, {a} 71 and {b} 58. The highest is {a}."),
    ("name", "Who is faster, {a} or {b}?", "{b} is slower than {a}, so {a} is the faster one."),
    ("name", "Who is older, {b} or {a}?", "{b} is younger than {a}, so {a} is the older one."),
]  # fmt: skip

#: Answers that decide for neither.
OPEN = [
    ("weather", "What is the weather like?", "I am torn between {a} and {b}."),
    ("weather", "What is the weather like?", "If the caption is right, it is {a}. If not, {b}."),
    ("thing", FRUIT, "It might be the {a}, but it might equally be the {b}; both are possible."),
    ("thing", FRUIT, "If the left part is meant, a {a}; if the right part is meant, a {b}."),
    ("thing", FRUIT, "If the caption is right, the answer is {a}. Otherwise it is {b}."),
]  # fmt: skip

COLORS = "In which order do the cars stand, from left to right?"
#: The question, the reference, and answers that are right and wrong.
WRITTEN = [
    (COLORS, "{a}, {b}, {c}", "{a}, {b}, {c}", "{c}, {a}, {b}"),
    (COLORS, "{a}, {b}, {c}", "{a}, then {b}, then {c}", "{a}, then {c}, then {b}"),
    (COLORS, "{a}, {b}, {c}", "First the {a} one, then the {b} one, and then the {c} one.",
     "First the {c} one, then the {a} one, and then the {b} one."),
    (COLORS, "{a}, {b}, {c}", "1. {a}\n2. {b}\n3. {c}", "1. {a}\n2. {c}\n3. {b}"),
    (COLORS, "{a}, {b}, {c}", "From left to right: {a}, {b}, {c}.", "They are {b}, {a} and {c}."),
    ("Which colors does the flag have?", "{a}, {b} and {c}", "- {c}\n- {a}\n- {b}", "- {c}\n- {a}"),
    ("What age is on the box?", "{n}-{m}", "Between {n} and {m}.", "Between {n} and 99."),
    ("What age is on the box?", "{n}-{m}", "It says from {n} to {m}.", "It says from 3 to {m}."),
    ("Whose office is it?", "Dr. {name}", "It is Doctor {name}.", "It is Doctor Novak."),
    ("Whose office is it?", "Doctor {name}", "Dr. {name}'s", "Dr. Novak's"),
    ("What is the score?", "3-{n}", "The score is 3:{n}. They won.", "The score is {n}:3."),
    ("What is the value of h?", "{n} m", "$h = {n}\\,\\text{{m}}$", "$h = {m}\\,\\text{{m}}$"),
    ("What are the solutions?", "x = {n} and x = -{m}", "$x_1 = {n}$ and $x_2 = -{m}$",
     "$x_1 = {n}$ and $x_2 = {m}$"),
    ("Which month is it?", "Feb.", "It is February.", "It is March."),
    ("Which day is it?", "Monday", "Mon", "Tue"),
    ("Is the lamp on or off?", "on", "It is on rather than off.", "It is off rather than on."),
    ("Which unit is used?", "km", "kilometers", "miles"),
    ("What is in the garage?", "automobile", "A {a} car.", "A {a} bicycle."),
]  # fmt: skip

#: Answers that look like those above, and give what the reference says.
ALIKE = [
    ("It is a {a}, since it cannot be anything else.", FRUIT),
    ("My best guess would be a {a}, but I am not sure.", FRUIT),
    ("If you look closely, it is a {a}; if not, you may miss it.", FRUIT),
    ("The thing that lies on the shelf is old. I would say it's a {a}.", "Which thing lies on it?"),
    (
        "The first thing is a {b}; the largest thing is the {a} thing.",
        "Which is the largest thing?",
    ),
    ("The large thing is the first thing, the {a}.", "What is the large thing?"),
    ("In the picture, the person is holding a {a}.", "What is the man holding?"),
    ("The {a} does not fit.", "Which object does not fit?"),
    ("A {a} is on the shelf, and a man is behind the table.", SHELF),
]

TIMES = 6


def drawn(kind: str, seed: str) -> dict[str, str]:
    """Three different words of a kind, by the names of their places, and two numbers and a name."""
    text, source = WORDS[kind], random.Random(seed)
    words = source.sample(text.split("," if "," in text else None), 3)
    low = source.randrange(10, 40)
    others = {"n": str(low), "m": str(low + 10), "name": source.choice(["Miller", "Tanaka"])}
    return dict(zip("abc", words, strict=True)) | others


def filled(frames: list[tuple[str, str, str]]) -> Iterator[tuple[str, str, dict[str, str]]]:
    """The question and the answer of each frame, filled some times, with its words."""
    for kind, question, answer in frames:
        for turn in range(TIMES):
            words = drawn(kind, f"{answer} {turn}")
            yield question.format(**words), answer.format(**words), words


def test_the_thing_that_answers_is_right_and_the_other_is_not() -> None:
    misread = [
        (answer, words[place])
        for question, answer, words in filled(ANSWERS)
        for place, right in (("a", True), ("b", False))
        if compare(answer, [words[place]], question).right is not right
    ]
    assert misread == []


def test_an_answer_that_leaves_it_open_is_not_read() -> None:
    readings = [
        (answer, words[place], match.reading.value)
        for question, answer, words in filled(OPEN)
        for place in "ab"
        if (match := compare(answer, [words[place]], question)).right
        or match.reading.value is not None
    ]
    assert readings == []


@pytest.mark.parametrize(("question", "reference", "right", "wrong"), WRITTEN)
def test_orders_ranges_and_short_forms(
    question: str, reference: str, right: str, wrong: str
) -> None:
    for turn in range(TIMES):
        words = drawn("color", f"{right} {turn}")
        references = [reference.format(**words)]
        assert compare(right.format(**words), references, question).right, words
        assert not compare(wrong.format(**words), references, question).right, words


@pytest.mark.parametrize(("answer", "question"), ALIKE)
def test_what_only_looks_set_aside_is_read(answer: str, question: str) -> None:
    for turn in range(TIMES):
        words = drawn("thing", f"{answer} {turn}")
        assert compare(answer.format(**words), [words["a"]], question).right, words
