"""Captions by ChEF's own rules, and by the package that it uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chef.metric import METRICS
from chef.metric.upstream.rules import package_rouge_l
from chef.types import Prediction

SVTOCR = METRICS.get("SVT_OCR", compat="upstream")
Caption = METRICS.get("Caption", compat="upstream")

Make = Callable[..., Prediction]
Values = Callable[..., dict[str, Any]]


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        ("a dog", "a dog", 1),
        # 2 of 2 words and 2 of 6, whose last one is "sofa"
        ("a dog", "a dog sits on the sofa.", 0.5),
        ("dog dog dog", "dog", 1),  # words are sets
        ("a dog. a cat", "a cat. a dog", 1),  # sentences are compared in pairs
        ("cat a dog", "dog a cat", 1 / 3),  # in one sentence the order counts
        ("A dog", "a dog", 0.5),  # and so does case
        ("", "a dog", 0),
        ("...", "a dog", 0),
        ("a dog", "..", 0),
    ],
)
def test_rouge_of_the_package(candidate: str, reference: str, expected: float) -> None:
    pytest.importorskip("rouge")
    assert package_rouge_l(candidate, [reference]) == pytest.approx(expected, abs=1e-6)


def test_the_best_candidate_and_the_best_reference_count(make: Make, values: Values) -> None:
    pytest.importorskip("rouge")
    references = ["two cats", "s a dog on the man"]
    said = [
        make("1", "it's a dog on the man's lap", gt_answers=references),  # apostrophes quote
        make("2", "", gt_answers=references),
        make("3", "One. two", CoT_answer="I see: ", gt_answers=references),  # "two" of "two cats"
    ]
    found = values(Caption(strategy="direct"), *said)
    assert found.keys() == {"BLEU4", "Rouge", "CIDEr"}  # neither Bleu_4 nor ROUGE_L: one name each
    assert found["BLEU4"] == pytest.approx(100 / 3)
    assert found["Rouge"] == pytest.approx(100 * (1 + 0 + 2 / 3) / 3, abs=1e-4)


def test_a_chosen_caption_is_right_if_it_is_one_of_the_image(make: Make, values: Values) -> None:
    fields = {"options": ["a cat", "a dog", "a cow"], "gt_answers": ["a dog", "a cat"]}
    said = [
        make("1", "a cat", choice=0, gt_choice=1, **fields),
        make("2", "a cow", choice=2, gt_choice=1, **fields),
    ]
    assert values(Caption(strategy="acc"), *said)["ACC"] == 50


def test_words_are_read_between_any_two_quotes(make: Make, values: Values) -> None:
    said = make("1", "Its 'HOTEL' is \"open.\"", gt_answers=["hotel", "open", "is", "its"])
    # "HOTEL.  is . open.": full stops join the parts, and stay with the words before them
    assert values(SVTOCR(), said) == {"ACC": 0.25}
