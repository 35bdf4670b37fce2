"""The rows with ChEF's own rules: a whole table of them, and what they may differ in."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from chef.config.recipe import load_recipe
from chef.metric import METRICS, Metric
from chef.scenario.shapes.scenario import Shapes

RECIPE = """\
compat: {compat}
scenario_cfg: {{dataset_name: Shapes}}
eval_cfg:
  inferencer_cfg: {{inferencer_type: Direct}}
  metric_cfg: {{metric_type: {metric}{keys}}}
"""
#: The keys that a metric cannot do without.
KEYS = {"Evaluators": ", evaluator_seq_cfgs: [{rule_score_eval: {metrics_cfg: {pred_mean: }}}]"}


def both(name: str) -> tuple[type[Metric], type[Metric]]:
    return METRICS.get(name), METRICS.get(name, upstream=True)


@pytest.mark.parametrize("name", METRICS.upstream)
def test_a_class_of_its_own_with_the_same_arguments(name: str) -> None:
    plain, upstream = both(name)
    assert name in METRICS
    assert issubclass(upstream, plain)
    assert upstream is not plain
    assert upstream.__name__ == plain.__name__
    assert upstream.__module__.startswith("chef.metric.upstream.")
    assert not plain.__module__.startswith("chef.metric.upstream.")
    assert inspect.signature(upstream) == inspect.signature(plain)


@pytest.mark.parametrize("name", METRICS.upstream)
def test_it_says_what_differs_and_overrides_what_is_there(name: str) -> None:
    plain, upstream = both(name)
    assert vars(upstream)["__doc__"]
    own = {key for key in vars(upstream) if not key.startswith("_")}
    # A method that overrides nothing would never be called.
    assert own <= set(dir(plain))


@pytest.mark.parametrize("name", sorted(set(METRICS) - set(METRICS.upstream)))
def test_a_metric_without_such_a_class_inherits_from_none_that_has_one(name: str) -> None:
    corrected = {METRICS.get(other) for other in METRICS.upstream}
    assert not corrected & set(METRICS.get(name).__mro__)


@pytest.mark.parametrize("name", METRICS)
def test_compat_is_no_argument_of_a_metric(name: str) -> None:
    assert "compat" not in inspect.signature(METRICS.get(name)).parameters


@pytest.mark.parametrize("compat", ["corrected", "upstream"])
@pytest.mark.parametrize("name", METRICS.upstream)
def test_a_recipe_says_which(name: str, compat: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.yaml"
    path.write_text(RECIPE.format(compat=compat, metric=name, keys=KEYS.get(name, "")))
    spec = load_recipe(path).metric_specs(Shapes())[0]
    assert spec.kind is both(name)[compat == "upstream"]
    assert spec.effective()["compat"] == compat
