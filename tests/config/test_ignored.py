"""Keys without effect: one line each, left out of what decides a run, and read in older folders."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import FAKES, ROOT

from chef.cli import main
from chef.common.keys import keys_of
from chef.config import load_recipe
from chef.config.ignored import ANY, IGNORED, comparable, drop_ignored
from chef.config.installed import REGISTRIES
from chef.evaluator import Evaluator

BY_KIND = {registry.kind: registry for registry in REGISTRIES}
Write = Callable[..., Path]


@pytest.mark.parametrize(("kind", "name"), IGNORED, ids=" ".join)
def test_the_table_names_ingredients_that_do_not_take_the_keys(kind: str, name: str) -> None:
    for one in BY_KIND[kind] if name == ANY else [name]:
        for upstream in {False, one in BY_KIND[kind].upstream}:
            taken = keys_of(BY_KIND[kind].get(one, upstream=upstream).__init__)
            assert not {key.name for key in taken} & IGNORED[kind, name].keys()


@pytest.mark.parametrize(
    ("name", "key", "why"),
    [
        ("PPL", "multi_img", "as in ChEF"),
        ("Direct", "CoT_split", "as in ChEF"),
        ("PPL", "calib", "as in ChEF"),
        ("PPL", "max_new_tokens", "options are scored"),
    ],
)
def test_each_key_is_named_once_and_left_out(
    recipe_file: Write, name: str, key: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = recipe_file(name)
    path.write_text(path.read_text() + f"    {key}: 7\n")
    recipe = load_recipe(path)
    assert recipe.notices == (f"{key}: 7 -> not used, {why}",)
    assert key not in recipe.inferencer.options
    Evaluator(recipe)
    assert not caplog.records


@pytest.mark.parametrize("name", ["Multi_PPL", "Multi_Direct", "Det", "Det_PPL"])
def test_turns_have_no_chain_of_thought(recipe_file: Write, name: str) -> None:
    path = recipe_file(name)
    path.write_text(path.read_text() + "    CoT: false\n")
    notice = "CoT: False -> not used, turns have no chain of thought, as in ChEF"
    assert load_recipe(path).notices == (notice,)


def test_a_length_of_answers_that_are_written_counts(recipe_file: Write) -> None:
    path = recipe_file("Direct")
    path.write_text(path.read_text() + "    max_new_tokens: 7\n")
    recipe = load_recipe(path)
    assert (recipe.notices, recipe.inferencer.options["max_new_tokens"]) == ((), 7)


def test_a_plugin_may_use_a_key_that_others_ignore(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from chef.inferencer.direct import Direct\n"
        "class Calibrated(Direct):\n"
        "    def __init__(self, instruction, *, calib: bool = False) -> None:\n"
        "        super().__init__(instruction)\n"
    )
    path = tmp_path / "r.yaml"
    path.write_text(
        f"plugins: [{FAKES}, mine.py]\nscenario_cfg: {{dataset_name: Numbers}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: Calibrated, calib: true, multi_img: true}}\n"
    )
    recipe = load_recipe(path)
    assert recipe.inferencer.options["calib"] is True
    assert recipe.notices == ("multi_img: True -> not used, as in ChEF",)


def test_scenarios_and_metrics_that_a_protocol_stands_for(
    drawn_data: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(drawn_data)
    recipe = load_recipe(ROOT / "configs/recipes/MME/default.yaml")
    assert "option_lower: True -> not used, as in ChEF" in recipe.notices
    key = "eval_cfg.metric_cfg.ppl=true"
    Evaluator(load_recipe(ROOT / "configs/recipes/MMMU/default.yaml", [key]))
    notice = "ppl: True -> not used, the answers show whether options were scored"
    assert [record.args[1] for record in caplog.records] == [notice]


def test_removed_keys() -> None:
    options = {"ppl": True, "split": "31", "compat": "upstream"}
    assert len(drop_ignored("scenario", "ScienceQA", options)) == 2
    assert options == {"compat": "upstream"}
    assert drop_ignored("scenario", "Shapes", {"ppl": True}) == []


def before(recipe: dict[str, Any]) -> dict[str, Any]:
    """A recipe's effective content as versions before wrote it."""
    recipe["scenario_cfg"] |= {"ppl": True, "split": "31"}
    recipe["eval_cfg"]["inferencer_cfg"]["compat"] = "corrected"
    del recipe["eval_cfg"]["instruction_cfg"]["prompt"]
    return recipe


def test_a_folder_of_an_earlier_version_is_resumed_and_scored(
    drawn_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model_file: Path
) -> None:
    monkeypatch.chdir(drawn_data)
    recipe = ROOT / "configs/recipes/ScienceQA/ppl.yaml"
    command = ["eval", "--model_cfg", str(model_file), "--recipe_cfg", str(recipe), "--time", "t",
               "--save_dir", str(tmp_path / "results"), "--sample_len", "6"]  # fmt: skip
    assert main(command) == 0
    folder = tmp_path / "results" / "hashing" / "ScienceQA" / "ppl-t"
    config = yaml.safe_load((folder / "config.yaml").read_text())
    assert not {"ppl", "split"} & config["recipe_cfg"]["scenario_cfg"].keys()
    old = {**config, "recipe_cfg": before(json.loads(json.dumps(config["recipe_cfg"])))}
    assert comparable(old) == comparable(config) != old
    results = (folder / "results.json").read_bytes()
    # What an edited file names is used only where the command says so.
    for again in (command, ["score", str(folder), "--trust"]):
        (folder / "config.yaml").write_text(yaml.safe_dump(old))
        (folder / "results.json").unlink()
        assert main(again) == 0
        assert (folder / "results.json").read_bytes() == results
    (folder / "config.yaml").write_text(yaml.safe_dump(old))
    (folder / "results.json").unlink()
    assert main(["score", str(folder)]) == 0
    found = json.loads((folder / "results.json").read_bytes())
    assert found["metrics"] == json.loads(results)["metrics"]


def test_another_configuration_is_still_refused(
    recipe_file: Write, model_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = recipe_file("PPL", size=4)
    command = ["eval", "--model_cfg", str(model_file), "--recipe_cfg", str(path), "--time", "t",
               "--save_dir", str(tmp_path / "results")]  # fmt: skip
    assert main(command) == 0
    assert main([*command, "eval_cfg.inferencer_cfg.compat=upstream"]) == 2
    assert "inferencer_cfg.compat" in capsys.readouterr().err
