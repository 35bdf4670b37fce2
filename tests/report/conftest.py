"""A run to be labelled, and a person who types."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from report.labelling import Type
from runs_by_hand import make_own, outcomes, write_run

from chef.cli import main


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = write_run(tmp_path, outcomes("R" * 30 + "W" * 25 + "U" * 5))
    make_own(path)
    return path


@pytest.fixture
def type_(monkeypatch: pytest.MonkeyPatch) -> Type:
    """Runs ``chef`` with keys typed into it."""

    def typed(keys: Sequence[str], *words: object) -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{key}\n" for key in keys)))
        return main([str(word) for word in words])

    return typed
