"""Weighted accuracy down a chain of classes, by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenario.test_omnibenchmark import TREE

from chef.errors import ConfigError, DataError
from chef.metric import METRICS
from chef.metric.classification.classes import FGClassification
from chef.types import Prediction, Status

UpstreamFGClassification = METRICS.get("FG_Classification", compat="upstream")

CHAIN = ["animal", "dog", "poodle", "toy poodle"]


def turns(name: str, said: list[str], *, scored: bool = False) -> Prediction:
    answered: list[dict[str, Any]] = [
        {"turn": i, "prompt_idx": min(i, 1), "prefix": "", "answer": text}
        | ({"choice": 0} if scored else {})
        for i, text in enumerate(said)
    ]
    sample = {"id": name, "gt_answers": CHAIN}
    return Prediction(name, Status.OK, said, {"turn_answer": answered}, {}, sample)


def depths(report) -> list[float]:
    return [entry["depth"] for entry in report.samples]


def test_turns_are_walked_while_they_are_right() -> None:
    report = FGClassification(inference_type="multiturn", ppl=False).evaluate(
        [
            turns("1", ["An animal.", "dogs", "It is a Poodle", "a toy poodle"]),
            turns("2", ["a plant", "dog", "poodle", "toy poodle"]),
            turns("3", ["an animal", "a dog", "no poodle", "toy poodle"]),
            turns("4", ["", "", "", ""]),
        ]
    )
    assert depths(report) == [4, 0, 2, 0]
    assert report.metrics["score"].value == pytest.approx(100 * 1.5 / 4)
    assert report.metrics["score"].unit == "%"
    assert report.coverage.unparsed == 1


def test_one_answer_counts_to_the_finest_class_it_names(make) -> None:
    said = ["some animal", "a poodle", "a toy poodle", "a cat"]
    report = FGClassification().evaluate(
        [make(str(i), text, gt_answers=CHAIN) for i, text in enumerate(said)]
    )
    # no early stop: the poodle alone is enough for three levels
    assert depths(report) == [1, 3, 4, 0]


def test_options_are_compared_as_a_whole(make) -> None:
    whole = [turns("1", ["animal", "hot dog", "poodle", "toy poodle"], scored=True)]
    assert depths(FGClassification(ppl=True).evaluate(whole)) == [1]
    assert depths(UpstreamFGClassification().evaluate(whole)) == [4]
    options = {"options": ["toy poodle", "pug"], "gt_answers": CHAIN}
    chosen = [make("1", "toy poodle", choice=0, **options), make("2", "pug", choice=1, **options)]
    assert depths(FGClassification(inference_type="singleturn", ppl=True).evaluate(chosen)) == [
        4,
        0,
    ]


def test_a_hierarchy_tells_a_hot_dog_from_a_dog(make, tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    tree.write_text(json.dumps(TREE))
    said = [("a hot dog", 0), ("a sheep dog", 2), ("a dog and a hot dog", 2)]
    answers = [make(str(i), text, gt_answers=CHAIN) for i, (text, _) in enumerate(said)]
    with_tree = FGClassification(bamboo_tree_path=str(tree)).evaluate(answers)
    assert depths(with_tree) == [depth for _, depth in said]
    # Without one, the lexicon of reading knows this compound.
    assert depths(FGClassification().evaluate(answers)) == [0, 2, 2]
    with pytest.raises(DataError, match="bamboo_tree_path"):
        FGClassification(bamboo_tree_path=str(tmp_path / "none.json"))


def test_credit_for_siblings(tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    tree.write_text(json.dumps(TREE))
    answers = [
        turns("1", ["an animal", "a cat", "poodle", "toy poodle"]),
        turns("2", ["food", "dog", "poodle", "toy poodle"]),
        turns("3", ["an animal", "a stone", "poodle", "toy poodle"]),
        turns("4", ["animal", "cat", "poodle", "toy poodle"], scored=True),
    ]
    metric = FGClassification(bamboo_tree_path=str(tree), sibling_credit=True)
    assert depths(metric.evaluate(answers)) == [1.5, 0.5, 1, 1]
    assert depths(FGClassification(bamboo_tree_path=str(tree)).evaluate(answers)) == [1, 0, 1, 1]
    with pytest.raises(ConfigError, match="bamboo_tree_path"):
        FGClassification(sibling_credit=True)


def test_chefs_own_rules_do_not_read_the_hierarchy() -> None:
    assert UpstreamFGClassification(bamboo_tree_path="gone.json").primary == "score"
    for keys in ({}, {"sibling_credit": True}):
        kind = UpstreamFGClassification if keys else FGClassification
        with pytest.raises(DataError, match=r"gone\.json"):
            kind(bamboo_tree_path="gone.json", **keys)


def test_answers_of_another_kind_are_errors(make) -> None:
    def message(prediction: Prediction, **keys: Any) -> str:
        return FGClassification(**keys).evaluate([prediction]).samples[0]["error"]["message"]

    one = make("1", "a dog", gt_answers=CHAIN)
    assert "inference_type singleturn" in message(one, inference_type="multiturn")
    assert "ppl False" in message(one, ppl=True)
    assert "2 turns" in message(turns("1", ["animal", "dog"]))
    assert FGClassification().evaluate([make("1", "a dog")]).samples[0]["no_truth"]
    assert FGClassification().evaluate([]).metrics["score"].value is None


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=6))
def test_the_score_is_the_share_of_levels_before_the_first_mistake(rights) -> None:
    answers = [
        turns(str(i), [label if hit else "thing" for label, hit in zip(CHAIN, right, strict=True)])
        for i, right in enumerate(rights)
    ]
    expected = [([*right, False]).index(False) for right in rights]
    report = FGClassification().evaluate(answers[::-1])
    assert depths(report) == expected
    assert report.metrics["score"].value == pytest.approx(100 * sum(expected) / 4 / len(rights))
