"""VLMEvalKit's rules for reading answers, case by case as its description states them."""

from __future__ import annotations

import math
from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.reading.rules.vlmevalkit import can_infer, option_rule, text_rule, yes_no
from chef.reading.rules.vqa_normal import process_answer

#: Options whose texts occur in none of the answers below: the text rule stays silent.
ANIMALS = {"A": "zebra", "B": "walrus", "C": "ocelot", "D": "gecko"}
TEN = {letter: f"xx{letter.lower()}xx" for letter in ascii_uppercase[:10]}
PHRASE = "a most remarkable and unmistakable choice"

# The table at the end of section 6.2, row by row.
TABLE = [
    ("A cat", ANIMALS, "A"),
    ("A big red cat", ANIMALS, "A"),
    ("I think so", TEN, "I"),
    ("nothing", {"A": "Yes", "B": "No"}, "B"),
    ("know", {"A": "Yes", "B": "No"}, "B"),
    ("11", {"A": "1", "B": "11", "C": "2", "D": "21"}, None),
    ("(b)", ANIMALS, None),
    ("b", ANIMALS, None),
    ('"B"', ANIMALS, None),
    ("$B$", ANIMALS, None),
    ("`B`", ANIMALS, None),
    ("<answer>B</answer>", ANIMALS, None),
    ("\uff22", ANIMALS, None),
    ("B\u3002", ANIMALS, None),
    ("B\uff0c", ANIMALS, None),
    (r"\boxed{B}", ANIMALS, "B"),
    ("**B**", ANIMALS, "B"),
    ("(B)", ANIMALS, "B"),
    ("Answer: B", ANIMALS, "B"),
    ("<think>A</think> B", ANIMALS, "B"),
    ("B or C", ANIMALS, None),
    ("The answer is A or the answer is B", ANIMALS, "A"),
    ("Cannot determine the answer, but B is likely", ANIMALS, "Z"),
    ("B\n\nIt lives on the ice and has long tusks.", ANIMALS, None),
    ("B\n\nIt is a walrus, with tusks", ANIMALS, "B"),
]


@pytest.mark.parametrize(("answer", "choices", "expected"), TABLE)
def test_the_table_of_the_description(answer, choices, expected):
    assert can_infer(answer, choices) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        # Signs that become blanks: . ( ) [ ] , : ; ! * # { } and no others.
        *((f"x{sign}B{sign}x", "B") for sign in ".()[],:;!*#{}"),
        *((f"x{sign}B{sign}x", None) for sign in "?\"'`-_/\\<>=+@$%&|~^"),
        # The first place of the only label is among the last four tokens.
        ("B one two three", "B"),
        ("B one two three four", None),
        ("zero B one two three", "B"),
        ("B one two three B", None),
        ("zero one two three B", "B"),
        # Labels are counted once each, with their case.
        ("B B B", "B"),
        ("B and b", "B"),
        ("A B C D", None),
        # A label that is none of the sample's is a word like any other.
        ("E", None),
        ("E B", "B"),
        # Z is read only where there is no label.
        ("Z", "Z"),
        ("(Z)", "Z"),
        ("Z one two three four five", "Z"),
        ("B Z", "B"),
        ("A B Z", None),
        # The phrase is looked for where the tokens have not decided.
        (f"The answer is C because it has {PHRASE}", "C"),
        (f"THE ANSWER IS C because it has {PHRASE}", "C"),
        (f"The correct answer is C because it has {PHRASE}", "C"),
        (f"The answer is **C** because it has {PHRASE}", "C"),
        (f"The answer is **C or D, {PHRASE}", "C"),
        ("B is wrong, so the answer is C", "C"),
        ("The answer is Beta or C or D", "B"),
        ("The answer is: A or B", None),
        ("Some answers are A or B", None),
        ("the answer is  A or B", "A"),  # any white space
        ("the answer is ***b, as far as anybody can see", "B"),  # and any number of asterisks
        # Texts that nobody is meant to read as an option.
        ("", None),
        ("   ", None),
        ("\n", None),
        ("?", None),
    ],
)
def test_the_rule_for_labels(answer, expected):
    assert option_rule(answer, ANIMALS) == expected


def test_the_phrase_knows_the_letters_a_to_d_and_only_labels_of_the_sample():
    two = {"A": "zebra", "B": "walrus"}
    assert option_rule(f"The answer is D because {PHRASE} of A or B", two) is None
    assert option_rule(f"The answer is E because {PHRASE}", TEN) is None
    assert option_rule(f"The answer is D because {PHRASE}", TEN) == "D"
    # The letter is one in any case and of any word: "d" of "definitely", which is no label here.
    assert option_rule("the answer is definitely A or B", two) is None
    assert option_rule("the answer is definitely A or B", ANIMALS) == "D"
    assert option_rule("The answer is an otter", ANIMALS) == "A"
    assert option_rule("the answer is clearly B, whatever all the others say", ANIMALS) == "C"
    assert option_rule("the answer is b", ANIMALS) == "B"


@pytest.mark.parametrize(
    "failure",
    [
        "Failed to obtain answer via API",
        "Failed to obtain answer via API.",
        "B. Failed to obtain answer via API",
    ],
)
def test_a_failed_call_has_no_label(failure):
    assert option_rule(failure, ANIMALS) is None
    # The other rule reads it all the same.
    assert can_infer(failure, {"A": "zebra", "B": "obtain answer"}) == "B"


