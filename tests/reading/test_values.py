import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.reading.numbers import as_number, extract_number
from chef.reading.verdicts import extract_verdict


@pytest.mark.parametrize(
    "answer",
    [
        "Yes", "yes.", "**Yes**", "YES!", "yeah", "y", "True", "Answer:yes", "The answer is yes.",
        "no doubt it is", "Yes, there is no dog.", "Yes or no? Yes.", "<think>no</think>yes",
        "<answer>Yes</answer>",
        r"\boxed{Yes}", "I see no cat, so yes.", "There is a dog.",
        "In the image, there are two dogs.",
        "Yes.\n\nThere is no cat.", "Ｙｅｓ", "No? The answer is yes.",
    ],
)  # fmt: skip
def test_yes(answer):
    assert extract_verdict(answer).value == "yes"


@pytest.mark.parametrize(
    "answer",
    [
        "No", "no,", "Nope.", "n", "False", "No, there is a dog", "There is no dog.",
        "There isn't a dog",
        "there are not any", "The answer is: **No**", "<think>yes", "I think no", "so no",
    ],
)  # fmt: skip
def test_no(answer):
    expected = None if answer == "<think>yes" else "no"
    assert extract_verdict(answer).value == expected


@pytest.mark.parametrize(
    "answer",
    [
        "", "nothing", "I know", "yes or no", "Yes/No", "no or yes", "Yes and no", "Yes\nNo",
        "I am not sure", "noble", "yesterday", "maybe",
        "the answer is yes or the answer is no",
    ],
)  # fmt: skip
def test_neither(answer):
    assert extract_verdict(answer).value is None


def test_a_contradiction_is_ambiguous():
    assert extract_verdict("Yes\nNo").rule == "ambiguous"


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("3", 3), ("3.", 3), ("**3**", 3), ("1,000", 1000), ("12,345.5", 12345.5), ("2.5", 2.5),
        ("-2", -2), ("+3", 3), ("２３", 23), (".5", 0.5), ("50%", 50), ("$3", 3), ("0", 0),
        ("zero", 0), ("none", 0), ("No", 0), ("no circles", 0), ("There are no circles.", 0),
        ("three", 3), ("Three red circles.", 3), ("twenty-one", 21), ("twenty one birds", 21),
        ("nineteen", 19), ("one hundred and five", 105), ("two thousand three hundred", 2300),
        ("a dozen eggs", 12), ("eleven", 11), ("I see 12, yes 12!", 12), ("No, there are 4.", 4),
        ("There are 3 red circles in the image.", 3), ("The answer is 4.", 4),
        ("2 red and 1 blue, so the total is 3", 3), ("1 + 2 = 3", 3), ("Count: 8", 8),
        ("a total of 7 people", 7), ("2 here, 1 there: 3 in total", 3), (r"2+9 is \boxed{11}", 11),
        ("The number of red circles in the image is three.", 3), ("First 2, then 5.\n#### 7", 7),
        ("<think>1, 2, 3</think>3", 3), ("<answer>5</answer>", 5), ("the 1st of 4", 4),
        ("The answer is 2. Wait. The answer is 3.", 3), ("the one on the left, so 2", 2),
    ],
)  # fmt: skip
def test_numbers(answer, value):
    assert extract_number(answer).value == value


@pytest.mark.parametrize(
    "answer",
    [
        "", "many", "the one on the left", "one of them", "two or three", "2-3 circles", "3-4",
        "3,5",
        "between 3 and 4", "2 red and 1 blue", "3D", "F-16", "six. seven", "no doubt",
        "the answer is 2 or 3", "<think>3", "The answer is 2 or the answer is 3", "9" * 400,
    ],
)  # fmt: skip
def test_no_number(answer):
    assert extract_number(answer).value is None


def test_whole_numbers_are_ints():
    assert isinstance(extract_number("3.0").value, int)
    assert isinstance(extract_number("1e3").value, int)
    assert isinstance(extract_number("2.5").value, float)


def test_a_number_and_nothing_else():
    assert (as_number("(3)"), as_number("three."), as_number("3 dogs")) == (3, 3, None)


@given(st.integers(-(10**9), 10**9))
def test_digits_are_read_back(number):
    for form in (
        f"{number}",
        f"{number:,}",
        f"The answer is {number}.",
        f"I count {number} of them",
    ):
        assert extract_number(form).value == number


_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def in_words(number):
    if number < 20:
        return _SMALL[number]
    if number < 100:
        return _TENS[number // 10] + (f"-{_SMALL[number % 10]}" if number % 10 else "")
    scale, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    rest = f" {in_words(number % scale)}" if number % scale else ""
    return f"{in_words(number // scale)} {name}{rest}"


@given(st.integers(0, 999_999))
def test_words_are_read_back(number):
    assert extract_number(f"There are {in_words(number)} dots.").value == number
