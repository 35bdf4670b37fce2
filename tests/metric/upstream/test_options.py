"""Multiple choice by ChEF's own rules: VQA, LAMM_VQA and Instruct_Follow."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from chef.metric import METRICS
from chef.reading.rules.chef_options import lamm_option, mapped_option, mmmu_option
from chef.types import Prediction

VQA = METRICS.get("VQA", compat="upstream")
InstructFollow = METRICS.get("Instruct_Follow", compat="upstream")
LammVQA = METRICS.get("LAMM_VQA", compat="upstream")

Make = Callable[..., Prediction]
Values = Callable[..., dict[str, Any]]
LETTERED = {"options": ["(A", "(B"], "choices": ["cat", "dog"], "gt_choice": 1}
NAMES = ["Smith", "Jones", "A", "(1"]


def test_content_only_reads_no_letter(make: Make, values: Values) -> None:
    said = [make("1", "B", **LETTERED), make("2", "A. Dog", **LETTERED)]
    assert values(VQA(), *said) == {"ACC": 50, "match_ratio": 100}
    # "B" holds neither text; the letter of "A. Dog" is not read.
    assert values(VQA(content_only=True), *said) == {"ACC": 50, "match_ratio": 50}
    assert VQA(content_only=True).evaluate(said[1:]).samples[0]["match"] == "content"


def test_an_answer_that_is_not_read_has_no_match(make: Make) -> None:
    (entry,) = VQA().evaluate([make("1", "a fish", **LETTERED)]).samples
    assert (entry["parsed"], entry["match"]) == (None, None)


@pytest.mark.parametrize(
    ("answer", "option"),
    [
        ("Smith", 0),
        ("It is Jones", 1),
        ("smith", None),  # case is kept
        ("Smith or Jones", None),
        ("It is Jones. Smith lost", 0),  # Smith alone stands bare
        ("Jones, not Smith.", 0),  # the form "Smith." comes before the form "Jones,"
        ("(1", 3),
        ("A", None),  # never bare
        ("A: Smithers", 2),
        ("### Smith", 0),  # nothing is marked, so the whole answer counts
        ("I say: (A", 2),  # becomes "(A)"
        ("N. Jones", None),  # becomes "(N)"
        ("a cat", None),
        ("", None),
    ],
)
def test_options_under_other_names(answer: str, option: int | None) -> None:
    assert mapped_option(answer, NAMES).value == option


def test_only_the_last_turn_is_searched_for_a_marked_letter() -> None:
    assert mapped_option("(B) Assistant: (C) ### (A)", ["A", "B", "C"]).value == 2
    assert mapped_option("(B) Assistant: Smith", NAMES).value == 0


def test_instruct_follow_ignores_case_only_in_the_comparison(make: Make, values: Values) -> None:
    twice = {"options": ["yes", "YES", "no"], "choices": ["cat", "dog", "cow"], "gt_choice": 0}
    said = [make("1", "YES", **twice), make("2", "dog", **twice)]
    assert values(InstructFollow(), *said) == {"score": 50}


def test_instruct_follow_counts_the_first_row_of_a_question(make: Make, values: Values) -> None:
    fields = {"options": ["Smith", "Jones"], "choices": ["cat", "dog"], "gt_choice": 0}
    said = [
        make("1", "Smith", **fields),
        make("1000001", "Jones", **fields),
        make("1000002", "Smith", **fields),  # its main row is not there
        make("2000002", "Jones", **fields),
        make("3000003", "Jones", **fields),
    ]
    assert values(InstructFollow(), *said)["score"] == pytest.approx(200 / 3)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("The answer is B.", True),
        ("The answer is (B). The answer is (A).", False),
        ("the answer is B", False),  # something must follow the letter
        ("ANSWER: B ANSWER: A", True),  # the first one
        ("(B) and (B)", True),
        ("(A) or (B)", False),
        ("A Dog", True),  # in any case
        ("A dog, a cat", False),
    ],
)
def test_all_letters_that_lamm_finds_must_be_right(answer: str, right: bool) -> None:
    assert (lamm_option(answer, ["Cat", "Dog"], 1).value == 1) is right


def test_lamm_reads_the_thought_before_a_scored_option_too(make: Make, values: Values) -> None:
    said = make("1", "(B", choice=1, CoT_answer="The answer is A. ", **LETTERED)
    assert values(LammVQA(), said) == {"vision_acc": 0}


def test_mmmu_strips_one_sign_after_the_other() -> None:
    class Never(random.Random):
        def randrange(self, *args: Any) -> int:
            return 9

    assert mmmu_option("B!", ["x", "y"], Never()).value == 1
    assert mmmu_option("B.!", ["x", "y"], Never()).value == 9  # "." was tried before "!"
