"""The embedded model end to end: scores that mean something, whatever the batches."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import ROOT

from chef.config import Recipe, load_model, load_recipe
from chef.engine.engine import Engine, Job
from chef.evaluator import Evaluator, RunOptions
from chef.metric import Report
from chef.models import Model
from chef.models.tiny import Tiny
from chef.run.folder import RunFolder
from chef.session.runners import LocalRunner
from chef.types import Generate, Generated, Prediction, Status

RECIPES = ROOT / "configs" / "recipes"
MODEL = ROOT / "configs" / "models" / "tiny.yaml"
#: The scenarios that need no files; tests/test_recipes.py runs the others on drawn data.
SHIPPED = sorted(
    path.relative_to(RECIPES)
    for folder in ("Shapes", "Digits")
    for path in (RECIPES / folder).rglob("*.yaml")
)
#: So many tokens at most are written where an answer only has to come.
WORDY = 10
#: A figure of a recipe, and how large it is at least.
SCORED = {
    Path(f"{name}.yaml"): (key, least)
    for name, key, least in (
        # Well below what the checkpoint reaches on the whole test split (see the page of results),
        # and well above chance: a broken prompt, image or score falls through.
        ("Digits/ppl", "ACC", 85),
        # Only the examples define the letters; the score without them is 10.
        ("Digits/letters_icl_topk_img_ppl", "ACC", 75),
        ("Shapes/ppl_CoT", "ACC", 70),
        ("Shapes/ppl", "ACC", 70),
        ("Shapes/yesno_ppl", "Accuracy", 0.78),
        ("Shapes/counting_ppl", "ACC", 78),
        ("Shapes/color_ppl", "ACC", 70),
        ("Shapes/caption_direct", "object_recall", 60),
    )
}


@pytest.fixture(scope="module")
def tiny() -> Model:
    return load_model(MODEL, ["dtype=float32", "device=cpu"]).model.build()


class Brief(Tiny):
    """The embedded model, which never writes more than some words.

    Where it rambles it goes on to the limit of a recipe, which takes seconds and shows nothing.
    """

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        return super().generate(
            [replace(one, max_new_tokens=min(one.max_new_tokens, WORDY)) for one in requests]
        )


@pytest.fixture(scope="module")
def brief() -> Model:
    return Brief(dtype="float32", device="cpu")


def run_recipe(recipe: Recipe, model: Model, folder: Path, samples: int) -> Report:
    evaluator = Evaluator(recipe, RunOptions(sample_len=samples))
    with RunFolder(folder, evaluator.config(load_model(MODEL))) as store:
        return evaluator.evaluate(model, store, LocalRunner(model))


@pytest.mark.parametrize("path", [path for path in SHIPPED if path not in SCORED], ids=str)
@pytest.mark.usefixtures("small_pool")
def test_every_shipped_recipe_runs(path: Path, brief: Model, tmp_path: Path) -> None:
    key = "scenario_cfg.method_cfg.adversarial-untarget-generated.steps"
    fewer = [f"{key}=1"] if path.stem == "pgd" else []  # they take a second each
    report = run_recipe(load_recipe(RECIPES / path, fewer), brief, tmp_path / "run", 4)
    assert report.coverage.coverage == 1.0
    assert report.metrics[report.primary].n == 4


@pytest.mark.parametrize("path", SCORED, ids=str)
def test_scores_are_plausible(path: Path, tiny: Model, tmp_path: Path) -> None:
    key, least = SCORED[path]
    report = run_recipe(load_recipe(RECIPES / path), tiny, tmp_path / "run", 40)
    assert report.coverage.coverage == 1.0
    value = report.metrics[key].value
    assert value is not None
    assert value >= least


def ask(
    recipe: Recipe, model: Model, batch_size: int | None, shuffle: int | None
) -> dict[str, Prediction]:
    evaluator = Evaluator(recipe, RunOptions(sample_len=24))
    jobs = [
        Job(evaluator.scenario.sample_id(index), lambda i=index: evaluator.scenario[i])
        for index in range(24)
    ]
    if shuffle is not None:
        random.Random(shuffle).shuffle(jobs)
    engine = Engine(model, evaluator.inferencer, batch_size)
    return {item.sample_id: item for item in engine.run(jobs)}


@pytest.fixture(scope="module", params=["Shapes/ppl", "Shapes/caption_direct", "Digits/ppl"])
def asked(request: pytest.FixtureRequest, brief: Model) -> tuple[Recipe, Mapping[str, Prediction]]:
    """A recipe, and what the model says when it is asked one by one."""
    recipe = load_recipe(RECIPES / f"{request.param}.yaml")
    return recipe, ask(recipe, brief, 1, None)


@pytest.mark.parametrize(("batch_size", "shuffle"), [(3, None), (16, None), (None, 1), (5, 2)])
def test_results_do_not_depend_on_batches_or_order(
    asked: tuple[Recipe, Mapping[str, Prediction]],
    batch_size: int | None,
    shuffle: int | None,
    brief: Model,
) -> None:
    recipe, one_by_one = asked
    batched = ask(recipe, brief, batch_size, shuffle)
    assert batched.keys() == one_by_one.keys()
    for name, expected in one_by_one.items():
        found = batched[name]
        assert found.status is expected.status is not Status.ERROR
        assert found.answer == expected.answer
        assert found.trace == expected.trace
        if "ppl_results" in expected.scores:
            assert found.scores["ppl_results"] == pytest.approx(
                expected.scores["ppl_results"], abs=1e-4
            )
