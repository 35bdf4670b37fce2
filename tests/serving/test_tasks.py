"""A task of MMTrustEval asks a model behind a server, and gets what it gets in this process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mmtrusteval_data import write_mmtrusteval
from serving.runs import served

from chef.cli import main

TASK = "privacy/p1-vispriv-recognition"


def test_a_task_through_a_server(
    served_tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_mmtrusteval(tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    Path("served.yaml").write_text(json.dumps({**served(served_tiny), "name": "served"}))
    short = ["--cfg-options", "generation_kwargs.max_new_tokens=6"]
    assert main(["eval", TASK, "--model_id", "tiny", "served.yaml", *short]) == 0
    here, there = (log(model) for model in ("tiny", "served"))
    assert there["per_sample_results"] == here["per_sample_results"]
    assert there["total_results"] == here["total_results"]
    assert len(there["per_sample_results"]) == 2


def log(model: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        Path("logs", TASK, model, "vispr-recognition.json").read_text()
    )
    return found
