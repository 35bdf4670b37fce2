"""Run folders that an earlier version has written are still read and scored, to the same values.

Only the version of the rules that read answers is a newer one, the tables by category, the keys
that the chance level belongs to and the counts of judged answers are new, intervals are others,
and scores.jsonl tells more.

``old_runs`` was written by the version before the rooms of today, with 8 samples of Shapes and, by
ChEF's own rules (``compat: upstream``) and with keys that have no effect, 6 of drawn ScienceQA.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import chef
from chef.cli import main
from chef.reading.text import POLICY

OLD = Path(__file__).with_name("old_runs") / "tiny"
RUNS = sorted(path.parent for path in OLD.rglob("config.yaml"))


def copied(run: Path, folder: Path) -> Path:
    """A copy that a test may change."""
    return shutil.copytree(run, folder / "tiny" / run.parent.name / run.name)


#: What an estimate says of its uncertainty: intervals have become others, values have not.
UNCERTAINTY = ("stderr", "low", "high", "method", "clusters", "effective_n")


def values(content: Any) -> Any:
    """The content of a results file without intervals."""
    for item in content["metrics"].values():
        for key in UNCERTAINTY:
            item.pop(key, None)
    return content


def expected(path: Path) -> Any:
    """What a results file should hold when it is written again."""
    return values(json.loads(path.read_text().replace("chef-extract-1", POLICY)))


def without_new_keys(path: Path) -> Any:
    """A results file as the earlier version would have written it."""
    content = json.loads(path.read_bytes())
    kept = {key: value for key, value in content.items() if key not in ("chance_for", "by")}
    assert kept["coverage"].pop("unjudged") == 0
    assert kept["coverage"].pop("skipped") == 0
    assert all(item["low"] is not None for item in kept["metrics"].values())
    return values(kept)


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(params=RUNS, ids=lambda path: path.parent.name)
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return copied(request.param, tmp_path)


def test_the_same_scores(run: Path) -> None:
    results, scores = expected(run / "results.json"), lines(run / "scores.jsonl")
    (run / "scores.jsonl").unlink()
    assert main(["score", str(run)]) == 0
    assert without_new_keys(run / "results.json") == results
    now = lines(run / "scores.jsonl")
    assert [entry["id"] for entry in now] == [entry["id"] for entry in scores]
    for entry, before in zip(now, scores, strict=True):
        assert before.items() <= entry.items()
        assert entry.keys() >= {"question", "answer", "truth", "score"}  # new since then


def test_the_front_door_reads_them(run: Path) -> None:
    loaded = chef.load_run(run)
    assert len(loaded.predictions) == loaded.report.coverage.total
    assert loaded.report.value is not None
    assert chef.score(loaded, "Accuracy").metrics["ACC"].n == len(loaded.predictions)


def test_an_unfinished_one(tmp_path: Path) -> None:
    """Without results the scenario is asked, whose old keys have to be understood."""
    (run,) = (copied(path, tmp_path) for path in RUNS if path.parent.name == "Shapes")
    before = expected(run / "results.json")
    (run / "results.json").unlink()
    assert main(["score", str(run)]) == 0
    assert without_new_keys(run / "results.json") == before
