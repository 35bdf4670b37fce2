"""A class of a plugin may have a name that chef knows; it counts in the recipes that name it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chef.cli import main
from chef.config import load_recipe
from chef.metric import METRICS

PLUGIN = """\
from .utils import Base_Metric


class Accuracy(Base_Metric):
    def __init__(self, dataset_name, **kwargs):
        super().__init__(dataset_name)

    def metric_func(self, answers):
        return {"mine": float(len(answers))}
"""
RECIPE = """\
{plugins}scenario_cfg: {{dataset_name: Shapes, task: mcq, size: 4}}
eval_cfg:
  inferencer_cfg: {{inferencer_type: Direct, max_new_tokens: 4}}
  metric_cfg: {{metric_type: Accuracy}}
"""


@pytest.fixture
def recipes(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "own.py").write_text(PLUGIN)
    own, plain = tmp_path / "own.yaml", tmp_path / "plain.yaml"
    own.write_text(RECIPE.format(plugins="plugins: [own.py]\n"))
    plain.write_text(RECIPE.format(plugins=""))
    return own, plain


def test_each_recipe_has_its_own(recipes, tmp_path: Path, capsys) -> None:
    own, plain = recipes
    run = ["eval", "--model_cfg", "tiny", "--recipe_cfg", str(own), str(plain)]
    assert main([*run, "--save_dir", str(tmp_path / "r"), "--time", "now"]) == 0
    said = capsys.readouterr()
    assert "own.py: the metric 'Accuracy' is that of this file" in said.err
    files = (tmp_path / "r").rglob("results.json")
    results = [json.loads(path.read_text())["result"] for path in files]
    assert sorted("mine" in item for item in results) == [False, True]


def test_the_order_of_reading_does_not_matter(recipes) -> None:
    own, plain = recipes
    load_recipe(own)
    assert METRICS.get("Accuracy").__module__.startswith("chef_plugin_own")
    load_recipe(plain)
    assert METRICS.get("Accuracy").__module__ == "chef.metric.vqa.accuracy"
    other = METRICS.get("Accuracy", compat="vlmevalkit")
    assert other.__module__ == "chef.metric.vlmevalkit.rules"


TRUST = """\
from mmte import TxtSample, _OutputType
from mmte.datasets.base import BaseDataset
from mmte.evaluators.base import BaseEvaluator
from mmte.utils.registry import registry


@registry.register_dataset()
class Celebrities(BaseDataset):
    dataset_ids = ["celebrities"]

    def __init__(self, dataset_id, method_hook=None):
        super().__init__(dataset_id, method_hook)
        self.dataset = [TxtSample("Who is it?", "me")]


@registry.register_evaluator()
class Mine(BaseEvaluator):
    evaluator_ids = ["rule_yes_or_no_eval"]

    def process(self, preds, labels, extras=None):
        return [7 for _ in preds], labels, extras
"""
TASK = """\
{plugins}dataset_id: celebrities
model_id: tiny
evaluator_seq_cfgs:
  - rule_yes_or_no_eval: {{metrics_cfg: {{pred_mean: }}}}
"""


def test_a_task_with_ids_of_chefs(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)  # the log in MMTrustEval's form is written there
    (tmp_path / "trust.py").write_text(TRUST)
    own = tmp_path / "own.yaml"
    own.write_text(TASK.format(plugins="plugins: [trust.py]\n"))
    assert main(["eval", str(own), "--save_dir", str(tmp_path / "r"), "--time", "now"]) == 0
    result = next((tmp_path / "r").rglob("results.json"))
    found = json.loads(result.read_text())["result"]
    assert found["rule_yes_or_no_eval:pred_mean"] == 7
    own.write_text(TASK.format(plugins=""))
    assert load_recipe(own).scenario.name == "MMTrustEval"
    capsys.readouterr()


STEPS = """\
from mmte.evaluators.rule_eval import ContainExactEvaluator, ScoreEvaluator
from mmte.utils.registry import registry


@registry.register_evaluator()
class Strict(ContainExactEvaluator):
    evaluator_ids = ["strict"]

    def is_correct(self, pred, label):
        return False


@registry.register_evaluator()
class Own(ScoreEvaluator):
    evaluator_ids = ["own"]

    def match_digit(self, text):
        return 7

    def process(self, preds, labels, extras=None):
        return [self.match_digit(text) for text in preds], labels, extras
"""


def test_a_step_that_chef_never_calls_is_named(tmp_path: Path, caplog) -> None:
    """One that the class calls itself is its own affair."""
    (tmp_path / "steps.py").write_text(STEPS)
    recipe = tmp_path / "r.yaml"
    recipe.write_text(RECIPE.format(plugins="plugins: [steps.py]\n"))
    load_recipe(recipe)
    said = [record.getMessage() for record in caplog.records if "never called" in record.message]
    assert len(said) == 1
    assert "Strict.is_correct is never called" in said[0]
    assert "override `process`" in said[0]
