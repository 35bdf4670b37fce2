"""Questions whose rotations are not all answered, in files that are scored alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chef.metric import METRICS
from chef.scoring.answer_file import score_file
from chef.scoring.answers import FAILED, read_answers
from chef.scoring.override import MetricOverride

HEADER = "index\tquestion\tA\tB\tC\tanswer\tprediction\n"


def table(path: Path, *rows: tuple[str, str]) -> Path:
    lines = (f"{index}\tWho?\tcat\tdog\tcow\tA\t{prediction}\n" for index, prediction in rows)
    path.write_text(HEADER + "".join(lines))
    return path


def results(path: Path) -> Any:
    return score_file(path, MetricOverride("MMBenchVQA")).metrics


WHOLE = (("1", "A"), ("1000001", "A"), ("2000001", "A"))


@pytest.mark.parametrize("prediction", ["A", FAILED])
def test_a_failed_rotation_makes_its_question_incomplete(prediction: str, tmp_path: Path) -> None:
    rows = (("2", "A"), ("1000002", prediction), ("2000002", "A"))
    found = results(table(tmp_path / "m.tsv", *WHOLE, *rows))
    whole = prediction == "A"
    assert found["incomplete_groups"].value == (0 if whole else 1)
    assert (found["circular_acc"].value, found["circular_acc"].n) == (100, 2 if whole else 1)


@pytest.mark.parametrize("gone", range(3))
def test_a_rotation_that_the_file_lacks_makes_its_question_incomplete(
    gone: int, tmp_path: Path
) -> None:
    rows = [(str(rotation * 1_000_000 + 2), "A") for rotation in range(3) if rotation != gone]
    found = results(table(tmp_path / "m.tsv", *WHOLE, *rows))
    assert found["incomplete_groups"].value == 1
    assert found["circular_acc"].n == 1


def test_records_of_chef(tmp_path: Path) -> None:
    records = [
        {"id": index, "answer": "(A", "options": ["(A", "(B"], "choices": ["x", "y"],
         "gt_choice": 0, "ppl_results": [-1.0, -2.0]}
        for index in ("1", "1000001", "2")
    ]  # fmt: skip
    path = tmp_path / "m.json"
    path.write_text(json.dumps(records))
    assert [answer.sample["circular_size"] for answer in read_answers(path)] == [2, 2, 2]
    assert results(path)["incomplete_groups"].value == 1
    records[2]["circular_size"] = 1  # a data set that says that it has no rotation
    path.write_text(json.dumps(records))
    assert results(path)["incomplete_groups"].value == 0


def test_a_file_without_rotations_has_no_sizes(tmp_path: Path) -> None:
    answers = read_answers(table(tmp_path / "m.tsv", ("1", "A"), ("2", "A")))
    assert all("circular_size" not in answer.sample for answer in answers)


def test_chef_takes_the_row_of_a_question_that_its_file_has_first(tmp_path: Path) -> None:
    fields = {"options": ["1", "2"], "choices": ["x", "y"], "gt_choice": 0}
    said = (("1000001", "2"), ("2", "1"), ("1", "1"))
    records = [{"id": index, "answer": answer, **fields} for index, answer in said]
    metric = METRICS.get("Instruct_Follow", upstream=True)()
    for order, score in ((records, 50), (records[::-1], 100)):
        path = tmp_path / f"{score}.json"
        path.write_text(json.dumps(order))
        report = metric.evaluate(read_answers(path))
        assert report.metrics["score"].value == score
