"""Scoring files of answers, with and without the scenario they are answers to."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lmu_data import write_rows
from PIL import Image

from chef.cli import main
from chef.config import load_recipe
from chef.errors import ConfigError, DataError
from chef.scoring.answer_file import read_file, score_file
from chef.scoring.answers import FAILED
from chef.scoring.override import MetricOverride

CHOICES = ["zero", "one", "two", "three"]


def lines(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def value(path: Path) -> Any:
    return json.loads(path.read_text())["result"]


def test_records_that_carry_their_truth_need_no_recipe(tmp_path: Path) -> None:
    answers = [
        {"id": n, "answer": CHOICES[n], "options": CHOICES, "gt_choice": 1} for n in range(4)
    ]
    done = score_file(lines(tmp_path / "a.jsonl", answers), MetricOverride("Accuracy"))
    assert done.file.name == "a_results_Accuracy.json"
    assert value(done.file)["ACC"] == 25.0
    entries = (tmp_path / "a_scores_Accuracy.jsonl").read_text().splitlines()
    assert [json.loads(entry)["metric_result"] for entry in entries] == [0.0, 1.0, 0.0, 0.0]


def test_scores_beside_a_file_in_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    answers = [{"id": 1, "answer": "one", "options": CHOICES, "gt_choice": 1}]
    path = lines(tmp_path / "a.jsonl", answers)
    monkeypatch.setattr("os.access", lambda *_: False)
    assert score_file(path, MetricOverride("Accuracy")).value == 100.0
    assert "a_results_Accuracy.json cannot be written, so these scores are not kept" in caplog.text
    assert [file.name for file in tmp_path.iterdir()] == ["a.jsonl"]


def test_without_recipe_and_metric_nothing_says_how(tmp_path: Path) -> None:
    path = lines(tmp_path / "a.jsonl", [{"id": 1, "answer": "x"}])
    with pytest.raises(ConfigError, match="does not say how it is scored"):
        score_file(path, MetricOverride())
    with pytest.raises(DataError, match="no record carries its truth"):
        score_file(path, MetricOverride("Accuracy"))


def test_a_scenario_knows_the_truth_by_id(
    recipe_file: Callable[..., Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # One right, one wrong, one to no sample; 18 without an answer.
    answers = [("n5", "one"), ("n6", "three"), ("m0", "zero")]
    path = lines(tmp_path / "a.jsonl", [{"id": name, "answer": text} for name, text in answers])
    done = score_file(path, MetricOverride(recipe=load_recipe(recipe_file("Direct", size=20))))
    assert value(done.file)["ACC"] == 50.0
    assert done.coverage.missing == 18
    assert "1 of 3 answers are to no sample of Numbers" in caplog.text
    assert "'m0'" in caplog.text
    assert "18 of 20 samples of Numbers have no answer" in caplog.text
    # A comparison reads the file, too; the run beside it tells which samples there should be.
    caplog.clear()
    given = read_file(path, MetricOverride(recipe=load_recipe(recipe_file("Direct", size=20))))
    assert len(given.answers) == 2
    assert "have no answer" not in caplog.text


def test_ids_of_another_scenario_are_refused(
    recipe_file: Callable[..., Path], tmp_path: Path
) -> None:
    path = lines(tmp_path / "a.jsonl", [{"id": n, "answer": "x"} for n in range(3)])
    with pytest.raises(DataError, match=r"none of its 3 ids is a sample of Numbers.*'0'.*'n0'"):
        score_file(path, MetricOverride(recipe=load_recipe(recipe_file())))


def test_options_in_another_order_are_told_by_their_text(
    recipe_file: Callable[..., Path], tmp_path: Path
) -> None:
    order = ["three", "two", "one", "zero"]
    scored = {"ppl_results": [-1, -2, -3, -4], "options": order, "prob": 0.6}
    records = [{"id": f"n{n}", "answer": "three", **scored} for n in (3, 4)]
    records.append({"id": "n5", "answer": "six", **scored, "options": ["six", "two", "1", "0"]})
    path = lines(tmp_path / "a.jsonl", records)
    done = score_file(path, MetricOverride(recipe=load_recipe(recipe_file(size=6))))
    n3, n4, n5 = done.samples
    assert (n3["parsed"], n3["metric_result"]) == (3, 1.0)
    assert n4["metric_result"] == 0.0
    assert "'six' is none of the options" in n5["error"]["message"]


def test_without_the_data_the_records_truth_counts_and_that_is_said(
    tmp_path: Path, recipe_file: Callable[..., Path], caplog: pytest.LogCaptureFixture
) -> None:
    recipe = tmp_path / "cifar.yaml"
    recipe.write_text(
        "scenario_cfg: {dataset_name: CIFAR10, base_data_path: nowhere}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: Direct}}\n"
    )
    records = [{"id": "1", "answer": "a cat", "gt_answers": "cat", "gt_choice": 0,
                "choices": ["cat", "ship"]}]  # fmt: skip
    path = lines(tmp_path / "a.jsonl", records)
    done = score_file(path, MetricOverride(recipe=load_recipe(recipe)))
    assert value(done.file)["ACC"] == 100.0
    assert "scored by the truth in its records" in caplog.text


def test_the_journal_of_a_run_as_a_file_scores_as_the_run_did(
    model_file: Path, recipe_file: Callable[..., Path], tmp_path: Path, capsys
) -> None:
    recipe = recipe_file(size=9)
    arguments = ["eval", "--model_cfg", model_file, "--recipe_cfg", recipe, "--time", "t"]
    assert main([*map(str, arguments), "--save_dir", str(tmp_path / "results")]) == 0
    folder = tmp_path / "results" / "hashing" / "Numbers" / "r-t"
    path = tmp_path / "elsewhere.jsonl"
    path.write_bytes((folder / "predictions.jsonl").read_bytes())
    assert main(["score", str(path), "--recipe_cfg", str(recipe)]) == 0
    assert f"answers: {path}" in capsys.readouterr().out
    found = json.loads((tmp_path / "elsewhere_results_Accuracy.json").read_text())
    expected = json.loads((folder / "results.json").read_text())
    assert found["metrics"] == expected["metrics"]
    assert found["coverage"] == expected["coverage"]


@pytest.mark.parametrize(
    ("compat", "accuracy", "scored"), [("vlmevalkit", 50, 4), ("", 200 / 3, 3)]
)
def test_failed_calls_of_a_table_have_the_truth_of_the_scenario(
    tmp_path: Path, compat: str, accuracy: float, scored: int
) -> None:
    """VLMEvalKit counts them as wrong, chef leaves them out; the table has no references."""
    said = {"1": "yes", "2": FAILED, "3": "red", "4": "no"}
    truths = {"1": "yes", "2": "no", "3": "blue", "4": "no"}
    questions = [
        {"index": name, "question": "q", "answer": str([truth] * 4)}
        for name, truth in truths.items()
    ]
    write_rows(tmp_path / "ChartQA_TEST.tsv", questions)
    answers = [{"index": name, "prediction": text} for name, text in said.items()]
    path = write_rows(tmp_path / "model_ChartQA_TEST.tsv", answers)
    scenario = {"dataset_name": "ChartQA_TEST", "data_root": str(tmp_path), "check_md5": False}
    recipe = {
        "scenario_cfg": scenario,
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "Direct"}},
        **({"compat": compat} if compat else {}),
    }
    done = score_file(path, MetricOverride(recipe=load_recipe(recipe)))
    assert done.metrics["relaxed_accuracy"].value == pytest.approx(accuracy)
    assert done.coverage.scored == scored


def test_a_failed_call_in_a_table_is_asked_again_elsewhere(tmp_path: Path) -> None:
    """`chef score` asks nothing, so it does not say that it would."""
    table = tmp_path / "model_set.tsv"
    rows = ["index question answer prediction", "1 What? cat cat",
            "2 What? dog Failed_to_obtain_answer_via_API."]  # fmt: skip
    table.write_text("\n".join(row.replace(" ", "\t").replace("_", " ") for row in rows) + "\n")
    (group,) = score_file(table, MetricOverride("Accuracy")).errors
    assert (
        group.hint == "ask these samples again where the file was made; `chef score` asks nothing"
    )


def test_answers_about_one_image_are_in_one_cluster(tmp_path: Path) -> None:
    for number, color in enumerate(("red", "blue")):
        Image.new("RGB", (9, 9), color).save(tmp_path / f"{number}.png")
    table = [f"{n},{n % 2}.png,Which?,red,blue,A" for n in range(6)]
    (tmp_path / "q.csv").write_text("\n".join(["id,image,question,A,B,answer", *table]))
    path = lines(tmp_path / "a.jsonl", [{"id": str(n), "answer": "A"} for n in range(6)])
    scenario = {"dataset_name": "Records", "path": str(tmp_path / "q.csv")}
    asked = {"eval_cfg": {"inferencer_cfg": {"inferencer_type": "Direct"}}}
    recipe = load_recipe({"scenario_cfg": scenario, **asked})
    figure = score_file(path, MetricOverride(recipe=recipe)).metrics["ACC"]
    assert (figure.n, figure.clusters) == (6, 2)
