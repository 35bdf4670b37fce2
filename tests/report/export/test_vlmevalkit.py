"""Tables for VLMEvalKit: its columns, and the same scores when they are read again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from conftest import FAKES, ROOT

import chef
from chef.cli import main
from chef.common.options import lettered, unlettered
from chef.report.export.rows import columns_of, vlmevalkit_rows
from chef.stats.estimate import Estimate
from chef.types import Prediction, Status

TINY = ROOT / "configs/models/tiny.yaml"
SHAPES = ROOT / "configs/recipes/Shapes"


def sheet(path: Path) -> tuple[list[str], list[dict[str, Any]]]:
    head, *rows = openpyxl.load_workbook(path).worksheets[0].iter_rows(values_only=True)
    return list(head), [dict(zip(head, row, strict=True)) for row in rows]


@pytest.mark.parametrize(
    ("recipe", "metric"),
    [("ppl", "VQA"), ("direct_CoT", "VQA"), ("yesno_ppl", "YesNo"), ("color_ppl", "Accuracy")],
)
def test_the_round_trip_gives_the_same_scores(recipe: str, metric: str, tmp_path: Path) -> None:
    report = chef.evaluate(TINY, SHAPES / f"{recipe}.yaml", limit=16, save_dir=tmp_path)
    (path,) = chef.export(report.folder, "vlmevalkit", tmp_path)
    assert path.name == "tiny_Shapes.xlsx"
    own, again = chef.score(report, metric), chef.score(path, metric)
    assert again.metrics[again.primary] == own.metrics[own.primary]
    assert again.coverage == own.coverage
    scores = {entry["id"]: entry["score"] for entry in own.samples}
    assert {entry["id"]: entry["score"] for entry in again.samples} == scores


TABLE = """index\timage_path\tquestion\thint\tA\tB\tC\tanswer\tcategory\tl2-category\tsplit
7\ta.png\tWhich?\tLook.\tcat\tdog\t=1+1\tB\tanimals\tperception\tdev
1000007\ta.png\tWhich?\tLook.\tdog\t=1+1\tcat\tA\tanimals\tperception\tdev
2000007\ta.png\tWhich?\tLook.\t=1+1\tcat\tdog\tC\tanimals\tperception\tdev
8\ta.png\tHow many?\t\t1\t2\t\tA\tcounts\tperception\tdev
1000008\ta.png\tHow many?\t\t2\t1\t\tB\tcounts\tperception\tdev
9\tmissing.png\tWhere?\t\there\tthere\t\tA\tplaces\treasoning\tdev
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    from PIL import Image

    Image.new("RGB", (8, 8), "red").save(tmp_path / "a.png")
    path = tmp_path / "MMTiny.tsv"
    path.write_text(TABLE)
    return path


def evaluated(path: Path, inferencer: str, metric: str = "MMBenchVQA") -> chef.RunResult:
    recipe = {
        "scenario_cfg": {"dataset_name": "Tsv", "path": str(path)},
        "eval_cfg": {
            "inferencer_cfg": {"inferencer_type": inferencer},
            "metric_cfg": {"metric_type": metric},
        },
    }
    model = {"plugins": [str(FAKES)], "model_name": "Hashing"}
    return chef.evaluate(model, recipe, save_dir=path.parent / "results")


def _values(metrics: Mapping[str, Estimate]) -> dict[str, tuple[float | None, int]]:
    return {key: (item.value, item.n) for key, item in metrics.items()}


@pytest.mark.parametrize("inferencer", ["PPL", "Direct"])
def test_the_columns_of_the_data_come_back(table: Path, inferencer: str) -> None:
    """Rotations, hints and categories are those of the TSV, and so is the circular score."""
    report = evaluated(table, inferencer)
    (path,) = chef.export(report, "vlmevalkit", table.parent)
    head, rows = sheet(path)
    columns, *cells = (line.split("\t") for line in TABLE.splitlines())
    assert head == [name for name in columns if name != "image_path"] + ["prediction"]
    given = [dict(zip(columns, row, strict=True)) for row in cells]
    for row, wanted in zip(rows, sorted(given, key=lambda item: int(item["index"])), strict=True):
        if wanted["index"] == "9":  # its image is missing
            assert row["prediction"] == "Failed to obtain answer via API."
            continue
        for name in head[:-1]:
            assert str("" if row[name] is None else row[name]) == wanted[name], (wanted, name)
    assert [row["index"] for row in rows] == [7, 8, 9, 1000007, 1000008, 2000007]
    if inferencer == "PPL":
        assert {row["prediction"] for row in rows[:2]} <= {"A", "B", "C"}
    again = chef.score(path, "MMBenchVQA")
    # The file does not tell which rows show equal images, so its intervals may be others.
    assert _values(again.metrics) == _values(report.metrics)
    assert again.coverage.errors == report.coverage.errors == 1


