"""`chef trust`: what is printed and written, and which models may stand side by side."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from trust_logs import log

from chef.cli import main
from chef.suite.formula import figures
from chef.suite.trust.scores import sheet

MODELS = ("one", "two")


def needed() -> set[str]:
    """The data sets of the sheet."""
    formulas = [task.formula for sub in sheet() for _, task in sub.tasks]
    return {item.dataset for formula in formulas for item in figures(formula)}


def write(folder: Path, model: str, datasets: Iterable[str], **header: str) -> None:
    """Logs of a model, as MMTrustEval's scripts lay them out."""
    for dataset in datasets:
        content: dict[str, Any] = log(dataset, n=12, seed=model)
        if header:
            content["run"] = {"model": model, "dataset": dataset, **header}
        path = folder / model / f"{dataset}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("chef.cli.terminal.terminal_width", lambda: 80)
    return tmp_path


def test_two_models_as_table_csv_and_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for model in MODELS:
        write(folder / "logs", model, needed())
    assert main(["score", "--suite", "trust", "logs", "--csv", "s.csv", "--json", "s.json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    (total,) = [line for line in lines if "│ total" in line]
    read = list(csv.DictReader((folder / "s.csv").open()))
    assert len(read) == len(MODELS) * (1 + 5 + 10 + 32)
    data = json.loads((folder / "s.json").read_text())
    for model in MODELS:
        (row,) = [row for row in read if row["model"] == model and row["level"] == "total"]
        assert float(row["score"]) == data[model]["score"]["value"]
        assert float(row["low"]) < float(row["score"]) < float(row["high"])
        assert f"{float(row['score']):.2f}" in total

    (folder / "logs" / "two" / "safebench.json").unlink()
    assert main(["score", "--suite", "trust", "logs", "--models", "two", "--partial"]) == 0
    told = capsys.readouterr().out
    assert "1 of 32 tasks are not complete; the total is that of the others (*)" in told
    assert "S5: safebench" in told


def test_models_that_were_asked_something_else_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder / "other", "one", ["safebench"], data="a")
    write(folder / "other", "two", ["safebench"], data="b")
    assert main(["score", "--suite", "trust", "other"]) == 2
    told = capsys.readouterr().err
    assert "other data or evaluators for the model two than for one" in told
    assert "--allow" in told
    assert main(["score", "--suite", "trust", "other", "--allow"]) == 0
    assert main(["score", "--suite", "trust", "other", "--models", "tow"]) == 2
    assert "did you mean 'two'?" in capsys.readouterr().err
    assert main(["score", "--suite", "trust", "nowhere"]) == 2
