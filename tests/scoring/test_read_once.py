"""An answer is read once: by the running score, and by nothing that looks at the run later."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import chef.reading.options
from chef.cli import main
from chef.metric.judgeable import READING
from chef.reading.text import POLICY

Write = Callable[..., Path]
SIZE = 12


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the rules for options have read each answer."""
    counts: Counter[str] = Counter()
    read = chef.reading.options.extract_option

    def counted(answer: str, *given: Any, **named: Any) -> Any:
        counts[answer] += 1
        return read(answer, *given, **named)

    monkeypatch.setattr(chef.reading.options, "extract_option", counted)
    return counts


@pytest.fixture
def run(tmp_path: Path, model_file: Path, recipe_file: Write, readings: Counter[str]) -> Path:
    """A run of written answers to questions with options; all answers are texts of their own."""
    recipe = recipe_file("Direct", size=SIZE)
    arguments = ["eval", "--model_cfg", model_file, "--recipe_cfg", recipe, "--time", "t"]
    assert main([*map(str, arguments), "--save_dir", str(tmp_path / "results")]) == 0
    return tmp_path / "results" / "hashing" / "Numbers" / "r-t"


def lines_of(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "scores.jsonl").read_text().splitlines()]


def test_a_run_reads_each_answer_once(run: Path, readings: Counter[str]) -> None:
    for line in lines_of(run):
        assert readings[line["answer"]] == 1
        assert line[READING]["policy"] == POLICY
        assert {"metric_result", "parsed", "evidence"} <= set(line[READING]["fields"])


def test_what_looks_at_a_run_reads_nothing(
    run: Path, readings: Counter[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = (run / "scores.jsonl").read_bytes()
    results = json.loads((run / "results.json").read_text())
    readings.clear()
    for command in (
        ["score", str(run)],
        ["compare", str(run), str(run)],
        ["show", "--page", str(run)],
        ["show", str(run), "--export", "-o", str(run.parent / "samples.csv")],
    ):
        assert main(command) == 0, capsys.readouterr().err
        assert readings.total() == 0, command
    assert (run / "scores.jsonl").read_bytes() == before
    assert json.loads((run / "results.json").read_text()) == results


def test_another_metric_reads_each_answer_once_and_then_no_more(
    run: Path, readings: Counter[str]
) -> None:
    readings.clear()
    assert main(["compare", str(run), str(run), "--metric", "MMBenchVQA"]) == 0
    assert readings.total() == 2 * SIZE  # of two runs; nothing is written
    readings.clear()
    assert main(["score", str(run), "--metric", "MMBenchVQA"]) == 0
    assert readings.total() == SIZE
    readings.clear()
    assert main(["compare", str(run), str(run), "--metric", "MMBenchVQA"]) == 0
    assert readings.total() == 0


@pytest.mark.parametrize("what", ["policy", "version", "answer", "reference", "stranger", "damage"])
def test_what_was_read_otherwise_is_read_again(
    run: Path, readings: Counter[str], what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, scores, wanted = run / "predictions.jsonl", run / "scores.jsonl", SIZE
    if what in ("policy", "version"):
        monkeypatch.setattr(f"chef.metric.judgeable.{what.upper()}", "another")
    elif what in ("answer", "reference"):
        first, *others = journal.read_text().splitlines()
        line = json.loads(first)
        if what == "answer":
            line["answer"] += " indeed"
        else:
            line["sample"]["gt_choice"] = 1 - line["sample"]["gt_choice"]
        journal.write_text("\n".join([json.dumps(line), *others]) + "\n")
        wanted = 1
    elif what == "stranger":
        config = run / "config.yaml"  # which is no longer as it was signed
        config.write_text(config.read_text().replace("seed: 0", "seed: 1"))
    else:
        scores.write_text("{" + scores.read_text())
    readings.clear()
    assert main(["score", str(run)]) == 0
    assert readings.total() == wanted
