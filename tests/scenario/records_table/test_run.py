"""Tables with drawn shapes, asked by the whole command with the embedded model."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from scenario.records_table.conftest import write

from chef.cli import main
from chef.common.options import unlettered
from chef.scenario.shapes.scenario import Shapes

RUN = ("--save_dir", "saved")


def shapes(task: str, count: int) -> list[dict[str, Any]]:
    """Samples of Shapes as rows, with their images encoded."""
    scenario = Shapes(task=task, size=count)  # type: ignore[arg-type]
    rows = []
    for index in range(count):
        sample = scenario[index]
        stream = io.BytesIO()
        sample.images[0].load().save(stream, "PNG")
        choices = sample.fields.get("choices", ())
        lettered = {chr(65 + place): text for place, text in enumerate(choices)}
        question = unlettered(sample.question, lettered)[1] if task == "mcq" else sample.question
        row = {"qid": f"s{index}", "picture": {"bytes": stream.getvalue(), "path": None}}
        row |= {"ask": question, "kind": sample.fields["category"], "half": index % 2}
        right = sample.fields.get("gt_choice")
        answer = sample.answer if task == "yesno" else right
        rows.append({**row, "alternatives": list(choices), "reply": answer})
    return rows


COLUMNS = {"question": "ask", "images": "picture", "answer": "reply", "id": "qid",
           "category": "kind"}  # fmt: skip


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def recipe(path: str, inferencer: str = "PPL", **keys: Any) -> str:
    section = {"dataset_name": "Records", "path": path, **keys}
    content = {"scenario_cfg": section,
               "eval_cfg": {"inferencer_cfg": {"inferencer_type": inferencer}}}  # fmt: skip
    Path("my.yaml").write_text(json.dumps(content))
    return "my.yaml"


def evaluate(file: str, *more: str) -> dict[str, Any]:
    command = ["eval", "--model_cfg", "tiny", "--recipe_cfg", file, *RUN, *more]
    assert main(command) in (0, 1)
    found: dict[str, Any] = json.loads((folder() / "results.json").read_text())
    return found


def folder() -> Path:
    (found,) = Path("saved").rglob("predictions.jsonl")
    return found.parent


def journal() -> list[dict[str, Any]]:
    lines = (folder() / "predictions.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_parquet_with_images_is_answered_as_shapes_itself(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(desk / "shapes.parquet", shapes("mcq", 24))
    file = recipe("shapes.parquet", columns={**COLUMNS, "options": "alternatives"}, keep=["half"])
    found = evaluate(file, "--by", "half")
    assert found["metrics"]["ACC"]["n"] == 24
    assert found["metrics"]["ACC"]["value"] >= 70
    assert set(found["by"]["half"]) == {"0", "1"}
    assert {"color", "shape", "count"} & set(found["by"]["category"])
    captured = capsys.readouterr()
    assert "half" in captured.out
    notes = [line for line in captured.err.splitlines() if "shapes.parquet" in line]
    assert len(notes) == 1
    assert (
        "24 rows, multiple choice; the answers are positions from 0; question: ask; " in (notes[0])
    )
    assert "the answers are positions from 0" in notes[0]
    # What was kept is there when the run is scored again.
    assert main(["score", str(folder())]) == 0
    assert set(json.loads((folder() / "results.json").read_text())["by"]["half"]) == {"0", "1"}


def test_questions_of_yes_and_no_choose_their_metric(desk: Path) -> None:
    write(desk / "shapes.csv", [{**row, "alternatives": None} for row in shapes("yesno", 16)])
    found = evaluate(recipe("shapes.csv", "Direct", columns=COLUMNS))
    assert found["metrics"]["Accuracy"]["n"] == 16
    assert found["metrics"]["Accuracy"]["value"] >= 0.7
    assert "Yes ratio" in found["metrics"]


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv", "parquet", "arrow"])
def test_an_edited_row_is_asked_again_and_no_other(
    desk: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = shapes("mcq", 6)
    name = f"shapes.{suffix}"
    write(desk / name, rows)
    file = recipe(name, columns={**COLUMNS, "options": "alternatives"})
    evaluate(file)
    assert len(journal()) == 6
    capsys.readouterr()
    rows[2] = {**rows[2], "ask": "Which of these is it?"}
    write(desk / name, [*rows, {**rows[0], "qid": "new"}])
    found = evaluate(file)
    assert found["metrics"]["ACC"]["n"] == 7
    assert "1 row(s) of the data have changed" in capsys.readouterr().err
    asked = [line["id"] for line in journal()[6:] if line["status"] != "error"]
    assert sorted(asked) == ["new", "s2"]
    before = len(journal())
    evaluate(file)  # nothing has changed
    assert len(journal()) == before


def test_other_data_is_refused(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = shapes("mcq", 4)
    write(desk / "shapes.jsonl", rows)
    file = recipe("shapes.jsonl", columns={**COLUMNS, "options": "alternatives"})
    evaluate(file)
    write(desk / "shapes.jsonl", [{**row, "ask": "Else?"} for row in rows])
    assert main(["eval", "--model_cfg", "tiny", "--recipe_cfg", file, *RUN]) == 2
    assert "the data files have changed" in capsys.readouterr().err


def test_bad_rows_do_not_stop_a_run(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = shapes("mcq", 6)
    rows[1] = {**rows[1], "reply": 9}
    rows[3] = {**rows[3], "picture": "none.png"}
    rows[4] = {**rows[4], "qid": "s0"}
    write(desk / "shapes.jsonl", rows)
    with Path("shapes.jsonl").open("a") as file:
        file.write('{"qid": "torn", ')
    found = evaluate(recipe("shapes.jsonl", columns={**COLUMNS, "options": "alternatives"}))
    assert (found["coverage"]["errors"], found["metrics"]["ACC"]["n"]) == (4, 3)
    told = capsys.readouterr()
    text = (folder() / "errors.txt").read_text()
    for words in (
        "shapes.jsonl: row 2 (id 's1'): column 'reply': the answer 9 is no position of an option",
        "shapes.jsonl: row 4 (id 's3'): column 'picture': image file not found",
        "shapes.jsonl: row 5: column 'id': the id 's0' is that of row 1".replace(
            "'id'", "'qid'", 1
        ),
        "shapes.jsonl: row 7: it is not valid JSON",
    ):
        assert words in text
        assert words.partition(": column")[0] in told.out + told.err


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"columns": {"question": "aks"}}, "my.yaml:1: scenario_cfg.columns.question: "
         "shapes.jsonl has no column 'aks'\n  -> did you mean 'ask'?"),
        ({"colums": {}}, "did you mean 'columns'?"),
        ({"template": "{aks}"}, "my.yaml:1: scenario_cfg.template: the template names 'aks'"),
        ({"answers": "form 1"}, "did you mean 'from 1'?"),
    ],
)  # fmt: skip
def test_typos_of_a_recipe_have_its_line(
    desk: Path, keys: dict[str, Any], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(desk / "shapes.jsonl", [{"ask": "q", "reply": "x"}])
    command = ["eval", "--model_cfg", "tiny", "--recipe_cfg", recipe("shapes.jsonl", **keys)]
    assert main([*command, "--dry-run"]) == 2
    assert words in capsys.readouterr().err


def test_a_dry_run_shows_the_first_question(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(desk / "shapes.parquet", shapes("mcq", 3))
    file = recipe("shapes.parquet", columns={**COLUMNS, "options": "alternatives"})
    assert main(["eval", "--model_cfg", "tiny", "--recipe_cfg", file, "--dry-run"]) == 0
    assert "Options:\n" in capsys.readouterr().out


def test_it_is_described_and_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "Records"]) == 0
    out = capsys.readouterr().out
    assert "\n  path: text (required)\n" in out
    assert "\n  streaming: true | false = false\n" in out
    assert main(["list", "scenarios", "Records"]) == 0
    assert "Records" in capsys.readouterr().out


def test_a_plain_table_needs_no_keys(desk: Path) -> None:
    rows = [
        {"image": row["picture"], "question": row["ask"], "choices": row["alternatives"],
         "label": "ABCD"[row["reply"]]}
        for row in shapes("mcq", 6)
    ]  # fmt: skip
    write(desk / "plain.jsonl", rows)
    assert evaluate(recipe("plain.jsonl"))["metrics"]["ACC"]["n"] == 6
    assert sorted(line["id"] for line in journal()) == ["1", "2", "3", "4", "5", "6"]
