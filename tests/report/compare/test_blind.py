"""Comparisons against numbers worked out elsewhere; written from the page, not from the code."""

from __future__ import annotations

import json
from itertools import product
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest
from report.compare.by_hand import json_of, refused, two
from runs_by_hand import outcomes, prediction, write_run
from statsmodels.stats.multitest import multipletests

import chef
from chef.cli import main
from chef.errors import ChefError
from chef.types import Prediction, Status

COUNTING = {"metric_type": "Counting"}


def in_table(both: int, first: int, second: int, neither: int) -> tuple[str, str]:
    """The outcomes of two runs with these cells of McNemar's table."""
    return (
        "R" * both + "R" * first + "W" * second + "W" * neither,
        "R" * both + "W" * first + "R" * second + "W" * neither,
    )


def exact(first: int, second: int) -> float:
    """McNemar's exact p-value: both tails of a fair coin."""
    few, all_of_them = min(first, second), first + second
    return min(1.0, 2 * sum(comb(all_of_them, k) for k in range(few + 1)) / 2**all_of_them)


def counted(folder: Path, model: str, answers: list[int | str], truths: list[int]) -> Path:
    """A run that counts objects."""
    lines = [
        Prediction(
            f"q{place}", Status.OK, str(answer),
            sample={"id": f"q{place}", "question": f"How many? {place}", "gt_answers": str(truth)},
        )
        for place, (answer, truth) in enumerate(zip(answers, truths, strict=True))
    ]  # fmt: skip
    return write_run(folder, {}, model=model, metric=COUNTING, also=lines)


@pytest.mark.parametrize(
    ("cells", "p_value"),
    [
        ((30, 12, 3, 15), 1152 / 32768),
        ((10, 5, 0, 5), 2 / 32),
        ((10, 6, 0, 4), 2 / 64),
        ((10, 4, 4, 2), 1.0),
        ((5, 0, 0, 5), 1.0),
        ((3, 1, 9, 7), 22 / 1024),
    ],
)
def test_right_and_wrong(tmp_path, capsys, cells, p_value):
    found = json_of(capsys, *two(tmp_path, *in_table(*cells)))
    (pair,) = found["pairs"]
    names = ("both", "first_only", "second_only", "neither")
    assert tuple(pair["mcnemar"][name] for name in names) == cells
    assert pair["mcnemar"]["p_value"] == pytest.approx(p_value)
    accuracy = pair["differences"]["ACC"]
    assert accuracy["p_value"] == pytest.approx(p_value)
    count, (both, first, second, _) = sum(cells), cells
    assert pair["samples"] == count
    assert accuracy["first"]["value"] == pytest.approx(100 * (both + first) / count)
    assert accuracy["second"]["value"] == pytest.approx(100 * (both + second) / count)
    mean = (second - first) / count
    assert accuracy["difference"]["value"] == pytest.approx(100 * mean)
    if first or second:
        spread = sqrt(((first + second) / count - mean**2) / (count - 1))
        assert accuracy["difference"]["stderr"] == pytest.approx(100 * spread)
    else:  # the rule of three
        bound = 100 * (1 - 0.05 ** (1 / count))
        assert accuracy["difference"]["low"] == pytest.approx(-bound)
        assert accuracy["difference"]["high"] == pytest.approx(bound)
    assert len(pair["lost"]) == first
    assert len(pair["gained"]) == second


def test_which_answers_changed(tmp_path, capsys):
    runs = two(tmp_path, "RRWWRUURE", "RWRWUURER")
    file = tmp_path / "flips.jsonl"
    (pair,) = json_of(capsys, *runs, "--flips", file)["pairs"]
    assert pair["gained"] == ["q2", "q6"]
    assert pair["lost"] == ["q1", "q4"]  # an answer that cannot be read is not right
    assert pair["samples"] == 7  # one failed in each
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert sorted(line["id"] for line in lines) == ["q1", "q2", "q4", "q6"]


def test_the_other_way_round(tmp_path, capsys):
    first, second = two(tmp_path, *in_table(20, 9, 2, 9))
    (there,) = json_of(capsys, first, second)["pairs"]
    (back,) = json_of(capsys, second, first)["pairs"]
    one, other = (pair["differences"]["ACC"] for pair in (there, back))
    assert one["difference"]["value"] == -other["difference"]["value"]
    assert one["p_value"] == other["p_value"]
    assert one["difference"]["stderr"] == pytest.approx(other["difference"]["stderr"])
    assert there["gained"] == back["lost"]
    assert there["lost"] == back["gained"]
    # of bootstraps with other draws
    assert one["difference"]["low"] == pytest.approx(-other["difference"]["high"], abs=2.5)


