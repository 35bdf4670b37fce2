"""The options that are offered, against the transcription (sections 8.2 to 8.5 and 15)."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chef.scenario.flickr30k import Captions
from chef.scenario.lamm import FSC147
from chef.scenario.omnibenchmark import Omnibenchmark
from chef.scenario.parts.box_turns import Template, kosmos
from chef.scenario.upstream.chef import VOC2012, Flickr30k
from upstream_rules import transcription
from upstream_rules.against import COUNT
from upstream_rules.boxes import Box
from upstream_rules.options import Hierarchy

IMAGES = COUNT // 10
CLASSES = ("dog", "cat", "aeroplane", "tvmonitor", "sheep", "person", "orange", "bus")
TEMPLATES: tuple[Template, ...] = ("default", "shikra", "kosmos")


def written(root: Path, name: str, records: Sequence[dict[str, Any]]) -> str:
    """A folder with a list of records; its path."""
    (root / "meta_file").mkdir()
    (root / "meta_file" / name).write_text(json.dumps(records))
    return str(root)


def hierarchy_of(rng: random.Random) -> Hierarchy:
    """Three levels of concepts with aliases that are repeated, and some with two fathers."""
    id2name: dict[str, list[str]] = {}
    father2child: dict[str, list[str]] = {}
    child2father: dict[str, list[str]] = {}
    names = [f"name {number}" for number in range(150)]
    levels = [["root"], [f"a{n}" for n in range(4)], [f"b{n}" for n in range(20)]]
    levels.append([f"c{n}" for n in range(80)])
    for depth, level in enumerate(levels):
        for concept in level:
            # A first name is shared with another concept now and then.
            first = rng.choice(names) if rng.random() < 0.2 else f"the {concept}"
            id2name[concept] = [first, *rng.sample(names, rng.randrange(3))]
            above = levels[depth - 1] if depth else []
            fathers = rng.sample(above, min(len(above), 1 + (rng.random() < 0.1)))
            child2father[concept] = fathers
            for father in fathers:
                father2child.setdefault(father, []).append(concept)
    return Hierarchy(id2name, father2child, child2father)


def chain_of(rng: random.Random, tree: Hierarchy) -> list[str] | None:
    """The names of a concept, its child and its grandchild, each by the first of its names."""
    concept, chain = "root", []
    for _ in range(3):
        children = tree.father2child.get(concept)
        if not children:
            return None
        concept = rng.choice(children)
        chain.append(tree.id2name[concept][0])
    ids = {name: key for key, names in tree.id2name.items() for name in names}
    # The labels of the file lead down the tree also by what the names stand for.
    below = all(tree.father2child.get(ids[name]) for name in chain[:2])
    return chain if below and tree.child2father[ids[chain[0]]] else None


@pytest.mark.parametrize("seed", range(10))
def test_omnibenchmark(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    tree = hierarchy_of(rng)
    drawn = (chain_of(rng, tree) for _ in range(IMAGES))
    chains = [chain for chain in drawn if chain]
    file = tmp_path / f"tree {seed}.json"
    file.write_text(json.dumps(tree._asdict()))
    records = [{"image": "1.jpg", "label": chain[-1], "chain": chain} for chain in chains]
    root = written(tmp_path, "Classification_Omnibenchmark.json", records)
    keys = {"negative_opt_num": 1 + seed % 4, "random_seed": seed}
    expected = transcription.omnibenchmark_options(
        chains, tree, keys["negative_opt_num"], random.Random(seed)
    )
    data, single = (
        Omnibenchmark(
            base_data_path=root, bamboo_tree_path=str(file), ppl_cfg=keys, multi_turn=turns
        )
        for turns in (True, False)
    )
    for index, levels in enumerate(expected):
        assert [list(turn.options) for turn in data[index].turns] == levels
        assert list(single[index].options) == levels[-1]


@pytest.mark.parametrize("width", range(5))
def test_fsc147(width: int, tmp_path: Path) -> None:
    numbers = range(COUNT // 5)
    records = [{"image": "1.jpg", "num": number, "query": "How many?"} for number in numbers]
    root = written(tmp_path, "Counting_FSC147.json", records)
    data = FSC147(base_data_path=root, ppl_cfg={"heatmap_width": width})
    for number in numbers:
        options = [str(option) for option in transcription.fsc147_options(number, width)]
        assert list(data[number].options) == options
        assert data[number].fields["gt_choice"] == min(number, width)


def captions(seed: int) -> list[list[str]]:
    """Captions of images, some of them repeated, of one image and of several."""
    rng = random.Random(seed)
    pool = [f"caption {number}" for number in range(1, 200)]
    count = 60
    return [
        [f"image {n} {k}" if rng.random() < 0.7 else rng.choice(pool) for k in range(5)]
        for n in range(count)
    ]


def flickr(root: Path, groups: Sequence[Sequence[str]], **keys: object) -> Flickr30k:
    """The data set of these captions."""
    records = [{"image": "1.jpg", "sentences": list(own)} for own in groups]
    folder = written(root, "Caption_flickr30k.json", records)
    return Flickr30k(base_data_path=folder, ppl_cfg=keys)


@pytest.mark.parametrize("seed", range(10))
def test_flickr30k_at_random(seed: int, tmp_path: Path) -> None:
    groups, number = captions(seed), 1 + seed
    pool = [text for own in groups for text in own]
    data = flickr(tmp_path, groups, negative_opt_num=number, random_seed=seed)
    rng = random.Random(0)  # whatever the recipe says (D23)
    for index, own in enumerate(groups):
        expected = transcription.flickr_random(pool, own, number, rng)
        assert list(data[index].options) == expected


def vectors(seed: int, count: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Directions of captions, all different."""
    made = np.random.default_rng(seed).normal(size=(count, 8))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype("float32")


