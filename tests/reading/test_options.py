import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.common.options import letters
from chef.reading.boxes import parse_boxes
from chef.reading.final import final_text
from chef.reading.labels import option_names
from chef.reading.numbers import extract_number
from chef.reading.options import extract_option
from chef.reading.text import POLICY
from chef.reading.verdicts import extract_verdict

PETS = ["cat", "dog", "bird", "fish"]


def chosen(answer, texts=PETS, labels=None):
    value = extract_option(answer, texts, labels).value
    return None if value is None else letters(len(texts) or 26)[value]


@pytest.mark.parametrize(
    "answer",
    [
        "B", "b", "(B)", "(b)", "(B", "[B]", "{B}", "B.", "B)", "B:", '"B"', "'B'", "`B`", "$B$",
        "**B**", "**(B)**", "Ｂ", "（Ｂ）", "B。", "Option B", "option b", "B?", "  B\n",
        "<answer>B</answer>", "<answer>(b) dog</answer>", r"\boxed{B}", r"$\boxed{\text{(B)}}$",
        "<|begin_of_box|>B<|end_of_box|>", "Answer: B", "answer: b", "Final answer: **B**",
        "The answer is B", "The answer is (B).", "The answer is **B**.", "The answer is: \n\nB",
        "The correct option is B.", "The answer is option B: dog", "The answer is most likely B.",
        "答案是B。", "I would choose B", "I'd go with B.", "B is correct.",
        "(B) is the best answer",
        "Therefore, B.", "So it's B.", "I think it is B.", "It is B. The fur says so.",
        "B. dog", "(B) dog", "B) dog", "B: dog", "B - dog", "B.dog", "**B.** dog",
        "B\n\nThe animal is no cat. A bird is (C), a fish is (D).",
        "dog", "Dog.", "dogs", "a dog", "A dog", "It is the dog!", "The answer is a dog",
        "The answer is A dog",
        "not a cat but a dog", "It isn't a cat, it's a dog",
        "<think>A? A cat... the answer is A.</think> B",
        "<THINK>A</THINK>\n(B)", "(A), no: the tag opened in the prompt</think>It must be (B)",
        "Let me see: (A) is wrong, (C) is wrong. The answer is (B).",
        "A. cat has whiskers, no.\nB. dog fits.\nB",
        "The answer is A. Wait, no. The answer is B.",
        "The answer is not A but B.", "The answer is B, not A.",
        "The answer is B because option A shows a cat.",
        r"\boxed{A} ... no: \boxed{B}", "A cat has ears, this has none.\n#### B",
    ],
)  # fmt: skip
def test_this_is_b(answer):
    assert chosen(answer) == "B"


@pytest.mark.parametrize(
    "answer",
    [
        "", "  ", "???", "I cannot tell.", "nothing", "hotdog", "dog-like", "cats and dogs",
        "(A) or (B)", "A or B", "B/C", "A, B and C", "A\nB", "cat dog", "The cat and the dog",
        "The answer is A or B.", "The answer is A or the answer is B", "The answer is (B) or (C)",
        r"\boxed{A or B}", "<answer>A, B</answer>",
        "A. cat\nB. dog\nC. bird\nD. fish", "(B) cat", "B. cat", "The answer is (B) cat.",
        "D.C.", "Washington D.C.", "Mr. B. Smith", "D. C. Comics", "Neither A nor B",
        "It is not a dog", "not (B)", "A big thing", "I see a thing", "So A thing is there",
        "<think>B", "<think>The answer is B. But then", "The answer is a thing", "E", "(Z)",
        "None of the above", "B-movie", "plan-B", "B's",
    ],
)  # fmt: skip
def test_this_is_unparsed(answer):
    assert chosen(answer) is None


def test_two_candidates_are_called_ambiguous_and_none_none():
    assert extract_option("(A) or (B)", PETS).rule == "ambiguous"
    assert extract_option("nothing", PETS).rule == "none"


def test_bare_words_that_are_letters_count_only_as_the_answer():
    labels = letters(10)
    for answer in ("I think so", "A thing", "the best option I can see", "I am sure"):
        assert extract_option(answer, [], labels).value is None
    assert extract_option("I", [], labels).value == 8
    assert extract_option("The answer is I.", [], labels).value == 8
    assert extract_option("A", [], labels).value == 0
    assert extract_option("The answer is A because I see it", [], labels).value == 0
    assert extract_option("the answer is a", [], labels).value == 0
    assert extract_option("Option A looks right", [], labels).value == 0


