"""Options in another order: the text of a question, its options, its reference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from options_by_hand import LABELS, TEXTS, sample

from chef.common.circular import names_labels, relisted, rotated
from chef.common.options import unlettered
from chef.scenario.circular import rotation
from chef.types import Sample


def test_the_first_rotation_of_four_options():
    # A -> D, B -> A, C -> B, D -> C, and the answer with its text.
    for correct, now in enumerate((3, 0, 1, 2)):
        turned = rotation(sample(correct=correct), 1)
        assert turned is not None
        assert turned.fields["choices"] == ["bee", "cat", "dog", "ant"]
        assert turned.fields["gt_choice"] == now
        assert turned.answer == f"({LABELS[now]})"
        assert turned.question.endswith("(A) bee\n(B) cat\n(C) dog\n(D) ant")
        assert turned.options == ("(A", "(B", "(C", "(D")


@given(st.integers(2, 4), st.integers(0, 3), st.integers(0, 9))
def test_the_right_text_stays_right_and_k_rotations_are_none(size, correct, number):
    before = sample(texts=TEXTS[:size], correct=correct % size)
    after = rotation(before, number)
    assert after is not None
    assert after.fields["choices"][after.fields["gt_choice"]] == TEXTS[correct % size]
    assert rotation(after, size - number % size) == before
    assert rotation(before, size) == before


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B", True),
        ("(B)", True),
        ("A and B", True),
        ("point B", False),
        ("A dog", False),
        ("E", False),
    ],
)
def test_texts_that_name_labels(text, expected):
    assert names_labels([text], "ABCD") is expected


@pytest.mark.parametrize(
    "layout",
    [
        "Question: Which?\nOptions: (A) ant (B) bee (C) cat (D) dog",
        "Which?\n(A) ant\n(B) bee\n(C) cat\n(D) dog\nAnswer with the option's letter.",
        "Is (A) ant on it?\n(A)ant\n(B)bee\n(C)cat\n(D)dog",
    ],
)
def test_the_layout_of_a_question_stays(layout):
    turned = rotation(sample(question=layout), 1)
    assert turned is not None
    expected = layout
    place = expected.rindex("(A)")
    tail = expected[place:]
    for old, new in zip(TEXTS, ("1", "2", "3", "4"), strict=True):
        tail = tail.replace(old, new)
    for number, text in zip("1234", ("bee", "cat", "dog", "ant"), strict=True):
        tail = tail.replace(number, text)
    assert turned.question == expected[:place] + tail


def test_texts_inside_one_another_are_told_apart():
    texts = ["red", "red car", "a red car", "car"]
    turned = rotation(sample(texts=texts, correct=1), 1)
    assert turned is not None
    assert turned.question.endswith("(A) red car\n(B) a red car\n(C) car\n(D) red")
    assert turned.fields["gt_choice"] == 0
    # Signs of regular expressions are text.
    assert relisted("(A) a+ (B) [b]", {"A": "a+", "B": "[b]"}, {"A": "[b]", "B": r"\1"}) == (
        r"(A) [b] (B) \1"
    )


def test_options_after_a_letter_and_a_full_stop():
    """The layout of VLMEvalKit; a letter within a word or a sentence is no label."""
    old, new = {"A": "cat", "B": "dog"}, {"A": "dog", "B": "cat"}
    text = "Question: U.S.A. cat?\nOptions:\nA. cat\nB. dog\nWhich one? \n"
    turned = "Question: U.S.A. cat?\nOptions:\nA. dog\nB. cat\nWhich one? \n"
    assert relisted(text, old, new) == turned
    assert relisted("U.S.A. cat B. dog", old, new) is None
    assert unlettered("Hint: h\nQuestion: Which?\nOptions:\nA. cat\nB. dog", old) == ("h", "Which?")


@pytest.mark.parametrize(
    "listing",
    [
        "A. {}\nB. {}\nC. {}",
        "A) {}\nB) {}\nC) {}",
        "A: {}\nB: {}\nC: {}",
        "a. {}\nb. {}\nc. {}",
        "(a) {} (b) {} (c) {}",
        "A. {} B. {} C. {}",
        "A) {}, B) {}, C) {}.",
        "A. {}; B. {}; or C. {}?",
        "(A) {} / (B) {} / (C) {}",
        "- A. {}\n- B. {}\n- C. {}\n",
        "**A.** {}\n**B.** {}\n**C.** {}",
        "Option A: {}\nOption B: {}\nOption C: {}",
        "[A] {}\n\n[B] {}\n\n[C] {}\n\nAnswer with the letter.",
        "A.{}\r\nB.{}\r\nC.{}",
    ],
)
def test_every_usual_listing_of_a_class_of_ones_own(listing):
    texts = ["a red car", "2 cats", "C++ (1.5)"]
    asked = Sample(
        "7",
        question="Look at A. Which? " + listing.format(*texts),
        fields={"choices": texts, "gt_choice": 2},
    )
    turned = rotation(asked, 1)
    assert turned is not None
    expected = listing.format("2 cats", "C++ (1.5)", "a red car")
    assert turned.question == "Look at A. Which? " + expected
    assert turned.fields["gt_choice"] == 1


@pytest.mark.parametrize(
    "question",
    [
        "ant, bee or cat?",
        "1. ant 2. bee 3. cat",
        "A. ant B. bee",
        "A. ant C. cat B. bee",
        "A. ants B. bees C. cats",
        "U.S.A. ant B. bee C. cat",
        "A ant B bee C cat",
    ],
)
def test_what_is_no_list_of_the_options(question):
    texts = dict(zip("ABC", ("ant", "bee", "cat"), strict=True))
    assert relisted(question, texts, texts) is None


def test_options_that_stand_in_no_field_are_those_that_are_scored():
    asked = Sample("7", question="Which?\nA. ant\nB. bee", options=("ant", "bee"), answer="bee")
    turned = rotation(asked, 1)
    assert turned is not None
    assert (turned.question, turned.options) == ("Which?\nA. bee\nB. ant", ("bee", "ant"))
    assert (turned.answer, turned.fields["gt_choice"]) == ("bee", 0)


def test_options_and_references_in_every_form():
    by_text = rotation(sample(options=tuple(TEXTS), answer="ant"), 1)
    assert by_text is not None
    assert (by_text.options, by_text.answer) == (("bee", "cat", "dog", "ant"), "ant")
    labelled = tuple(f"({label}) {text}" for label, text in zip(LABELS, TEXTS, strict=True))
    both = rotation(sample(options=labelled, answer="(A) ant", shown_answer="A"), 1)
    assert both is not None
    assert both.options == ("(A) bee", "(B) cat", "(C) dog", "(D) ant")
    assert (both.answer, both.shown_answer) == ("(D) ant", "D")
    extra = rotation(sample(fields={"gt_choices": TEXTS, "other": ["ant"]}), 1)
    assert extra is not None
    assert extra.fields["gt_choices"] == ["bee", "cat", "dog", "ant"]
    assert extra.fields["other"] == ["ant"]


@pytest.mark.parametrize("number", range(5))
def test_rotated_lists(number):
    assert rotated("abc", number) == [list("abc"), list("bca"), list("cab")][number % 3]
