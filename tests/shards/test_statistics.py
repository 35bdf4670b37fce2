"""Statistics of shards: those of all answers, of groups too, in any partition."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.errors import DataError
from chef.metric import Metric
from chef.metric.vqa.accuracy import Accuracy
from chef.metric.vqa.calibration import MMBenchCalibration
from chef.shards.statistics import ShardStatistics, cluster_name, merged, statistics_of
from chef.stats.clusters import DIGESTS
from chef.types import Prediction, Status

FIELDS = {"category": "category", "level": "level"}


def answers(number: int) -> list[Prediction]:
    """Answers about images, of which some failed, some cannot be read and some have no truth."""
    draw = random.Random(number)
    made = []
    for place in range(number):
        sample: dict[str, Any] = {"options": ["cat", "dog"], "gt_choice": draw.randrange(2)}
        if place % 7:
            sample["category"] = draw.choice(["cats", "dogs", "birds"])
        if draw.random() < 0.1:
            del sample["gt_choice"]
        bad = draw.random() < 0.1
        made.append(
            Prediction(
                f"s{place}",
                Status.ERROR if bad else Status.OK,
                answer=None if bad else draw.choice(["cat", "dog", "neither of them"]),
                sample=sample,
                images=[{"digest": f"image {place // 3}"}],
                error={"type": "SampleError", "message": "made bad"} if bad else None,
            )
        )
    return made


def of(items: list[Prediction], metric: Metric | None = None) -> ShardStatistics:
    metric = metric or Accuracy()
    report = metric.evaluate(items, groupings=FIELDS)
    return statistics_of(metric, "Accuracy", report, items, FIELDS, seed=3)


@given(st.integers(1, 40), st.randoms(use_true_random=False), st.integers(1, 5))
@settings(max_examples=25, deadline=None)
def test_any_partition_tells_what_all_answers_do(
    number: int, draw: random.Random, shards: int
) -> None:
    items = answers(number)
    places = [draw.randrange(shards) for _ in items]
    parts = [
        of([item for item, place in zip(items, places, strict=True) if place == shard])
        for shard in range(shards)
    ]
    draw.shuffle(parts)
    whole, together = of(items), merged(parts)
    assert together.whole == whole.whole
    named = {name: groups for name, groups in whole.groups.items() if {*groups} != {"(none)"}}
    for name, groups in named.items():
        assert {key: one for key, one in together.groups[name].items() if key != "(none)"} == {
            key: one for key, one in groups.items() if key != "(none)"
        }
    assert (parts[0] + merged(parts[1:]) if parts[1:] else parts[0]) == together


def test_the_report_is_that_of_the_metric() -> None:
    items = answers(300)
    report = Accuracy().evaluate(items, expected=310, groupings=FIELDS)
    told = merged([of(items[:120]), of(items[120:])]).report(310)
    assert told.metrics["ACC"].value == report.metrics["ACC"].value
    assert told.metrics["ACC"].unit == "%"
    assert told.coverage == report.coverage
    assert told.coverage.missing == 10
    assert [*told.by] == [*report.by] == ["category"]
    for label, group in report.by["category"].items():
        other = told.by["category"][label]
        assert other.coverage == group.coverage
        assert other.metrics["ACC"].value == group.metrics["ACC"].value
    low, high = report.metrics["ACC"].low or 0, report.metrics["ACC"].high or 0
    assert told.metrics["ACC"].low == pytest.approx(low, abs=1.5)
    assert told.metrics["ACC"].high == pytest.approx(high, abs=1.5)


def test_a_figure_that_is_no_mean_says_so() -> None:
    statistics = of(answers(30), MMBenchCalibration())
    assert "is no mean of the scores of samples" in statistics.no_mean
    with pytest.raises(DataError, match="is no mean") as error:
        (statistics + of(answers(3))).report(33)
    assert "chef score URL" in str(error.value)


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"id": "1"}, "unit 1"),
        ({"id": "1", "circular_group": "g"}, "circular_group g"),
        ({"id": "1", "circular_group": "g", "image_row": 4}, "image_row 4"),
        ({"id": "1", "image_path": "a.png", DIGESTS: ["x", "y"]}, f"{DIGESTS} x"),
    ],
)
def test_a_cluster_is_named_by_the_sample_alone(record: dict[str, Any], name: str) -> None:
    assert cluster_name(record) == name
