"""Answers that evaluators are asked about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import chef

PLUGIN = """
from pathlib import Path
from chef.models import Model
from chef.scenario.base import Scenario
from chef.types import Generated, Sample

WORDS = "sure sorry cannot here is how no yes bomb cake a the".split()


class Speaker(Model):
    def generate(self, requests):
        Path(__file__).with_name("was_asked").touch()
        return [Generated(item.conversation[-1].text) for item in requests]


class Words(Scenario):
    name, metric, has_wordings = "Words", "Evaluators", False

    def __init__(self, *, size: int = 12):
        self.size = size

    def __len__(self):
        return self.size

    def sample_id(self, index):
        return f"w{index:02d}"

    def __getitem__(self, index):
        text = " ".join(WORDS[(index * step) % 12] for step in range(1, 3 + index))
        return Sample(self.sample_id(index), question=f"{text} {index}", answer=f"label {index}")
"""
MEAN = {"metrics_cfg": {"pred_mean": None}}


class Bench:
    """A recipe on twelve answers, and its run."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.plugin = folder, folder / "words.py"
        self.run = folder / "results" / "Speaker" / "Words" / "r-day"
        self.plugin.write_text(PLUGIN)
        (folder / "model.yaml").write_text(
            json.dumps({"plugins": [str(self.plugin)], "model_name": "Speaker"})
        )

    def evaluate(self, *chains: dict[str, Any], compat: str = "corrected", **keys: Any) -> Any:
        content = {
            "plugins": [str(self.plugin)],
            "compat": compat,
            "scenario_cfg": {"dataset_name": "Words"},
            "eval_cfg": {
                "inferencer_cfg": {"inferencer_type": "Direct"},
                "metric_cfg": {"evaluator_seq_cfgs": list(chains), **keys},
            },
        }
        (self.folder / "r.yaml").write_text(json.dumps(content, indent=1))
        files = self.folder / "model.yaml", self.folder / "r.yaml"
        return chef.evaluate(*files, name="day", save_dir=self.folder / "results")

    @property
    def was_asked(self) -> bool:
        return (self.folder / "was_asked").exists()

    def kept(self) -> list[dict[str, Any]]:
        file = self.run / "evaluations.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def outputs(self, key: str) -> dict[str, Any]:
        lines = (self.run / "scores.jsonl").read_text().splitlines()
        entries = [json.loads(line) for line in lines]
        return {
            item["id"]: item["evaluations"][f"{key}:pred_no_op"]
            for item in entries
            if "evaluations" in item
        }
