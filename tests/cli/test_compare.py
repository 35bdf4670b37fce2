"""`chef compare` as it is typed: output, files, exit codes, and mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from runs_by_hand import outcomes, write_run

from chef.cli import main


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    fields = {f"q{n}": {"category": "even" if n % 2 == 0 else "odd"} for n in range(40)}
    texts = {"good": "R" * 40, "bad": "W" * 20 + "R" * 20, "broken": "EE" + "R" * 38}
    for name, text in texts.items():
        write_run(tmp_path, outcomes(text), model=name, samples=fields)
    return tmp_path


GOOD, BAD, BROKEN = (f"{name}/ByHand/ppl-1" for name in ("good", "bad", "broken"))


def test_the_table_and_the_files(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--by", "category", "--json", "out.json", "--flips", "flips.jsonl"]
    assert main(["compare", GOOD, BAD, *options]) == 0
    shown = capsys.readouterr().out
    assert "good is better than bad by 50.0 points [" in shown
    assert "lost 20: q0, q1, q2, q3, q4, q5, q6, q7, q8, q9 and 10 more (--flips FILE)" in shown
    assert "ACC by category" in shown
    data = json.loads((runs / "out.json").read_text())
    assert data["pairs"][0]["lost"] == [f"q{n}" for n in range(20)]
    flips = [json.loads(line) for line in (runs / "flips.jsonl").read_text().splitlines()]
    assert flips[3] == {"id": "q3", "change": "lost", "first": "good", "second": "bad"}
    assert len(flips) == 20


def test_a_run_that_was_moved_is_called_by_its_path(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folders above it name no model any more."""
    Path("kept/last").mkdir(parents=True)
    moved = Path(BAD).rename("kept/last/week")
    assert main(["compare", GOOD, str(moved)]) == 0
    shown = capsys.readouterr().out
    assert f"good is better than {moved} by 50.0 points" in shown
    assert runs.name not in shown


def test_json_alone_on_standard_output(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--allow", "subset", GOOD, BAD, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"] == ["good", "bad"]


@pytest.mark.parametrize(
    ("given", "code", "told"),
    [
        ([GOOD, BAD, "--fail-if-worse", "1"], 4, "bad is worse than good in ACC"),
        ([GOOD, BAD, "--fail-if-worse", "90"], 0, ""),
        ([BAD, GOOD, "--fail-if-worse", "0"], 0, ""),
        ([GOOD, GOOD, "--fail-if-worse", "0"], 0, ""),
        ([GOOD, GOOD, BAD, "--fail-if-worse", "1"], 4, "bad is worse"),
        ([GOOD, BROKEN, "--fail-if-worse", "1"], 1, "2 of 40 samples that good has scored"),
        ([GOOD, BROKEN], 0, ""),
        ([GOOD, BAD, "--fail-if-worse", "-1"], 2, "-1.0 is not 0 or more"),
        ([GOOD], 2, "a comparison needs two runs or more"),
        ([GOOD, "bda/ByHand/ppl-1"], 2, "no such folder"),
        ([GOOD, BAD, "--allow", "dta"], 2, "did you mean 'data'?"),
        ([GOOD, BAD, "--by", "categry"], 2, "did you mean 'category'?"),
        ([GOOD, f"{BAD}/results.json"], 2, f"give {BAD}"),
    ],
)
def test_exit_codes(
    runs: Path, capsys: pytest.CaptureFixture[str], given: list[str], code: int, told: str
) -> None:
    del runs
    assert main(["compare", *given]) == code
    assert told in capsys.readouterr().err


def test_answers_from_elsewhere(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that carries its references is scored by the named metric, as the runs are."""
    (runs / "other.jsonl").write_bytes((runs / BAD / "predictions.jsonl").read_bytes())
    assert main(["compare", GOOD, "other.jsonl", "--metric", "Accuracy", "--json", "-"]) == 0
    one = json.loads(capsys.readouterr().out)
    assert main(["compare", GOOD, BAD, "--json", "-"]) == 0
    other = json.loads(capsys.readouterr().out)
    assert one["runs"] == ["good", "other"]
    assert one["pairs"][0]["lost"] == other["pairs"][0]["lost"]
    assert not list(runs.glob("other_*"))  # nothing is written beside it
