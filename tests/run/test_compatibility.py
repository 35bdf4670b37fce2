"""A metric that would find nothing to score is refused before anything is asked."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import ROOT

from chef.config import load_recipe
from chef.errors import ConfigError
from chef.evaluator import Evaluator
from chef.inferencer import Program
from chef.inferencer.base import Answer
from chef.inferencer.direct import Direct
from chef.metric import Metric
from chef.metric.counting import Counting
from chef.metric.vqa.calibration import VQACalibration
from chef.run.rehearsal import check_kinds
from chef.types import Sample

SHAPES = ROOT / "configs" / "recipes" / "Shapes"


@pytest.mark.parametrize(
    ("recipe", "keys", "says"),
    [
        ("counting_direct", ["metric_cfg.inference_type=ppl"], "Direct produces generated text"),
        ("counting_ppl", ["metric_cfg.inference_type=direct"], "PPL produces options"),
        (
            "direct",
            ["metric_cfg.metric_type=ScienceQA_Calibration"],
            "ScienceQA_Calibration scores opt",
        ),
        ("caption_direct", ["metric_cfg.strategy=acc"], "Caption scores options"),
        ("caption_ppl", ["metric_cfg.strategy=direct"], "Caption scores generated text"),
        ("detection_direct", ["metric_cfg.inference_type=ppl"], "Detection scores options"),
        ("classification_multi_ppl", ["metric_cfg.ppl=false"], "scores generated text"),
        ("classification_multi_ppl", ["metric_cfg.inference_type=singleturn"], "several turns"),
    ],
)
def test_a_metric_of_another_answer_kind_is_refused(
    recipe: str, keys: list[str], says: str
) -> None:
    loaded = load_recipe(SHAPES / f"{recipe}.yaml", [f"eval_cfg.{key}" for key in keys])
    with pytest.raises(ConfigError, match=says) as caught:
        Evaluator(loaded)
    assert f"{recipe}.yaml" in str(caught.value)
    assert "eval_cfg.metric_cfg" in str(caught.value)


@pytest.mark.parametrize("kind", [None, "direct"])
def test_a_compatible_metric_is_accepted(kind: str | None) -> None:
    keys = [] if kind is None else [f"eval_cfg.metric_cfg.inference_type={kind}"]
    assert Evaluator(load_recipe(SHAPES / "counting_direct.yaml", keys)).ids


class Chooser(Direct):
    """An inferencer of one's own that chooses, and yet is a `Direct`."""

    def infer(self, sample: Sample) -> Program:
        yield from ()
        return Answer(sample.options[0], scores={"choice": 0, "prob": 1.0})


class Lenient(VQACalibration):
    """A metric of one's own that needs no options."""

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        return {"metric_result": 1.0, "correct": 1.0}


def test_custom_ingredients_without_declarations_are_accepted() -> None:
    instruction = Evaluator(load_recipe(SHAPES / "direct.yaml")).instruction
    with pytest.raises(ConfigError, match="a different inferencer_type"):
        check_kinds(Direct(instruction), VQACalibration())
    check_kinds(Chooser(instruction), VQACalibration())
    check_kinds(Direct(instruction), Lenient())


class Strict(Metric):
    """A metric of one's own that says what it needs."""

    needs_options = True

    def metric_func(self, answers: list[dict[str, Any]]) -> float:
        return float(len(answers))


def test_declarations_of_custom_ingredients_are_checked() -> None:
    instruction = Evaluator(load_recipe(SHAPES / "direct.yaml")).instruction
    with pytest.raises(ConfigError, match="Strict scores options"):
        check_kinds(Direct(instruction), Strict())
    check_kinds(Chooser(instruction), Strict())


def test_calibration_needs_one_answer_a_sample() -> None:
    path = SHAPES / "classification_multi_ppl.yaml"
    calibration = "eval_cfg.metric_cfg={metric_type: ScienceQA_Calibration}"
    with pytest.raises(ConfigError, match="several turns"):
        Evaluator(load_recipe(path, [calibration]))


class Loop(Direct):
    """An inferencer of one's own with a loop of its own."""

    def inference(self, model: Any, dataset: Any) -> None: ...


class LoopOnOptions(Loop):
    """It declares what it gives, and its subclass inherits that."""

    scores_options = True


class Quiet(LoopOnOptions):
    pass


def test_what_an_inferencer_declares_holds_until_a_subclass_asks_in_its_own_way() -> None:
    assert (Direct.scores_options, Loop.scores_options, Chooser.scores_options) == (
        False, None, None,
    )  # fmt: skip
    assert (LoopOnOptions.scores_options, Quiet.scores_options) == (True, True)


class Named(Lenient):
    """It declares one of its needs."""

    needs_options = False


class Renamed(VQACalibration):
    """It reads answers in its own way, under the newer name of the method."""

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        return {"metric_result": 1.0}


class Counted(Counting):
    """It reads answers in its own way, and its options come from a constructor it inherits."""

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        return {"metric_result": 1.0}


class CountedAgain(Counted):
    """It says in its constructor what it needs."""

    def __init__(self) -> None:
        super().__init__()
        self.needs_options = True


def test_what_a_metric_declares_holds_until_a_subclass_reads_in_its_own_way() -> None:
    instruction = Evaluator(load_recipe(SHAPES / "direct.yaml")).instruction
    kinds = (VQACalibration, Lenient, Named, Renamed, Counting, Counted, CountedAgain)
    assert [kind.needs_hold for kind in kinds] == [True, False, True, False, True, False, True]
    assert (Named.needs_options, Named.needs_prompt_type) == (False, None)
    check_kinds(Direct(instruction), Named())
    check_kinds(Direct(instruction), Renamed())
    check_kinds(Direct(instruction), Counted(inference_type="ppl"))
    for metric in (Counting(inference_type="ppl"), CountedAgain()):
        with pytest.raises(ConfigError, match="scores options"):
            check_kinds(Direct(instruction), metric)
