"""The switch `compat`, passed to ingredients that accept it, and metrics by protocol."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import FAKES

from chef.config import load_recipe
from chef.errors import ConfigError
from chef.evaluator import Evaluator

PLUGIN = f"""\
import importlib.util
from typing import Literal
spec = importlib.util.spec_from_file_location("fakes_again", {str(FAKES)!r})
fakes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fakes)
from chef.metric import Metric

Compat = Literal["corrected", "upstream"]

class Both(fakes.Numbers):
    metric = "Lenient"
    protocols = {{"LAMM": "Strict"}}
    def __init__(self, *, compat: Compat = "corrected") -> None:
        super().__init__(size=5)
        self.compat = compat

class Strict(Metric):
    def __init__(self, dataset_name: str = "", *, iou: float = 0.5,
                 compat: Compat = "corrected") -> None:
        super().__init__(dataset_name)
        self.compat = compat
    def metric_func(self, answers):
        return 1.0

class Lenient(Metric):
    def metric_func(self, answers):
        return 1.0
"""

RECIPE = """\
plugins: [mine.py]
scenario_cfg:
  dataset_name: Both
eval_cfg:
  inferencer_cfg:
    inferencer_type: PPL
  metric_cfg:
    metric_type: LAMM
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(PLUGIN)
    path = tmp_path / "r.yaml"
    path.write_text(RECIPE)
    return path


def test_compat_reaches_every_ingredient_that_takes_it(
    recipe: Path, caplog: pytest.LogCaptureFixture
) -> None:
    found = Evaluator(load_recipe(recipe, ["compat=upstream"]))
    assert (found.scenario.compat, found.metric.compat) == ("upstream", "upstream")
    assert "Both" in caplog.text
    assert "Strict" in caplog.text
    effective = found.recipe.effective()
    assert effective["compat"] == effective["scenario_cfg"]["compat"] == "upstream"


def test_corrected_is_the_default_and_is_recorded(
    recipe: Path, caplog: pytest.LogCaptureFixture
) -> None:
    found = Evaluator(load_recipe(recipe))
    assert not caplog.records
    assert (found.scenario.compat, found.recipe.effective()["compat"]) == ("corrected",) * 2


def test_compat_of_an_ingredient_wins(recipe: Path, caplog: pytest.LogCaptureFixture) -> None:
    own = ["compat=upstream", "eval_cfg.metric_cfg.compat=corrected"]
    found = Evaluator(load_recipe(recipe, own))
    assert (found.scenario.compat, found.metric.compat) == ("upstream", "corrected")
    assert "Both" in caplog.text
    assert "Strict" not in caplog.text


def test_compat_that_changes_nothing_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "r.yaml"
    (tmp_path / "own.py").write_text(
        "from chef.instruction import Instruction\nclass Own(Instruction): ...\n"
    )
    path.write_text(
        f"compat: upstream\nplugins: [{FAKES}, own.py]\nscenario_cfg: {{dataset_name: Numbers}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: Multi_Direct}, "
        "instruction_cfg: {instruction_type: Own, prompt_type: multiturn, "
        "defined_prompt: ['{question}', '{prefix}']}}\n"
    )
    Evaluator(load_recipe(path))
    assert "changes nothing" in caplog.text


def test_an_ingredient_with_one_set_of_rules_takes_no_other(tmp_path: Path) -> None:
    path = tmp_path / "r.yaml"
    path.write_text(
        f"compat: upstream\nplugins: [{FAKES}]\nscenario_cfg: {{dataset_name: Numbers}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: Multi_Direct, compat: corrected}, "
        "instruction_cfg: {prompt_type: multiturn, defined_prompt: ['{question}', '{prefix}']}}\n"
    )
    assert "compat" not in load_recipe(path).inferencer.effective()
    with pytest.raises(ConfigError, match=r"compat: Multi_Direct has no rules of ChEF's own"):
        load_recipe(path, ["eval_cfg.inferencer_cfg.compat=upstream"])
    with pytest.raises(ConfigError, match=r"one of: corrected, upstream"):
        load_recipe(path, ["eval_cfg.inferencer_cfg.compat=other"])


@pytest.mark.parametrize("name", ["Direct", "PPL"])
def test_the_second_table_picks_the_class_and_the_keys_stay(tmp_path: Path, name: str) -> None:
    path = tmp_path / "r.yaml"
    path.write_text(
        f"plugins: [{FAKES}]\nscenario_cfg: {{dataset_name: Numbers}}\n"
        f"eval_cfg: {{inferencer_cfg: {{inferencer_type: {name}, CoT: true}}}}\n"
    )
    corrected, upstream = load_recipe(path), load_recipe(path, ["compat=upstream"])
    assert corrected.inferencer.kind is not upstream.inferencer.kind
    assert issubclass(upstream.inferencer.kind, corrected.inferencer.kind)
    assert corrected.inferencer.options == upstream.inferencer.options
    sections = [recipe.inferencer.effective() for recipe in (corrected, upstream)]
    assert [section["compat"] for section in sections] == ["corrected", "upstream"]
    assert Evaluator(upstream).inferencer.reasoning.limit == 256


def test_another_value_is_refused(recipe: Path) -> None:
    with pytest.raises(ConfigError, match=r"one of: corrected, upstream"):
        load_recipe(recipe, ["compat=original"])


def test_a_protocol_is_the_scenarios_metric_of_that_name(recipe: Path) -> None:
    assert type(Evaluator(load_recipe(recipe)).metric).__name__ == "Strict"
    basic = load_recipe(recipe, ["eval_cfg.metric_cfg.metric_type=basic"])
    assert type(Evaluator(basic).metric).__name__ == "Lenient"
    assert basic.effective()["eval_cfg"]["metric_cfg"]["metric_type"] == "basic"


def test_a_protocol_that_the_scenario_lacks(recipe: Path) -> None:
    with pytest.raises(ConfigError, match=r"Both has no protocol of that name") as caught:
        load_recipe(recipe, ["eval_cfg.metric_cfg.metric_type=KOSMOS"])
    assert "metric_type=...'" in str(caught.value)
    assert "unknown metric 'KOSMOS'" in str(caught.value)
    assert "the protocols of Both: LAMM, basic" in str(caught.value)
    with pytest.raises(ConfigError, match="did you mean 'KOSMOS_Detection'"):
        load_recipe(recipe, ["eval_cfg.metric_cfg.metric_type=KOSMOS_Detectoin"])
    with pytest.raises(ConfigError, match="did you mean 'LAMM'"):
        load_recipe(recipe, ["eval_cfg.metric_cfg.metric_type=LAM"])


def test_a_protocols_metric_checks_its_keys(recipe: Path) -> None:
    with pytest.raises(ConfigError, match="unknown key for Strict"):
        Evaluator(load_recipe(recipe, ["eval_cfg.metric_cfg.threshold=1"]))