@pytest.mark.parametrize("seed", range(5))
def test_flickr30k_by_similarity(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = captions(seed)
    pool = [text for own in groups for text in own]
    table = vectors(seed, len(pool))
    monkeypatch.setattr(Captions, "_vectors", lambda _: table)
    near = table.astype("float64") @ table.T.astype("float64")
    ranking = {row: list(np.argsort(-near[row], kind="stable")) for row in range(len(pool))}
    (tmp_path / "p").mkdir()
    data = flickr(tmp_path, groups, strategy="top_similarity", negative_opt_num=4)
    most = flickr(tmp_path / "p", groups, strategy="top_p")
    rng = random.Random(0)
    for index in range(len(groups)):
        own = range(5 * index, 5 * index + 5)
        expected = transcription.flickr_top_similarity(pool, own, ranking, 4, rng)
        assert list(data[index].options) == expected
        similarity = [list(near[row]) for row in own]
        assert list(most[index].options) == transcription.flickr_top_p(pool, own, similarity)
        assert most[index].fields["gt_choice"] == [0, 1, 2, 3, 4]


def a_box(rng: random.Random) -> Box:
    """A box of the data set, with two decimals and an area."""
    x1, x2 = sorted(rng.sample(range(101), 2))
    y1, y2 = sorted(rng.sample(range(101), 2))
    return x1 / 100, y1 / 100, x2 / 100, y2 / 100


def grouped(objects: Sequence[tuple[str, Box]]) -> list[tuple[str, list[Box]]]:
    """The boxes by class, in order of first appearance."""
    groups: dict[str, list[Box]] = {}
    for label, box in objects:
        groups.setdefault(label, []).append(box)
    return list(groups.items())


def shown(template: Template, label: str, box: Box) -> str:
    """A box as an option has it."""
    if template == "shikra":
        return transcription.shikra_text(label, box)
    return transcription.box_text(box) if template == "default" else transcription.kosmos_text(box)


@pytest.mark.parametrize("template", TEMPLATES)
def test_voc2012(template: Template, tmp_path: Path) -> None:
    rng = random.Random(101)
    images = [
        [(rng.choice(CLASSES), a_box(rng)) for _ in range(rng.randrange(1, 6))]
        for _ in range(IMAGES)
    ]
    records = [
        {"image": "1.jpg", "object": [{"label": label, "bbox": box} for label, box in objects]}
        for objects in images
    ]
    root = written(tmp_path, "Detection_VOC2012.json", records)
    keys = {"negative_opt_num": 3, "random_seed": 7}
    data = VOC2012(base_data_path=root, ppl_cfg=keys, option_template=template)
    pool = list(dict.fromkeys(label for objects in images for label, _ in objects))
    stream = random.Random(7)
    for index, objects in enumerate(images):
        groups = grouped(objects)
        labels = [label for label, _ in groups]
        expected = transcription.voc_class_options(labels, pool, 3, stream)
        for label in labels:
            turns = transcription.voc_box_options(groups, label, 3, stream)
            expected += [[shown(template, label, box) for box in turn] for turn in turns]
        assert [list(turn.options) for turn in data[index].turns] == expected
        answer = data[index].answer
        assert answer == [
            {"label": label, "bbox": list(box)} for label, boxes in groups for box in boxes
        ]


def test_patches_are_not_clamped() -> None:
    rng = random.Random(102)
    for _ in range(COUNT):
        box = a_box(rng)
        assert kosmos(box, last=32) == transcription.kosmos_text(box)
