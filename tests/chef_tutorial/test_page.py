"""The files of docs/background/coming_from_chef.md run as printed, and its names are true."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest
from conftest import ROOT

import chef
from chef.cli import main
from chef.common.front_modules import CHEF

PAGE = (ROOT / "docs" / "background" / "coming_from_chef.md").read_text()
SHAPES = ROOT / "configs" / "recipes" / "Shapes"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, content in re.findall(r"```\w+\n# (\S+\.\w+)\n(.*?)```", PAGE, re.DOTALL):
        (tmp_path / name).write_text(content)
    return tmp_path


def run(files: Path, model: Path, recipe: Path, *more: str) -> Path:
    assert main(
        ["eval", "--model_cfg", str(model), "--recipe_cfg", str(recipe),
         "--save_dir", str(files / "results"), "--time", "now", *more]
    ) == 0  # fmt: skip
    (folder,) = {path.parent for path in (files / "results").rglob("predictions.jsonl")}
    return folder


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_tutorial_on_the_embedded_model(files: Path) -> None:
    tiny = ROOT / "configs" / "models" / "tiny.yaml"
    folder = run(files, tiny, files / "your_recipe.yaml")
    result = json.loads((folder / "results.json").read_text())["result"]
    scores = lines(folder / "scores.jsonl")
    assert len(scores) == 20
    assert result["ACC"] == 5 * sum(line["metric_result"] for line in scores)
    assert result["ACC"] >= 50  # the texts reached the samples that they answer


@pytest.mark.parametrize("recipe", ["direct", "ppl"])
def test_the_model(files: Path, recipe: str) -> None:
    folder = run(files, files / "your_model.yaml", SHAPES / f"{recipe}.yaml", "scenario_cfg.size=6")
    found = [line["answer"] for line in lines(folder / "predictions.jsonl")]
    assert len(found) == 6
    if recipe == "direct":
        assert all(re.fullmatch(r"I see \d+ columns", answer) for answer in found)


def test_the_names_that_the_page_gives() -> None:
    for path in re.findall(r"`chef\.([\w.]+)`", PAGE):
        assert path in CHEF.modules, path
        assert importlib.import_module(f"chef.{path}")
    names = [name for name in re.findall(r"`(\w+)`", PAGE) if name in CHEF.names]
    assert {"Direct_inferencer", "Det_PPL_inferencer", "Base_metric", "TestBase"} <= {*names}
    for name in names:
        assert CHEF.names[name].place.endswith(getattr(chef, name).__name__)
