"""Adversarial images of the embedded model: within the bound, repeatable, and they do fool it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import forked
import numpy as np
import pytest
import torch

import chef
from chef.config import load_model, load_recipe
from chef.errors import ConfigError, SampleError
from chef.method.perturbed import ProjectedGradient, TargetedGradient
from chef.models import Model
from chef.scenario.shapes.scenario import Shapes
from chef.types import Sample, Score, Text, Turn

UNTARGETED, TARGETED = "adversarial-untarget-generated", "adversarial-target-generated"
SCENES = Shapes()
#: Few steps for a test: they reach the bound all the same.
STEPS = 6
#: Samples that are asked, and steps until the model is wrong on most of them.
SAMPLES, MANY_STEPS = 16, 10
LEVELS = 8

AGAIN = """
import sys, torch
from chef.config import load_model
from chef.method.perturbed import ProjectedGradient
from chef.scenario.shapes.scenario import Shapes
torch.set_num_threads(1)
model = load_model("tiny", ["device=cpu"]).model.build()
attack = ProjectedGradient(sys.argv[1], lambda: model, steps=int(sys.argv[2]), img_dir=sys.argv[3])
print(attack.transform(Shapes()[3]).images[0].digest)
"""


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """One thread: more of them slow down a model this small."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def tiny() -> Model:
    return load_model("tiny", ["device=cpu"]).model.build()


def pixels(sample: Sample) -> np.ndarray[Any, Any]:
    return np.array(sample.images[0].view()).astype(int)


def test_the_accuracy_falls_below_chance_and_the_images_stay_in_bounds(tmp_path: Path) -> None:
    """Clean, the model is right on 15 of 16; noise of the same size costs next to nothing."""
    key = f"scenario_cfg.method_cfg.{UNTARGETED}"
    figures = {}
    for name, overrides in {
        "ppl": [],
        "noise": [f"scenario_cfg.method_cfg.noise.img_dir={tmp_path / 'noise'}"],
        "pgd": [f"{key}.steps={MANY_STEPS}", f"{key}.img_dir={tmp_path / 'pgd'}"],
    }.items():
        recipe = load_recipe(f"Shapes/{name}", overrides)
        report = chef.evaluate("tiny", recipe, limit=SAMPLES, save_dir=tmp_path / "runs")
        assert report.coverage.coverage == 1
        figures[name] = report.metrics["ACC"].value
        scenario = recipe.scenario.build()
        asked = {json.loads(line)["id"] for line in (report.folder / "predictions.jsonl").open()}
        for index in (i for i in range(len(SCENES)) if SCENES.sample_id(i) in asked):
            moved = np.abs(pixels(scenario[index]) - pixels(SCENES[index]))
            assert moved.max() == (0 if name == "ppl" else LEVELS)
            assert name == "ppl" or moved.mean() > LEVELS / 3
        # Everything was there: looking at the images has drawn none.
        assert name == "ppl" or len(list((tmp_path / name).iterdir())) == SAMPLES
    assert figures["ppl"] >= 90
    assert figures["noise"] >= 85
    assert figures["pgd"] <= 40


def test_a_target_becomes_likelier(tiny: Model, tmp_path: Path) -> None:
    """As an option, and as a text that is none."""
    for target, texts in (("(B", None), ("a dog", ("a dog",))):
        attack = TargetedGradient(
            TARGETED, lambda: tiny, target_text=target, steps=STEPS, img_dir=str(tmp_path)
        )
        gained = []
        for index in range(4):
            sample = SCENES[index]
            candidates = texts or sample.options
            scores = []
            for shown in (sample, attack.transform(sample)):
                conversation = (Turn("user", (*shown.images, Text(shown.question))),)
                (scored,) = tiny.score([Score(conversation, candidates)])
                means = np.array([item.mean for item in scored])
                share = np.log(np.exp(means).sum()) if texts is None else 0.0
                scores.append(means[candidates.index(target)] - share)
            gained.append(scores[1] - scores[0])
        assert min(gained) > 0, target
        assert np.mean(gained) > 0.5, target


