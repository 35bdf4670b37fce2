"""The classes with VLMEvalKit's own rules: a whole table of them, and how a recipe picks them."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from chef.config.recipe import load_recipe
from chef.errors import ConfigError
from chef.metric import METRICS
from chef.scenario.shapes.scenario import Shapes
from chef.scoring.answers import read_table
from chef.types import Prediction, Status

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


FAILED = "Failed to obtain answer via API."


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("Accuracy", {"choices": ["cat", "dog"], "gt_choice": 0}),
        ("VQA", {"choices": ["cat", "dog"], "gt_choice": 0}),
        ("MMBenchVQA", {"choices": ["cat", "dog"], "gt_choice": 0}),
        ("MMMU_Metric", {"choices": ["cat", "dog"], "gt_choice": 0}),
        ("YesNo", {"gt_answers": "no"}),
        ("POPE_Metric", {"gt_answers": "no"}),
        ("MMEVQA", {"gt_answers": "no"}),
        ("AMBER", {"gt_answers": "no"}),
        ("VQAAccuracy", {"gt_answers": ["cat"]}),
        ("ANLS", {"gt_answers": ["cat"]}),
        ("RelaxedAccuracy", {"gt_answers": ["cat"]}),
        ("ExactMatch", {"gt_answers": ["cat"]}),
        ("OCRBench", {"gt_answers": ["cat"]}),
        ("Caption", {"gt_answers": ["cat"]}),
    ],
)
def test_the_text_of_a_failed_call_is_a_wrong_answer(name, fields):
    failed = {"type": "ApiError", "message": FAILED}
    broken = {"type": "SampleError", "message": "no such image"}
    rows = [
        Prediction("1", Status.ERROR, sample={"id": "1", **fields}, error=failed),
        Prediction("2", Status.ERROR, sample={"id": "2", **fields}, error=broken),
    ]
    theirs = METRICS.get(name, compat="vlmevalkit")().evaluate(rows)
    assert (theirs.coverage.scored, theirs.coverage.errors) == (1, 1)
    assert theirs.samples[0]["metric_result"] == 0
    ours = METRICS.get(name)().evaluate(rows)
    assert (ours.coverage.scored, ours.coverage.errors) == (0, 2)


def test_a_file_of_vlmevalkit_is_scored_as_there(tmp_path):
    """Two of four are right: the lower-case letter is not read, and the failed call is wrong."""
    rows = ["1\tWhich?\tcat\tdog\tA\tA", "2\tWhich?\tcat\tdog\tB\t(b)", "3\tW?\tcat\tdog\tB\ta dog"]
    rows.append(f"4\tWhich?\tcat\tdog\tA\t{FAILED}")
    path = tmp_path / "m_Mine.tsv"
    path.write_text("\n".join(["index\tquestion\tA\tB\tanswer\tprediction", *rows]) + "\n")
    theirs = METRICS.get("Accuracy", compat="vlmevalkit")().evaluate(read_table(path))
    assert (theirs.metrics["Overall"].value, theirs.metrics["Overall"].n) == (0.5, 4)
    ours = METRICS.get("Accuracy")().evaluate(read_table(path))
    assert (ours.metrics["ACC"].value, ours.metrics["ACC"].n) == (100, 3)
