"""kill -9 at any moment costs at most what was in flight, and the same command goes on."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from conftest import ROOT

from chef.run.folder import JOURNAL

KILLS = 20
SIZE = 400

SLOW = """\
import time
from fakes import Hashing

class Slow(Hashing):
    def score(self, requests):
        time.sleep(0.02)
        return super().score(requests)
"""

RECIPE = f"""\
plugins: [fakes.py]
scenario_cfg: {{dataset_name: Numbers, size: {SIZE}, bad: [5, 77]}}
eval_cfg: {{inferencer_cfg: {{inferencer_type: PPL}}}}
"""


def command(folder: Path, name: str) -> list[str]:
    return [
        sys.executable, "tools/eval.py",
        "--model_cfg", str(folder / "slow.yaml"), "--recipe_cfg", str(folder / "recipe.yaml"),
        "--save_dir", str(folder / "results"), "--time", name,
        "--batch_size", "4",
    ]  # fmt: skip


def start(folder: Path, name: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT / 'src'}"}
    return subprocess.Popen(
        command(folder, name), cwd=ROOT, env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def answers(run: Path) -> list[dict[str, object]]:
    """Whole lines of the journal."""
    data = (run / JOURNAL).read_bytes() if (run / JOURNAL).exists() else b""
    return [json.loads(line) for line in data[: data.rfind(b"\n") + 1].splitlines()]


def test_twenty_kills_do_not_change_the_result(tmp_path: Path) -> None:
    (tmp_path / "fakes.py").write_text((ROOT / "tests" / "fakes.py").read_text())
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "slow.yaml").write_text("plugins: [slow.py]\nmodel_name: Slow\n")
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    runs = tmp_path / "results" / "Slow" / "Numbers"

    moments = random.Random(0)
    for _ in range(KILLS):
        before = answers(runs / "recipe-killed")
        process = start(tmp_path, "killed")
        wanted = len(before) + moments.randint(0, 2 * SIZE // KILLS)
        deadline = time.monotonic() + 60
        while len(answers(runs / "recipe-killed")) < wanted and process.poll() is None:
            assert time.monotonic() < deadline, "the run does not move"
            time.sleep(0.002)
        time.sleep(moments.uniform(0, 0.03))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert answers(runs / "recipe-killed")[: len(before)] == before, "an answer was lost"

    assert start(tmp_path, "killed").wait() == 1  # two samples are bad on purpose
    assert start(tmp_path, "whole").wait() == 1
    killed, whole = (sorted_answers(runs / f"recipe-{name}") for name in ("killed", "whole"))
    assert killed == whole
    good = [line["id"] for line in answers(runs / "recipe-killed") if not line["error"]]
    assert len(good) == len(set(good)) == SIZE - 2, "an answer was asked for twice"
    results = [
        json.loads((runs / f"recipe-{n}" / "results.json").read_text()) for n in ("killed", "whole")
    ]
    assert results[0] == results[1]


def sorted_answers(run: Path) -> list[dict[str, object]]:
    latest = {line["id"]: line for line in answers(run)}
    return [latest[name] for name in sorted(latest)]
