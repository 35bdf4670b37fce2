"""A run that other rules have read: ``chef score`` says what is read otherwise now."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chef.metric.coverage import Coverage
from chef.metric.report import Report
from chef.scoring.scoring import note_changed_readings


def line(name: str, answer: str, parsed: int | None, score: float) -> dict[str, Any]:
    shown = {"id": name, "status": "ok", "answer": answer, "parsed": parsed}
    return {**shown, "score": score, "metric_result": score}


OLD = [
    line("1", "A", 0, 1.0),
    line("2", "B. Scrap that, A.", 1, 0.0),
    line("3", "who knows", 2, 0.0),
    line("4", "C", 2, 0.0),
]
#: Sample 4 has been answered anew, which no rule of reading has to do with.
NEW = [
    OLD[0],
    {**line("2", "B. Scrap that, A.", 0, 1.0), "truth": "A"},
    line("3", "who knows", None, 0.0),
    line("4", "A", 0, 1.0),
]


def noted(folder: Path, old: list[dict[str, Any]], policies: tuple[str, str]) -> Path:
    results, scores = folder / "results.json", folder / "scores.jsonl"
    results.write_text(json.dumps({"details": {"policy": policies[0]}}))
    scores.write_text("".join(json.dumps(line) + "\n" for line in old))
    report = Report({}, Coverage.count(NEW, 4), NEW, "", {"policy": policies[1]})
    note_changed_readings(results, scores, report)
    return folder / "reread.jsonl"


def test_answers_that_are_read_otherwise_are_named_and_listed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = noted(tmp_path, OLD, ("rules-1", "rules-2"))
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(line["id"], line["parsed_before"], line["parsed"]) for line in lines] == [
        ("2", 1, 0),
        ("3", 2, None),
    ]
    assert lines[0] == {
        "id": "2", "answer": "B. Scrap that, A.", "truth": "A", "parsed_before": 1, "parsed": 0,
        "score_before": 0.0, "score": 1.0,
    }  # fmt: skip
    said = "2 of 4 answers are read otherwise by rules-2 than by rules-1 (1 scores change): 2, 3"
    assert said in caplog.text
    assert "reread.jsonl" in caplog.text


@pytest.mark.parametrize(
    ("old", "policies"),
    [(OLD, ("rules-1", "rules-1")), (NEW, ("rules-1", "rules-2")), (OLD, ("", "rules-2"))],
    ids=["same rules", "same readings", "no rules before"],
)
def test_nothing_is_said_where_nothing_changed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, old: list[dict[str, Any]],
    policies: tuple[str, str],
) -> None:  # fmt: skip
    assert not noted(tmp_path, old, policies).exists()
    assert not caplog.text


def test_damaged_scores_of_the_last_time_stop_nothing(tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text('{"details": {"policy": "rules-1"}}')
    (tmp_path / "scores.jsonl").write_text('{"id": "1", "par')
    report = Report({}, Coverage.count(NEW, 4), NEW, "", {"policy": "rules-2"})
    note_changed_readings(tmp_path / "results.json", tmp_path / "scores.jsonl", report)
    assert not (tmp_path / "reread.jsonl").exists()
