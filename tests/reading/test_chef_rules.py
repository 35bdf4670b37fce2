"""The way ChEF reads letters: its known outcomes, right and wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.reading.options import extract_option
from chef.reading.rules.chef_options import cascade

CHOICES = ["cat", "dog", "a red bird", "fish"]


@pytest.mark.parametrize(
    ("answer", "letter"),
    [
        ("(A) or (B)", "A"),
        ("A. could be, as it has whiskers. But it barks: (B)", "A"),
        ("A dog", "A"),
        ("Washington D.C.", "D"),
        ("Mr. B. Smith", "B"),
        ("(B", "B"),
        ("B", "B"),
        ("it is B", "B"),
        ("A dog it is", "B"),  # by content: the article among three words is no letter
        ("x ### B.", None),
        ("B. ### A.", "B"),
        ("Assistant: A. Assistant: (C)", "C"),
        ("the answer: D:", "D"),
        ("dog", "B"),
        ("It is a DOG!", "B"),
        ("cat or dog", None),
        ("(K)", None),
        ("", None),
    ],
)
def test_known_outcomes(answer, letter):
    value = cascade(answer, CHOICES).value
    assert (None if value is None else "ABCD"[value]) == letter


def test_what_it_was_read_by():
    assert cascade("(B)", CHOICES).rule == "option"
    assert cascade("dog", CHOICES).rule == "content"
    assert cascade("nothing", CHOICES).rule == "content"  # as in ChEF


def test_content_only_reads_no_letter_and_cuts_nothing():
    assert cascade("The fish of B. Smith", CHOICES).value == 1
    assert cascade("The fish of B. Smith", CHOICES, content_only=True).value == 3
    assert cascade("B", CHOICES, content_only=True).value is None
    assert cascade("x ### cat", CHOICES, content_only=True).value == 0


def test_only_known_letters_are_read():
    assert cascade("B E", CHOICES).value is None
    assert cascade("B E", CHOICES, known="ABCD").value == 1


@pytest.mark.parametrize("answer", ["(A) or (B)", "A dog", "Washington D.C.", "Mr. B. Smith"])
def test_the_corrected_rules_do_not_guess(answer):
    texts = ["Paris", "Rome", "Bern", "Oslo"]
    assert cascade(answer, texts).value is not None
    assert extract_option(answer, texts).value is None


@given(st.text(), st.lists(st.text(min_size=1), max_size=5))
def test_any_text_gives_a_letter_or_none(answer, choices):
    value = cascade(answer, choices).value
    assert value is None or 0 <= value < max(7, len(choices))
