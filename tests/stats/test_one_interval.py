"""The same answers have the same interval wherever it is told."""

from __future__ import annotations

from math import isqrt
from pathlib import Path

import PIL.Image
import pytest
from runs_by_hand import outcomes, write_run

import chef
from chef.stats.clusters import clusters_of, components, digests_of, mark
from chef.stats.estimate import Estimate
from chef.stats.figures import share
from chef.suite.sweep.levels import score
from chef.suite.sweep.matrix import ScoreMatrix, run_means

TEXTS = {
    "single": ("RRWRWRRRRWRRRWRRRRRW", None),
    "images": ("RRWRWRRRRWRRRWRRRRRW", 2),
    "all right": ("R" * 20, 2),
    "unequal": ("RRWRRRRRRRRRRRWWRWRRWRRRRRWWRRRWRRRRRRWR", 0),  # 1, 3, 5, ... on an image
}


def ends(item: Estimate) -> tuple[float | None, float | None, float | None]:
    return item.value, item.low, item.high


@pytest.mark.parametrize("case", TEXTS)
def test_score_group_compare_and_sweep_say_the_same(case: str, tmp_path: Path) -> None:
    import numpy as np

    text, size = TEXTS[case]
    places = range(len(text))
    clusters = [isqrt(place) if size == 0 else place // (size or 1) for place in places]
    names = [f"q{place}" for place in range(len(text))]
    samples = {
        name: {"category": "all", **({} if size is None else {"image_path": f"{image}"})}
        for name, image in zip(names, clusters, strict=True)
    }
    run = write_run(tmp_path, outcomes(text), model="one", samples=samples)
    empty = write_run(tmp_path, outcomes("W" * len(text)), model="none", samples=samples)
    hits = [float(letter == "R") for letter in text]
    wanted = share(hits, clusters)
    report = chef.score(run)
    assert ends(report.metrics["ACC"]) == pytest.approx(ends(wanted))
    assert report.metrics["ACC"].clusters == len(set(clusters))
    (group,) = report.by["category"].values()
    assert ends(group.metrics["ACC"]) == pytest.approx(ends(wanted))
    difference = chef.compare(empty, run).main.differences["ACC"].difference
    assert ends(difference) == pytest.approx(ends(wanted))
    matrix = ScoreMatrix(np.array([hits, hits]), np.array(clusters))
    level = score(run_means(matrix), np.array([1.0, 0.0]), 100.0)
    assert ends(level) == pytest.approx(ends(wanted))


def test_a_cluster_is_what_is_linked_through_others() -> None:
    records = [
        {"id": "1", "image_digests": ["a"], "circular_group": "x"},
        {"id": "2", "circular_group": "x"},
        {"id": "3", "image_digests": ["a", "b"]},
        {"id": "4", "image_digests": ["b"]},
        {"id": "5"},
    ]
    assert clusters_of(records) == [0, 0, 0, 0, 1]
    # A group of the samples keeps what it knows of links through samples outside of it.
    mark(records)
    assert clusters_of([records[1], records[3], records[4]]) == [0, 0, 1]
    assert components([["a"], [], ["b", "a"], ["b"]]) == [0, 1, 0, 0]


def test_an_image_that_a_method_put_there_links_nothing() -> None:
    assert digests_of([{"digest": "a"}, {"digest": "b", "method": "noise"}, {}]) == ["a"]


def test_a_changed_image_links_by_the_image_that_it_was_made_of(tmp_path: Path) -> None:
    seen = PIL.Image.new("RGB", (72, 72), "red")
    rows = [
        {"image": seen, "question": "Red?", "A": "red", "B": "blue", "answer": letter}
        for letter in "AABB"
    ]
    scenario = {"dataset_name": "Records", "path": rows}
    noisy = {**scenario, "method_cfg": [{"fog": {"severity": 2}}, {"gaussian-noise": {}}]}
    found = [
        chef.evaluate(
            "tiny",
            {"scenario_cfg": one, "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PPL"}}},
            save_dir=tmp_path,
            name=name,
        ).metrics["ACC"]
        for name, one in (("plain", scenario), ("noisy", noisy))
    ]
    assert [figure.clusters for figure in found] == [1, 1]
