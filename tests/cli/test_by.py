"""``--by``: tables of the scores by category, in a run, from its folder and of files of answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import forked
import pytest

import chef
from chef.cli import main

Run = Callable[..., tuple[int, str, str]]

METRIC = """\
from chef.metric import Metric
class Mine(Metric):
    def metric_func(self, answers):
        return {result}
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Twelve questions: colours with four options, shapes with two."""
    lines = ["index\tquestion\tA\tB\tC\tD\tanswer\tcategory\tl2-category"]
    for number in range(12):
        kind, rest = ("color", "blue\tgreen") if number % 3 else ("shape", "\t")
        lines.append(f"{number}\tWhich?\tred\tstar\t{rest}\tA\t{kind}\tall of them")
    file = tmp_path / "kinds.tsv"
    file.write_text("\n".join(lines) + "\n")
    return file


@pytest.fixture
def run(data: Path, model_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs chef on the questions, or any other command."""

    def run(*arguments: object, plugin: str = "", command: str = "eval") -> tuple[int, str, str]:
        recipe = tmp_path / "kinds.yaml"
        if command == "eval":
            metric = f"  metric_cfg: {{metric_type: {'Mine' if plugin else 'basic'}}}\n"
            (tmp_path / "mine.py").write_text(METRIC.replace("{result}", plugin or "1"))
            recipe.write_text(
                f"plugins: [{'mine.py' if plugin else ''}]\n"
                f"scenario_cfg: {{dataset_name: Tsv, path: {data}}}\n"
                f"eval_cfg:\n  inferencer_cfg: {{inferencer_type: PPL}}\n{metric}"
            )
        given = ["--model_cfg", model_file, "--recipe_cfg", recipe, "--save_dir", tmp_path / "r"]
        words = [*given, "--time", "t", *arguments] if command == "eval" else arguments
        capsys.readouterr()
        code = main([command, *map(str, words)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def folder(tmp_path: Path) -> Path:
    return tmp_path / "r" / "hashing" / "kinds" / "kinds-t"


def rows(out: str, title: str) -> dict[str, list[str]]:
    """The lines of the table with this title, by their first cell."""
    table = out.partition(title)[2].partition("└")[0]
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in table.splitlines()]
    return {line[0]: line[1:] for line in cells if line}


def test_a_table_in_a_run(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("--by", "category", "l2-category")
    assert code == 0
    table = rows(out, "kinds/kinds by category: ACC")
    assert list(table) == ["category", "color", "shape", "all"]
    report = chef.load_run(folder(tmp_path)).report
    color, shape = report.by["category"]["color"], report.by["category"]["shape"]
    assert (color.n, shape.n) == (8, 4)
    assert table["color"][0] == f"{color.metrics['ACC'].value:.1f}%"
    assert table["color"][2:] == ["8", "25.0%", "100.0%"]
    # Two of four options: another chance than that of the whole, (8 / 4 + 4 / 2) / 12.
    assert table["shape"][2:] == ["4", "50.0%", "100.0%"]
    assert table["all"][2:] == ["12", "33.3%", "100.0%"]
    low, high = color.metrics["ACC"].low, color.metrics["ACC"].high
    assert table["color"][1] == f"[{low:.1f}, {high:.1f}]"
    right = color.metrics["ACC"].value * 8 + shape.metrics["ACC"].value * 4
    assert right == pytest.approx(report.metrics["ACC"].value * 12)
    assert list(rows(out, "kinds/kinds by l2-category: ACC"))[1:] == ["all of them", "all"]
    stored = json.loads((folder(tmp_path) / "results.json").read_text())["by"]
    assert {field: list(groups) for field, groups in stored.items()} == {
        "category": ["color", "shape"], "l2-category": ["all of them"],
        "split,l2-category,category": [
            "(none) × all of them × color", "(none) × all of them × shape",
        ],
    }  # fmt: skip


def test_an_override_after_it(run: Run) -> None:
    code, out, _ = run("--by", "category", "scenario_cfg.category=shape")
    assert code == 0
    assert list(rows(out, "by category: ACC")) == ["category", "shape", "all"]


def test_an_unknown_field_is_refused_before_anything_is_asked(run: Run, tmp_path: Path) -> None:
    for more in ((), ("--dry-run",)):
        code, _, err = run("--by", "categroy", *more)
        assert code == 2
        assert "the samples have no field 'categroy' to group by" in err
        assert "did you mean 'category'? kinds/kinds has category, l2-category" in err
        assert not folder(tmp_path).exists()


def test_a_column_that_is_not_kept_says_how(
    tmp_path: Path, model_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("id,question,A,B,answer,level\n1,q,yes,no,A,easy\n2,q,yes,no,B,hard\n")
    asked = [
        "eval",
        str(model_file),
        str(table),
        "--save_dir",
        str(tmp_path / "r"),
        "--by",
        "level",
    ]
    assert main(asked) == 2
    assert "scenario_cfg.keep=[level] makes it a field" in capsys.readouterr().err
    assert main([*asked, "scenario_cfg.keep=[level]"]) == 0


def test_a_field_that_no_sample_has(run: Run) -> None:
    """Some scenarios have it, so only the samples tell."""
    code, out, err = run("--by", "split")
    assert code == 2
    assert "ACC" in out  # the results are shown
    assert "no field 'split'" in err
    assert "kinds/kinds has category, l2-category" in err


def test_scoring_again(run: Run, tmp_path: Path) -> None:
    run()
    before = (folder(tmp_path) / "results.json").read_bytes()
    code, out, _ = run(folder(tmp_path), "--by", "category", command="score")
    assert code == 0
    assert list(rows(out, "by category: ACC")) == ["category", "color", "shape", "all"]
    assert (folder(tmp_path) / "results.json").read_bytes() == before
    other = run("--by", "category", folder(tmp_path), command="score")
    assert other[:2] == (code, out)  # in this order too
    code, _, err = run(folder(tmp_path), "--by", "colour", command="score")
    assert code == 2
    assert "kinds/kinds has category, l2-category" in err
    code, _, err = run("--by", "category", command="score")
    assert code == 2
    assert "error: RUN_DIR is missing\n  -> for example: chef score" in err
    assert err.endswith("--by category\n")


def test_answers_of_vlmevalkit_and_of_chef(run: Run, data: Path, tmp_path: Path) -> None:
    header, *lines = data.read_text().splitlines()
    table = tmp_path / "model_kinds.tsv"
    said = [f"{line}\t{'A' if number < 6 else 'B'}" for number, line in enumerate(lines)]
    table.write_text("\n".join([f"{header}\tprediction", *said]) + "\n")
    code, out, _ = run(table, "--metric", "Accuracy", "--by", "category", command="score")
    assert code == 0
    # 0, 3 of the shapes 0, 3, 6, 9; 1, 2, 4, 5 of eight colours
    assert rows(out, "by category: ACC")["shape"][0] == "50.0%"
    assert rows(out, "by category: ACC")["color"][0] == "50.0%"
    records = [
        {
            "id": f"{task}-{number}",
            "answer": "yes" if task == "OCR" else "no",
            "gt_answers": "yes",
            "image_path": f"{number // 2}.jpg",
            "task_type": task,
        }
        for task in ("OCR", "color")
        for number in range(4)
    ]
    own = tmp_path / "MME.json"
    own.write_text(json.dumps(records))
    code, out, _ = run(own, "--metric", "MMEVQA", "--by", "task_type", command="score")
    assert code == 0
    assert [rows(out, "by task_type: overall")[name][0] for name in ("OCR", "color")] == [
        "100.0%", "0.0%",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ("{}", "an empty dict"),
        ("{'ACC': 'high'}", "no number: {'ACC': 'high'}"),
        ("None", "no number: None"),
    ],
)
def test_a_metric_without_a_number(run: Run, tmp_path: Path, returned: str, told: str) -> None:
    code, out, err = run(plugin=returned)
    assert code == 3
    assert "│" not in out  # no empty table
    assert "mine.py:3, in metric_func: the metric Mine failed: " in err
    assert f"metric_func returned {told}" in err
    assert "return a number, or a dict of numbers by name" in err
    journal = (folder(tmp_path) / "predictions.jsonl").read_bytes()
    assert journal.count(b"\n") == 12
    assert run(folder(tmp_path), command="score")[0] == 3
    (tmp_path / "mine.py").write_text(METRIC.replace("{result}", "{'ACC': 50}"))
    # Mended: scored again, and nothing is asked. In a process of its own, which reads it anew.
    again = ["score", folder(tmp_path), "--recipe_cfg", tmp_path / "kinds.yaml"]
    command = [sys.executable, "-m", "chef", *map(str, again)]
    done = forked.run(command)
    assert done.returncode == 0, done.stderr
    assert "50.000" in done.stdout
    assert (folder(tmp_path) / "predictions.jsonl").read_bytes() == journal


def test_a_metric_that_can_score_nothing(run: Run, tmp_path: Path) -> None:
    run()
    before = sorted(folder(tmp_path).iterdir())
    code, out, err = run(folder(tmp_path), "--metric", "Detection", command="score")
    assert code == 3
    assert "│" not in out
    assert "the metric Detection can score none of the 12 answers: " in err
    assert "boxes in gt_answers" in err
    assert sorted(folder(tmp_path).iterdir()) == before


def test_a_crossing_has_a_column_for_each_field(tmp_path, capsys) -> None:
    lines = ["index\tquestion\tA\tB\tanswer\tsplit\tcategory\tprediction"]
    for number in range(8):
        split, kind = ("dev", "test")[number % 2], ("ocr × text", "math")[number // 4]
        lines.append(f"{number}\tWhich?\tx\ty\tA\t{split}\t{kind}\t{'AB'[number == 3]}")
    file = tmp_path / "model_Mine.tsv"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    command = ["score", str(file), "--metric", "Accuracy", "--by"]
    assert main([*command, "split,l2-category,category"]) == 0
    table = capsys.readouterr().out.partition("by split,l2-category,category: ACC")[2]
    rows = [line.strip("│ ").split("│") for line in table.splitlines() if "│" in line]
    shown = [[cell.strip() for cell in row][:5] for row in rows]
    assert shown == [
        ["split", "category", "value", "95% interval", "n"],  # no sample has an l2-category
        ["dev", "math", "100.0%", "[34.2, 100.0]", "2"],
        ["dev", "ocr × text", "100.0%", "[34.2, 100.0]", "2"],
        ["test", "math", "100.0%", "[34.2, 100.0]", "2"],
        ["test", "ocr × text", "50.0%", "[9.5, 90.5]", "2"],
        ["all", "", "87.5%", shown[-1][3], "8"],
    ]
    assert main([*command, "split,category"]) == 2
    assert "did you mean 'split,l2-category,category'?" in capsys.readouterr().err
