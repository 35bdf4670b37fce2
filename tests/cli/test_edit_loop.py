"""Edit a plugin, type the same command again: as a user does it, in a process each time."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import forked
import pytest
from conftest import FAKES

MINE = """\
from chef.inferencer.direct import Direct
from chef.metric import Metric


class Ask(Direct):
    text = "asks"

    def infer(self, sample):
        {fault}
        return (yield from super().infer(sample))


class Count(Metric):
    def metric_func(self, answers):
        return {{"count": {count} * len(answers)}}
"""

RECIPE = f"""\
plugins: [{FAKES}, mine.py]
scenario_cfg: {{dataset_name: Numbers, size: 6}}
eval_cfg:
  inferencer_cfg: {{inferencer_type: Ask}}
  metric_cfg: {{metric_type: Count}}
"""


class Loop:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "model.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
        (folder / "r.yaml").write_text(RECIPE)
        self.edit()

    def edit(self, fault: str = "pass", count: int = 1, more: str = "") -> None:
        (self.folder / "mine.py").write_text(MINE.format(fault=fault, count=count) + more)

    def __call__(self, *more: str) -> tuple[int | None, str]:
        """Exit code and standard error."""
        given = ["--model_cfg", "model.yaml", "--recipe_cfg", "r.yaml", *more]
        done = forked.run([sys.executable, "-m", "chef", "eval", *given], cwd=self.folder)
        return done.returncode, done.stderr

    @property
    def runs(self) -> list[Path]:
        return sorted((self.folder / "results" / "hashing" / "Numbers").iterdir())

    def asked(self) -> list[int]:
        """How many samples each session asked."""
        sessions = json.loads((self.runs[0] / "environment.json").read_text())["sessions"]
        return [session["asked"] for session in sessions]

    def count(self) -> float:
        value: float = json.loads((self.runs[0] / "results.json").read_text())["result"]["count"]
        return value


@pytest.fixture
def loop(tmp_path: Path) -> Loop:
    return Loop(tmp_path)


def test_an_edited_metric_scores_the_same_answers_again(loop: Loop) -> None:
    assert loop()[0] == 0
    assert loop.count() == 6
    loop.edit(count=2)  # in the file of the inferencer, which is not part of the metric
    assert loop()[0] == 0
    assert loop.count() == 12
    assert len(loop.runs) == 1
    assert loop.asked() == [6]


def test_an_edited_inferencer_is_named_and_both_ways_out_work(loop: Loop) -> None:
    loop()
    loop.edit(fault="sample = sample")
    code, error = loop()
    assert code == 2
    assert "the file mine.py has changed" in error
    assert "--fresh" in error
    assert "--reuse-answers" in error
    assert loop.asked() == [6]

    assert loop("--reuse-answers")[0] == 0
    assert loop.asked() == [6]
    environment = json.loads((loop.runs[0] / "environment.json").read_text())
    assert "mine.py has changed" in environment["reused_answers"][0]["made_with"][0]
    assert loop()[0] == 0  # and from now on the folder is that of the edited file

    loop.edit(fault="sample = sample  # a comment changes nothing")
    assert loop()[0] == 0
    loop.edit(fault="again = sample; sample = again")
    assert loop()[0] == 2
    code, error = loop("--fresh")
    assert code == 0
    assert f"the earlier run is now in {loop.runs[0].name}.old1" in error
    assert [path.name for path in loop.runs] == [loop.runs[0].name, f"{loop.runs[0].name}.old1"]
    assert loop.asked() == [6]
    assert (loop.runs[1] / "results.json").exists()
    code, error = loop()  # what was moved aside is out of the way
    assert code == 0
    assert "this run is finished" in error


def test_a_plugin_that_never_gave_an_answer_is_simply_mended(loop: Loop) -> None:
    loop.edit(fault="yield from super().infer(sample); raise ValueError('a typo')")
    assert loop()[0] == 1
    loop.edit()
    code, error = loop()
    assert code == 0
    assert "the folder has no answers yet" in error
    assert len(loop.runs) == 1
    journal = (loop.runs[0] / "predictions.jsonl").read_text()
    assert "a typo" not in journal
    assert journal.count("\n") == 6


def test_fresh_and_reuse_answers_exclude_each_other(loop: Loop) -> None:
    code, error = loop("--fresh", "--reuse-answers")
    assert code == 2
    assert "--reuse-answers and --fresh exclude each other" in error
    assert not (loop.folder / "results").exists()


def test_reuse_without_answers_is_said(loop: Loop) -> None:
    code, error = loop("--reuse-answers")
    assert code == 0
    assert "there are no answers to reuse" in error
