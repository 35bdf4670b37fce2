"""A metric that would find nothing to judge is refused before anything is asked."""

from __future__ import annotations

import pytest
from conftest import ROOT

from chef.config import load_recipe
from chef.errors import ConfigError
from chef.evaluator import Evaluator
from chef.fit import check_fit
from chef.metric.counting import Counting

SHAPES = ROOT / "configs" / "recipes" / "Shapes"


@pytest.mark.parametrize(
    ("recipe", "keys", "says"),
    [
        ("counting_direct", ["metric_cfg.inference_type=ppl"], "Direct answers with written text"),
        ("counting_ppl", ["metric_cfg.inference_type=direct"], "PPL answers with options"),
        (
            "direct",
            ["metric_cfg.metric_type=ScienceQA_Calibration"],
            "VQACalibration is to judge opt",
        ),
        ("caption_direct", ["metric_cfg.strategy=acc"], "Caption is to judge options"),
        ("caption_ppl", ["metric_cfg.strategy=direct"], "Caption is to judge written text"),
        ("detection_multi_ppl", ["metric_cfg.inference_type=direct"], "MultiPPL answers with opt"),
        ("classification_multi_ppl", ["metric_cfg.ppl=false"], "judge written text"),
        ("classification_multi_ppl", ["metric_cfg.inference_type=singleturn"], "several turns"),
    ],
)
def test_a_metric_that_cannot_judge_is_refused(recipe: str, keys: list[str], says: str) -> None:
    loaded = load_recipe(SHAPES / f"{recipe}.yaml", [f"eval_cfg.{key}" for key in keys])
    with pytest.raises(ConfigError, match=says) as caught:
        Evaluator(loaded)
    assert f"{recipe}.yaml" in str(caught.value)
    assert "eval_cfg.metric_cfg" in str(caught.value)


@pytest.mark.parametrize("kind", [None, "direct"])
def test_a_metric_that_can_judge_is_taken(kind: str | None) -> None:
    keys = [] if kind is None else [f"eval_cfg.metric_cfg.inference_type={kind}"]
    evaluator = Evaluator(load_recipe(SHAPES / "counting_direct.yaml", keys))
    check_fit(evaluator.inferencer, evaluator.metric)


def test_an_inferencer_of_ones_own_is_taken_as_it_is() -> None:
    evaluator = Evaluator(load_recipe(SHAPES / "counting_direct.yaml"))
    evaluator.inferencer.scores_options = None
    check_fit(evaluator.inferencer, Counting(inference_type="ppl"))
