"""--verify: the fast scorer is checked on samples before a run, and dropped if it disagrees."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from fakes import Hashing

from chef.cli import main
from chef.config import load_recipe
from chef.engine.verify import verify
from chef.errors import SampleError
from chef.evaluator import Evaluator
from chef.models import Model
from chef.models.agreement import Verification, compare
from chef.models.huggingface.likelihood.shared_prefix import scorer as scoring
from chef.types import Sample, Score, Scored

RECIPES = ROOT / "configs" / "recipes" / "Shapes"


class TwoWays(Hashing):
    """Remembers what was verified."""

    name = "two-ways"

    def verify(self, requests: Sequence[Score]) -> Verification:
        self.verified = list(requests)
        return Verification(len(requests), 0.5, 0.1, changed=(1,))


def verified(recipe: str, model: Model, count: int) -> Any:
    evaluator = Evaluator(load_recipe(RECIPES / recipe))
    return verify(model, evaluator.inferencer, evaluator.ids, evaluator._make, count)


def test_the_first_samples_are_scored() -> None:
    model = TwoWays()
    done = verified("ppl.yaml", model, 3)
    assert len(model.verified) == len(done.samples) == 3
    assert done.to_json()["changed"] == [done.samples[1]]
    assert "DISAGREE" in str(done)
    assert done.samples[1] in str(done)


def test_a_thought_comes_before_the_options() -> None:
    model = TwoWays()
    verified("ppl_CoT.yaml", model, 2)
    assert all(isinstance(request, Score) for request in model.verified)
    assert all(request.answer_prefix for request in model.verified)


def test_samples_that_cannot_be_asked_are_left_out() -> None:
    class Choosy(TwoWays):
        def verify(self, requests: Sequence[Score]) -> Verification:
            if any("A." in option for request in requests for option in request.candidates):
                raise SampleError("no letters")
            return super().verify(requests)

    model, bad = Choosy(), "A. x"
    evaluator = Evaluator(load_recipe(RECIPES / "ppl.yaml"))

    def make(name: str) -> Sample:
        sample = evaluator._make(name)
        fields = {**sample.fields, "gt_choice": 0}
        odd = replace(sample, options=(bad, "y"), fields=fields)
        return odd if name == evaluator.ids[1] else sample

    done = verify(model, evaluator.inferencer, evaluator.ids, make, 3)
    assert done.samples == (evaluator.ids[0], evaluator.ids[2])
    assert len(model.verified) == 2


def test_images_are_joined_as_in_the_run() -> None:
    evaluator, model = Evaluator(load_recipe(RECIPES / "ppl.yaml")), TwoWays()
    model.max_images = 1

    def make(name: str) -> Sample:
        sample = evaluator._make(name)
        return replace(sample, images=sample.images * 2)

    done = verify(model, evaluator.inferencer, evaluator.ids, make, 1)
    (request,) = model.verified
    assert len(done.samples) == 1
    assert sum(len(turn.images) for turn in request.conversation) == 1


def test_nothing_to_compare_is_said() -> None:
    assert "has options to score" in str(verified("direct.yaml", TwoWays(), 2))
    done = verified("ppl.yaml", Hashing(), 2)
    assert "no fast scorer" in str(done)
    assert done.to_json()["compared"] is False


@pytest.mark.parametrize(
    ("fast", "slow", "largest"),
    [
        (-1.0, -1.0, 0.0),
        (-1.0, -1.5, 0.25),
        (float("nan"), float("nan"), 0.0),
        (float("-inf"), float("-inf"), 0.0),
        (float("nan"), -1.0, float("inf")),
        (-1.0, float("-inf"), float("inf")),
    ],
)
def test_differences_of_means(fast: float, slow: float, largest: float) -> None:
    found = compare([(Scored(fast, 2),)], [(Scored(slow, 2),)], 0.2)
    assert found.largest == largest
    assert found.agrees == (largest <= 0.2)


def test_other_token_counts_never_agree() -> None:
    assert not compare([(Scored(-1.0, 1),)], [(Scored(-2.0, 2),)], 0.2).agrees


def cook(folder: Path, *more: str) -> dict[str, Any]:
    model, recipe = ROOT / "configs/models/tiny.yaml", RECIPES / "ppl.yaml"
    what = ["--model_cfg", str(model), "--recipe_cfg", str(recipe), "--sample_len", "4"]
    where = ["--save_dir", str(folder), "--time", "t", "--device", "cpu"]
    assert main(["eval", *what, *where, *more]) == 0
    run = folder / "tiny" / "Shapes" / "ppl-t"
    answers = [json.loads(line)["answer"] for line in (run / "predictions.jsonl").open()]
    session = json.loads((run / "environment.json").read_text())["sessions"][-1]
    return {"answers": answers, **session}


def test_the_run_says_that_the_scorers_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = cook(tmp_path, "--verify", "2")
    assert session["verification"]["agrees"] is True
    assert len(session["verification"]["samples"]) == 2
    assert session["notices"] == []
    assert "2 request(s) scored by both scorers" in capsys.readouterr().err


def test_a_run_whose_scorers_disagree_uses_the_reference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = cook(tmp_path / "right")
    score = scoring.logprobs
    monkeypatch.setattr(scoring, "logprobs", lambda *given: -score(*given))
    wrong = cook(tmp_path / "wrong", "--verify", "2")
    assert wrong["answers"] == right["answers"]
    assert wrong["verification"]["agrees"] is False
    assert wrong["verification"]["changed"]
    assert "reference scorer" in wrong["notices"][0]
    told = capsys.readouterr().err
    assert "DISAGREE" in told
    assert told.count("reference scorer") == 1


def test_verify_and_workers_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["eval", "--model_cfg", "m", "--recipe_cfg", "r", "--verify", "2", "--workers", "2"])
    assert "--workers" in capsys.readouterr().err
