"""Sweeps: what is printed and written, what is refused, and the sweep that chef ships."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
import yaml
from conftest import ROOT

from chef.cli import main
from chef.report.load import load_run
from chef.session.settings import Settings
from chef.suite.pages.served import Served
from chef.suite.sweep.running import Sweep

SMALL = """\
model: tiny
recipe: Shapes/ppl
limit: 6
vary:
  wording: [0, 2]
  rotation: [0, 1]
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.yaml").write_text(SMALL)
    return tmp_path


def test_a_small_sweep_from_end_to_end(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "small.yaml", "--dry-run"]) == 0
    assert "4 combinations, 4 runs, 24 samples" in capsys.readouterr().out
    assert not (desk / "results").exists()
    assert main(["eval", "small.yaml", "--csv", "s.csv", "--json", "s.json"]) == 0
    first = capsys.readouterr()
    assert "[4/4] Shapes/ppl+rotation.1+wording.2" in first.err
    assert "What decides the score" in first.out
    rows = list(csv.DictReader((desk / "s.csv").open()))
    grid = [(row["wording"], row["rotation"], row["model"]) for row in rows]
    assert grid == [(one, other, "tiny") for one in "02" for other in "01"]
    folder = desk / "results" / "sweeps" / "small"
    stored = json.loads((folder / "sweep.json").read_text())
    results = [json.loads((folder / one["results"]).read_text()) for one in stored["combinations"]]
    scored = [one["result"]["ACC"] for one in results]
    assert [float(row["score"]) for row in rows] == scored
    assert [one["figure"]["value"] for one in json.loads((desk / "s.json").read_text())[
        "combinations"]] == scored  # fmt: skip
    before, after = (_truths(Path(row["folder"])) for row in rows[:2])
    assert {name: (letter - 1) % 4 for name, letter in before.items()} == after
    # Only analysed again: the same is found.
    for folder in ("sweeps/small", "results/sweeps/small"):
        assert main(["show", folder]) == 0
        assert capsys.readouterr().out.strip() in first.out
    # The same command asks nothing.
    answers = {file: file.stat().st_mtime_ns for file in desk.rglob("predictions.jsonl")}
    assert main(["eval", "small.yaml"]) == 0
    assert "is finished" not in capsys.readouterr().err
    assert {file: file.stat().st_mtime_ns for file in desk.rglob("predictions.jsonl")} == answers
    assert main(["eval", "results/sweeps/small", "--fresh"]) == 2
    assert "is the folder of a sweep that has run" in capsys.readouterr().err
    # In an overview its runs stay in it: they are one line that leads to its page.
    assert main(["show", "results", "--page"]) == 0
    page = (desk / "results" / "tiny" / "Shapes" / "overview.html").read_text("utf-8")
    assert 'href="../../sweeps/small/report.html"' in page
    assert "Models and recipes" not in page
    (desk / "place").mkdir()
    served = Served([desk / "results"], desk / "place")
    (link,) = re.findall(r'href="(sweep/\w+/)"', (served.answer("") or b"").decode())
    assert b"What decides the score" in (served.answer(link) or b"")


def test_a_sweep_is_planned_by_its_runs(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "small.yaml", "--plan", "2"]) == 2
    err = capsys.readouterr().err
    assert "this sweep has no runs yet, by which to plan it" in err
    assert "chef eval small.yaml --limit 50" in err
    assert main(["eval", "small.yaml"]) == 0
    capsys.readouterr()
    assert main(["eval", "small.yaml", "--plan", "30"]) == 0
    out = capsys.readouterr().out
    for source in ("items", "wording × items", "wording × rotation × items"):
        assert source in out
    assert "twice the wordings" in out
    assert "as it is" in out
    assert "next: chef eval small.yaml --limit" in out or "in `vary` of small.yaml" in out
    (desk / "choice.yaml").write_text(
        "model: tiny\nrecipe: Shapes/ppl\nlimit: 6\nvary: {inferencer: [PPL, Direct]}\n"
    )
    assert main(["eval", "choice.yaml"]) == 0
    capsys.readouterr()
    assert main(["eval", "choice.yaml", "--plan", "2"]) == 2
    assert "vary wording, seed or rotation" in capsys.readouterr().err


def _truths(folder: Path) -> dict[str, int]:
    """The position of the right option, by sample."""
    answers = load_run(folder).predictions
    return {answer.sample_id: answer.to_record()["gt_choice"] for answer in answers}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["small.yaml", "sweeps/Shapes"], "several recipes stand in the file"),
        (["tiny", "smal.yaml"], "did you mean 'small.yaml'?"),
        (["sweeps/Shaps"], "did you mean 'Shapes'?"),
        (["sweeps/Shapes", "--seed", "3"], "a sweep takes no --seed"),
        (["small.yaml", "eval_cfg.instruction_cfg.prompt_assigned_ids=1"], "varies this key"),
        (["small.yaml", "--model_cfg", "tyni"], "did you mean 'tiny'?"),
        (["small.yaml", "scenario_cfg.sise=9"], "did you mean 'size'?"),
    ],
)
def test_mistakes(
    desk: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert main(["eval", *arguments]) == 2
    assert told in capsys.readouterr().err
    assert not (desk / "results").exists()


def test_the_sweep_of_shapes_is_listed_and_can_be_asked(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", "sweeps"]) == 0
    assert "Shapes" in capsys.readouterr().out
    content = yaml.safe_load((ROOT / "configs" / "sweeps" / "Shapes.yaml").read_text())
    assert {"wording", "inferencer", "examples"} <= set(content["vary"])
    content["vary"]["retriever"] = ["random"]  # the others take seconds to look at their pool
    ready = Sweep(content, Settings(save_dir=desk))
    assert ready.samples == content["limit"] * len(ready.plan.runs)
