"""A killed run whose data lies next to its recipe is scored from any folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import FAKES

from chef.cli import main


@pytest.fixture
def killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a run without results; the recipe, and the table beside it, are in ``mine``."""
    mine = tmp_path / "mine"
    mine.mkdir()
    rows = "".join(f"{n}\tQuestion {n}?\tyes\tno\tA\n" for n in range(6))
    (mine / "bench.tsv").write_text(f"index\tquestion\tA\tB\tanswer\n{rows}")
    (mine / "r.yaml").write_text(
        "scenario_cfg: {dataset_name: Tsv, path: bench.tsv}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    (tmp_path / "model.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)
    given = ["--model_cfg", "model.yaml", "--recipe_cfg", "mine/r.yaml", "--time", "t"]
    assert main(["eval", *given]) == 0
    folder = tmp_path / "results/hashing/bench/r-t"
    for name in ("results.json", "scores.jsonl"):
        (folder / name).unlink()
    journal = folder / "predictions.jsonl"
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:4]))
    monkeypatch.chdir(elsewhere)
    return folder


def test_its_data_is_found_next_to_the_recipe(
    killed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(killed)]) == 0
    assert "4 of 6 samples scored" in capsys.readouterr().out  # the scenario knows all six
    results = json.loads((killed / "results.json").read_text())
    assert results["coverage"]["total"] == 6
    assert results["metric_type"] == "Accuracy"


def test_a_recipe_that_has_moved_is_told(killed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = killed.parents[3] / "mine"
    mine.rename(mine.with_name("moved"))
    assert main(["score", str(killed)]) == 2
    err = capsys.readouterr().err
    assert "'basic' is no metric, and whether the scenario has a protocol of that name" in err
    assert "  -> name the recipe with --recipe_cfg, or a metric with --metric (`chef list" in err
    assert main(["score", str(killed), "--recipe_cfg", "../moved/r.yaml"]) == 0
