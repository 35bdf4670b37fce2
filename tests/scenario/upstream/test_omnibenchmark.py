"""Omnibenchmark's options, drawn step by step from ChEF's random stream."""

from __future__ import annotations

import json
import random
from pathlib import Path

from chef.scenario.omnibenchmark import Omnibenchmark

TREE = {
    "id2name": {
        "0": ["root"], "1": ["animal"], "2": ["food"], "3": ["plant"], "4": ["tool"],
        "5": ["cat"], "6": ["dog", "hound"], "7": ["bird"], "8": ["cow"], "9": ["fish"],
    },
    "father2child": {"0": ["4", "1", "2", "3"], "1": ["7", "5", "6", "9", "8"]},
    "child2father": {"1": ["0"]},
}  # fmt: skip
CHAINS = [["animal", "dog"], ["animal", "cow"]]


def drawn(members: list[str], label: str, rng: random.Random) -> tuple[str, ...]:
    wrong = [name for name in members if name != label]
    rng.shuffle(wrong)
    options = [*wrong[:3], label]
    rng.shuffle(options)
    return tuple(options)


def test_the_founder_of_a_level_comes_first_then_its_siblings_in_file_order(
    tmp_path: Path,
) -> None:
    (tmp_path / "meta_file").mkdir()
    records = [{"image": "1.jpg", "label": chain[-1], "chain": chain} for chain in CHAINS]
    file = tmp_path / "meta_file" / "Classification_Omnibenchmark.json"
    file.write_text(json.dumps(records))
    tree = tmp_path / "tree.json"
    tree.write_text(json.dumps(TREE))
    data = Omnibenchmark(base_data_path=str(tmp_path), bamboo_tree_path=str(tree))

    top = ["animal", "tool", "food", "plant"]
    # "dog" founds the second level; "cow" has a set already and founds none.
    animals = ["dog", "bird", "cat", "fish", "cow"]
    rng = random.Random(0)
    expected = [
        [drawn(top, "animal", rng), drawn(animals, "dog", rng)],
        [drawn(top, "animal", rng), drawn(animals, "cow", rng)],
    ]
    assert [[turn.options for turn in data[index].turns] for index in (0, 1)] == expected
