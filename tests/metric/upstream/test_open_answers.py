"""MMMU and Ch3Ef by ChEF's own rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chef.metric import METRICS
from chef.reading.rules.chef_texts import chef_open_answer
from chef.types import Prediction

Ch3EfMetric = METRICS.get("Ch3Ef_Metric", compat="upstream")
MMMUMetric = METRICS.get("MMMU_Metric", compat="upstream")

Make = Callable[..., Prediction]
Values = Callable[..., dict[str, Any]]


@pytest.mark.parametrize(
    ("answer", "reference", "right"),
    [
        ("b", "B", True),  # one letter, with a space on either side
        ("It is b", "b", True),
        ("ab c", "c", True),  # " c" is in "ab c"
        ("abc", "b", False),
        ("a category", "cat", True),  # inside a word
        ("Chemistry. This thesis shows gold", "gold", True),  # "is " ends "thesis "
        ("The cat is here, so is a dog", "cat", False),  # only "a dog" is kept
        ("The answer is 5 cats", "5 cats", True),
        ("It is 5\nx = 7", "5", True),  # each line
        ("x = 7\nno more", "x", True),  # "=" counts in the last line alone, so all is kept
        ("y = 12.344", "12.34", True),  # two decimals
        ("It is 1,234 m", "1234", True),
        ("It is 1e3 m", "1000", True),
        ("It is 5", "-5", False),
        ("It is.", "is", True),  # "is" is no indicator without its space
        ("", "cat", False),
    ],
)
def test_open_answers(answer: str, reference: str, right: bool) -> None:
    assert (chef_open_answer(answer, [reference]).rule in {"number", "words"}) is right


def test_the_shortest_tail_of_a_line_is_kept() -> None:
    found = chef_open_answer("So it could be red, thus the final answer is deep blue", ["no"])
    assert found.value == "deep blue"


def test_open_answers_are_read_with_their_thought(make: Make, values: Values) -> None:
    fields = {"question_type": "open", "gt_answers": ["cat"], "subject": "Art"}
    said = make("1", "no", CoT_answer="It is a cat\n", **fields)
    assert values(MMMUMetric(), said)["Overall/acc"] == 100


ABSTAIN = "I don't know."


@pytest.mark.parametrize(
    ("options", "chosen", "right"),
    [
        (["Three.", ABSTAIN, "Four."], 0, 1),
        (["Three.", ABSTAIN, "Four."], 1, 1),
        (["Three.", "Four.", ABSTAIN], 1, 1),  # the second, though it is no abstention
        (["Three.", "Four.", ABSTAIN], 2, 0),
        (["Three.", "Four.", "Five."], 1, 0),
        (["Three.", "Four.", "Three."], 2, 1),  # by its text
    ],
)
def test_an_abstention_that_is_offered_makes_the_second_option_right(
    make: Make, values: Values, options: list[str], chosen: int, right: int
) -> None:
    said = make("1", options[chosen], choice=chosen, options=options, gt_choice=0)
    assert values(Ch3EfMetric(), said)["ACC"] == 100 * right
