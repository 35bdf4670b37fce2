"""Options in the text of the question, where the answers of the table are their letters."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from scenario.records_table.conftest import write

from chef.scenario.table.listed import LETTERS_ALONE, OWN_LABELS, listed_options
from chef.scenario.table.scenario import Records
from chef.scenario.tsv.scenario import Tsv

LIST = "Which color? A. red B. blue"


def records_of(tmp_path: Path, *rows: tuple[str, Any], **keys: Any) -> Records:
    """A table of questions with their answers."""
    table = [{"question": question, "answer": answer} for question, answer in rows]
    return Records(path=write(tmp_path / "t.jsonl", table), **keys)


@pytest.mark.parametrize(
    ("text", "question", "texts"),
    [
        (LIST, "Which color?", ["red", "blue"]),
        ("Which?\nChoices:\n(A) red\n(B) blue\n(C) 3", "Which?", ["red", "blue", "3"]),
        ("Which? A: red, B: blue", "Which?", ["red", "blue"]),
        ("Which?\nA. red\nB. U.S. blue\nAnswer with it.", "Which?\nAnswer with it.",
         ["red", "U.S. blue"]),
        ("Which? A. red B. blue. Please choose one.", "Which?\nPlease choose one.",
         ["red", "blue."]),
        ("Who is A. Smith?\nA. he\nB. she", "Who is A. Smith?", ["he", "she"]),
        ("Which?\nA. one\ntwo\nB. three\nfour", "Which?", ["one\ntwo", "three\nfour"]),
    ],
)  # fmt: skip
def test_the_list_is_parted_from_the_question(text: str, question: str, texts: list[str]) -> None:
    assert listed_options(text) == (question, texts)


@pytest.mark.parametrize("text", ["Which color?", "Is vitamin A. healthy?", "B. red A. blue"])
def test_a_text_without_a_list(text: str) -> None:
    assert listed_options(text) is None


def test_a_table_of_such_questions_is_multiple_choice(tmp_path: Path) -> None:
    scenario = records_of(tmp_path, (LIST, "A"), (LIST, "(b)"), (LIST, "B. blue"), (LIST, None))
    assert scenario.kind == "mcq"
    assert scenario.random_accuracy == 0.5
    records = [sample.to_record() for sample in scenario]
    assert [record["choices"] for record in records] == [["red", "blue"]] * 4
    assert [record.get("gt_choice") for record in records] == [0, 1, 1, None]
    assert scenario[0].question == "Question: Which color?\nOptions:\n(A) red\n(B) blue"
    assert "the options are read from the text" in scenario.column_use().kind


def test_a_template_takes_the_question_without_its_list(tmp_path: Path) -> None:
    scenario = records_of(tmp_path, (LIST, "A"), template="Look: {question}")
    assert scenario[0].question == "Question: Look: Which color?\nOptions:\n(A) red\n(B) blue"


@pytest.mark.parametrize(
    ("rows", "keys"),
    [
        ([(LIST, "A"), ("Which color?", "B")], {}),
        ([(LIST, "A"), (LIST, "C")], {}),
        ([(LIST, "A")], {"columns": {"options": None}}),
    ],
)
def test_what_is_no_such_table_is_told(
    tmp_path: Path, rows: list[tuple[str, str]], keys: dict[str, Any]
) -> None:
    scenario = records_of(tmp_path, *rows, **keys)
    assert scenario.kind == "vqa"
    assert LETTERS_ALONE in scenario.column_use().kind


@pytest.mark.parametrize(("answers", "kind"), [(("A", "red"), None), (("A", "B"), "vqa")])
def test_other_answers_and_what_the_recipe_says(
    tmp_path: Path, answers: tuple[str, str], kind: Any
) -> None:
    scenario = records_of(tmp_path, *((LIST, answer) for answer in answers), kind=kind)
    assert scenario.kind == "vqa"
    assert LETTERS_ALONE not in scenario.column_use().kind


def test_a_tsv_tells_letters_without_options(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "t.tsv"
    path.write_text(f"index\tquestion\tanswer\n1\t{LIST}\tA\n")
    with caplog.at_level(logging.WARNING):
        assert Tsv(path=str(path)).kind == "vqa"
    assert LETTERS_ALONE in caplog.text


@pytest.mark.parametrize(
    "row",
    [
        {"A": "A. red", "B": "B. blue"},
        {"A": "(A) red", "B": "(B) blue"},
        {"choices": ["A: red", "B: blue"]},
        {"choices": {"A": "A) red", "B": "B) blue"}},
    ],
)
@pytest.mark.parametrize("answer", ["B", "(B)", "blue", "B. blue"])
def test_options_do_not_repeat_their_labels(
    tmp_path: Path, row: dict[str, Any], answer: str
) -> None:
    table = [{"question": "Which?", "answer": answer, **row}]
    scenario = Records(path=write(tmp_path / "t.jsonl", table))
    record = scenario[0].to_record()
    assert (record["choices"], record["gt_choice"]) == (["red", "blue"], 1)
    assert OWN_LABELS in scenario.column_use().kind


@pytest.mark.parametrize("texts", [["A. red", "blue"], ["B. red", "A. blue"], ["A.", "B."]])
def test_labels_that_not_all_options_have_in_their_order_stay(
    tmp_path: Path, texts: list[str]
) -> None:
    table = [{"question": "Which?", "answer": "A", "choices": texts}]
    scenario = Records(path=write(tmp_path / "t.jsonl", table))
    assert scenario[0].to_record()["choices"] == texts
    assert OWN_LABELS not in scenario.column_use().kind


def test_options_of_a_tsv_do_not_repeat_their_labels(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("index\tquestion\tA\tB\tanswer\n1\tWhich?\tA. red\tB. blue\tB\n")
    with caplog.at_level(logging.INFO):
        record = Tsv(path=str(path))[0].to_record()
    assert (record["choices"], record["gt_choice"]) == (["red", "blue"], 1)
    assert caplog.text.count(OWN_LABELS) == 1
