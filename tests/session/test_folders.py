"""Where runs are written when no name is given: each configuration has a folder of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chef.cli import main

Write = Callable[..., Path]


@pytest.fixture
def names(recipe_file: Write, model_file: Path, tmp_path: Path) -> Callable[..., list[str]]:
    """Runs a recipe of one file with overrides; returns the names of the run folders so far."""
    recipe, results = recipe_file(name="one"), tmp_path / "runs"

    def run(*overrides: str) -> list[str]:
        given = ["--model_cfg", str(model_file), "--recipe_cfg", str(recipe)]
        assert main(["eval", *given, "--save-dir", str(results), *overrides]) == 0
        return sorted(path.parent.name for path in results.rglob("config.yaml"))

    return run


def test_other_settings_of_a_day_have_a_number(names, capsys: pytest.CaptureFixture[str]) -> None:
    (first,) = names()
    assert names("scenario_cfg.size=7") == [first, f"{first}-2"]
    assert f"this one is in {first}-2" in capsys.readouterr().err
    # Each goes on where it was, and a third one has the next number.
    assert names() == names("scenario_cfg.size=7") == [first, f"{first}-2"]
    assert names("scenario_cfg.size=9") == [first, f"{first}-2", f"{first}-3"]


def test_a_name_is_taken_once(names) -> None:
    names("--run-name", "x")
    with pytest.raises(AssertionError):  # exit code 2
        names("--run-name", "x", "scenario_cfg.size=7")
