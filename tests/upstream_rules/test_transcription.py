"""The transcription against values worked out by hand from the reference."""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping, Sequence

import pytest
from every import check_every

from upstream_rules import (
    cases_boxes,
    cases_figures,
    cases_labels,
    cases_options,
    cases_text,
    transcription,
)
from upstream_rules.cases import Case
from upstream_rules.groups import Row
from upstream_rules.random_answers import answers

TOPICS = (cases_text, cases_figures, cases_labels, cases_boxes, cases_options)
CASES: dict[str, list[Case]] = {
    rule: cases for topic in TOPICS for rule, cases in topic.CASES.items()
}


def agrees(actual: object, expected: object) -> bool:
    """Equality, to nine digits for numbers at whatever depth."""
    if isinstance(expected, str) or expected is None or isinstance(expected, bool):
        return actual == expected
    if isinstance(expected, Mapping):
        return (
            isinstance(actual, Mapping)
            and actual.keys() == expected.keys()
            and all(agrees(actual[key], value) for key, value in expected.items())
        )
    if isinstance(expected, Sequence):
        return (
            isinstance(actual, Sequence)
            and len(actual) == len(expected)
            and all(agrees(one, other) for one, other in zip(actual, expected, strict=True))
        )
    return actual == pytest.approx(expected, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("rule", CASES)
def test_rule_gives_the_values_worked_by_hand(rule: str) -> None:
    def check(case: Case) -> None:
        # Scripted streams are used up: each run has its own.
        actual = getattr(transcription, rule)(*copy.deepcopy(case.args))
        assert agrees(actual, case.expected), f"{actual!r} is not {case.expected!r}: {case.why}"

    check_every({str(place): case for place, case in enumerate(CASES[rule])}, check)


@pytest.mark.parametrize("rule", transcription.__all__)
def test_every_rule_has_six_cases_at_least(rule: str) -> None:
    assert len(CASES[rule]) >= 6


def test_mmmu_draws_its_random_letters_from_one_stream() -> None:
    stream, other = random.Random(42), random.Random(42)
    drawn = [transcription.mmmu_choice("", "wxyz", stream) for _ in range(5)]
    assert drawn == [other.choice("ABCD") for _ in range(5)]


def test_fifth_option_as_gold_of_mmbench_raises() -> None:
    with pytest.raises(IndexError):
        transcription.mmbench([Row(1, "E", ("v", "w", "x", "y", "z"), 4)])


def test_random_answers_are_repeatable_and_readable_by_every_rule() -> None:
    choices = ("a red bus", "two dogs", "None", "1,000 km")
    texts = answers(3, 400, choices)
    assert texts == answers(3, 400, choices)
    assert texts != answers(4, 400, choices)
    assert "" in texts
    for text in texts:
        assert len(transcription.fetch_answer(text, choices)) == 3
        transcription.followed_option(text, choices)
        transcription.lamm_vqa_right(text, choices, 1)
        assert transcription.mme_reading(text) in ("yes", "no", "other")
        assert transcription.pope_reading(text) in ("yes", "no")
        assert transcription.first_number(text) >= 0
        transcription.mmmu_open_right(text, "5")
        assert transcription.mmmu_choice(text, choices, random.Random(1)) in "ABCD"
        assert all(len(box) == 4 for box in transcription.parse_bbox(text))
