"""Files of answers that other programs wrote."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chef.errors import DataError
from chef.scoring.answers import CELL_LIMIT, FAILED, read_answers
from chef.types import Status

OPTIONS = ["cat", "dog", "owl"]
SCORED = {
    "id": "a", "question": "?", "options": OPTIONS, "gt_answers": "dog", "gt_choice": 1,
    "query": "? Answer:", "ppl_results": [-2.0, -1.0, -3.0], "probs": [0.2, 0.7, 0.1],
    "prob": 0.7, "answer": "dog", "metric_result": 1,
}  # fmt: skip


@pytest.fixture
def chef_file(tmp_path: Path) -> Callable[..., Path]:
    def write(*records: Any) -> Path:
        path = tmp_path / "Set_20240301120000.json"
        path.write_text(json.dumps(records, indent=4, ensure_ascii=False), encoding="utf-8")
        return path

    return write


def test_samples_of_lmms_eval_are_read(tmp_path: Path) -> None:
    line = {
        "doc_id": 7, "doc": {"question": "Which?"}, "target": "cat", "arguments": {},
        "resps": [["a cat!"]], "filtered_resps": ["a cat"], "exact_match": 0.0,
    }  # fmt: skip
    path = tmp_path / "samples_t.jsonl"
    path.write_text(json.dumps(line) + "\n")
    (answer,) = read_answers(path)
    assert (answer.sample_id, answer.answer) == ("7", "a cat")
    assert answer.sample["gt_answers"] == "cat"
    assert answer.sample["question"] == "Which?"
    scored = {**line, "filtered_resps": [[-0.5, True], [-1.5, False]]}
    path.write_text(json.dumps(scored) + "\n")
    with pytest.raises(DataError, match="scores of options") as caught:
        read_answers(path)
    assert "id, answer" in (caught.value.hint or "")
    path.write_text('{"doc_id": 7, "text": "a cat"}\n')
    with pytest.raises(DataError, match="has no 'answer'") as caught:
        read_answers(path)
    assert str(caught.value.hint).endswith("its keys: doc_id, text")


def test_answers_of_other_tools_are_read(tmp_path: Path) -> None:
    """LLaVA's answers, OpenAI's batches, VQA's results, and predictions beside the truth."""
    path = tmp_path / "a.jsonl"
    reply = {"status_code": 200, "body": {"choices": [{"message": {"content": "a cat"}}]}}
    for line in (
        {"question_id": 7, "prompt": "Which?", "text": "a cat", "model_id": "m"},
        {"id": "batch_1", "custom_id": "7", "response": reply, "error": None},
        {"question_id": 7, "answer": "a cat"},
        {"id": 7, "prediction": "a cat", "answer": "a dog"},
    ):
        path.write_text(json.dumps(line) + "\n")
        (answer,) = read_answers(path)
        assert (answer.sample_id, answer.answer) == ("7", "a cat")
    assert answer.sample["gt_answers"] == "a dog"


def test_a_table_with_ids_and_answers_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id;answer;truth;status\nx;a cat;a dog;ok\ny;;a dog;error\n")
    cat, failed = read_answers(path)
    assert (cat.sample_id, cat.answer, cat.status) == ("x", "a cat", Status.OK)
    assert (failed.sample_id, failed.answer) == ("y", None)


def test_a_scored_record_of_chef_becomes_a_choice(chef_file) -> None:
    (answer,) = read_answers(chef_file(SCORED))
    assert (answer.sample_id, answer.status, answer.answer) == ("a", Status.OK, "dog")
    assert answer.scores["choice"] == 1
    assert answer.scores["ppl_results"] == [-2.0, -1.0, -3.0]
    assert answer.trace == {"query": "? Answer:"}
    assert answer.sample["gt_choice"] == 1
    assert "metric_result" not in answer.sample  # an old score is no part of the truth


def test_losses_of_the_first_generation_choose_what_they_chose(chef_file) -> None:
    (answer,) = read_answers(chef_file({**SCORED, "ppl_results": [2.0, 1.0, 3.0]}))
    assert answer.scores["choice"] == 1


@pytest.mark.parametrize("bad", [{"ppl_results": [float("nan"), 1, 2]}, {"answer": "horse"}])
def test_a_choice_without_a_score_or_an_option_is_an_error(chef_file, bad) -> None:
    (answer,) = read_answers(chef_file({**SCORED, **bad}))
    assert answer.status is Status.ERROR
    assert answer.answer is None


def test_the_chain_of_thought_is_no_part_of_the_answer(chef_file) -> None:
    record = {"id": 7, "answer": "It barks, so not A.(B)", "CoT_answer": "It barks, so not A."}
    (answer,) = read_answers(chef_file(record))
    assert (answer.sample_id, answer.answer) == ("7", "(B)")


def test_records_without_an_id_are_numbered(chef_file) -> None:
    answers = read_answers(chef_file({"answer": "x"}, {"answer": "y"}))
    assert [answer.sample_id for answer in answers] == ["0", "1"]


