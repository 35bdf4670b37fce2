"""A recipe that is a mapping is called by what it is, and runs of its earlier name go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import chef

RECIPE = {
    "scenario_cfg": {"dataset_name": "Shapes"},
    "eval_cfg": {"inferencer_cfg": {"inferencer_type": "Direct"}},
}


def test_a_mapping_is_called_by_what_it_is_and_its_earlier_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path(chef.evaluate("tiny", RECIPE, limit=2).folder)
    name, _, date = folder.name.rpartition("-")
    scenario, inferencer, digest = name.split("-")
    assert (scenario, inferencer) == ("Shapes", "Direct")
    earlier = folder.with_name(f"dict-{digest}-{date}")
    folder.rename(earlier)
    environment = json.loads((earlier / "environment.json").read_text())
    assert environment["recipe"] == name
    (earlier / "environment.json").write_text(
        json.dumps({**environment, "recipe": f"dict-{digest}"})
    )
    before = (earlier / "predictions.jsonl").read_bytes()
    assert Path(chef.evaluate("tiny", RECIPE, limit=2).folder) == earlier
    assert (earlier / "predictions.jsonl").read_bytes() == before


def test_two_contents_have_two_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    other = {**RECIPE, "scenario_cfg": {"dataset_name": "Shapes", "seed": 3}}
    runs = {Path(chef.evaluate("tiny", one, limit=1).folder).name for one in (RECIPE, other)}
    assert len(runs) == 2
