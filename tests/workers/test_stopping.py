"""A command that is stopped, however it is, leaves no process of Ray."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from workers.fragile import FRAGILE, eval_command, variables

from chef.run.folder import JOURNAL, load_predictions
from chef.workers.replica import end_agents

#: Seconds after which something never happens, on a machine with much else to do.
PATIENCE = 240


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGKILL])
def test_a_stopped_run_leaves_no_worker_process(stop: signal.Signals, tmp_path: Path) -> None:
    """The whole command, with relative paths, and a module that only PYTHONPATH knows."""
    (tmp_path / "fragile.py").write_text(FRAGILE)
    (tmp_path / "m.yaml").write_text("plugins: [fragile.py]\nmodel_name: Fragile\nseconds: 0.05\n")
    rows = "".join(f"{number}\tq{number}?\tone\ttwo\tA\n" for number in range(2000))
    (tmp_path / "data.tsv").write_text("index\tquestion\tA\tB\tanswer\n" + rows)
    (tmp_path / "r.yaml").write_text(
        "scenario_cfg: {dataset_name: Tsv, path: data.tsv}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    mark = f"{tmp_path}/mark"
    process = subprocess.Popen(
        eval_command("--model_cfg", "m.yaml", "--recipe_cfg", "r.yaml", "--batch_size", "2"),
        cwd=tmp_path, env=variables(CHEF_TEST_MARK=mark),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    journal = tmp_path / "results" / "Fragile" / "data" / "r-t" / JOURNAL
    deadline = time.monotonic() + PATIENCE
    while not (journal.exists() and journal.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert any("Replica" in command for command in marked(mark))
    process.send_signal(stop)
    _, err = process.communicate(timeout=PATIENCE)
    if stop is signal.SIGTERM:
        assert process.returncode == 3
        assert "the same command resumes the run" in err
        assert "Traceback" not in err
    deadline = time.monotonic() + PATIENCE
    while (left := marked(mark)) and time.monotonic() < deadline:
        if stop is signal.SIGKILL and all("Agent" in command for command in left):
            break  # processes of Ray, which end a little later
        time.sleep(0.2)
    else:
        assert left == []
    assert load_predictions(journal)


def marked(mark: str) -> list[str]:
    """Processes started, by whatever way, with the mark in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and mark.encode() in (entry / "environ").read_bytes():
                found.append((entry / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


def test_agents_of_a_dead_raylet_are_ended_and_no_others(monkeypatch) -> None:
    raylet = "4194999"  # more than Linux gives to a process
    command = [sys.executable, "-c", "import time; print(flush=True); time.sleep(60)"]
    started = [
        subprocess.Popen(command, env={"RAY_RAYLET_PID": of}, stdout=subprocess.PIPE)
        for of in (raylet, f"{raylet}9", "")
    ]
    for process in started:
        assert process.stdout is not None
        process.stdout.readline()
    monkeypatch.setenv("RAY_RAYLET_PID", raylet)
    end_agents("")  # not a worker of Ray: nothing is ended
    end_agents(raylet)
    agent, *others = started
    assert agent.wait(100) == -9
    assert [process.poll() for process in others] == [None, None]
    for process in others:
        process.kill()
        process.wait()