def test_texts_of_one_letter_count_only_as_the_whole_answer():
    assert extract_option("x.", ["x", "a"], []).value == 0
    assert extract_option("a dog", ["x", "a"], []).value is None


def test_numbers_as_options():
    numbers = ["1", "11", "2", "21"]
    for answer in ("11", "11.", "There are 11 of them", "The answer is 11", "eleven"):
        assert extract_option(answer, numbers).value == 1
    for answer in ("111", "1,100", "11.5", "-11", "1 or 2", "three"):
        assert extract_option(answer, numbers).value is None
    assert extract_option("C", numbers).value == 2
    assert extract_option("seven", [str(i) for i in range(10)], []).value == 7


def test_the_longest_text_wins():
    texts = ["red", "red circle", "circle", "dark red circle"]
    assert extract_option("It shows a red circle", texts).value == 1
    assert extract_option("It shows a dark  red\ncircle", texts).value == 3
    assert extract_option("red circle, red", texts, []).rule == "ambiguous"


def test_names_with_initials_as_texts():
    cities = ["Paris", "Washington D.C.", "Rome", "Bonn"]
    for answer in ("Washington D.C.", "The answer is Washington D.C.", "It is Washington D.C. now"):
        assert chosen(answer, cities) == "B"
    assert chosen("Vitamin C", ["Vitamin D", "Vitamin C"]) == "B"
    assert chosen("Mr. B. Smith", ["Mr. A. Jones", "Mr. B. Smith"]) == "B"


def test_texts_yes_and_no_are_whole_words():
    assert chosen("nothing", ["Yes", "No"]) is None
    assert chosen("I know", ["Yes", "No"]) is None
    assert chosen("No", ["Yes", "No"]) == "B"


def test_text_options_ignore_letters():
    assert extract_option("B", ["cat", "dog"], []).value is None
    assert extract_option("B. cat", ["cat", "dog"], []).value == 0


def test_any_number_of_options():
    labels = letters(30)
    assert labels[25:28] == ["Z", "AA", "AB"]
    assert extract_option("(AB)", [], labels).value == 27
    assert extract_option("The answer is J", [], labels).value == 9
    assert extract_option("(3)", [], ["1", "2", "3"]).value == 2


@pytest.mark.parametrize(
    ("options", "choices", "expected"),
    [
        (["(A", "(B"], ["x", "y"], (("A", "B"), ("x", "y"))),
        (["A.", "B."], ["x", "y"], (("A", "B"), ("x", "y"))),
        (["(1)", "(2)"], ["x", "y"], (("1", "2"), ("x", "y"))),
        (["1", "11"], None, ((), ("1", "11"))),
        (["Yes", "No"], None, ((), ("Yes", "No"))),
        (["No", "I", "A"], None, ((), ("No", "I", "A"))),
        (["(A", "(B"], ["x"], (("A", "B"), ())),
        (None, ["x", "y"], (("A", "B"), ("x", "y"))),
        (None, None, ((), ())),
    ],
)
def test_labels_come_from_the_sample(options, choices, expected):
    assert option_names(options, choices) == expected


def test_evidence_points_into_the_raw_answer():
    answer = "<think>（Ａ）</think> Hm. The answer is （Ｂ）."
    result = extract_option(answer, PETS)
    start, end = result.span
    assert answer[start:end] == result.text == "Ｂ"
    assert result.evidence() == {"rule": "statement", "text": "Ｂ", "span": [start, end]}
    assert POLICY.startswith("chef-extract-")


def test_the_final_text_of_an_open_answer():
    assert final_text("<think>Rome</think>The answer is **Paris**. It is a city.") == "Paris"
    assert final_text(r"So \boxed{x} and \boxed{Paris}") == "Paris"
    assert final_text("  Paris ") == "Paris"
    assert final_text("<think>Paris") == ""


EXTRACTORS = [
    lambda text: extract_option(text, PETS),
    lambda text: extract_option(text, ["1", "A", "", "*", "a b", "(x"], letters(6)),
    lambda text: extract_option(text, [], ["1", "2"]),
    extract_verdict,
    extract_number,
]
_pieces = st.lists(
    st.sampled_from(
        [
            "A", "B", "a", "(", ")", ".", " ", "\n", "*", "the answer is ", "Answer:", "cat", "dog",
            "not ", " or ", "<think>", "</think>", "<answer>", r"\boxed{", "}", "yes", "no", "3",
            "1,000", "twenty", "hundred", "-", "so ", "there is ", "####", "in total", "Ｂ", "İ",
        ]
    ),
    max_size=12,
).map("".join)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=60), _pieces))
def test_no_text_breaks_an_extractor(text):
    for extract in EXTRACTORS:
        result = extract(text)
        if result.span is not None:
            assert text[result.span[0] : result.span[1]] == result.text
        if result.value is None:
            assert result.rule in {"none", "ambiguous"}
    parse_boxes(text)
    final_text(text)


