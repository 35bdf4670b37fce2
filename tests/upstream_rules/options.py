"""Which options are offered: Omnibenchmark, Flickr30k, FSC147 (sections 8.2 to 8.4 and 15)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Hierarchy(NamedTuple):
    """The names of each concept, and who is below and above whom."""

    id2name: Mapping[str, Sequence[str]]
    father2child: Mapping[str, Sequence[str]]
    child2father: Mapping[str, Sequence[str]]


def ids_by_name(hierarchy: Hierarchy) -> dict[str, str]:
    """8.2: every alias to its concept; a later concept takes an alias from an earlier one."""
    return {name: key for key, names in hierarchy.id2name.items() for name in names}


def omnibenchmark_sets(
    chains: Sequence[Sequence[str]], hierarchy: Hierarchy
) -> dict[str, list[str]]:
    """8.2 and 15: of each label its set, in order: the founder, then its siblings as in the file.

    A set takes its members from the sets that they were in before; a label that is in a set
    already founds none.
    """
    name2id = ids_by_name(hierarchy)
    set_of: dict[str, list[str]] = {}
    for chain in chains:
        for level, label in enumerate(chain):
            if label in set_of:
                continue
            if level == 0:
                parent = hierarchy.child2father[name2id[label]][0]
            else:
                parent = name2id[chain[level - 1]]
            siblings = []
            for child in hierarchy.father2child[parent]:
                name = hierarchy.id2name[child][0]
                if name2id[name] == child and name != label:
                    siblings.append(name)
            members = [label, *siblings]
            for member in members:
                set_of[member] = members
    return set_of


def omnibenchmark_options(
    chains: Sequence[Sequence[str]],
    hierarchy: Hierarchy,
    negatives: int,
    rng: random.Random,
) -> list[list[list[str]]]:
    """8.2: per sample and level the options, drawn in that order from one stream."""
    sets = omnibenchmark_sets(chains, hierarchy)
    drawn = []
    for chain in chains:
        levels = []
        for label in chain:
            others = [name for name in sets[label] if name != label]
            rng.shuffle(others)
            options = [*others[:negatives], label]
            rng.shuffle(options)
            levels.append(options)
        drawn.append(levels)
    return drawn


def fsc147_options(gt: int, window: int = 2) -> list[int]:
    """8.4: the numbers around the gold one, all of them of its decade or pushed out of order."""
    numbers = range(max(0, gt - window), gt + window + 1)
    above, below = numbers[-1] + 1, numbers[0] - 1
    options = []
    for number in numbers:
        if number // 10 < gt // 10:
            options.append(above)
            above += 1
        elif number // 10 > gt // 10:
            # Open: nothing is said of a window that would push below 0.
            options.append(below)
            below -= 1
        else:
            options.append(number)
    return options


def flickr_random(
    captions: Sequence[str], own: Sequence[str], negatives: int, rng: random.Random
) -> list[str]:
    """8.3 and 15, `random`: negatives from all captions but the image's own, one of these last.

    Own captions are removed by value, each from its first place only (D23).
    """
    pool = list(captions)
    for caption in own:
        pool.remove(caption)
    rng.shuffle(pool)
    mine = list(own)
    # Open: the pool is shuffled before the image's own captions are.
    rng.shuffle(mine)
    return [*pool[:negatives], mine[0]]


def flickr_top_similarity(
    captions: Sequence[str],
    own: Sequence[int],
    ranking: Mapping[int, Sequence[int]],
    negatives: int,
    rng: random.Random,
) -> list[str]:
    """8.3 and 15, `top_similarity`: by place in the pool of captions, as are the rankings.

    `ranking` has the nearest captions of each of the image's own, best first. Captions of other
    images that read like an own one stay.
    """
    mine = list(own)
    rng.shuffle(mine)
    # Open: of the twenty nearest the own captions are left out, so fewer may remain.
    near = [place for place in ranking[mine[0]][:20] if place not in own]
    return [captions[place] for place in [*near[:negatives], mine[0]]]


def flickr_top_p(
    captions: Sequence[str], own: Sequence[int], similarity: Sequence[Sequence[float]]
) -> list[str]:
    """8.3, `top_p`: own captions, then the five most similar to any of them.

    `similarity` has a row for each own caption and a column for each caption of the pool.
    """
    count = len(captions)
    flat = [value for row in similarity for value in row]
    # Open: equal similarities keep their order.
    best = sorted(range(len(flat)), key=lambda place: -flat[place])[:250]
    columns = dict.fromkeys(place % count for place in best)
    near = [place for place in columns if place not in own]
    return [captions[place] for place in [*own, *near[:5]]]
