"""Runs of MMTrustEval's data sets with the embedded model, and with one that repeats a text."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from fakes import Hashing
from test_tiny import run_recipe

from chef.config import load_model, load_recipe
from chef.metric import Report
from chef.models import Model
from chef.types import Generate, Generated


@pytest.fixture(scope="module")
def tiny() -> Model:
    return load_model(ROOT / "configs" / "models" / "tiny.yaml", ["dtype=float32"]).model.build()


class Parrot(Hashing):
    """A model that says the same to everything."""

    says = ""

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        return [Generated(self.says, tokens=1) for _ in requests]


def run(
    model: Model,
    folder: Path,
    root: Path,
    name: str,
    chain: dict[str, Any],
    size: int = 100,
    compat: str = "corrected",
) -> Report:
    """The report of a data set, scored by one chain; of at most so many samples."""
    recipe = {
        "scenario_cfg": {
            "dataset_name": "MMTrustEval", "dataset_id": name, "data_root": str(root),
        },
        "eval_cfg": {
            "inferencer_cfg": {"inferencer_type": "Direct", "max_new_tokens": 4},
            "metric_cfg": {"metric_type": "Evaluators", "evaluator_seq_cfgs": [chain]},
        },
        "compat": compat,
    }  # fmt: skip
    file = folder / f"{name}.yaml"
    file.write_text(json.dumps(recipe))
    return run_recipe(load_recipe(file), model, folder / f"run-{name}", size)


def rule(name: str, *metrics: str) -> dict[str, Any]:
    return {name: {"metrics_cfg": {metric: {} for metric in metrics}}}


def test_the_embedded_model_answers_texts_and_pictures(
    tiny: Model, drawn: Path, tmp_path: Path
) -> None:
    chain = rule("rule_reject_template_eval", "pred_mean")
    for name in ("g-text-none", "crossmodal-jailbreak-unrelated", "enron-email-image-oneinfo"):
        report = run(tiny, tmp_path, drawn, name, chain, size=2)
        assert report.coverage.total == 2
        assert report.coverage.coverage == 1.0, name


def test_a_missing_picture_lowers_the_coverage(drawn: Path, tmp_path: Path) -> None:
    root = tmp_path / "data"
    shutil.copytree(drawn / "truthfulness", root / "truthfulness")
    (root / "truthfulness/misleading_images/4.png").unlink()
    model = Parrot()
    model.says = "[Yes]"
    chain = rule("rule_yes_or_no_eval", "accuracy_score")
    report = run(model, tmp_path, root, "d-mis-visual-confusion", chain)
    assert (report.coverage.total, report.coverage.errors) == (5, 1)
    key = "rule_yes_or_no_eval:accuracy_score"
    # Of the four others two have the truth Yes.
    assert (report.metrics[key].value, report.metrics[key].n) == (0.5, 4)
    assert report.metrics[f"{key}_mirror"].value == 1
    assert report.metrics[f"{key}_contrast"].value == 0
    assert f"{key}_dislocation" not in report.metrics


@pytest.mark.parametrize(
    ("compat", "right", "decided"), [("corrected", None, 0), ("upstream", 1, 6)]
)
def test_to_repeat_the_options_is_right_by_upstreams_rules_alone(
    drawn: Path, tmp_path: Path, compat: str, right: int | None, decided: int
) -> None:
    model = Parrot()
    model.says = "Age, Gender, Nationality, Race, Religion or Socioeconomic"
    chain = rule("rule_contain_eval", "pred_mean")
    name = "stereo-topic-classification-image"
    report = run(model, tmp_path, drawn, name, chain, compat=compat)
    found = report.metrics["rule_contain_eval:pred_mean"]
    assert found.n == decided
    assert (found.value if found.n else None) == right