@given(st.integers(2, 30).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1))))
def test_every_label_is_read_back(case):
    count, index = case
    labels = letters(count)
    for form in ("{}", "({})", "({}", "The answer is ({}).", r"\boxed{{{}}}", "Answer: {}"):
        assert extract_option(form.format(labels[index]), [], labels).value == index


@pytest.mark.parametrize(
    "text",
    [
        " " * 20000, "\n" * 20000, "so" + " " * 20000, "(" * 20000, "[" * 20000, "<think>" * 3000,
        r"\boxed{" * 3000, "number of " + " " * 20000, "total of " * 2000, "[" + "1" * 20000,
        "answer is " * 2000, "answer is A " * 2000, "no " * 5000, "two hundred " * 1500,
        "**" * 9000,
        "[1,2,3,4]" + " " * 20000, "the answer is 3 in total " * 1000, "#### " * 3000,
    ],
)  # fmt: skip
def test_a_model_that_babbles_costs_no_more_than_a_moment(text):
    start = time.process_time()
    for extract in (*EXTRACTORS, parse_boxes, final_text):
        extract(text)
    assert time.process_time() - start < 30


#: What a sentence says of two things, and on which side of the second the first is then.
RELATIONS = [
    ("The hydrant stands to the {} of the mailbox.", False),
    ("The mailbox stands to the {} of the hydrant.", True),
    ("To the {} of the mailbox there is a hydrant.", False),
    ("To the {} of the hydrant there is a mailbox.", True),
    ("The hydrant is red. The mailbox is blue and to the {} of the hydrant.", True),
]


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(("answer", "turned"), RELATIONS)
@pytest.mark.parametrize("options", [["left", "right"], ["right", "left"]])
def test_a_side_is_told_by_the_relation_whichever_thing_is_the_subject(
    answer, turned, side, options
):
    question = "Is the hydrant to the left or right of the mailbox?"
    meant = {"left": "right", "right": "left"}[side] if turned else side
    assert options[extract_option(answer.format(side), options, question=question).value] == meant


@pytest.mark.parametrize(
    ("options", "answer", "right"),
    [
        (["P", "Q", "R"], "It is the highest point.\n\\[\n\\boxed{Q}\n\\]", 1),
        (["on top of it", "behind it"], "The cat sits behind the sofa.", 1),
        (["upper left", "lower right"], "It is in the bottom right corner.", 1),
        (["Greece", "Uruguay"], "It is the Greek flag.", 0),
        (["lighting the stove", "pouring the batter"], "Next they pour the batter.", 1),
        (["happy", "surprised"], "The face shows surprise.", 1),
    ],
)
def test_options_in_other_words(options, answer, right):
    assert extract_option(answer, options).value == right


def test_what_is_named_and_then_denied_of_the_question_is_no_answer():
    answer = "At the back there is a vase, but it is not on the table."
    read = extract_option(answer, ["a vase", "a cup"], question="What is on the table?")
    assert read.value is None


@pytest.mark.parametrize(
    "answer",
    ["Quatre des six bougies sont allumées.", "Vier der sechs Kerzen brennen.",
     "Cuatro de las seis velas están encendidas.", "Quattro delle sei candele sono accese."],
)  # fmt: skip
def test_of_a_part_and_its_whole_the_part_is_counted(answer):
    assert extract_number(answer, "How many candles are lit?").value == 4


def test_a_number_in_another_unit_is_not_the_one_asked_for():
    text = "The sign says 80. Under it a smaller sign says 2.5 km."
    assert extract_number(text, "What is the speed limit, in km/h?").value == 80


@pytest.mark.parametrize("year", [1998, 2030])
def test_a_year_is_laid_beside_the_bound_of_a_question(year):
    asked = "Was the bridge built before 1 June 2021?"
    wanted = "yes" if year < 2021 else "no"
    assert extract_verdict(f"The bridge was built in {year}.", asked).value == wanted