def test_another_process_makes_the_same_image(tiny: Model, tmp_path: Path) -> None:
    command = [sys.executable, "-c", AGAIN, UNTARGETED, "2", str(tmp_path / "other")]
    other = forked.start(command)
    made = {
        seed: ProjectedGradient(
            UNTARGETED, lambda: tiny, steps=2, img_dir=str(tmp_path / "own"), seed=seed
        )
        .transform(SCENES[3])
        .images[0]
        .digest
        for seed in (0, 1)
    }
    assert other.wait().stdout.strip() == made[0] != made[1]


@pytest.mark.parametrize(
    ("keys", "what", "hint"),
    [
        ({}, "needs the key 'model_cfg'", "model_cfg: tiny"),
        ({"model_cfg": "tny"}, "tny: no such file", "did you mean 'tiny'"),
        ({"model_cfg": 3}, "3 is no model file", "as a mapping"),
        ({"model_cfg": {"model_name": "tiny", "dtipe": "float32"}}, "unknown key", "dtype"),
        (
            {"model_cfg": {"model_name": "OpenAI", "base_url": "http://localhost", "model": "m"}},
            "OpenAI gives no gradients",
            "Hugging Face",
        ),
        ({"model_cfg": "tiny", "stps": 3}, "unknown key", "'steps'"),
        ({"model_cfg": "tiny", "model": "tiny"}, "model", ""),
        ({"model_cfg": "tiny", "steps": "many"}, "steps", ""),
    ],
)
def test_mistakes(keys: dict[str, Any], what: str, hint: str) -> None:
    recipe = {"scenario_cfg": {"dataset_name": "Shapes", "method_cfg": {UNTARGETED: keys}}}
    with pytest.raises(ConfigError) as caught:
        load_recipe({**recipe, "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PPL"}}})
    assert what in str(caught.value)
    assert hint in (caught.value.hint or "")
    assert "method_cfg" in str(caught.value.where)


@pytest.mark.parametrize("numbers", [{"steps": 0}, {"step_size": 0.0}, {"eps": 0.001}, {"eps": 8}])
def test_numbers_out_of_range(numbers: dict[str, Any], tiny: Model) -> None:
    with pytest.raises(ConfigError, match=next(iter(numbers))):
        ProjectedGradient(UNTARGETED, lambda: tiny, **numbers)


@pytest.mark.parametrize(
    ("given", "loss"),
    [
        ({"options": ("yes", "no"), "answer": "no"}, (("yes", "no"), 1)),
        ({"options": ("(A", "(B"), "answer": "(B)", "fields": {"gt_choice": 1}}, (("(A", "(B"), 1)),
        ({"answer": ["a cat", "cat"]}, (("a cat",), 0)),
    ],
)
def test_what_the_loss_is_about(given: dict[str, Any], loss: Any, tiny: Model) -> None:
    attack = ProjectedGradient(UNTARGETED, lambda: tiny)
    assert attack._candidates(Sample("7", question="Is it?", **given)) == loss


@pytest.mark.parametrize("answer", [None, "", [], 1, {"box": [0, 1]}])
def test_an_answer_without_words(answer: Any, tiny: Model) -> None:
    with pytest.raises(SampleError, match="needs the words of the right answer") as caught:
        ProjectedGradient(UNTARGETED, lambda: tiny)._candidates(Sample("7", answer=answer))
    assert "target_text" in str(caught.value.hint)


def test_the_model_file_is_looked_for_beside_the_recipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weights are part of the data's fingerprint, and they are not loaded for it."""
    (tmp_path / "near.yaml").write_text("model_name: tiny\nname: near\n")
    file = tmp_path / "attack.yaml"
    file.write_text(
        "scenario_cfg:\n  dataset_name: Shapes\n  method_cfg:\n"
        f"    {UNTARGETED}: {{model_cfg: near.yaml}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    monkeypatch.setattr("chef.models.huggingface.model.HuggingFaceModel._load", None)
    attacked = load_recipe(file).scenario
    effective = attacked.effective()["method_cfg"][UNTARGETED]["model_cfg"]
    assert effective["name"] == "near"
    key = f"scenario_cfg.method_cfg.{UNTARGETED}.model_cfg"
    half = load_recipe(file, [f"{key}={{model_name: tiny, dtype: bfloat16}}"]).scenario
    prints = [spec.build().fingerprint() for spec in (attacked, half, load_recipe(file).scenario)]
    assert prints[0] == prints[2] != prints[1]
