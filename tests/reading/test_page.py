"""The examples of docs/background/reading.md are read as the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from chef.metric.mmtrusteval.building import build
from chef.reading.free_answers import compare
from chef.reading.numbers import extract_number
from chef.reading.options import extract_option
from chef.reading.verdicts import extract_verdict
from chef.types import Compat

PAGE = (Path(__file__).parents[2] / "docs" / "background" / "reading.md").read_text("utf-8")
ANIMALS = ["a cat", "a dog", "a bird", "a fish"]


def rows(title: str) -> list[list[str]]:
    """The cells of the table under a heading, without its head."""
    section = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    cells = [[cell.strip().strip("`") for cell in line.strip("| ").split(" | ")] for line in lines]
    return cells[2:]


def written(cell: str) -> str:
    r"""The answer that a cell stands for; `` / `` and ``\n`` are line breaks."""
    return re.sub(r" / |\\n", "\n", cell)


@pytest.mark.parametrize(("answer", "read"), rows("Options"))
def test_options(answer: str, read: str) -> None:
    index = extract_option(written(answer), ANIMALS).value
    assert ("unread" if index is None else "ABCD"[index]) == read


@pytest.mark.parametrize(("question", "answer", "read"), rows("Yes and no"))
def test_verdicts(question: str, answer: str, read: str) -> None:
    assert (extract_verdict(written(answer), question).value or "unread") == read


@pytest.mark.parametrize(("question", "answer", "read"), rows("Numbers"))
def test_numbers(question: str, answer: str, read: str) -> None:
    value = extract_number(written(answer), question).value
    assert (str(value) if value is not None else "unread") == read


@pytest.mark.parametrize(("question", "reference", "answer", "right"), rows("Free answers"))
def test_free_answers(question: str, reference: str, answer: str, right: str) -> None:
    assert compare(answer, [reference], question).right == (right == "yes")


@pytest.mark.parametrize(("name", "answer", "label", "there", "here"), rows("MMTrustEval's tasks"))
def test_rule_evaluators(name: str, answer: str, label: str, there: str, here: str) -> None:
    keys = {"metrics_cfg": {"pred_no_op": {}}}
    reference = None if label == "-" else json.loads(label)
    expectations: dict[Compat, str] = {"upstream": there, "corrected": here}
    for compat, expected in expectations.items():
        evaluator = build(name, keys, "at", compat)
        assert str(evaluator.process([answer], [reference])[0][0]) == expected


def test_there_are_examples_of_each_kind() -> None:
    titles = ("Options", "Yes and no", "Numbers", "Free answers", "MMTrustEval's tasks")
    assert [len(rows(title)) > 8 for title in titles] == [True] * 5
