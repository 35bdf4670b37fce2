"""Smaller rules of ChEF's scenarios, each on a file of a few lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chef.scenario import SCENARIOS
from chef.scenario.upstream.chef import MMBench

CHOICES = {"choice_a": " one", "choice_b": "two", "choice_c": "three ", "choice_d": ""}


def seed(root: Path, name: str, *, upstream: bool, **changes: Any) -> Any:
    question = {
        "question_id": "1", "data_type": "image", "data_id": "1.png", "question": "Which?",
        "answer": "C ", **CHOICES, **changes,
    }  # fmt: skip
    kind = SCENARIOS.get(name, upstream=upstream)
    (root / kind.meta_file).write_text(json.dumps({"questions": [question]}))
    return kind(base_data_path=str(root))[0]


@pytest.mark.parametrize("upstream", [False, True])
def test_seedbench2_strips_options_and_answer_in_every_mode(upstream: bool, tmp_path: Path) -> None:
    kind = {"data_type": "Single Image", "data_source": "cc3m", "choice_a": ""}
    sample = seed(tmp_path, "SEEDBench2", upstream=upstream, **kind)
    # A and D are empty; the answer C is the second of those that are left.
    assert sample.options == ("two", "three")
    assert (sample.fields["gt_choice"], sample.answer) == (1, "three")


def test_seedbench_takes_its_four_options_as_they_are(tmp_path: Path) -> None:
    sample = seed(tmp_path, "SEEDBench", upstream=True)
    assert sample.options == (" one", "two", "three ", "")
    assert (sample.fields["gt_choice"], sample.answer) == (2, "three ")
    assert seed(tmp_path, "SEEDBench", upstream=False).options == ("one", "two", "three")


ROW = {"index": "241", "question": "Which?", "hint": "", "A": "oak", "B": "cat", "answer": "B"}


@pytest.fixture
def mmbench(write_tsv: Callable[..., str], tmp_path: Path) -> Callable[..., Any]:
    records = [
        {
            "id": 5,
            "query": "no (A)?  Options: (A) x (B) y",
            "gt_choices": ["x", "y"],
            "gt_choice": 0,
        }
    ]
    (tmp_path / "MMBench_C.json").write_text(json.dumps(records))

    def make(**keys: Any) -> Any:
        root = Path(write_tsv([ROW], name="mmbench_dev_20230712.tsv")).parent
        return MMBench(base_data_path=str(root), data_c_path=str(tmp_path), **keys)[0]

    return make


@pytest.mark.parametrize(
    ("ppl_cfg", "options", "answer"),
    [
        (None, (), "cat"),
        ({}, (), "cat"),
        (True, ("(A", "(B"), "(B)"),
        ({"content_only": True}, ("oak", "cat"), "(B)"),
    ],
)
def test_the_answer_of_mmbench_is_a_letter_where_options_are_scored(
    ppl_cfg: Any, options: tuple[str, ...], answer: str, mmbench: Callable[..., Any]
) -> None:
    sample = mmbench(ppl_cfg=ppl_cfg)
    assert (sample.options, sample.answer, sample.fields["gt_choice"]) == (options, answer, 1)


def test_corrupted_data_of_mmbench_is_taken_by_position(mmbench: Callable[..., Any]) -> None:
    # Row 0 of the data belongs to record 0, although its id is 5; each " (A)" begins a line.
    sample = mmbench(text_crp=True, ppl_cfg=True)
    assert sample.question == "no\n(A)?  Options:\n(A) x\n(B) y"
    assert (sample.fields["choices"], sample.fields["gt_choice"]) == (["x", "y"], 0)


@pytest.mark.parametrize(
    ("number", "options"),
    [
        (9, "7 8 9 6 5"), (10, "13 14 10 11 12"), (19, "17 18 19 16 15"), (25, "23 24 25 26 27"),
        (1, "0 1 2 3"), (0, "0 1 2"),
    ],
)  # fmt: skip
def test_fsc147_has_the_count_at_its_place_in_the_window(
    number: int, options: str, tmp_path: Path
) -> None:
    (tmp_path / "meta_file").mkdir()
    record = {"image": "1.jpg", "num": number, "query": "How many?"}
    (tmp_path / "meta_file" / "Counting_FSC147.json").write_text(json.dumps([record]))
    kind = SCENARIOS.get("FSC147", upstream=True)
    sample = kind(base_data_path=str(tmp_path), ppl_cfg={"heatmap_width": 2})[0]
    assert sample.options == tuple(options.split())
    assert sample.fields["gt_choice"] == min(number, 2)


def test_cifar10_has_its_labels_in_one_order(tmp_path: Path) -> None:
    (tmp_path / "meta_file").mkdir()
    records = [{"image": "1.jpg", "label": "dog"}, {"image": "2.jpg", "label": "cat"}]
    (tmp_path / "meta_file" / "Classification_CIFAR10.json").write_text(json.dumps(records))
    kind = SCENARIOS.get("CIFAR10", upstream=True)
    first, second = (kind(base_data_path=str(tmp_path), ppl=True)[index] for index in (0, 1))
    labels = "cat ship airplane frog automobile truck dog horse deer bird"
    assert first.options == second.options == tuple(labels.split())
    assert (first.answer, first.id, second.id) == ("dog", "0", "1")
