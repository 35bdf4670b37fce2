"""Who decides the batch size: the command line, the recipe where answers depend on it, chef."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import FAKES, ROOT

from chef.cli import main
from chef.config import load_recipe
from chef.evaluator import Evaluator, RunOptions
from chef.run.plan import choose_batches

Write = Callable[..., Path]
SET = "eval_cfg.inferencer_cfg.batch_size=4"
LOOP = """\
from chef.inferencer.direct import Direct

class Loop(Direct):
    def inference(self, model, dataset):
        raise NotImplementedError
"""


def recipe(path: Path, *, inferencer: str = "PPL", size: int | None = 4, more: str = "") -> Path:
    (path / "loop.py").write_text(LOOP)
    file = path / "r.yaml"
    batch = f", batch_size: {size}" if size else ""
    file.write_text(
        f"plugins: [{FAKES}, loop.py]\nscenario_cfg: {{dataset_name: Numbers, size: 20}}\n"
        f"eval_cfg:\n  inferencer_cfg: {{inferencer_type: {inferencer}{batch}}}\n{more}"
    )
    return file


EXAMPLES = "  instruction_cfg: {incontext_cfg: {retriever_type: fixed, ice_num: 1}}\n"


@pytest.mark.parametrize(
    ("given", "size", "reason"),
    [
        ({}, None, "the recipe's 4 is not used"),
        ({"size": None}, None, "automatic"),
        ({"more": "compat: upstream\n"}, None, "the recipe's 4 is not used"),
        ({"more": EXAMPLES}, None, "the recipe's 4 is not used"),
        ({"more": EXAMPLES + "compat: upstream\n"}, 4, "fixed (compat: upstream)"),
        ({"inferencer": "Loop"}, 4, "answers of Loop depend on it"),
        ({"inferencer": "Loop", "size": None}, None, "1 for Loop"),
    ],
)
def test_the_recipe_counts_where_answers_depend_on_it(tmp_path, given, size, reason) -> None:
    chosen = choose_batches(load_recipe(recipe(tmp_path, **given)), None)
    assert chosen.size == size
    assert reason in chosen.reason


def test_the_command_line_counts_everywhere(tmp_path: Path) -> None:
    path = recipe(tmp_path, size=8)
    assert choose_batches(load_recipe(path), 3).size == 3
    assert choose_batches(load_recipe(path, [SET]), None).size == 4
    assert choose_batches(load_recipe(path, [SET]), 3).size == 3
    assert choose_batches(load_recipe(path, [SET.replace("4", "null")]), None).size is None
    assert choose_batches(load_recipe(path, ["scenario_cfg.size=4"]), None).size is None


@pytest.mark.parametrize("name", ["MMBench/ppl", "MMMU/default", "SEEDBench/default"])
def test_shipped_recipes_run_in_automatic_batches(name: str) -> None:
    shipped = load_recipe(ROOT / "configs" / "recipes" / f"{name}.yaml")
    assert shipped.batch_size is not None
    assert choose_batches(shipped, None).size is None


def test_the_engine_gets_what_was_chosen(tmp_path: Path) -> None:
    def size(file: Path, requested: int | None = None) -> int | None:
        return Evaluator(load_recipe(file), RunOptions(batch_size=requested)).batch_size

    assert size(recipe(tmp_path)) is None
    assert size(recipe(tmp_path), 2) == 2
    assert size(recipe(tmp_path, inferencer="Loop")) == 4


def test_the_run_says_which_it_used(recipe_file: Write, model_file: Path, tmp_path, capsys) -> None:
    where = ["--save_dir", str(tmp_path / "results"), "--time", "t"]
    command = ["eval", "--model_cfg", str(model_file), "--recipe_cfg", str(recipe(tmp_path))]
    assert main([*command, *where]) == 0
    assert "Numbers/r: batch size: automatic; the recipe's 4 is not" in capsys.readouterr().err
    folder = tmp_path / "results" / "hashing" / "Numbers" / "r-t"
    session = json.loads((folder / "environment.json").read_text())["sessions"][0]
    assert session["batch_size"] == "auto"
    assert "the recipe's 4 is not used" in session["batch_size_reason"]
    assert main([*command, *where, "--batch_size", "5", "--dry-run"]) == 0
    assert "batch size: 5, as on the command line" in capsys.readouterr().out
