"""Runs a model file written for VLMEvalKit on drawn shapes, by the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from chef.cli import main

RECIPE = """
scenario_cfg: {{dataset_name: Shapes, task: {task}, size: 40}}
eval_cfg:
  instruction_cfg: {{{instruction}}}
  inferencer_cfg: {{inferencer_type: {inferencer}}}
  metric_cfg: {{metric_type: basic}}
"""


@dataclass(frozen=True)
class Ran:
    """What a run printed and wrote."""

    code: int
    out: str
    err: str
    folder: Path

    def lines(self, name: str = "predictions.jsonl") -> list[dict[str, Any]]:
        (file,) = self.folder.rglob(name)
        return [json.loads(line) for line in file.read_text().splitlines()]

    @property
    def answers(self) -> list[Any]:
        return [line["answer"] for line in self.lines()]

    @property
    def errors(self) -> list[str]:
        return [line["error"]["message"] for line in self.lines() if line["status"] == "error"]


@pytest.fixture
def evaluate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Writes the files of a model and a recipe, and evaluates a few samples."""
    numbers = iter(range(100))

    def evaluate(
        source: str,
        keys: str = "",
        *,
        name: str = "MyModel",
        instruction: str = "prompt_assigned_ids: 0",
        inferencer: str = "Direct",
        task: str = "mcq",
        limit: int = 4,
    ) -> Ran:
        folder = tmp_path / f"run_{next(numbers)}"
        folder.mkdir()
        (folder / "model.py").write_text(source)
        (folder / "model.yaml").write_text(f"plugins: [model.py]\nmodel_name: {name}\n{keys}\n")
        recipe = RECIPE.format(instruction=instruction, inferencer=inferencer, task=task)
        (folder / "recipe.yaml").write_text(recipe)
        code = main(
            [
                "eval", "--model_cfg", str(folder / "model.yaml"),
                "--recipe_cfg", str(folder / "recipe.yaml"), "--limit", str(limit),
                "--save_dir", str(folder / "results"),
            ]
        )  # fmt: skip
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err, folder / "results")

    return evaluate
