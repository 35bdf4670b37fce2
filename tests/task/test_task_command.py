"""`chef task`: what is refused before anything is asked, and logs of the next day."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mmtrusteval_data import write_mmtrusteval

from chef.cli import main

MODEL = """\
from chef.models import Model
from chef.types import Generated


class Speaker(Model):
    def generate(self, requests):
        return [Generated("50") for _ in requests]
"""
TASK = "privacy/p3-infoflow"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_mmtrusteval(tmp_path / "data")
    (tmp_path / "speaker.py").write_text(MODEL)
    (tmp_path / "speaker.yaml").write_text("plugins: [speaker.py]\nmodel_name: Speaker\n")
    (tmp_path / "file").write_text("")
    monkeypatch.chdir(tmp_path)
    for variable in ("CHEF_MMTRUST_DATA", "OPENAI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


def task(*arguments: str) -> int:
    return main(["eval", *arguments, "--model_id", "speaker.yaml"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["truthfulness/t5-text-misleading"], "OPENAI_API_KEY|--judge_cfg FILE"),
        ([TASK, "--cfg-options", "log_file=data"], "the log data cannot be written|a folder"),
        ([TASK, "--cfg-options", "log_file=file/a.json"], "file/a.json cannot|is no folder"),
        ([TASK, "--dataset_id", "all", "--cfg-options", "log_file=a.json"], "several runs|a.json"),
        ([TASK, "--judge_cfg", "speaker.yaml"], "no evaluator of the tasks asks a judge"),
    ],
)
def test_what_cannot_end_well_is_refused_before_anything_is_asked(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert task(*arguments) == 2
    said = capsys.readouterr().err
    assert all(part in said for part in told.split("|"))
    assert not any(path.read_bytes() for path in folder.rglob("predictions.jsonl"))


def test_what_is_named_twice_is_run_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sets = ["--dataset_id", "confaide-text", "confaide-image", "confaide-text"]
    twice = ["--model_id", "speaker.yaml", "speaker.yaml"]
    assert main(["eval", TASK, TASK, *sets, *twice]) == 0
    assert len(list(folder.rglob("predictions.jsonl"))) == 2
    assert capsys.readouterr().out.count("log: ") == 2


def test_logs_of_parts_and_of_other_configurations_replace_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = folder / "logs" / TASK / "Speaker"
    assert task(TASK) == 0
    whole = (logs / "confaide-image.json").read_text()
    assert task(TASK, "--limit", "2") == 0
    part = json.loads((logs / "confaide-image_2_samples.json").read_text())
    assert (len(part["per_sample_results"]), part["run"]["limit"]) == (2, 2)
    assert part["run"]["not_scored"] == []
    assert task(TASK) == 0
    assert (logs / "confaide-image.json").read_text() == whole
    changed = ["--fresh", "--cfg-options", "generation_kwargs.max_new_tokens=7"]
    assert task(TASK, *changed) == 0
    assert (logs / "confaide-image.old1.json").read_text() == whole

    capsys.readouterr()
    assert main(["score", "--suite", "trust", "logs"]) == 0
    assert "asked in part" not in capsys.readouterr().out  # the whole one counts
