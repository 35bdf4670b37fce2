"""Omnibenchmark: the options are siblings of the right class in the taxonomy."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from chef.errors import ConfigError, DataError, SampleError
from chef.scenario.omnibenchmark import (
    Omnibenchmark,
    Taxonomy,
    drawn_options,
    load_taxonomy,
    sibling_sets,
)

TREE = {
    "id2name": {
        "0": ["root"],
        "1": ["animal"],
        "2": ["food", "fare"],
        "3": ["dog", "hound"],
        "4": ["cat"],
        "5": ["sheep dog"],
        "6": ["poodle"],
        "7": ["hot dog"],
        "8": ["cat"],  # the same name again: the first is not canonical
        "9": ["bird"],
    },
    "father2child": {"0": ["1", "2"], "1": ["3", "4", "8", "9"], "3": ["5", "6"], "2": ["7"]},
    "child2father": {
        "1": ["0"], "2": ["0"], "3": ["1"], "4": ["1"], "5": ["3"], "6": ["3"], "7": ["2"],
        "8": ["1"], "9": ["1"],
    },
}  # fmt: skip
CHAINS = [["animal", "dog", "poodle"], ["animal", "bird"], ["animal", "dog", "sheep dog"]]


def scenario(root: Path, chains: list[list[str]] = CHAINS, **keys: object) -> Omnibenchmark:
    (root / "meta_file").mkdir(exist_ok=True)
    records = [
        {"image": "1.jpg", "src_image": "x", "label": c[-1], "realm_name": "r", "chain": c}
        for c in chains
    ]
    (root / "meta_file" / "Classification_Omnibenchmark.json").write_text(json.dumps(records))
    tree = root / "tree.json"
    tree.write_text(json.dumps(TREE))
    return Omnibenchmark(base_data_path=str(root), bamboo_tree_path=str(tree), **keys)


def taxonomy() -> Taxonomy:
    return Taxonomy(TREE["id2name"], TREE["father2child"], TREE["child2father"])


def test_siblings_are_those_whose_name_is_their_own() -> None:
    tree = taxonomy()
    assert tree.siblings("animal", None) == ["food"]
    assert tree.siblings("dog", "animal") == ["cat", "bird"]  # one of the two cats
    assert tree.siblings("root", None) == []


def test_sets_are_shared_until_a_later_one_takes_a_class() -> None:
    sets = sibling_sets([["animal", "dog"], ["animal", "bird"]], taxonomy())
    assert sets["dog"] is sets["bird"] is sets["cat"]
    assert sorted(sets["dog"]) == ["bird", "cat", "dog"]
    assert sets["animal"] == ["animal", "food"]


def test_options_hold_the_label_once() -> None:
    rng = random.Random(0)
    for _ in range(20):
        options = drawn_options("b", ["a", "b", "c", "d", "e"], 3, rng)
        assert len(set(options)) == len(options) == 4
        assert "b" in options
    assert drawn_options("b", ["b"], 3, rng) == ("b",)


def test_turns(tmp_path: Path) -> None:
    sample = scenario(tmp_path)[0]
    assert sample.answer == ["animal", "dog", "poodle"]
    assert sample.options == ()
    assert [turn.prompt_idx for turn in sample.turns] == [0, 1, 1]
    assert [turn.prefix for turn in sample.turns] == ["", "animal", "dog"]
    assert [turn.prefix_from for turn in sample.turns] == [None, 0, 1]
    assert [sorted(turn.options) for turn in sample.turns] == [
        ["animal", "food"],
        ["bird", "cat", "dog"],
        ["poodle", "sheep dog"],
    ]
    assert all(turn.options[turn.gt_choice] == turn.truth for turn in sample.turns)


def test_one_turn_asks_for_the_finest_class(tmp_path: Path) -> None:
    sample = scenario(tmp_path, multi_turn=False)[0]
    assert sample.turns == ()
    assert sorted(sample.options) == ["poodle", "sheep dog"]
    assert sample.options[sample.fields["gt_choice"]] == "poodle"


def test_what_guessing_scores_is_known_of_the_published_options_alone(tmp_path: Path) -> None:
    assert scenario(tmp_path).random_accuracy == scenario(tmp_path, ppl_cfg={}).random_accuracy
    assert scenario(tmp_path).random_accuracy == 0.1094
    others = ({"multi_turn": False}, {"ppl_cfg": None}, {"ppl_cfg": {"negative_opt_num": 5}})
    assert [scenario(tmp_path, **keys).random_accuracy for keys in others] == [None] * 3


def test_options_do_not_depend_on_the_order_of_access(tmp_path: Path) -> None:
    forth = [scenario(tmp_path)[index].turns for index in (0, 1, 2)]
    data = scenario(tmp_path)
    assert [data[index].turns for index in (2, 1, 0)] == forth[::-1]
    seeds = [
        scenario(tmp_path, ppl_cfg={"random_seed": seed, "negative_opt_num": 1})[0].turns
        for seed in range(8)
    ]
    assert len(set(seeds)) > 1
    assert all(len(turns[1].options) == 2 for turns in seeds)


def test_null_gives_no_options_and_needs_no_taxonomy(tmp_path: Path) -> None:
    sample = scenario(tmp_path, ppl_cfg=None)[0]
    assert all(turn.options == () for turn in sample.turns)
    scenario(tmp_path)
    (tmp_path / "tree.json").unlink()
    assert Omnibenchmark(
        base_data_path=str(tmp_path), bamboo_tree_path=str(tmp_path / "tree.json"), ppl_cfg=None
    ).fingerprint()


def test_a_class_the_taxonomy_lacks_is_the_fault_of_its_record(tmp_path: Path) -> None:
    data = scenario(tmp_path, [*CHAINS, ["animal", "yeti"]])
    assert data[0].turns == scenario(tmp_path)[0].turns
    with pytest.raises(SampleError, match="yeti"):
        _ = data[3]


def test_bad_files_and_keys(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="strategy"):
        scenario(tmp_path, ppl_cfg={"strategy": "random"})
    with pytest.raises(DataError, match="bamboo_tree_path"):
        load_taxonomy(str(tmp_path / "none.json"))
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    with pytest.raises(DataError, match="id2name"):
        load_taxonomy(str(bad))


def test_names_that_hold_a_name() -> None:
    tree = taxonomy()
    assert tree.mistaken_for("dog") == ("hot dog",)  # a sheep dog is a dog
    assert tree.mistaken_for("poodle") == ()
    assert tree.mistaken_for("sheep") == ("sheep dog",)
