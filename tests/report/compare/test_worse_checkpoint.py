"""The embedded model against itself with noise on its weights: the flips are found."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from conftest import ROOT

import chef
from chef.models.tiny import FOLDER

RECIPE = ROOT / "configs/recipes/Shapes/ppl.yaml"


def worse_checkpoint(folder: Path) -> Path:
    import torch
    from safetensors.torch import load_file, save_file

    shutil.copytree(FOLDER, folder)
    weights = load_file(folder / "model.safetensors")
    random = torch.Generator().manual_seed(0)
    for name, item in weights.items():
        noise = torch.randn(item.shape, generator=random) * 0.6 * item.float().std()
        weights[name] = (item.float() + noise).to(item.dtype) if item.numel() > 1 else item
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def right(folder: Path) -> dict[str, bool]:
    lines = (folder / "scores.jsonl").read_text().splitlines()
    return {entry["id"]: entry["score"] == 1 for entry in map(json.loads, lines)}


def test_flips(tmp_path: Path) -> None:
    model = {
        "model_name": "HuggingFace", "name": "worse",
        "model_path": str(worse_checkpoint(tmp_path / "checkpoint")),
    }  # fmt: skip
    runs = [
        chef.evaluate(one, RECIPE, limit=40, save_dir=tmp_path / "results", name="a")
        for one in (ROOT / "configs/models/tiny.yaml", model)
    ]
    before, after = (right(run.folder) for run in runs)
    found = chef.compare(*runs)
    pair = found.main
    assert set(pair.lost) == {name for name in before if before[name] and not after[name]}
    assert set(pair.gained) == {name for name in before if after[name] and not before[name]}
    assert len(pair.lost) > 5  # or the noise shows nothing
    gain = 100 * (sum(after.values()) - sum(before.values())) / 40
    assert pair.differences["ACC"].difference.value == pytest.approx(gain)
    assert found.to_json()["pairs"][0]["verdict"].startswith("tiny is better than worse by")
    again = chef.evaluate(
        ROOT / "configs/models/tiny.yaml", RECIPE, limit=40, save_dir=tmp_path / "r2", name="a"
    )
    same = chef.compare(runs[0], again).main
    assert same.differences["ACC"].p_value == 1.0
    assert not same.gained
    assert not same.lost
