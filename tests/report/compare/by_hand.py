"""Runs by hand, and what the command says of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from runs_by_hand import outcomes, write_run

from chef.cli import main


def json_of(capsys: pytest.CaptureFixture[str], *words: object) -> dict:
    """What ``chef compare ... --json -`` prints."""
    assert main(["compare", *map(str, words), "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


def two(folder: Path, one: str, other: str, **more) -> tuple[Path, Path]:
    return (
        write_run(folder, outcomes(one), model="a", **more),
        write_run(folder, outcomes(other), model="b", **more),
    )


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What a refused comparison prints."""
    assert main(["compare", *map(str, words)]) == 2
    return capsys.readouterr().err
