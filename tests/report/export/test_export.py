"""`chef export`: what the files hold, and what is said where it cannot work."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from conftest import ROOT
from pyarrow import parquet

import chef
from chef.cli import main
from chef.cli.looking import KINDS
from chef.common.redaction import remember
from chef.errors import ConfigError, DataError, DependencyError
from chef.report.export.tables import FORMATS, write_csv, write_xlsx
from chef.run.reading import lock

TINY = ROOT / "configs/models/tiny.yaml"
SHAPES = ROOT / "configs/recipes/Shapes"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of 6 samples each."""
    folder = tmp_path_factory.mktemp("runs")
    for recipe in ("ppl", "direct", "yesno_ppl", "caption_direct", "classification_multi_direct"):
        chef.evaluate(TINY, SHAPES / f"{recipe}.yaml", limit=6, save_dir=folder, name="a")
    return folder


@pytest.fixture
def run_of(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """A copy of a run, by its recipe; the current folder is an empty one."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    def copy(recipe: str) -> Path:
        place = tmp_path / "runs" / "tiny" / "Shapes" / f"{recipe}-a"
        return shutil.copytree(made / "tiny" / "Shapes" / f"{recipe}-a", place)

    return copy


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def sheet(path: Path) -> list[dict[str, Any]]:
    head, *rows = openpyxl.load_workbook(path).worksheets[0].iter_rows(values_only=True)
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_a_row_for_each_sample(run_of, capsys) -> None:
    run = run_of("direct")
    assert main(["show", str(run), "--export"]) == 0
    assert capsys.readouterr().out == "tiny_Shapes_direct-a.csv: 6 samples\n"
    with Path("tiny_Shapes_direct-a.csv").open(newline="") as stream:
        rows = {row["id"]: row for row in csv.DictReader(stream)}
    scores = {line["id"]: line for line in lines(run / "scores.jsonl")}
    journal = {line["id"]: line for line in lines(run / "predictions.jsonl")}
    assert rows.keys() == journal.keys()
    for name, row in rows.items():
        sample = journal[name]["sample"]
        assert (row["model"], row["scenario"], row["run"]) == ("tiny", "Shapes", "direct-a")
        assert row["question"] == sample["question"]
        assert row["answer"] == journal[name]["answer"]
        assert json.loads(row["options"]) == sample["choices"]
        assert row["true_option"] == sample["choices"][sample["gt_choice"]]
        assert float(row["score"]) == scores[name]["metric_result"]
        assert row["parsed"] == str(scores[name]["parsed"])
        assert row["category"] == sample["category"]
        assert row["image_digest"] == journal[name]["images"][0]["digest"]
        assert row["status"] == "ok"


def test_every_format_holds_the_same(run_of) -> None:
    run = run_of("ppl")
    frame = chef.load_run(run).to_frame()
    for kind in ("xlsx", "parquet"):
        assert main(["show", str(run), "--output", f"here.{kind}", "--export"]) == 0
    table = parquet.read_table("here.parquet").to_pylist()
    assert [row["options"] for row in table] == list(frame["options"])  # lists stay lists
    for column in ("id", "answer", "score", "parsed", "true_option", "image"):
        expected = list(frame[column])
        assert [row[column] for row in table] == expected
        assert [row[column] for row in sheet(Path("here.xlsx"))] == expected


def test_several_runs_in_one_table(run_of) -> None:
    runs = [run_of("ppl"), run_of("caption_direct")]
    assert main(["show", str(runs[0]), "--export", "csv", str(runs[1]), str(runs[0])]) == 0
    with Path("samples.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["run"] for row in rows] == ["ppl-a"] * 6 + ["caption_direct-a"] * 6


def test_all_turns_of_a_sample(run_of) -> None:
    run = run_of("classification_multi_direct")
    (path,) = chef.export(run, "parquet")
    for row, line in zip(
        parquet.read_table(path).to_pylist(), lines(run / "predictions.jsonl"), strict=True
    ):
        turns = line["scores"]["turn_answer"]
        assert row["question"] == [turn["question"] for turn in turns]
        assert row["answer"] == [turn["answer"] for turn in turns]


def test_an_existing_file_stays(run_of, capsys) -> None:
    run = str(run_of("ppl"))
    Path("mine.csv").write_text("mine")
    assert main(["show", run, "--output", "mine.csv", "--export"]) == 2
    assert "the file exists\n  -> --force" in capsys.readouterr().err
    assert Path("mine.csv").read_text() == "mine"
    assert main(["show", run, "--output", "mine.csv", "--force", "--export"]) == 0
    assert Path("mine.csv").read_text().startswith('"model"')
    assert main(["show", run, "--output", "new/folder/", "--export"]) == 0
    assert [path.name for path in Path("new/folder").iterdir()] == ["tiny_Shapes_ppl-a.csv"]


FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "＝1+1"]


def test_formulas_are_texts(tmp_path: Path) -> None:
    texts = [*FORMULAS, "-5", "+0.5", "a = b", "- no"]
    rows = [{"answer": text} for text in texts]
    write_csv(tmp_path / "a.csv", ["answer"], rows)
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as stream:
        found = [row["answer"] for row in csv.DictReader(stream)]
    assert found == [*(f"'{text}" for text in FORMULAS), "-5", "+0.5", "a = b", "'- no"]
    write_xlsx(tmp_path / "a.xlsx", ["answer"], rows)
    cells = [cell for (cell,) in openpyxl.load_workbook(tmp_path / "a.xlsx").active.iter_rows()]
    assert [cell.value for cell in cells[1:]] == texts  # the texts themselves are kept
    assert {cell.data_type for cell in cells} == {"s"}  # "f" is a formula


def test_what_a_sheet_cannot_hold(tmp_path: Path, caplog) -> None:
    rows = [{"answer": "a\x00b\x0bc\ud800d"}, {"answer": "x" * 40_000}, {"answer": "tab\tline\n"}]
    write_xlsx(tmp_path / "a.xlsx", ["answer"], rows)
    found = [row["answer"] for row in sheet(tmp_path / "a.xlsx")]
    assert found == ["a\ufffdb\ufffdc?d", "x" * 32_767, "tab\tline\n"]
    assert "2 cell(s) were cut to 32767 characters or lost control characters" in caplog.text
    write_csv(tmp_path / "a.csv", ["answer"], rows)


def test_a_missing_package_names_its_extra(run_of, monkeypatch) -> None:
    run = run_of("ppl")
    for kind, package in (("xlsx", "openpyxl"), ("parquet", "pyarrow"), ("vlmevalkit", "openpyxl")):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(DependencyError, match=f"needs {package}") as caught:
            chef.export(run, kind)
        extra = {"openpyxl": "xlsx", "pyarrow": "parquet"}[package]
        assert f"chef-eval[{extra}]" in str(caught.value.hint)
    assert list(Path().iterdir()) == []  # nothing half-written is left


@pytest.mark.parametrize(
    ("kind", "output", "said"),
    [
        ("exel", None, "no format 'exel'\n  -> did you mean 'xlsx'"),
        ("parket", None, "did you mean 'parquet'"),
        ("VLMEval", None, "did you mean 'vlmevalkit'"),
        ("json", None, "the formats are csv, xlsx, parquet, vlmevalkit"),
        ("csv", "a.xlsx", "a file of the format csv ends in .csv"),
        (None, "a.tsv", "no format has the suffix '.tsv'"),
    ],
)
def test_a_wrong_format(run_of, kind: str | None, output: str | None, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        chef.export(run_of("ppl"), kind, output)
    assert said in str(caught.value)


def test_a_wrong_folder(run_of, capsys) -> None:
    run = run_of("ppl")
    runs = f"give the folder of a run: {run}"
    for given, said in (
        (run.with_name("pppl-a"), f"no such folder\n  -> did you mean '{run}'?"),
        (run.parents[1], f"is no run folder: it has no config.yaml\n  -> {runs}"),
        (
            run / "config.yaml",
            f"is a file, not a run folder\n  -> give the folder of the run: {run}",
        ),
    ):
        assert main(["show", str(given), "--export"]) == 2
        assert said in capsys.readouterr().err


def test_a_run_without_answers(run_of) -> None:
    run = run_of("ppl")
    (run / "predictions.jsonl").write_text("")
    with pytest.raises(DataError, match="has no answers yet"):
        chef.export(run)


def test_a_run_that_is_going_on(run_of, caplog) -> None:
    """Its answers so far are there, the new ones without a score; and nothing of it is changed."""
    import os

    run = run_of("ppl")
    journal = (run / "predictions.jsonl").read_text().splitlines(keepends=True)
    (run / "predictions.jsonl").write_text("".join(journal[:4]) + '{"id": "half')
    (run / "scores.jsonl").unlink()
    (run / "results.json").unlink()
    held = lock(run)
    assert held is not None
    try:
        (path,) = chef.export(run, "parquet")
    finally:
        os.close(held)
    rows = parquet.read_table(path).to_pylist()
    assert [row["id"] for row in rows] == [json.loads(line)["id"] for line in journal[:4]]
    assert {row["score"] for row in rows} == {None}
    assert "still running; its 4 answers so far" in caplog.text
    assert (run / "predictions.jsonl").read_text().endswith('{"id": "half')


def test_a_run_that_was_cut_off(run_of, caplog) -> None:
    run = run_of("ppl")
    (run / "results.json").unlink()
    chef.export(run, "csv")
    assert "has no scores yet; its 6 answers are exported" in caplog.text


def test_a_score_of_another_answer_is_not_shown(run_of) -> None:
    run = run_of("direct")
    first, *others = (run / "predictions.jsonl").read_text().splitlines()
    changed = {**json.loads(first), "answer": "another"}
    (run / "predictions.jsonl").write_text("\n".join([json.dumps(changed), *others]) + "\n")
    row = chef.load_run(run).rows[0]
    assert (row["answer"], row["score"], row["parsed"]) == ("another", None, None)
    assert all(row["score"] is not None for row in chef.load_run(run).rows[1:])


def test_a_run_of_an_earlier_version(tmp_path: Path) -> None:
    old = ROOT / "tests/scoring/old_runs/tiny/ScienceQA/default-old"
    (path,) = chef.export(old, "parquet", tmp_path)
    rows = parquet.read_table(path).to_pylist()
    assert len(rows) == 6
    assert rows[0]["id"] == "23"
    assert rows[0]["image"] == "sqaimage_images/sqa_23.png"
    assert rows[0]["score"] in (0.0, 1.0)
    assert rows[0]["chosen_option"] == "1"


def test_the_page(run_of) -> None:
    """Its Python runs, and its table names every column."""
    page = (ROOT / "docs" / "background" / "pages.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    folder = run_of("caption_direct")
    found: dict[str, Any] = {}
    exec(code.replace("results/tiny/Shapes/ppl-first", str(folder)), found)
    scores = lines(folder / "scores.jsonl")
    assert len(found["wrong"]) == sum(line["score"] == 0 for line in scores)
    assert list(Path().glob("*.csv"))
    assert set(found["frame"].columns) <= set(re.findall(r"`([\w-]+)`", page))


def test_the_help_and_the_description(capsys) -> None:
    assert tuple(FORMATS) == KINDS  # the help names them without loading the writers
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "show" in capsys.readouterr().out


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "parquet"])
def test_a_secret_that_is_known_by_now_is_not_exported(
    run_of: Callable[[str], Path], suffix: str
) -> None:
    run = run_of("direct")
    journal = run / "predictions.jsonl"
    journal.write_text(
        journal.read_text().replace('"category":"color"', '"category":"hushT0ken77"')
    )
    remember(["hushT0ken77"])
    (path,) = chef.export(run, suffix)
    if suffix == "xlsx":
        kinds = [row["category"] for row in sheet(path)]
    elif suffix == "parquet":
        kinds = parquet.read_table(path).column("category").to_pylist()
    else:
        kinds = [row["category"] for row in csv.DictReader(path.open())]
    assert "hushT0ken77" not in kinds
    assert any("redacted" in kind for kind in kinds)
