"""A data root of VLMEvalKit with drawn benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from lmu_data import write_rows


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data root, which ``$LMUData`` names."""
    folder = tmp_path / "LMUData"
    folder.mkdir()
    monkeypatch.setenv("LMUData", str(folder))
    return folder


@pytest.fixture
def put(root: Path) -> Callable[[str, Sequence[Mapping[str, str]]], Path]:
    """``put(name, rows)``: the file of a benchmark."""
    return lambda name, rows: write_rows(root / f"{name}.tsv", rows)
