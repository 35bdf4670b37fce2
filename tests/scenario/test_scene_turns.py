"""Detection in turns: one option of each turn is right, and none is repeated."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

from chef.common.boxes import iou
from chef.errors import ConfigError
from chef.scenario.shapes.drawing import Scene, Thing
from chef.scenario.shapes.scenario import Shapes, free_turns, scored_turns, wrong_boxes

SCORED = Shapes(task="detection", multi_turn=True, size=60)
FREE = Shapes(task="detection", multi_turn=True, ppl=False, size=20)
NUMBERS = re.compile(r"\d\.\d\d")


def box(text: str) -> tuple[float, ...]:
    return tuple(float(number) for number in NUMBERS.findall(text))


def _nearest(shown: tuple[float, ...], truth: list[dict[str, Any]]) -> int:
    return max(range(len(truth)), key=lambda number: iou(shown, truth[number]["bbox"]))


def scene(*labels: str) -> Scene:
    things = []
    for cell, label in enumerate(labels):
        color, shape = label.split()
        x, y = 24 * (cell % 3) + 12, 24 * (cell // 3) + 12
        things.append(Thing(cell, color, shape, x, y, 9.0))
    return Scene(tuple(things), (240, 240, 240))


def test_free_turns_by_hand() -> None:
    first, star, cross = free_turns(scene("red star", "blue cross", "red star"))
    assert (first.prompt_idx, first.prefix, first.truth) == (0, "", ["red star", "blue cross"])
    assert (star.prompt_idx, star.prefix, star.prefix_from, star.each) == (1, "red star", 0, True)
    assert len(star.truth) == 2
    # the cross reaches 9 of 72 pixels to each side of (36, 12)
    assert cross.truth == ["[0.38, 0.04, 0.62, 0.29]"]


def test_scored_turns_by_hand() -> None:
    turns = scored_turns(scene("red star", "blue cross", "red star"), random.Random(0))
    assert [turn.prompt_idx for turn in turns] == [0, 0, 1, 1, 1]
    assert [turn.prefix for turn in turns] == ["", "", "red star", "red star", "blue cross"]
    assert [turn.prefix_from for turn in turns] == [None, None, 0, 0, 1]
    assert [turn.truth for turn in turns[:2]] == ["a red star", "a blue cross"]
    assert turns[2].truth != turns[3].truth
    orange = scored_turns(scene("orange star"), random.Random(0))[0]
    assert orange.truth == "an orange star"


def test_of_every_sample_one_option_is_right() -> None:
    for index in range(len(SCORED)):
        sample = SCORED[index]
        there = set(sample.fields["objects"])
        truth = {label: [] for label in there}
        for item in sample.answer:
            truth[item["label"]].append(item["bbox"])
        classes = [turn for turn in sample.turns if turn.prompt_idx == 0]
        boxes = [turn for turn in sample.turns if turn.prompt_idx == 1]
        assert len(classes) == len(there)
        assert len(boxes) == len(sample.answer)
        for turn in sample.turns:
            assert len(turn.options) == len(set(turn.options)) == 4
            assert turn.options[turn.gt_choice] == turn.truth
        for turn in classes:
            named = {option.split(maxsplit=1)[1] for option in turn.options}
            assert len(named & there) == 1
        # every true box is the right one once (D21)
        found = [_nearest(box(turn.truth), sample.answer) for turn in boxes]
        assert sorted(found) == list(range(len(sample.answer)))
        for turn in boxes:
            assert turn.prefix == classes[turn.prefix_from].truth.split(maxsplit=1)[1]
            for option in turn.options:
                close = max(iou(box(option), other) for other in truth[turn.prefix])
                # the truth has four decimals, the options two
                assert close > 0.9 if option == turn.truth else close < 0.52


def test_the_place_of_the_right_option_says_nothing() -> None:
    places = Counter(turn.gt_choice for index in range(60) for turn in SCORED[index].turns)
    total = sum(places.values())
    assert total > 300
    assert all(0.18 < places[place] / total < 0.32 for place in range(4))


def test_a_lone_object_has_wrong_boxes_too() -> None:
    for seed in range(30):
        wrong = wrong_boxes(scene("red star"), "red star", random.Random(seed))
        assert len(set(wrong)) == 3
        for text in wrong:
            x1, y1, x2, y2 = box(text)
            assert 0 <= x1 < x2 <= 1
            assert 0 <= y1 < y2 <= 1


def test_no_wrong_box_is_given_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    red = scene("red star")
    boxes = [(0.5, 0.5, x, 0.9) for x in (0.7, 0.7, 0.701, 0.8, 0.9)]
    # nothing near the object will do, and the draws repeat themselves
    monkeypatch.setattr("chef.scenario.parts.box_turns.moved", lambda box, _: box)
    monkeypatch.setattr("chef.scenario.parts.box_turns.any_box", lambda _: boxes.pop(0))
    assert wrong_boxes(red, "red star", random.Random(0)) == [
        f"[0.50, 0.50, 0.{x}0, 0.90]" for x in (7, 8, 9)
    ]


def test_turns_are_the_same_whenever_asked_and_leave_the_scene_alone() -> None:
    again = Shapes(task="detection", multi_turn=True, size=60)
    assert [again[index].turns for index in (5, 0)] == [SCORED[index].turns for index in (5, 0)]
    other = Shapes(task="detection", multi_turn=True, seed=1)
    assert other[0].turns != SCORED[0].turns
    single = Shapes(task="detection")
    assert single[3].turns == ()
    assert single[3].answer == SCORED[3].answer == FREE[3].answer


def test_the_record_has_the_list_of_chef() -> None:
    record = SCORED[0].to_record()["multi_turn_prefix"]
    assert set(record[0]) == {"prompt_idx", "prefix", "options", "gt_choice", "gt_answers"}
    assert record[-1]["prompt_idx"] == 1
    assert "options" not in FREE[0].to_record()["multi_turn_prefix"][0]
    assert "multi_turn_prefix" not in Shapes(task="detection")[0].to_record()


def test_the_metric_follows_and_other_tasks_have_one_turn() -> None:
    assert SCORED.metric == "Detection"
    assert (SCORED.random_accuracy, FREE.random_accuracy) == (1 / 4, None)
    assert Shapes(task="detection").metric == "Detection"
    with pytest.raises(ConfigError, match="one turn"):
        Shapes(task="mcq", multi_turn=True)


def test_classification_goes_from_coarse_to_fine() -> None:
    scored = Shapes(task="classification", multi_turn=True, size=40)
    free = Shapes(task="classification", multi_turn=True, size=40, ppl=False)
    places = Counter()
    for index in range(40):
        coarse, fine = scored[index].turns
        shape, label = scored[index].answer
        assert (coarse.prompt_idx, coarse.prefix, coarse.truth) == (0, "", shape)
        assert (fine.prompt_idx, fine.prefix, fine.truth) == (1, shape, label)
        assert (coarse.prefix_from, fine.prefix_from) == (None, 0)
        for turn in (coarse, fine):
            assert len(set(turn.options)) == 4
            assert turn.truth in turn.options
        assert fine.options == scored[index].options
        places[coarse.options.index(shape)] += 1
        bare = free[index].turns
        assert [turn.options for turn in bare] == [(), ()]
        assert [turn.truth for turn in bare] == [shape, label]
    assert len(places) == 4
