"""A run of the scripted model, and judges for it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import chef
from chef.scoring.result import RunResult

PLUGIN = Path(__file__).with_name("scripted.py")


class Bench:
    """Runs the scripted model and judges in a folder of its own, and counts what is asked."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, folder / "log"
        self.run_folder = folder / "results" / "Talker" / "Colours" / "r-day"

    def judge(self, **keys: Any) -> str:
        """A model file of a judge."""
        name = keys.pop("model_name", "Fair")
        content = {"plugins": [str(PLUGIN)], "model_name": name, **keys}
        path = self.folder / f"{keys.get('name', name)}.yaml"
        path.write_text(json.dumps(content))  # JSON is YAML
        return str(path)

    def recipe(self, judge_cfg: Mapping[str, Any] | None, **keys: Any) -> Path:
        """A recipe; ``keys`` are those of the scenario and ``metric``."""
        metric = keys.pop("metric", "JudgedShare")
        evaluation: dict[str, Any] = {
            "inferencer_cfg": {"inferencer_type": "Direct"},
            "metric_cfg": {"metric_type": metric},
        }
        if judge_cfg is not None:
            evaluation["judge_cfg"] = dict(judge_cfg)
        content = {
            "plugins": [str(PLUGIN)],
            "scenario_cfg": {"dataset_name": "Colours", **keys},
            "eval_cfg": evaluation,
        }
        path = self.folder / "r.yaml"
        path.write_text(json.dumps(content))
        return path

    def evaluate(
        self, judge_cfg: Mapping[str, Any] | None, name: str = "day", **keys: Any
    ) -> RunResult:
        """Evaluate the scripted model on the scripted questions."""
        options = {key: keys.pop(key) for key in ("fresh", "save_dir") if key in keys}
        model = {"plugins": [str(PLUGIN)], "model_name": "Talker"}
        place = {"save_dir": self.folder / "results", **options}
        return chef.evaluate(model, self.recipe(judge_cfg, **keys), name=name, **place)

    def asked(self) -> Counter[str]:
        """How many requests the model and the judges got since the last call."""
        found: Counter[str] = Counter()
        for line in self.log.read_text().splitlines() if self.log.exists() else ():
            who, count = json.loads(line)
            found[who] += count
        self.log.unlink(missing_ok=True)
        return found

    def lines(self, name: str = "judgements.jsonl") -> list[dict[str, Any]]:
        """The lines of a file of the run folder."""
        return [json.loads(line) for line in (self.run_folder / name).read_text().splitlines()]

    def results(self, name: str = "results.json") -> dict[str, Any]:
        """A JSON file of the run folder."""
        found: dict[str, Any] = json.loads((self.run_folder / name).read_text())
        return found


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    made = Bench(tmp_path)
    monkeypatch.setenv("JUDGE_LOG", str(made.log))
    return made