def test_a_hidden_test_split(table: Path) -> None:
    """Without references nothing is scored, and the file has what a server wants."""
    head, *rows = (line.split("\t") for line in TABLE.splitlines()[:-1])
    at = head.index("answer")
    hidden = [[*row[:at], *row[at + 1 :]] for row in (head, *rows)]
    table.write_text("".join("\t".join(row) + "\n" for row in hidden))
    report = evaluated(table, "PPL")
    assert report.coverage.no_truth == 5
    (path,) = chef.export(report, "vlmevalkit", table.parent)
    columns, found = sheet(path)
    assert columns == ["index", "question", "hint", "A", "B", "C", "category", "l2-category",
                       "split", "prediction"]  # fmt: skip
    assert all(row["prediction"] in {"A", "B", "C"} for row in found)
    (path,) = chef.export(report, "csv", table.parent)
    assert path.read_text().count('"ok"') == 5
    for row in chef.load_run(report.folder).rows:
        assert (row["truth"], row["true_option"], row["score"]) == (None, None, None)
        assert row["chosen_option"] in row["options"]


def test_what_the_model_wrote_stays(tmp_path: Path) -> None:
    samples = [
        {"id": "a", "question": "What?", "gt_answers": ["red", "dark red"]},
        {"id": "b", "question": "Is it?", "options": ["Yes", "No"], "gt_answers": "No",
         "choices": ["Yes", "No"], "gt_choice": 1},
        {"id": "c", "question": "Which?\n(A) x\n(B) y", "choices": ["x", "y"], "gt_choice": 0,
         "gt_answers": "(A)", "circular_group": "g7"},
        {"id": "d", "question": "Which of 30?", "choices": [str(n) for n in range(30)],
         "gt_answers": "7", "gt_choice": 7},
    ]  # fmt: skip
    answers = ["=red", "no, it is not", "I say (B) y.", "7"]
    predictions = [
        Prediction(sample["id"], Status.OK, answer, sample=sample)
        for sample, answer in zip(samples, answers, strict=True)
    ]
    rows = vlmevalkit_rows(predictions)
    assert [row["prediction"] for row in rows] == answers
    assert [row["answer"] for row in rows] == [["red", "dark red"], "No", "A", "7"]
    assert [row["question"] for row in rows] == ["What?", "Is it?", "Which?", "Which of 30?"]
    assert columns_of(rows) == ["index", "question", "A", "B", "answer", "g_index", "prediction"]


def test_two_runs_of_one_data_set_need_two_files(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    runs = [
        str(chef.evaluate(TINY, SHAPES / f"{recipe}.yaml", limit=2, save_dir=tmp_path).folder)
        for recipe in ("ppl", "yesno_ppl")
    ]
    assert main(["show", *runs, "--export", "vlmevalkit"]) == 2
    assert "would both be written to it\n  -> export one at a time" in capsys.readouterr().err
    assert main(["show", runs[0], "--export", "vlmevalkit", "--output", "mine.xlsx"]) == 0
    assert main(["show", *runs, "--export", "vlmevalkit", "--output", "x.xlsx"]) == 2
    assert "has a file for each run" in capsys.readouterr().err


@pytest.mark.parametrize("hint", ["", "A cat\nis here."])
@pytest.mark.parametrize("question", ["Which?", "Which of\n(A) a and (B) b?", "Hint: none"])
def test_unlettered_undoes_lettered(question: str, hint: str) -> None:
    choices = {"A": "a (b)", "B": "+", "D": "two\nlines"}
    assert unlettered(lettered(question, hint, choices), choices) == (hint, question)


def test_a_scores_file_is_named_for_what_it_is(tmp_path: Path, capsys) -> None:
    report = chef.evaluate(TINY, SHAPES / "ppl.yaml", limit=2, save_dir=tmp_path)
    line = json.loads((report.folder / "scores.jsonl").read_text().splitlines()[0])
    assert {"id", "question", "answer", "truth", "score"} <= line.keys()
    assert main(["score", str(report.folder / "scores.jsonl"), "--metric", "Accuracy"]) == 2
    assert "predictions.jsonl" in capsys.readouterr().err
