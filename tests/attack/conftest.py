"""Nothing in here may hang: each test is interrupted after some seconds."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attack.asking import List, records_of

from chef.config.recipe import Recipe, load_recipe

#: Far more than any test takes, on a busy machine too.
SECONDS = 300


@pytest.fixture(autouse=True)
def no_hang() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"still running after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def listed(drawn_data: Path, tmp_path: Path) -> Iterator[Any]:
    """A copy of the root of a list's data, whose list can be written anew."""
    old = Path.cwd()

    def make(data: List) -> tuple[Path, list[dict[str, Any]], Recipe]:
        root, source = tmp_path / "root", drawn_data / "data" / data.root
        (root / data.file).parent.mkdir(parents=True)
        for path in source.iterdir():
            if not (root / path.name).exists():
                (root / path.name).symlink_to(path)
        records = records_of(source / data.file, data)
        overrides = [f"scenario_cfg.base_data_path={root}"]
        os.chdir(drawn_data)  # other paths of a recipe are relative
        return root / data.file, records, load_recipe(data.recipe, overrides)

    yield make
    os.chdir(old)
