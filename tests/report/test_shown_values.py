"""What tables, summaries and bars show: one scale, and chance beside accuracies alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from runs_by_hand import outcomes, write_run

import chef
from chef.document.outline import outline
from chef.metric import METRICS, Coverage, Estimate
from chef.report.page.figures import figures_table
from chef.run.session import Progress, ProgressBar, ProgressCounter
from chef.scoring.result import RunResult
from chef.types import Prediction, Status


def report(metrics: Mapping[str, Estimate], **more: object) -> RunResult:
    run = Path("results/tiny/Shapes/ppl-today")
    coverage = Coverage(total=9, scored=9)
    primary = next(iter(metrics))
    return RunResult(
        recipe="ppl", scenario="Shapes", model="tiny", file=run / "results.json",
        metrics=metrics, primary=primary, coverage=coverage, **more,
    )  # fmt: skip


def cells(shown: str) -> dict[str, dict[str, str]]:
    """The table: the cells by metric and header."""
    lines = [
        [cell.strip() for cell in line.split("│")[1:-1]]
        for line in shown.splitlines()
        if "│" in line
    ]
    return {line[1]: dict(zip(lines[0], line, strict=True)) for line in lines[1:]}


@pytest.mark.parametrize("unit", ["%", "0-1", "0-100"])
def test_every_share_is_shown_in_percent(unit: str) -> None:
    size = 1 if unit == "0-1" else 100
    item = Estimate(0.996 * size, 9, 0.003 * size, 0.986 * size, 0.999 * size, unit)
    (line,) = cells(str(report({"Accuracy": item}))).values()
    assert (line["value"], line["95% interval"]) == ("99.6%", "[98.6, 99.9]")
    assert "std. error" not in line  # it stays in results.json
    assert "Accuracy 99.6% [98.6, 99.9]" in repr(report({"Accuracy": item}))
    assert report({"Accuracy": item}).value == 0.996 * size  # in Python its own unit


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (0.354, "count", "0.354 count"),
        (12.0, "count", "12 count"),
        (1650.25, "points", "1650.2 points"),
        (96.42, "0-1000", "96.4 of 1000"),
        (3.5, "pixel", "3.500 pixel"),
        (3.5, "", "3.500"),
        (None, "count", "-"),
    ],
)
def test_other_values_keep_their_unit(value: float | None, unit: str, shown: str) -> None:
    (line,) = cells(str(report({"it": Estimate(value, 9, unit=unit)}))).values()
    assert line["value"] == shown


#: What guessing one option scores, by the definition of each figure.
GUESSED = {
    "Accuracy": {"ACC"},
    "VQA": {"ACC"},
    "ScienceQA_Calibration": {"ACC"},  # not ECE
    "MMBenchVQA": {"vanilla_acc"},  # circular_acc needs every rotation
    "MMBench_Calibration": {"vanilla_acc"},
    "POPE_Metric": {"Accuracy"},
    "YesNo": {"Accuracy"},
    "HallusionBench": {"aAcc"},  # figures and questions have several rows
    "AMBER": {"Avg ACC", "Accuracy", "Attribute", "Existence", "Relation"},
    "OCRBench": set(),
    "Winoground_Metric": set(),  # a group is right by chance in 1 of 6 cases
    "Winoground_Cap_Metric": set(),
    "MMMU_Metric": set(),  # some questions are open
    "Ch3Ef_Metric": set(),  # an abstention is always accepted
    "LAMM_VQA": {"vision_acc"},
    "Instruct_Follow": {"score"},
    "Counting": {"ACC"},
    "Caption": {"ACC"},
    "Detection": {"grounding_acc"},  # of scored turns alone; mAP is of boxes
    "LAMM_Detection": set(),
    "LAMM_Caption": set(),
    "InsideBbox": set(),
    "InsideHumanBbox": set(),
    "SVT_OCR": set(),
}


@pytest.mark.parametrize("upstream", [False, True])
@pytest.mark.parametrize("name", GUESSED)
def test_the_figures_that_chance_belongs_to(name: str, upstream: bool) -> None:
    assert set(METRICS.get(name, upstream=upstream)().chance_for) == GUESSED[name]


def test_chance_of_turns_and_of_pairs() -> None:
    scored = METRICS.get("Detection")(inference_type="ppl")
    assert set(scored.chance_for) == {"grounding_acc", "classification_acc"}
    mme = METRICS.get("MMEVQA")().chance_for
    assert {"overall", "color", "OCR", "code_reasoning"} <= set(mme)
    assert not {"perception", "cognition"} & set(mme)
    assert not any(key.endswith("_plus") for key in mme)


def test_several_right_options_make_guessing_easier(tmp_path: Path) -> None:
    """The run, its groups and its page say what guessing scores on the questions it asked."""
    fields = {"options": list("abcd"), "choices": list("abcd")}
    samples = {
        f"q{place}": {**fields, "category": "one" if place < 2 else "more", "gt_choice": right}
        for place, right in enumerate([0, 1, [0, 1], [0, 2, 3]])
    }
    run = write_run(tmp_path, outcomes("RRRR"), samples=samples)
    scored = chef.score(run)
    assert scored.chance == {"ACC": pytest.approx((1 / 4 + 1 / 4 + 2 / 4 + 3 / 4) / 4)}
    groups = scored.by["category"]
    assert (groups["one"].random_accuracy, groups["more"].random_accuracy) == (1 / 4, 5 / 8)
    assert [row[4] for row in figures_table(scored).rows] == ["43.8%", ""]


def test_chance_stands_beside_its_figures_alone() -> None:
    metrics = {
        "CIDEr": Estimate(90.0, 9, unit="0-1000"),
        "ACC": Estimate(90.0, 9, unit="%"),
        "match_ratio": Estimate(90.0, 9, unit="%"),
    }
    shown = cells(str(report(metrics, random_accuracy=0.25, chance_for=["ACC"])))
    assert {key: line["chance"] for key, line in shown.items()} == {
        "CIDEr": "", "ACC": "25.0%", "match_ratio": "",
    }  # fmt: skip
    unknown = report(metrics, chance_for=["ACC"])
    assert not any(line["chance"] for line in cells(str(unknown)).values())
    assert unknown.chance == {}


@pytest.mark.parametrize(
    ("results", "shown"), [([1, 0, 0.5], "score 50.0%"), ([1, 0, 7.5], "score 2.833")]
)
def test_the_bar_shows_percent_where_scores_are_shares(
    results: list[float], shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    class Says(METRICS.get("Accuracy")):  # type: ignore[misc]
        def score_sample(self, record: dict[str, float]) -> dict[str, float]:
            return {"metric_result": record["answer"]}

    states: list[Progress] = []
    counter = ProgressCounter("it", ["0", "1", "2"], {}, metric=Says(), on_progress=states.append)
    with ProgressBar("it", 3, 0) as bar:
        for place, result in enumerate(results):
            counter.update(Prediction(str(place), Status.OK, answer=result))
            bar.update(states[-1])
    assert shown in capsys.readouterr().err
    assert states[-1].score == pytest.approx(sum(results) / 3)


def test_names_that_are_alike_at_both_ends_keep_what_differs() -> None:
    runs = [f"results/a-long-model/Shapes/ppl-{one}-20260101-with-more" for one in "ab"]
    shown = outline(
        ("run", *runs, "95% interval", "n"), [(one, "1.0", "2.0", "[0, 1]", "9") for one in runs],
        70, names=1,
    ).splitlines()  # fmt: skip
    assert max(map(len, shown)) <= 70
    first, second = (line.split("│")[1].strip() for line in shown[3:5])
    assert "pl-a" in first
    assert "pl-b" in second
    heads = [cell.strip() for cell in shown[1].split("│")[2:4]]
    assert heads[0] != heads[1]
    assert [len({line.index("│", 1) for line in shown[1:2] + shown[3:5]})] == [1]
