"""Comparisons that are refused, written from the documentation alone."""

from __future__ import annotations

import pytest
from report.compare.by_hand import json_of, refused, two
from runs_by_hand import outcomes, prediction, score_run, write_run

from chef.cli import main
from chef.run.answers import encode
from chef.types import Prediction


@pytest.mark.parametrize(
    ("changed", "named", "word"),
    [
        ({"samples": {"q2": {"gt_answers": "no", "gt_choice": 1}}}, "q2", "data"),
        ({"samples": {"q1": {"question": "What else is q1?"}}}, "q1", "data"),
        ({"samples": {"q1": {"options": ["no", "yes"], "choices": ["no", "yes"], "gt_choice": 1}}},
         "q1", "data"),
        ({"environment": {"scenario_fingerprint": "beef"}}, "data files of ByHand", "scenario"),
    ],
)  # fmt: skip
def test_other_questions_are_refused(tmp_path, capsys, changed, named, word):
    first = write_run(tmp_path, outcomes("RRWR"), model="a")
    second = write_run(tmp_path, outcomes("RWWR"), model="b", **changed)
    text = refused(capsys, first, second)
    assert named in text
    assert f"--allow {word}" in text
    others = {"scenario", "subset", "metric", "data"} - {word}
    assert main(["compare", str(first), str(second), "--allow", *others]) == 2
    found = json_of(capsys, first, second, "--allow", word)
    assert found["allowed"]
    assert found["pairs"][0]["samples"] == 4


def test_another_scenario_is_refused(tmp_path, capsys):
    first, second = two(tmp_path, "RRWR", "RWWR")
    elsewhere = tmp_path / "b" / "Elsewhere" / "ppl-1"
    elsewhere.parent.mkdir()
    second.rename(elsewhere)
    (elsewhere / "results.json").unlink()  # it knows where the run was asked
    score_run(elsewhere)
    text = refused(capsys, first, elsewhere)
    assert "Elsewhere" in text
    assert "--allow scenario" in text
    assert json_of(capsys, first, elsewhere, "--allow", "scenario")["pairs"][0]["lost"] == ["q1"]


def test_another_metric_is_refused(tmp_path, capsys):
    first = write_run(tmp_path, outcomes("RRWR"), model="a")
    second = write_run(tmp_path, outcomes("RWWR"), model="b", metric={"metric_type": "VQA"})
    text = refused(capsys, first, second)
    assert "VQA" in text
    assert "--allow metric" in text
    found = json_of(capsys, first, second, "--metric", "Accuracy")
    assert found["pairs"][0]["lost"] == ["q1"]
    found = json_of(capsys, first, second, "--allow", "metric")
    assert any("VQA" in item for item in found["allowed"])


def test_other_images_are_refused(tmp_path, capsys):
    first = write_run(tmp_path, outcomes("RRWR"), model="a")
    lines = [prediction(name, "R") for name in ("q0", "q1", "q2", "q3")]
    item = lines[3]
    lines[3] = Prediction(
        "q3", item.status, item.answer, sample=item.sample,
        images=({"name": "q3", "digest": "another picture"},),
    )  # fmt: skip
    second = write_run(tmp_path, {}, model="b", also=lines)
    text = refused(capsys, first, second)
    assert "q3" in text
    assert "image" in text
    assert json_of(capsys, first, second, "--allow", "data")["pairs"][0]["gained"] == ["q2"]


def test_other_subsets_are_refused(tmp_path, capsys):
    first = write_run(tmp_path, outcomes("RRWRWR"), model="a")
    second = write_run(tmp_path, outcomes("RWWR"), model="b")
    text = refused(capsys, first, second)
    assert "--allow subset" in text
    assert "q4" in text
    (pair,) = json_of(capsys, first, second, "--allow", "subset")["pairs"]
    assert pair["samples"] == 4
    assert pair["differences"]["ACC"]["first"]["value"] == pytest.approx(75.0)
    apart = write_run(tmp_path, outcomes("RRWR", prefix="other"), model="c")
    assert refused(capsys, first, apart, "--allow", "subset")


def test_a_misspelt_word_is_refused(tmp_path, capsys):
    runs = two(tmp_path, "RW", "RR")
    assert main(["compare", *map(str, runs), "--allow", "subsets"]) == 2
    assert "subset" in capsys.readouterr().err
    assert main(["compare", *map(str, runs), "--metric", "Acuracy"]) == 2
    assert "Accuracy" in capsys.readouterr().err


def test_runs_that_are_not_ready_are_refused(tmp_path, capsys):
    first, second = two(tmp_path, "RRWW", "RRRW")
    with (second / "predictions.jsonl").open("ab") as journal:
        journal.write(encode(prediction("q0", "W")))
    assert "chef score" in refused(capsys, first, second)
    score_run(second)
    assert json_of(capsys, first, second)["pairs"][0]["lost"] == ["q0"]
    (second / "results.json").unlink()
    (second / "scores.jsonl").unlink()
    assert refused(capsys, first, second)
    assert "nowhere" in refused(capsys, first, tmp_path / "nowhere")