@pytest.mark.parametrize(
    "runs",
    [
        ["RRRRRRRRRRRR", "RRRRRRWWWWWW", "WWWWWWWWWWWW"],
        ["RRRRRRRRRRWW", "RRRRRWWWWWWW", "RRRRRRRRRWRW", "WWWRWWWWWWWW"],
    ],
)
def test_several_runs_are_told_jointly(tmp_path, capsys, runs):
    folders = [
        write_run(tmp_path, outcomes(run), model=model)
        for model, run in zip("abcd", runs, strict=False)
    ]
    pairs = json_of(capsys, *folders)["pairs"]
    assert len(pairs) == len(runs) * (len(runs) - 1) // 2
    for pair in pairs:
        one, other = runs["abcd".index(pair["first"])], runs["abcd".index(pair["second"])]
        lost = sum(a == "R" and b == "W" for a, b in zip(one, other, strict=True))
        gained = sum(a == "W" and b == "R" for a, b in zip(one, other, strict=True))
        assert pair["differences"]["ACC"]["p_value"] == pytest.approx(exact(lost, gained))
    raw = [pair["differences"]["ACC"]["p_value"] for pair in pairs]
    most = multipletests(raw, method="bonferroni")[1]
    for pair, alone, bound in zip(pairs, raw, most, strict=True):
        joint = pair["joint"]
        assert alone - 1e-12 <= joint["p_value"] <= bound + 1e-12
        is_without_zero = not joint["difference"]["low"] <= 0 <= joint["difference"]["high"]
        assert is_without_zero == (joint["p_value"] <= 0.05)
        assert is_without_zero == ("No difference" not in pair["verdict"])


def test_by_category(tmp_path, capsys):
    samples = {f"q{place}": {"category": "xy"[place % 2]} for place in range(12)}
    one, other = "RWRWRWRWRWRW", "WWWRWRRRRWRR"
    runs = two(tmp_path, one, other, samples=samples)
    (pair,) = json_of(capsys, *runs, "--by", "category")["pairs"]
    groups = pair["by"]["category"]
    for place, name in enumerate("xy"):
        a = np.array([letter == "R" for letter in one[place::2]], float)
        b = np.array([letter == "R" for letter in other[place::2]], float)
        found = groups[name]
        assert found["difference"]["value"] == pytest.approx(100 * float((b - a).mean()))
        assert found["difference"]["n"] == 6
        spread = float((b - a).std(ddof=1)) / sqrt(6)
        assert found["difference"]["stderr"] == pytest.approx(100 * spread)


def test_six_questions_on_an_image(tmp_path, capsys):
    one = "RRRRRR" + "RRRRWW" + "RWRWRW" + "WWWWWW" + "RRRRRR" + "RRRWWW" + "RRRRRR" + "WWWWWR"
    other = "WWWWWW" + "RRRWWW" + "RWRWRW" + "RWWWWW" + "WWWRRR" + "RRRWWW" + "WWWWRR" + "WWWWWW"

    def run(model: str, text: str) -> Path:
        pictures = {f"q{place}": {"image_path": f"{place // 6}.png"} for place in range(len(text))}
        return write_run(tmp_path, outcomes(text), model=model, samples=pictures)

    runs = run("a", one), run("b", other)
    (pair,) = json_of(capsys, *runs)["pairs"]
    # Eight images stand beside the 48 questions of each run.
    head, *_, last = (row for row in chef.compare(*runs).table().splitlines()[:5] if "│" in row)
    shown = dict(
        zip(*([cell.strip() for cell in row.split("│")] for row in (head, last)), strict=True)
    )
    assert (shown["n"], shown["clusters"]) == ("48", "8")
    found = pair["differences"]["ACC"]
    scores = np.array([(b == "R") - (a == "R") for a, b in zip(one, other, strict=True)], float)
    sums = scores.reshape(8, 6).sum(axis=1)
    mean = sums.sum() / 48
    assert found["difference"]["value"] == pytest.approx(100 * mean)
    spread = sqrt(sum((sums - 6 * mean) ** 2 / (1 - 6 / 48))) / 48
    assert found["difference"]["stderr"] == pytest.approx(100 * spread)
    changed = sums[sums != 0]
    flipped = [abs(np.dot(signs, changed)) for signs in product([1, -1], repeat=len(changed))]
    p_value = float(np.mean(np.array(flipped) >= abs(sums.sum())))
    assert found["p_value"] == pytest.approx(p_value)
    lost, gained = int((scores < 0).sum()), int((scores > 0).sum())
    # McNemar's test takes questions as independent, and would be far too sure of itself.
    assert (pair["mcnemar"]["first_only"], pair["mcnemar"]["second_only"]) == (lost, gained)
    assert pair["mcnemar"]["p_value"] is None
    assert exact(lost, gained) < p_value


def test_errors_of_counts_are_better_when_lower(tmp_path, capsys):
    truths = [3, 5, 2, 8, 4, 6, 1, 7]
    one, other = [4, 5, 4, 5, 4, 9, 1, 5], [3, 6, 2, 8, 4, 6, 1, 8]
    runs = counted(tmp_path, "a", one, truths), counted(tmp_path, "b", other, truths)
    (pair,) = json_of(capsys, *runs)["pairs"]
    errors_a, errors_b = (np.abs(np.array(run) - truths) for run in (one, other))
    found = pair["differences"]["MAE"]
    assert found["first"]["value"] == pytest.approx(errors_a.mean())
    assert found["second"]["value"] == pytest.approx(errors_b.mean())
    assert found["difference"]["value"] == pytest.approx((errors_b - errors_a).mean())
    spread = (errors_b - errors_a).std(ddof=1) / sqrt(8)
    assert found["difference"]["stderr"] == pytest.approx(spread)
    assert found["difference"]["higher_is_better"] is False
    exactly = pair["differences"]["ACC"]
    assert exactly["difference"]["value"] == pytest.approx(100 * (6 - 3) / 8)