@pytest.mark.parametrize(
    "refusal",
    [
        "Sorry, I can't help with images of people yet.",
        "I can't process this file.",
        "I'm sorry, but without the image provided I know little",
        "Cannot determine the answer",
    ],
)
def test_a_refusal_is_z_whatever_else_it_says(refusal):
    assert option_rule(refusal, ANIMALS) == "Z"
    assert option_rule(f"{refusal} B", ANIMALS) == "Z"
    assert can_infer(f"walrus? {refusal}", ANIMALS) == "Z"


def test_other_refusals_are_not_known():
    assert option_rule("I am unable to answer.", ANIMALS) is None
    assert option_rule("cannot determine the answer", ANIMALS) is None  # case counts


@pytest.mark.parametrize(
    ("answer", "choices", "expected"),
    [
        ("It is a WALRUS", ANIMALS, "B"),
        ("a walrus and a gecko", ANIMALS, None),
        ("a lion", ANIMALS, None),
        # Part of a word, and part of another option.
        ("walruses", ANIMALS, "B"),
        ("red car", {"A": "red", "B": "red car"}, None),
        ("reddish", {"A": "red", "B": "blue"}, "A"),
        # 2 x (3 + 4) = 14 characters may be read, 15 are too many.
        ("red" + "." * 11, {"A": "red", "B": "blue"}, "A"),
        ("red" + "." * 12, {"A": "red", "B": "blue"}, None),
        # Numbers and other values are compared as they are written.
        ("is 5", {"A": 5, "B": 77}, "A"),
        ("it is 5", {"A": 5, "B": 77}, None),  # 7 characters, of at most 6
        ("nan", {"A": float("nan"), "B": "b"}, "A"),
        ("ÄPFEL", {"A": "Äpfel", "B": "Birnen"}, "A"),
        ("猫です", {"A": "猫", "B": "犬"}, "A"),
        ("", {"A": "", "B": "x"}, "A"),
        ("", {"A": "x", "B": "y"}, None),
        ("x", {}, None),
    ],
)
def test_the_rule_for_texts(answer, choices, expected):
    assert text_rule(answer, choices) == expected


def test_the_label_comes_before_the_text():
    assert can_infer("A walrus", ANIMALS) == "A"
    assert can_infer("some walrus", ANIMALS) == "B"


@pytest.mark.parametrize(
    ("answer", "expected"), [(1, None), (math.nan, None), (None, None), (2.5, "C"), (True, "D")]
)
def test_answers_that_are_no_texts_are_written_out(answer, expected):
    assert can_infer(answer, {"A": "x", "B": "y", "C": "2.5", "D": "true"}) == expected


@given(st.text(alphabet="ABCDEZ .,()xyz*\n", max_size=40))
def test_what_is_inferred_is_a_label_or_z(answer):
    assert can_infer(answer, ANIMALS) in {*ANIMALS, "Z", None}


@given(
    st.sampled_from("ABCD"), st.sampled_from(["{}", "({})", "{}.", "**{}**", "Answer: {}", "[{}]"])
)
def test_one_label_alone_is_always_read(label, form):
    assert can_infer(form.format(label), ANIMALS) == label


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Yes", "Yes"),
        ("yes.", "Yes"),
        ("YES!", "Yes"),
        ("No, it is black", "No"),
        ("The answer is no.", "No"),
        ("no-one", "No"),
        ('"Yes"', "Yes"),
        ("(no)", "No"),
        ("Yes\nindeed", "Yes"),
        ("yes yes", "Yes"),
        # The ones that the description names as not read.
        ("**Yes**", "Unknown"),
        ("Answer:yes", "Unknown"),
        ("True", "Unknown"),
        ("y", "Unknown"),
        ("Yes, there is no cat", "Unknown"),
        ("Yes\nNo", "Unknown"),
        # Inside words, and not at all.
        ("nothing", "Unknown"),
        ("eyes", "Unknown"),
        ("", "Unknown"),
        (None, "Unknown"),
        (1, "Unknown"),
        (math.nan, "Unknown"),
        ("是", "Unknown"),
        ("yes/no", "Unknown"),
        # A hyphen that touches a blank elsewhere is removed, so that the words are joined.
        ("no-one - nobody", "Unknown"),
    ],
)
def test_yes_and_no(answer, expected):
    assert yes_no(answer) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (" a\tCat\non the mat ", "cat on mat"),
        ("None", "0"),
        ("a", ""),
        ("Two dogs", "2 dogs"),
        ("Ten", "10"),
        ("eleven", "eleven"),
        ("dont", "don't"),
        ("couldnt've", "couldn't've"),
        ("somebody'd", "somebodyd"),
        ("dog-like", "dog like"),
        ("dog-like - thing", "doglike thing"),
        ("(cat)/[dog]", "cat dog"),
        ("3.5 or .5", "3.5 or .5"),
        ("the end.", "end"),
        ("3.", "3."),  # a full stop behind a digit stays
        ("in 3. of it.", "in 3. of it"),
        # A comma between digits lets every sign vanish without a blank.
        ("1,000", "1000"),
        ("1,000 dog-like", "1000 doglike"),
        ("cat,dog", "cat dog"),
        ("12:30", "12:30"),
        ("x" + "." * 40, "x" + "." * 8),  # 32 full stops are removed, no more
        ("x" + "." * 32, "x"),
        ("", ""),
        (7, "7"),
        (2.0, "2.0"),
        (math.nan, "nan"),
        ("É a", "é"),
    ],
)
def test_the_normal_form_of_an_answer(answer, expected):
    assert process_answer(answer) == expected
