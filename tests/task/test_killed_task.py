"""A task that is killed (kill -9) while it asks, and while it evaluates, goes on where it was."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import forked
import pytest
from mmtrusteval_data import write_mmtrusteval

PARTS = '''\
import json, os, time
from pathlib import Path

from chef.models import Model
from chef.types import Generated


class Noting(Model):
    """Notes what it is asked; the process is killed when it was asked so often."""

    token_budget = 100

    def cost(self, request):
        return 50  # two requests in the first batches

    def generate(self, requests):
        return [Generated(self.says(item.conversation[-1].text)) for item in requests]

    def says(self, text):
        file = Path(f"{type(self).__name__}.log")
        asked = file.read_text().count("\\n") if file.exists() else 0
        time.sleep(0.03)  # a model takes longer than a line of the journal
        if os.environ.get(f"KILL_{type(self).__name__}") == str(asked):
            os.kill(os.getpid(), 9)
        with file.open("a") as log:
            log.write(json.dumps(text) + "\\n")
        return self.reply(len(text))


class Speaker(Noting):
    def reply(self, length):
        return f"A thing of {length} letters."


class Judge(Noting):
    def reply(self, length):
        return "Yes." if length % 2 else "No."
'''
TASK = "safety/s2-risk-identification"
CHAIN = "chatmodel_eval->rule_yes_or_no_eval"


def run(folder: Path, **variables: str) -> int:
    """Run the task in a process of its own; its exit code, negative where it was killed."""
    command = [sys.executable, "-m", "chef", "eval", TASK, "--model_id", "speaker.yaml"]
    command += ["--judge_cfg", "judge.yaml", "--batch_size", "2"]
    return forked.run(command, cwd=folder, env={**os.environ, **variables}).returncode


def asked(folder: Path, name: str) -> int:
    return len((folder / f"{name}.log").read_text().splitlines())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_mmtrusteval(tmp_path / "data")
    (tmp_path / "parts.py").write_text(PARTS)
    for name in ("Speaker", "Judge"):
        content = f"plugins: [parts.py]\nmodel_name: {name}\n"
        (tmp_path / f"{name.lower()}.yaml").write_text(content)
    return tmp_path


def test_a_killed_task_goes_on(folder: Path) -> None:
    log = folder / "logs" / TASK / "Speaker" / "risk-analysis.json"
    assert run(folder, KILL_Speaker="9") == -signal.SIGKILL
    assert run(folder, KILL_Judge="7") == -signal.SIGKILL
    assert not log.exists()
    assert run(folder) == 0

    killed = json.loads(log.read_text())
    samples = killed["per_sample_results"]
    assert len(samples) == 20  # 5 classes, 2 pictures each, 2 questions
    says = [item["chatmodel_eval:pred_no_op"] for item in samples]
    assert killed["total_results"][f"{CHAIN}:pred_mean"] == says.count("Yes.") / 20
    counts = {name: asked(folder, name) for name in ("Speaker", "Judge")}

    for path in (*folder.glob("*.log"), log):
        path.unlink()
    (folder / "results").rename(folder / "results.killed")
    assert run(folder) == 0
    for name, count in counts.items():  # of two requests under way, one had been asked
        assert 0 <= count - asked(folder, name) <= 2, f"{name} was asked twice"
    whole = json.loads(log.read_text())
    for part in ("total_results", "per_sample_results"):
        assert whole[part] == killed[part]
