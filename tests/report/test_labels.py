"""Sheets for people, and runs that are scored by their labels."""

import csv
from pathlib import Path

import pytest
from runs_by_hand import outcomes, write_run

from chef.cli import main
from chef.errors import ConfigError, DataError
from chef.report.labels.result import draw_sheet, labelled, read_labels


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path, outcomes("R" * 30 + "W" * 10))


def filled(run: Path, file: Path, *, number: int = 20, wrong: int = 3) -> Path:
    """A sheet in which a person finds some of the answers that count as right to be wrong."""
    draw_sheet(run, file, number)
    rows = list(csv.DictReader(file.open()))
    for row in rows:
        is_right = row["answer"] == "yes" and wrong <= 0
        wrong -= row["answer"] == "yes"
        row["label"] = "Right" if is_right else "wrong"
    with file.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return file


def test_a_sheet_is_drawn_at_random_and_never_overwritten(run: Path, tmp_path: Path) -> None:
    short, long = tmp_path / "short.csv", tmp_path / "long.csv"
    assert (draw_sheet(run, short, 10), draw_sheet(run, long, 99)) == (10, 40)
    ids = [[row["id"] for row in csv.DictReader(file.open())] for file in (short, long)]
    assert ids[1][:10] == ids[0]
    assert ids[0] != sorted(ids[0])
    assert "one" not in short.read_text().split()  # the model
    with pytest.raises(ConfigError, match="is there"):
        draw_sheet(run, short, 10)


def test_labels_make_the_score_right(run: Path, tmp_path: Path) -> None:
    found = labelled(run, filled(run, tmp_path / "sheet.csv"))
    assert found.number == 20
    right = found.rectified.labels.value
    assert found.rectified.estimate.value < 0.75  # the run's own
    assert found.rectified.estimate.low <= right <= found.rectified.estimate.high
    assert found.agreement[0].percent == pytest.approx(85.0)
    text = found.section().note
    assert "85%" in text
    assert "A label counts for" in text


def test_labels_of_several_people_are_averaged(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("id,label,person\nq0,right,A\nq0,no,B\nq1,0.25,A\nq2,,A\n")
    assert read_labels(file) == {"q0": 0.5, "q1": 0.25}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("id,label\nq0,maybe\n", "line 2: the label 'maybe'"),
        ("name,label\nq0,right\n", "columns 'id' and 'label'"),
        ("id,label\nq0,right\n", "1 samples have a label"),
        ("id,label\nzebra,right\n", "'zebra' is no scored sample"),
    ],
)
def test_wrong_sheets_are_told(run: Path, tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "sheet.csv").write_text(text)
    with pytest.raises(DataError) as error:
        labelled(run, tmp_path / "sheet.csv")
    assert what in str(error.value)


def test_on_the_command_line(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "sheet.csv"
    assert main(["score", str(run), "--draw", "12", "--labels", str(sheet)]) == 0
    assert "12 samples drawn" in capsys.readouterr().out
    assert main(["score", str(run), "--labels", str(filled(run, tmp_path / "full.csv"))]) == 0
    assert "rectified" in capsys.readouterr().out
    assert main(["score", str(run), "--draw", "12"]) == 2
    assert "--labels labels.csv" in capsys.readouterr().err
    assert main(["score", str(run), "--labels", str(sheet), "--by", "category"]) == 2