def test_turns_know_their_place_prefix_and_choice(chef_file) -> None:
    record = {
        "id": "v", "gt_answers": [],
        "multi_turn_prefix": [
            {"prompt_idx": 0, "prefix": "", "options": ["a dog", "a cat"]},
            {"prompt_idx": 1, "prefix": "dog", "options": ["[0, 0, 1, 1]", "[0, 0, 0.5, 0.5]"]},
        ],
        "turn_answer": [
            {"prompt_idx": 0, "question": "q", "answer": "a dog", "probs": [0.9, 0.1], "prob": 0.9},
            {"prompt_idx": 1, "question": "q", "answer": "[0, 0, 0.5, 0.5]", "probs": [0.1, 0.9],
             "options": ["[0, 0, 1, 1]", "[0, 0, 0.5, 0.5]"]},
        ],
    }  # fmt: skip
    (answer,) = read_answers(chef_file(record))
    turns = answer.trace["turn_answer"]
    assert [(turn["turn"], turn["prefix"], turn["choice"]) for turn in turns] == [
        (0, "", 0), (1, "dog", 1),
    ]  # fmt: skip
    assert answer.answer == ["a dog", "[0, 0, 0.5, 0.5]"]


TABLE = [
    {"index": "3", "question": "Who?", "A": "cat", "B": "dog", "answer": "B", "category": "c",
     "prediction": "B. dog"},
    {"index": "1000003", "question": "Who?", "A": "dog", "B": "cat", "answer": "A",
     "category": "c", "prediction": ""},
    {"index": "4", "question": "Who?", "A": "None", "B": "NA", "answer": "B", "category": "d",
     "prediction": FAILED},
    {"index": "5", "question": "Who?", "A": "cat", "B": "dog", "answer": "", "category": "d",
     "prediction": "x" * CELL_LIMIT},
]  # fmt: skip


@pytest.fixture(params=["tsv", "xlsx"])
def table(request, tmp_path: Path) -> Callable[..., Path]:
    def write(rows: list[dict[str, str]]) -> Path:
        if request.param == "tsv":
            path = tmp_path / "m_Set.tsv"
            with path.open("w", newline="") as file:
                writer = csv.DictWriter(file, list(rows[0]), delimiter="\t")
                writer.writeheader()
                writer.writerows(rows)
            return path
        import openpyxl

        book = openpyxl.Workbook()
        book.active.append(list(rows[0]))
        for row in rows:
            cells = [int(text) if text.isdecimal() else text or None for text in row.values()]
            book.active.append(cells)
        book.save(tmp_path / "m_Set.xlsx")
        return tmp_path / "m_Set.xlsx"

    return write


def test_a_table_of_vlmevalkit(table) -> None:
    right, empty, failed, long = read_answers(table(TABLE))
    assert (right.sample_id, right.answer, right.status) == ("3", "B. dog", Status.OK)
    assert right.sample["gt_choice"] == 1
    assert right.sample["choices"] == ["cat", "dog"]
    assert right.sample["category"] == "c"
    assert right.sample["circular_group"] == empty.sample["circular_group"] == "3"
    assert (empty.sample_id, empty.answer) == ("1000003", "")
    assert (failed.status, failed.answer) == (Status.ERROR, None)
    assert long.status is Status.TRUNCATED
    assert long.sample["gt_answers"] is None


def test_the_truth_of_a_table_that_tells_none_is_left_to_the_scenario(table) -> None:
    (answer,) = read_answers(table([{"index": "1", "prediction": "yes"}]))
    assert answer.sample == {"id": "1"}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "index,question\n1,q\n", "has no column 'prediction'"),
        ("a.md", "index,prediction", "unknown kind of file '.md'"),
        ("a.json", '{"1": "A"}', "holds a dict, not a list of records"),
        ("a.json", "[1]", "record 0: is a int, not a mapping"),
        ("a.json", '[{"id": 1, "question": "?"}]', "has no 'answer'"),
        ("a.json", "[", "is not valid JSON"),
        ("a.json", "[]", "holds no answers"),
        ("a.json", '[{"id": 1, "answer": "a"}, {"id": "1", "answer": "b"}]', "1 ids occur more"),
        ("a.jsonl", '{"sample_id": "1", "status": "fine"}', "line 1: cannot be read"),
        ("a.jsonl", '{"sample_id": "1", "status": "ok"}\n{"answer": "x"}', "mixes two kinds"),
        ("a.tsv", "index\tquestion\n1\tq\n", "has no column 'prediction'"),
        ("a.tsv", "index\tprediction\n1\ta\n1\tb\n", "the id '1' is that of row 1"),
        ("a.xlsx", "no zip", "cannot be read as .xlsx"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(DataError, match=message.replace("(", r"\(")) as error:
        read_answers(path)
    assert str(path) in str(error.value)


def test_a_question_of_a_table_may_name_its_image(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("index\tquestion\tA\tB\tanswer\tprediction\n1\tIs <image> red?\ta\tb\tB\tB\n")
    (answer,) = read_answers(path)
    assert answer.sample["gt_choice"] == 1


def test_what_begins_with_the_mark_of_a_failed_call_is_one(table) -> None:
    row = {**TABLE[0], "prediction": f"{FAILED} Timeout after 60 s"}
    (answer,) = read_answers(table([row]))
    assert (answer.status, answer.error) == (
        Status.ERROR,
        {"type": "ApiError", "message": row["prediction"]},
    )


def test_verdicts_of_a_judge_are_told(table, caplog) -> None:
    rows = [{**TABLE[0], "hit": "1"}, {**TABLE[1], "hit": "0"}]
    with caplog.at_level("INFO", logger="chef"):
        one, other = read_answers(table(rows))
    assert (one.sample["stored_hit"], other.sample["stored_hit"]) == (1, 0)
    assert "has verdicts in its column 'hit'" in caplog.text
    assert "stored_hit" not in read_answers(table([{**TABLE[0], "hit": "maybe"}]))[0].sample
