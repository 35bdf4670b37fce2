"""Every recipe that reads files, end to end on drawn data and the embedded model."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT
from small_lexicon import SmallLexicon
from test_tiny import Brief, run_recipe

from chef.config import load_model, load_recipe
from chef.metric import Report
from chef.metric.upstream import wordnet
from chef.models import Model

RECIPES = ROOT / "configs" / "recipes"
DRAWN = ("Shapes", "Digits")  # tests/test_tiny.py
LMU = "VLMEvalKit"  # tests/scenario/vlmevalkit/test_families.py
SHIPPED = sorted(
    path.relative_to(RECIPES)
    for path in RECIPES.rglob("*.yaml")
    if path.relative_to(RECIPES).parts[0] not in (*DRAWN, LMU)
)

#: A figure of a recipe, and how large it is at least.
SCORED = {
    Path("FSC147/direct.yaml"): ("ACC", 60),
    Path("FSC147/ppl.yaml"): ("ACC", 60),
    Path("Flickr30k/random_ppl.yaml"): ("ACC", 60),
    Path("Flickr30k/direct.yaml"): ("Bleu_1", 40),
    Path("ScienceQA/ppl.yaml"): ("ACC", 60),
    Path("ScienceQA/direct.yaml"): ("ACC", 60),
    Path("ScienceQA/generative.yaml"): ("ACC", 50),
    Path("MMBench/ppl.yaml"): ("vanilla_acc", 60),
    Path("MME/ppl.yaml"): ("overall", 75),
    Path("POPE/random.yaml"): ("Accuracy", 0.75),
    Path("SEEDBench/default.yaml"): ("ACC", 60),
}


@pytest.fixture(scope="module")
def tiny() -> Model:
    return load_model(ROOT / "configs" / "models" / "tiny.yaml", ["dtype=float32"]).model.build()


@pytest.fixture(scope="module")
def brief() -> Model:
    return Brief(dtype="float32")


def check_whole(report: Report) -> None:
    """Every sample was answered; where the truth is known, all answers were scored."""
    coverage = report.coverage
    assert coverage.errors == coverage.missing == 0, report.samples
    assert coverage.no_truth in (0, coverage.total)
    assert report.metrics


@pytest.mark.parametrize("path", [path for path in SHIPPED if path not in SCORED], ids=str)
def test_shipped_recipes(
    path: Path, brief: Model, drawn_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(drawn_data)
    # no download: the embedded encoder stands in for one of the hub
    hub = "model_path:" in (RECIPES / path).read_text()
    overrides = ["scenario_cfg.ppl_cfg.model_path=embedded"] if hub else []
    report = run_recipe(load_recipe(RECIPES / path, overrides), brief, tmp_path / "run", 4)
    check_whole(report)


@pytest.mark.parametrize("path", SCORED, ids=str)
def test_scores_are_plausible(
    path: Path,
    tiny: Model,
    drawn_data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The drawn data asks what the embedded model knows: far above chance, or something is off."""
    monkeypatch.chdir(drawn_data)
    key, least = SCORED[path]
    report = run_recipe(load_recipe(RECIPES / path), tiny, tmp_path / "run", 24)
    check_whole(report)
    assert report.metrics[key].value >= least


@pytest.mark.parametrize(
    ("path", "figure"),
    [
        ("VOC2012/multiturn_ppl", "grounding_acc"),
        ("VOC2012/kosmos2_default", "grounding_acc"),
        ("Flickr30k/random_ppl", "ACC"),
        ("Flickr30k/direct", "BLEU4"),
        ("FSC147/direct", "MAE"),
        ("Omnibenchmark/multiturn_direct", "score"),
        ("LAMM/SVT", "ACC"),
        ("LAMM/CelebA_smile", "ACC"),
    ],
)
def test_chef_s_own_numbers(
    path: str,
    figure: str,
    tiny: Model,
    drawn_data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if path == "Flickr30k/direct":
        pytest.importorskip("rouge")
    monkeypatch.setattr(wordnet, "lexicon", SmallLexicon)
    monkeypatch.chdir(drawn_data)
    recipe = load_recipe(RECIPES / f"{path}.yaml", ["compat=upstream"])
    report = run_recipe(recipe, tiny, tmp_path / "run", 4)
    assert report.coverage.coverage == 1.0, report.samples
    assert figure in report.metrics
