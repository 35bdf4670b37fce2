"""Shards by workers: the parts of one process, whatever dies on the way."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from chef.cli import main
from chef.shards.looking import StoredParts
from chef.shards.store import Store
from chef.types import Status

pytest.importorskip("ray", reason="pip install 'chef-eval[ray]'")
pytest.importorskip("fsspec", reason="pip install 'chef-eval[store]'")
Write = Callable[..., Path]

#: Ends its process at one question, in workers alone.
DEADLY = """\
import os
from fakes import Hashing

class Deadly(Hashing):
    def _enter(self, requests):
        super()._enter(requests)
        if "RAY_RAYLET_PID" in os.environ and any("27?" in text for text in self.calls[-1]):
            os._exit(1)
"""


def test_workers_make_the_parts_of_one_process(
    recipe_file: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """One question ends its worker each time: it is an error, and no other one is."""
    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "cache"))
    (tmp_path / "deadly.py").write_text(DEADLY)
    model = tmp_path / "deadly.yaml"
    model.write_text("plugins: [deadly.py]\nmodel_name: Deadly\n")
    recipe = recipe_file("PPL", size=60)
    url = f"file://{tmp_path}/runs"

    def ask(name: str, *more: str) -> int:
        return main(
            ["eval", "--model_cfg", str(model), "--recipe_cfg", str(recipe), "--save-dir", url,
             "--shard-size", "16", "--batch-size", "4", "--run-name", name, *more]
        )  # fmt: skip

    assert ask("workers", "--workers", "2") == 1
    assert ask("alone") == 0
    workers, alone = (Store(f"{url}/Deadly/Numbers/r-{name}") for name in ("workers", "alone"))
    names = alone.names("parts")
    same = [name for name in names if workers.read(name) == alone.read(name)]
    assert len(names) == 4
    assert len(same) == 3
    answers = {item.sample_id: item for item in StoredParts.at(workers.url).predictions()}
    assert len(answers) == 60
    failed = {name: item for name, item in answers.items() if item.status is Status.ERROR}
    assert [*failed] == ["n27"]
    assert "workers have died with it" in str(failed["n27"].error)
    # The driver sees the head of each part, and no sample.
    manifest = json.loads(workers.read("manifest.json") or b"")
    assert manifest["samples"] == 60
    assert workers.names("claims") == []
    capsys.readouterr()
