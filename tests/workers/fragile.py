"""A model that fails in ways that only a process of its own can show, pools, and commands."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from chef.config import load_model
from chef.workers.pool import RayPool

#: Ways to fail that only a process of its own can show.
FRAGILE = """\
import os
import time
from fakes import Hashing
from chef.engine import executor
from chef.errors import ConfigError

if "RAY_RAYLET_PID" in os.environ:  # in a worker, whose calls that hang never end
    executor.GRACE = 0.1

class Fragile(Hashing):
    def __init__(self, *, deadly: list[str] | None = None, refuses: bool = False,
                 seconds: float = 0.0, warns: list[str] | None = None, broken: str | None = None,
                 exits: list[str] | None = None, hangs: list[str] | None = None):
        super().__init__(broken=broken)
        self.exits, self.hangs = exits or [], hangs or []
        self.deadly, self.refuses, self.seconds = deadly or [], refuses, seconds
        self.warns = warns or []

    @property
    def notices(self):
        return self.warns if self.calls else []

    def prepare(self):
        if self.refuses:
            raise ConfigError("no such weights", where="model.yaml", hint="look again")

    def _enter(self, requests):
        time.sleep(self.seconds)
        super()._enter(requests)
        if any(text.startswith(word) for text in self.calls[-1] for word in self.deadly):
            os._exit(1)
        if any(text.startswith(word) for text in self.calls[-1] for word in self.exits):
            raise SystemExit(0)
        if any(text.startswith(word) for text in self.calls[-1] for word in self.hangs):
            time.sleep(300)
"""


def pool_of(path: Path, workers: int, *overrides: str) -> RayPool:
    spec = load_model(path, overrides)
    return RayPool(spec, spec.model.build().fingerprint(), workers)


def complete(pool: RayPool) -> RayPool:
    """Wait until every worker has started."""
    pool.prepare()
    while not all(worker.started for worker in pool.workers):
        pool.receive()
    return pool


def allow_one_death(monkeypatch: pytest.MonkeyPatch) -> None:
    """After one death samples are asked one by one, and one worker is replaced.

    So four workers have to start where six would until a pool without workers stops.
    """
    for module in ("pool", "dispatch"):
        monkeypatch.setattr(f"chef.workers.{module}.QUARANTINE_AFTER", 1)
    monkeypatch.setattr("chef.workers.pool.REPLACEMENTS", 1)


def eval_command(*arguments: str) -> list[str]:
    return [
        sys.executable, str(ROOT / "tools" / "eval.py"), *arguments,
        "--workers", "2", "--save_dir", "results", "--time", "t",
    ]  # fmt: skip


def variables(**more: str) -> dict[str, str]:
    paths = [str(ROOT / "tests"), *filter(None, [os.environ.get("PYTHONPATH")])]
    absolute = [str(Path(entry).resolve()) for path in paths for entry in path.split(os.pathsep)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(absolute), **more}
