"""What the tests of sweeps share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., Path]


@pytest.fixture
def sweep_file(tmp_path: Path, model_file: Path, recipe_file: Write) -> Write:
    """Writes a sweep of the fake model on the fake scenario; its keys are YAML lines."""
    recipe_file(size=12)

    def write(vary: str, more: str = "", name: str = "s") -> Path:
        lines = "".join(f"  {line}\n" for line in vary.splitlines())
        path = tmp_path / f"{name}.yaml"
        path.write_text(f"model: {model_file.name}\nrecipe: r.yaml\n{more}vary:\n{lines}")
        return path

    return write
