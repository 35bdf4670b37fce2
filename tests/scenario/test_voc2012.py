"""VOC2012: turns with one right option, boxes in three formats."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from chef.common.boxes import VOC2012 as LABELS
from chef.common.boxes import iou
from chef.errors import ConfigError, SampleError
from chef.scenario.parts.box_turns import box_writer
from chef.scenario.upstream.chef import VOC2012 as UpstreamVOC2012
from chef.scenario.voc2012 import VOC2012

DOG, CAT = [0.1, 0.2, 0.6, 0.9], [0.5, 0.5, 1.0, 1.0]
SECOND = [0.05, 0.05, 0.3, 0.3]
RECORDS = [
    {
        "image": f"{number}.jpg",
        "object": [
            {"label": "dog", "bbox": DOG},
            {"label": "cat", "bbox": CAT},
            {"label": "dog", "bbox": SECOND},
        ],
        "query": "",
    }
    for number in range(40)
]
NUMBERS = re.compile(r"[0-9]\.[0-9]+")


def scenario(
    root: Path, records: list[dict] = RECORDS, kind: type[VOC2012] = VOC2012, **keys: object
) -> VOC2012:
    file = root / "meta_file" / "Detection_VOC2012.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(records))
    return kind(base_data_path=str(root), **keys)


@pytest.mark.parametrize(
    ("ppl_cfg", "chance"), [(None, None), ({}, 0.25), ({"negative_opt_num": 4}, 0.2)]
)
def test_only_options_are_guessed(ppl_cfg: dict | None, chance: float, tmp_path: Path) -> None:
    assert scenario(tmp_path, ppl_cfg=ppl_cfg).random_accuracy == chance


def test_the_truth_is_grouped_by_class(tmp_path: Path) -> None:
    answer = scenario(tmp_path)[0].answer
    assert [(item["label"], item["bbox"]) for item in answer] == [
        ("dog", DOG),
        ("dog", SECOND),
        ("cat", CAT),
    ]


def test_free_turns(tmp_path: Path) -> None:
    first, dog, cat = scenario(tmp_path)[0].turns
    assert (first.prompt_idx, first.prefix, first.truth) == (0, "", ["dog", "cat"])
    assert (dog.prompt_idx, dog.prefix, cat.prefix) == (1, "dog", "cat")
    assert dog.truth == ["[0.1, 0.2, 0.6, 0.9]", "[0.05, 0.05, 0.3, 0.3]"]
    assert not first.options
    assert scenario(tmp_path, multi_turn=False)[0].turns == ()


@pytest.mark.parametrize("template", ["default", "shikra", "kosmos"])
def test_every_scored_turn_has_one_right_option(template: str, tmp_path: Path) -> None:
    data = scenario(tmp_path, ppl_cfg={"negative_opt_num": 4}, option_template=template)
    places: Counter[int] = Counter()
    for index in range(len(data)):
        turns = data[index].turns
        assert [turn.prompt_idx for turn in turns] == [0, 0, 1, 1, 1]
        assert [turn.prefix for turn in turns] == ["", "", "dog", "dog", "cat"]
        assert [turn.prefix_from for turn in turns] == [None, None, 0, 0, 1]
        for turn in turns:
            assert len(set(turn.options)) == len(turn.options) == 5
            assert turn.options[turn.gt_choice] == turn.truth
            places[turn.gt_choice] += 1
        assert turns[0].truth == "a dog"
        for turn in turns[:2]:
            nouns = {option.split()[1] for option in turn.options}
            assert len(nouns & {"dog", "cat"}) == 1
            assert nouns <= set(LABELS)
    assert all(0.1 < places[place] / 200 < 0.3 for place in range(5))


def test_wrong_boxes_are_where_no_object_of_the_class_is(tmp_path: Path) -> None:
    data = scenario(tmp_path, ppl_cfg={})
    truth = {"dog": [DOG, SECOND], "cat": [CAT]}
    for index in range(len(data)):
        for turn in data[index].turns[2:]:
            for option in turn.options:
                box = [float(number) for number in NUMBERS.findall(option)]
                near = max(iou(box, other) for other in truth[turn.prefix])
                # words are rounded to hundredths
                assert near > 0.9 if option == turn.truth else near < 0.53


def test_options_depend_on_seed_and_sample_alone(tmp_path: Path) -> None:
    first, again = (scenario(tmp_path, ppl_cfg={"random_seed": 1}) for _ in range(2))
    assert first[7].turns == again[7].turns
    assert first[7].turns != first[8].turns
    assert first[7].turns != scenario(tmp_path, ppl_cfg={})[7].turns
    fewer = scenario(tmp_path, RECORDS[:9], ppl_cfg={"random_seed": 1})
    assert fewer[7].turns == first[7].turns


def test_chef_puts_the_right_option_first(tmp_path: Path) -> None:
    data = scenario(tmp_path, kind=UpstreamVOC2012, ppl_cfg={})
    late, early = data[8].turns, data[0].turns
    assert {turn.gt_choice for turn in (*late, *early)} == {0}
    again = scenario(tmp_path, kind=UpstreamVOC2012, ppl_cfg={})
    assert (again[0].turns, again[8].turns) == (early, late)


def test_an_image_full_of_one_object_still_has_wrong_boxes(tmp_path: Path) -> None:
    whole = [{"image": "1.jpg", "object": [{"label": "sofa", "bbox": [0, 0, 1, 1]}]}]
    for kind in (VOC2012, UpstreamVOC2012):
        turns = scenario(tmp_path, whole, kind, ppl_cfg={})[0].turns
        assert len(turns[1].options) == 4


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("default", "[0.0, 0.5, 0.12, 1.0]"),
        ("shikra", "dog[0.000,0.500,0.123,1.000]"),
        ("kosmos", "<object><patch_index_0512><patch_index_0995></object>"),
    ],
)
def test_boxes_in_words(template: str, words: str) -> None:
    assert box_writer(template)("dog", (0.0, 0.5, 0.123, 1.0)) == words


@pytest.mark.parametrize(("kind", "patch"), [(VOC2012, "1023"), (UpstreamVOC2012, "1056")])
def test_the_grid_of_kosmos_runs_over_in_chef(
    kind: type[VOC2012], patch: str, tmp_path: Path
) -> None:
    whole = [{"image": "1.jpg", "object": [{"label": "sofa", "bbox": [0, 0, 1, 1]}]}]
    turns = scenario(tmp_path, whole, kind, option_template="kosmos")[0].turns
    assert turns[1].truth == [f"<object><patch_index_0000><patch_index_{patch}></object>"]


def test_bad_keys_and_records(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="multi_turn"):
        scenario(tmp_path, ppl_cfg={}, multi_turn=False)
    with pytest.raises(ConfigError, match="strategy"):
        scenario(tmp_path, ppl_cfg={"strategy": "random"})
    bad = [{"image": "1.jpg", "object": [{"label": "dog", "bbox": [1, 0, 0, 1]}]}, RECORDS[0]]
    for kind in (VOC2012, UpstreamVOC2012):
        data = scenario(tmp_path, bad, kind, ppl_cfg={})
        with pytest.raises(SampleError, match="not a box"):
            _ = data[0]
        assert len(data[1].turns) == 5
