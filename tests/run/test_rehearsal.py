"""What ``--dry-run`` shows and finds: every request of a sample, and metrics that do not fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT
from small_lexicon import SmallLexicon

from chef.config import load_recipe
from chef.evaluator import Evaluator
from chef.metric.upstream import wordnet
from chef.run.plan import RunOptions
from chef.run.rehearsal import STAND_IN, Rehearsal
from chef.types import Generate, Score

RECIPES = ROOT / "configs" / "recipes"
#: One of each folder and inferencer is enough: the rest differ in wording. VLMEvalKit's benchmarks
#: are read from another root; tests/scenario/vlmevalkit runs each of their recipes.
SHIPPED = sorted({
    (path.parent.name, path.stem.rpartition("_")[2]): path
    for path in RECIPES.rglob("*.yaml")
    if path.parent.name != "VLMEvalKit"
}.values())  # fmt: skip


def rehearse(recipe: Path, *overrides: str) -> tuple[Rehearsal, str]:
    evaluator = Evaluator(load_recipe(recipe, list(overrides)), RunOptions(sample_len=8))
    return evaluator.rehearse(evaluator.preview().sample)


@pytest.mark.usefixtures("small_pool")
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_shipped_metrics_fit_their_samples(
    path: Path, drawn_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(drawn_data)
    monkeypatch.setattr(wordnet, "lexicon", SmallLexicon)
    hub = "model_path:" in path.read_text()
    overrides = ["scenario_cfg.ppl_cfg.model_path=embedded"] if hub else []
    rehearsal, _ = rehearse(path, *overrides)
    assert rehearsal.requests
    assert rehearsal.stopped == ""


def test_a_chain_of_thought_is_shown_with_the_options_after_it() -> None:
    rehearsal, notice = rehearse(RECIPES / "Shapes/ppl_CoT.yaml")
    first, second = rehearsal.requests
    assert isinstance(first, Generate)
    assert isinstance(second, Score)
    assert len(second.candidates) == 4
    assert second.answer_prefix.startswith(f"{STAND_IN}\n")
    assert notice == ""