def test_a_mean_of_some_samples_is_no_mean_of_all(tmp_path, capsys):
    """The error is the mean over answers with a number, others in each run: by half-samples."""
    truths = [3, 5, 2, 8, 4, 6, 1, 7]
    runs = (
        counted(tmp_path, "a", ["many", 5, 4, 5, 4, 9, 1, 5], truths),
        counted(tmp_path, "b", [3, 6, 2, "many", 4, 6, 1, 8], truths),
    )
    (pair,) = json_of(capsys, *runs)["pairs"]
    found = pair["differences"]["MAE"]
    assert found["difference"]["value"] == pytest.approx(2 / 7 - 10 / 7)
    assert found["difference"]["method"] == "half-samples"
    assert found["difference"]["low"] < found["difference"]["value"] < found["difference"]["high"]


def test_fail_if_worse_at_its_edges(tmp_path, capsys):
    first, second = two(tmp_path, *in_table(60, 25, 5, 10))
    (pair,) = json_of(capsys, first, second)["pairs"]
    high = pair["differences"]["ACC"]["difference"]["high"]
    assert high < 0

    def code(*words: object) -> int:
        found = main(["compare", *map(str, words)])
        capsys.readouterr()
        return found

    assert code(first, second, "--fail-if-worse", 0) == 4
    assert code(first, second, "--fail-if-worse", -high - 0.01) == 4
    assert code(first, second, "--fail-if-worse", -high + 0.01) == 0
    assert code(second, first, "--fail-if-worse", 0) == 0
    assert code(first, first, "--fail-if-worse", 0) == 0
    for wrong in ("-1", "nan", "inf"):
        assert code(first, second, f"--fail-if-worse={wrong}") == 2


def test_fewer_scores_are_no_pass(tmp_path, capsys):
    first, second = two(tmp_path, "RRWWRR", "RRRRRE")
    assert main(["compare", str(first), str(second), "--fail-if-worse", "50"]) == 1
    capsys.readouterr()
    assert main(["compare", str(second), str(first), "--fail-if-worse", "99"]) == 0


def test_order_of_lines_and_second_answers(tmp_path, capsys):
    first = write_run(tmp_path, outcomes("RWRWRW"), model="a")
    lines = [prediction(f"q{place}", letter) for place, letter in enumerate("RRRWWW")]
    again = write_run(
        tmp_path,
        {},
        model="b",
        also=[prediction("q3", "R"), *reversed(lines), prediction("q0", "W")],
    )
    (pair,) = json_of(capsys, first, again)["pairs"]
    assert pair["gained"] == ["q1"]
    assert pair["lost"] == ["q0", "q4"]


def test_questions_without_truth_are_left_out(tmp_path, capsys):
    nothing = {"gt_answers": None, "gt_choice": None}
    first = write_run(tmp_path, outcomes("RRWW"), model="a", samples={"q1": nothing})
    second = write_run(tmp_path, outcomes("RWRW"), model="b", samples={"q1": nothing})
    (pair,) = json_of(capsys, first, second)["pairs"]
    assert pair["samples"] == 3
    assert pair["gained"] == ["q2"]
    assert pair["lost"] == []


@pytest.mark.parametrize("size", [1, 2])
def test_hardly_any_sample(tmp_path, capsys, size):
    (pair,) = json_of(capsys, *two(tmp_path, "R" * size, "W" * size))["pairs"]
    found = pair["differences"]["ACC"]
    assert found["difference"]["value"] == pytest.approx(-100)
    assert found["p_value"] == pytest.approx(min(1.0, 2 / 2**size))
    low = found["difference"]["low"]
    assert low is None or -100 <= low <= -100 + 1e-9


def test_all_failed(tmp_path, capsys):
    text = refused(capsys, *two(tmp_path, "RRW", "EEE"))
    assert "b" in text


def test_a_file_of_answers(tmp_path, capsys):
    first, second = two(tmp_path, "RRWWR", "RWRRR")
    file = tmp_path / "answers.jsonl"
    file.write_bytes((second / "predictions.jsonl").read_bytes())
    (pair,) = json_of(capsys, first, file, "--metric", "Accuracy")["pairs"]
    assert pair["gained"] == ["q2", "q3"]
    assert pair["lost"] == ["q1"]


def test_from_python(tmp_path):
    first, second = two(tmp_path, *in_table(4, 6, 0, 3))
    found = chef.compare(first, second)
    (pair,) = found.pairs
    assert pair.mcnemar is not None
    assert pair.mcnemar.p_value == pytest.approx(2 / 64)
    assert pair.differences["ACC"].difference.value == pytest.approx(-600 / 13)
    assert "ACC" in str(found)
    with pytest.raises(ChefError):
        chef.compare(first)
