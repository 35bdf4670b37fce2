"""Free answers are compared with references as careful people compare them.

A line of ``free_answers.jsonl`` has a question, an answer that a model could have written, the
references for which it is right and those for which it is wrong (a list stands for several
references of one question). They were fixed by reading: most before the rules were written; those
named ``second`` (everyday answers) and ``third`` (hard ones) when the rules stood, of which 97.6 %
and 93 % were compared so at first sight. Of those named ``clauses``, written before clauses were
compared, 16 of the first 30 and 23 of the others were read rightly by the version before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chef.metric.vqa.accuracy import OPEN_ANSWERS, Accuracy
from chef.reading.free_answers import compare
from chef.types import Prediction, Status

LINES = [
    json.loads(line)
    for line in Path(__file__).with_name("free_answers.jsonl").read_text("utf-8").splitlines()
]


#: What is still compared otherwise: a refusal that is an answer, a word of one Chinese character
#: for a longer one, a part of a license plate, the color of "other cars", "author" for one who
#: wrote, and a second subject without a verb ("y la pared blanca").
KNOWN = {
    "right": [
        ("negation-074", "not possible"),
        ("second-103", "伞"),
        ("second-111", "晴"),
    ],
    "wrong": [
        ("second-047", "1234"),
        ("third-015", "black"),
        ("clauses-057", "blanco"),
    ],
}


def cases(key: str) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Each line with one list of references under ``key``."""
    for line in LINES:
        for reference in line[key]:
            yield line, reference if isinstance(reference, list) else [reference]


@pytest.mark.parametrize(("key", "right"), [("right", True), ("wrong", False)])
def test_answers_are_right_and_wrong_as_people_say(key: str, right: bool) -> None:
    found = [
        (line["id"], references)
        for line, references in cases(key)
        if compare(line["answer"], references, line["question"]).right is not right
    ]
    assert found == [(name, [reference]) for name, reference in KNOWN[key]]


def test_there_are_many_cases_of_both_kinds() -> None:
    assert len(list(cases("right"))) > 300
    assert len(list(cases("wrong"))) > 300


def test_what_gives_no_answer_is_not_read() -> None:
    lines = [line for line in LINES if line.get("unread")]
    assert len(lines) > 8
    for line in lines:
        for reference in line["wrong"]:
            assert compare(line["answer"], [reference], line["question"]).reading.value is None


@pytest.mark.parametrize(
    ("answer", "reference", "rule"),
    [
        ("Red!", "red", "whole"),
        ("The colour is red.", "red", "final"),
        ("It is a red double-decker bus.", "red", "phrase"),
        ("12.5 percent of them", "12.5%", "number"),
        ("red or blue", "red", "ambiguous"),
        ("It might be a theatre, a concert hall or town hall.", "theatre", "ambiguous"),
        ("It may be Oak Rd, Old Rd or something similar.", "Oak Rd", "ambiguous"),
        ("I can't see any image.", "red", "none"),
    ],
)
def test_the_evidence_names_the_rule(answer: str, reference: str, rule: str) -> None:
    assert compare(answer, [reference]).reading.rule == rule


@pytest.mark.parametrize("reference", ["?", "", " ", "...", "**", "\u200b"])
def test_a_reference_without_words_is_in_no_sentence(reference: str) -> None:
    assert not compare("The bus is red, and old.", [reference]).right


def test_accuracy_compares_free_answers_so_and_says_it() -> None:
    answers = {"1": "The color is red.", "2": "It is not red but blue.", "3": "red or blue"}
    report = Accuracy().evaluate(
        Prediction(name, Status.OK, answer=text, sample={"id": name, "gt_answers": "red"})
        for name, text in answers.items()
    )
    assert [entry["metric_result"] for entry in report.samples] == [1, 0, 0]
    assert report.coverage.unparsed == 1
    assert report.details["open_answers"] == OPEN_ANSWERS
