from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.errors import ConfigError
from chef.scenario.lamm import FSC147, numbers_around


@pytest.mark.parametrize(
    ("number", "options"),
    [
        (9, [7, 8, 9, 6, 5]),
        (10, [13, 14, 10, 11, 12]),
        (19, [17, 18, 19, 16, 15]),
        (25, [23, 24, 25, 26, 27]),
        (0, [0, 1, 2]),
        (1, [0, 1, 2, 3]),
    ],
)
def test_the_worked_examples(number: int, options: list[int]) -> None:
    assert numbers_around(number, 2) == options


@given(st.integers(0, 3000), st.integers(0, 12))
def test_options_are_different_numbers_with_the_right_one(number: int, width: int) -> None:
    options = numbers_around(number, width)
    assert options.index(number) <= min(number, width)
    assert len(set(options)) == len(options) <= 2 * width + 1
    assert min(options) >= 0


@given(st.integers(0, 3000))
def test_tens_never_tell(number: int) -> None:
    options = numbers_around(number, 2)
    assert {item // 10 for item in options} == {number // 10}


def scenario(root: Path, **keys: object) -> FSC147:
    file = root / "meta_file" / "Counting_FSC147.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps([{"image": "1.jpg", "num": 12, "query": "How many crabs?"}]))
    return FSC147(base_data_path=str(root), **keys)


def test_samples(tmp_path: Path) -> None:
    sample = scenario(tmp_path, ppl_cfg={"heatmap_width": 1})[0]
    assert (sample.question, sample.answer) == ("How many crabs?", 12)
    assert sample.options == ("11", "12", "13")
    assert sample.fields == {"gt_choice": 1, "image_path": "1.jpg"}


@pytest.mark.parametrize("ppl_cfg", [None, {}])
def test_an_empty_mapping_asks_for_no_options(ppl_cfg: dict | None, tmp_path: Path) -> None:
    sample = scenario(tmp_path, ppl_cfg=ppl_cfg)[0]
    assert sample.options == ()
    assert "gt_choice" not in sample.fields
    assert scenario(tmp_path, ppl_cfg=ppl_cfg).random_accuracy is None
    assert scenario(tmp_path, ppl_cfg={"heatmap_width": 4}).random_accuracy == 1 / 9


@pytest.mark.parametrize("ppl_cfg", [{"heatmap": 2}, {"heatmap_width": "2"}, {"heatmap_width": -1}])
def test_bad_keys_are_refused(ppl_cfg: dict, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"scenario_cfg\.ppl_cfg"):
        scenario(tmp_path, ppl_cfg=ppl_cfg)
