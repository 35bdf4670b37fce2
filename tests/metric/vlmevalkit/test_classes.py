"""The classes with VLMEvalKit's own rules: a whole table of them, and how a recipe picks them."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from chef.config.recipe import load_recipe
from chef.errors import ConfigError
from chef.metric import METRICS
from chef.scenario.shapes.scenario import Shapes

NAMES = [name for name in METRICS if "vlmevalkit" in METRICS.compats(name)]
RECIPE = """\
compat: {compat}
scenario_cfg: {{dataset_name: Shapes}}
eval_cfg:
  instruction_cfg: {{incontext_cfg: {{retriever_type: random, ice_num: 1}}}}
  inferencer_cfg: {{inferencer_type: Direct}}
  metric_cfg: {metric}
"""


def recipe(folder: Path, metric: str, compat: str = "vlmevalkit"):
    path = folder / "recipe.yaml"
    path.write_text(RECIPE.format(compat=compat, metric=metric))
    return load_recipe(path)


@pytest.mark.parametrize("name", NAMES)
def test_a_class_of_its_own_with_the_same_arguments(name):
    plain, theirs = METRICS.get(name), METRICS.get(name, compat="vlmevalkit")
    assert issubclass(theirs, plain)
    assert theirs is not plain
    assert theirs.__name__ == plain.__name__
    assert theirs.__module__.startswith("chef.metric.vlmevalkit.")
    assert inspect.signature(theirs) == inspect.signature(plain)
    own = {key for key in vars(theirs) if not key.startswith("_")}
    assert own <= set(dir(plain))  # a method that overrides nothing would never be called
    assert vars(theirs)["__doc__"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("compat", ["corrected", "vlmevalkit"])
def test_a_recipe_says_which(name, compat, tmp_path):
    loaded = recipe(tmp_path, f"{{metric_type: {name}}}", compat)
    (spec,) = loaded.metric_specs(Shapes())
    assert spec.kind is METRICS.get(name, compat=compat)
    assert spec.effective()["compat"] == compat


def test_who_follows_and_who_does_not(tmp_path):
    loaded = recipe(tmp_path, "[VQA, Counting]")
    specs = loaded.metric_specs(Shapes())
    assert [spec.compat for spec in specs] == ["vlmevalkit", "corrected"]
    assert loaded.compat_notice(specs) == "compat: vlmevalkit is followed by VQA"
    # ChEF's rules are not VLMEvalKit's: the others stay corrected.
    assert loaded.inferencer.compat == "corrected"
    assert loaded.incontext is not None
    assert loaded.incontext.compat == "corrected"
    nobody = recipe(tmp_path, "Counting")
    assert nobody.compat_notice(nobody.metric_specs(Shapes())) == (
        "compat: vlmevalkit changes nothing: no ingredient of this recipe has such rules"
    )


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (
            "{metric_type: Counting, compat: vlmevalkit}",
            "Counting has no rules of VLMEvalKit's own\n"
            "  -> remove this key, or write compat: corrected or upstream",
        ),
        (
            "{metric_type: YesNo, compat: upstream}",
            "YesNo has no rules of ChEF's own\n"
            "  -> remove this key, or write compat: corrected or vlmevalkit",
        ),
        (
            "{metric_type: Winoground_Metric, compat: vlmevalkit}",
            "Winoground_Metric has no rules of VLMEvalKit's own\n"
            "  -> remove this key, or write compat: corrected",
        ),
    ],
)
def test_a_section_that_asks_for_rules_that_are_not_there(metric, message, tmp_path):
    with pytest.raises(ConfigError) as caught:
        recipe(tmp_path, metric)
    assert str(caught.value).endswith(message)
    assert "recipe.yaml:6" in str(caught.value)


def test_a_misspelt_name_is_refused_with_the_known_ones(tmp_path):
    with pytest.raises(ConfigError, match="vlmevalkit"):
        recipe(tmp_path, "VQA", "vlmeval")


def test_the_section_of_examples_cannot_follow(tmp_path):
    path = tmp_path / "recipe.yaml"
    text = RECIPE.format(compat="corrected", metric="VQA")
    path.write_text(text.replace("ice_num: 1", "ice_num: 1, compat: vlmevalkit"))
    with pytest.raises(ConfigError, match="random has no rules of VLMEvalKit's own"):
        load_recipe(path)
