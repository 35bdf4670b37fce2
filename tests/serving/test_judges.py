"""The embedded model judges through a real server; it is no good judge, which must show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import ROOT
from serving.runs import SHAPES, served

import chef
from chef.config import load_model, load_recipe
from chef.errors import RunError

ASKED = 3


def test_a_judge_behind_a_server(served_tiny: str, tmp_path: Path) -> None:
    recipe = load_recipe(SHAPES / "direct.yaml")
    model = load_model(ROOT / "configs" / "models" / "tiny.yaml")
    run = chef.evaluate(model, recipe, limit=ASKED, save_dir=tmp_path)
    before = (run.folder / "predictions.jsonl").read_bytes()
    judge = {"model_cfg": served(served_tiny), "when": "always", "max_new_tokens": 16}
    cfg = {"judge_cfg": judge}
    for _ in range(2):  # the second time nothing is asked
        with pytest.raises(RunError, match="the reply cannot be read"):
            chef.ask_judge(run.folder, cfg)
        lines = (run.folder / "judgements.jsonl").read_text().splitlines()
        judgements = [json.loads(line) for line in lines]
        assert len(judgements) == ASKED
        # It replies, and never in the form of a verdict: neither an error, nor drawn at random.
        assert {item["status"] for item in judgements} == {"unparsed"}
        assert all(item["reply"] for item in judgements)
    assert (run.folder / "predictions.jsonl").read_bytes() == before
