"""kill -9 at any moment costs at most what was in flight, and the same command goes on."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import forked
import pytest
from conftest import FAKES, ROOT

from chef.run.folder import JOURNAL

HERE = Path(__file__).parent
KILLS = 20
SIZE = 400
#: Requests of a batch where a run ends its own process.
TOGETHER = 4

SLOW = """\
import time
from fakes import Hashing

class Slow(Hashing):
    def score(self, requests):
        time.sleep(0.02)
        return super().score(requests)
"""

RECIPE = f"""\
plugins: [{FAKES}]
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


def journal(run: Path) -> bytes:
    return (run / JOURNAL).read_bytes() if (run / JOURNAL).exists() else b""


def count(run: Path) -> int:
    return journal(run).count(b"\n")


def answers(run: Path) -> list[dict[str, object]]:
    """Whole lines of the journal."""
    data = journal(run)
    return [json.loads(line) for line in data[: data.rfind(b"\n") + 1].splitlines()]


def test_twenty_kills_do_not_change_the_result(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "slow.yaml").write_text("plugins: [slow.py]\nmodel_name: Slow\n")
    (tmp_path / "recipe.yaml").write_text(RECIPE)
    runs = tmp_path / "results" / "Slow" / "Numbers"

    environment = {**os.environ, "PYTHONPATH": str(FAKES.parent)}
    moments = random.Random(0)
    for _ in range(KILLS):
        before = answers(runs / "recipe-killed")
        process = forked.start(command(tmp_path, "killed"), cwd=ROOT, env=environment)
        wanted = len(before) + moments.randint(0, 2 * SIZE // KILLS)
        deadline = time.monotonic() + 300
        while count(runs / "recipe-killed") < wanted and process.poll() is None:
            assert time.monotonic() < deadline, "the run does not move"
            time.sleep(0.004)
        time.sleep(moments.uniform(0, 0.03))
        process.kill()
        assert answers(runs / "recipe-killed")[: len(before)] == before, "an answer was lost"

    assert count(runs / "recipe-killed") > SIZE // 2, "the killed sessions did next to nothing"
    ends = [forked.run(command(tmp_path, name), cwd=ROOT, env=environment)
            for name in ("killed", "whole")]  # fmt: skip
    assert [end.returncode for end in ends] == [1, 1], ends[0].stderr  # two are bad
    killed, whole = (sorted_answers(runs / f"recipe-{name}") for name in ("killed", "whole"))
    assert killed == whole
    good = [line["id"] for line in answers(runs / "recipe-killed") if not line["error"]]
    assert len(good) == len(set(good)) == SIZE - 2, "an answer was asked for twice"
    results = [
        json.loads((runs / f"recipe-{n}" / "results.json").read_text()) for n in ("killed", "whole")
    ]
    assert results[0] == results[1]


#: Ends its process where so many answers are on disk as the file ``kill_at`` says.
KNOWING = f"""\
import os, signal, sys
from pathlib import Path

sys.path.insert(0, {str(HERE)!r})
from knowing import Knowing as Fast

HERE = Path(__file__).parent

class Knowing(Fast):
    def score(self, requests):
        journals = (HERE / "results").glob("*/Numbers/recipe-killed/{JOURNAL}")
        answered = sum(path.read_bytes().count(b"\\n") for path in journals)
        if (HERE / "kill_at").exists() and answered >= int((HERE / "kill_at").read_text()):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().score(requests)
"""


@pytest.mark.parametrize("kind", ["eval", "race"])
def test_a_run_that_stops_early_stops_where_it_would_have(kind: str, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(KNOWING)
    models = {"good": 0.9} if kind == "eval" else {"good": 0.9, "bad": 0.7}
    for name, share in models.items():
        text = f"plugins: [slow.py]\nmodel_name: Knowing\nname: {name}\nshare: {share}\n"
        (tmp_path / f"{name}.yaml").write_text(text)
    (tmp_path / "recipe.yaml").write_text(RECIPE)

    def given(name: str) -> list[str]:
        files = [f"{one}.yaml" for one in models]
        place = ["--model_cfg", *files, "--time", name, "--save_dir", "results"]
        what = ["--recipe_cfg", "recipe.yaml", "--precision", "5"]
        words = [*place, *what] if kind == "eval" else ["--race", "recipe.yaml", *place]
        words += ["--batch_size", str(TOGETHER)]
        return [sys.executable, "-m", "chef", "eval", *words]

    def end(name: str) -> tuple[list[Path], int]:
        done = forked.run(given(name), cwd=tmp_path)
        assert done.returncode in (0, 1), done.stderr  # some are bad
        runs = [tmp_path / "results" / one / "Numbers" / f"recipe-{name}" for one in models]
        return runs, sum(map(count, runs))

    whole, asked = end("whole")
    assert 2 * 32 < asked < len(models) * SIZE
    killed = [tmp_path / "results" / one / "Numbers" / "recipe-killed" for one in models]
    for wanted in (asked // 5, asked // 2, asked - 2 * TOGETHER):
        (tmp_path / "kill_at").write_text(str(wanted))
        process = forked.run(given("killed"), cwd=tmp_path)
        assert process.returncode == -signal.SIGKILL, process.stderr
        assert wanted <= sum(map(count, killed)) < asked
        assert not any((run / "stopped_early.json").exists() for run in killed)
    (tmp_path / "kill_at").unlink()
    assert end("killed")[0] == killed
    for one, other in zip(killed, whole, strict=True):
        assert sorted_answers(one) == sorted_answers(other)
        good = [line["id"] for line in answers(one) if not line["error"]]
        assert len(good) == len(set(good)), "an answer was asked for twice"
        for file in ("stopped_early.json", "results.json"):
            assert json.loads((one / file).read_text()) == json.loads((other / file).read_text())


def sorted_answers(run: Path) -> list[dict[str, object]]:
    latest = {line["id"]: line for line in answers(run)}
    return [latest[name] for name in sorted(latest)]
