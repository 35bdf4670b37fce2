"""Metrics that have to see all of a run: `chef compare` has the same figures as its scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from runs_by_hand import outcomes, prediction, write_run

import chef
from chef.metric import METRICS
from chef.report.compare.side import FigureScorer
from chef.types import Prediction, Status

LETTERS = "RRRWRRRRWRWWRRRRWWRRRRRRRWRR"
WORSE = "RWRWWRRRWRWWRRWRWWRRWRRRRWRR"
FAILED = "Failed to obtain answer via API."


@pytest.mark.parametrize(("metric", "size"), [("MMVP", 2), ("NaturalBench", 4)])
@pytest.mark.parametrize("compat", ["corrected", "vlmevalkit"])
def test_blocks_by_ids_from_0_are_the_same_in_compare(
    metric: str, size: int, compat: str, tmp_path: Path
) -> None:
    # Without the fields of a block, an id 0 says that blocks are counted from it.
    keys: dict[str, Any] = {
        "metric": {"metric_type": metric},
        "settings": {"recipe_cfg.compat": compat},
    }
    one = write_run(tmp_path, outcomes(WORSE, ""), model="one", **keys)
    two = write_run(tmp_path, outcomes(LETTERS, ""), model="two", **keys)
    found = chef.compare(one, two)
    primary = chef.load_run(two).report.primary
    difference = found.main.differences[primary]
    assert not any("scores a run as a whole" in note for note in found.main.notes)
    blocks = [LETTERS[at : at + size] for at in range(0, len(LETTERS), size)]
    right = sum(block == "R" * size for block in blocks) / len(blocks)
    value = difference.second.value
    assert value == pytest.approx(right if difference.second.unit == "0-1" else 100 * right)
    assert value == chef.load_run(two).report.metrics[primary].value
    assert difference.difference.low is not None
    # Of some of the samples, too, of which none has the id 0.
    some = [str(number) for number in range(size, 3 * size)]
    scorer = FigureScorer(
        METRICS.get(metric)(), [prediction(str(at), one) for at, one in enumerate(LETTERS)]
    )
    assert scorer.part(some)["incomplete_groups"].value == 0
    assert scorer.figures(some)["incomplete_groups"].value == 0


def test_failed_calls_are_answers_in_compare_where_they_are_in_the_scores(tmp_path: Path) -> None:
    def failed(name: str) -> Prediction:
        record = prediction(name, "R").sample
        error = {"type": "RuntimeError", "message": FAILED}
        return Prediction(name, Status.ERROR, sample=record, error=error)

    keys: dict[str, Any] = {
        "metric": {"metric_type": "YesNo"},
        "settings": {"recipe_cfg.compat": "vlmevalkit"},
        "also": [failed("q28"), failed("q29")],
    }
    one = write_run(tmp_path, outcomes(WORSE), model="one", **keys)
    two = write_run(tmp_path, outcomes(LETTERS), model="two", **keys)
    assert chef.load_run(two).report.coverage.scored == 30
    found = chef.compare(one, two).main
    assert found.samples == 30
    report = chef.load_run(two).report
    assert found.differences.keys() == report.metrics.keys()
    for key, item in found.differences.items():
        assert item.second.value == report.metrics[key].value
        assert item.difference.low is not None, key
    metric = METRICS.get("YesNo", compat="vlmevalkit")()
    assert FigureScorer(metric, [failed("a"), prediction("b", "R")]).answers.keys() == {"a", "b"}


def test_figures_and_questions_of_hallusionbench_have_intervals(tmp_path: Path) -> None:
    def of(text: str) -> dict[str, str]:
        names = [f"VD_illusion_0_{at // 4}_{at // 2 % 2}_{at % 2}" for at in range(len(text))]
        return dict(zip(names, text, strict=True))

    metric = {"metric_type": "HallusionBench"}
    one = write_run(tmp_path, of(WORSE), model="one", metric=metric)
    two = write_run(tmp_path, of(LETTERS), model="two", metric=metric)
    found = chef.compare(one, two).main.differences
    for key in ("aAcc", "fAcc", "qAcc"):
        assert found[key].difference.low is not None, key
