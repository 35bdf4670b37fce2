"""The score sheet of MMTrustEval as a suite that is asked."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from mmtrusteval_data import write_mmtrusteval

from chef.cli import main
from chef.suite.formula import figures
from chef.suite.members.file import read_suite
from chef.suite.trust.scores import sheet
from chef.suite.trust.sheets import trust_sheet


def test_its_members_are_the_data_sets_of_the_sheet() -> None:
    suite = read_suite("trust")
    wanted = {item.dataset for sub in sheet() for _, task in sub.tasks
              for item in figures(task.formula)}  # fmt: skip
    assert {*suite.members} == wanted
    assert suite.members["confaide-text"].recipe == "privacy/p3-infoflow"


def test_what_is_there_is_asked_and_the_rest_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a part of the data: those members are runs, and the sheet is that of their folders."""
    data, results = tmp_path / "data", tmp_path / "results"
    write_mmtrusteval(data)
    for folder in data.iterdir():
        if folder.name != "truthfulness":
            shutil.rmtree(folder)
    for name in ("query_advanced", "query_instruction", "query_misleading", "query_text"):
        shutil.rmtree(data / "truthfulness" / name)
    words = ["eval", "tiny", "trust", "--data_root", str(data), "--save_dir", str(results)]
    assert main([*words, "--device", "cpu", "--limit", "2"]) == 1
    shown = capsys.readouterr().out
    assert "trustworthiness: tiny" in shown
    assert "the total is withheld" in shown
    assert "missing:" in shown
    stored = json.loads((results / "suites" / "trust" / "tiny.json").read_text())
    done = {name for name, one in stored["members"].items() if one["folder"]}
    assert "d-basic-attribute" in done
    assert "confaide-text" not in done
    assert stored["members"]["confaide-text"]["why"]
    assert stored["sheet"] == trust_sheet(results / "tiny").to_json()
