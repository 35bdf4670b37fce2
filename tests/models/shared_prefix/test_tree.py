"""The tree of rows, against the definition: prefixes in a set."""

from __future__ import annotations

import random

import numpy as np
import pytest

from chef.models.huggingface.likelihood.shared_prefix import tree as trees
from chef.models.huggingface.likelihood.shared_prefix.tree import PrefixTree, TokenRow


def row(tokens: list[int]) -> TokenRow:
    ids = np.array(tokens, dtype=np.int64)
    return TokenRow(ids, ids, np.arange(len(ids)), np.full(len(ids), -1), targets=ids[-1:])


def rows(seed: int) -> list[TokenRow]:
    """Random rows that often begin alike; some are the beginning of others, some are equal."""
    draw = random.Random(seed)
    made = [[draw.randrange(3) for _ in range(draw.randint(1, 9))] for _ in range(4)]
    for _ in range(10):
        base = draw.choice(made)
        made.append(base[: draw.randint(1, len(base))] + [draw.randrange(3)] * draw.randint(0, 6))
    return [row(tokens) for tokens in made]


def prefixes(made: list[TokenRow]) -> set[tuple[int, ...]]:
    return {tuple(each.ids[: i + 1].tolist()) for each in made for i in range(len(each))}


@pytest.mark.parametrize("seed", range(20))
def test_a_tree_has_a_node_for_every_prefix(seed: int) -> None:
    made = rows(seed)
    assert PrefixTree(made).nodes == len(prefixes(made))


@pytest.mark.parametrize("limit", [1, 3, 8, 1000])
@pytest.mark.parametrize("seed", range(20))
def test_packs_hold_every_prefix_and_each_node_sees_its_own(
    seed: int, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trees, "SHORTEST_TRUNK", 2)
    made = rows(seed)
    tree = PrefixTree(made)
    computed = set()
    seen_trunks = [None]
    for pack in tree.packs(limit):
        assert pack.trunk in seen_trunks
        seen_trunks.append(pack)
        if pack.stop == pack.start or not any(
            len(made[n]) > pack.start for n in tree.order[pack.begin : pack.end]
        ):
            continue
        flat = tree.flat(pack)
        for number, path in zip(flat.rows, flat.paths, strict=True):
            end = len(made[number]) if pack.stop is None else pack.stop
            assert len(path) == max(0, end - pack.start)
            assert [int(flat.depth[node]) for node in path] == list(range(pack.start, end))
            for node in path:
                # What a node sees: those before it whose branch it is in.
                visible = [j for j in range(node + 1) if node <= flat.last[j]]
                assert visible == [j for j in path if j <= node]
                tokens = [int(made[flat.row[j]].ids[flat.depth[j]]) for j in visible]
                assert tokens == made[number].ids[pack.start : flat.depth[node] + 1].tolist()
                computed.add(tuple(made[number].ids[: flat.depth[node] + 1].tolist()))
    assert computed == prefixes(made)


def test_a_tree_that_fits_is_one_pack_and_unrelated_rows_are_apart() -> None:
    shared = list(range(100))
    made = [row([*shared, 7, 8]), row([*shared, 9]), row([*range(500, 600)])]
    packs = PrefixTree(made).packs(1000)
    assert [(pack.begin, pack.end, pack.trunk) for pack in packs] == [(0, 2, None), (2, 3, None)]


def test_a_tree_too_large_is_cut_where_its_rows_part() -> None:
    shared = list(range(100))
    made = [row([*shared, 1000 + i, *range(80)]) for i in range(3)]
    trunk, *branches = PrefixTree(made).packs(170)
    assert (trunk.start, trunk.stop) == (0, 100)
    assert [(pack.begin, pack.end) for pack in branches] == [(0, 2), (2, 3)]
    assert all(pack.trunk is trunk and pack.start == 100 for pack in branches)


def test_the_picture_in_the_documentation() -> None:
    """The drawing of the tree and its mask is what the code makes of those rows."""
    made = [row([ord(letter) for letter in word]) for word in ("abcd", "abcef", "abce", "abg")]
    tree = PrefixTree(made)
    (pack,) = tree.packs(1000)
    flat = tree.flat(pack)
    nodes = range(tree.nodes)
    tokens = [chr(made[flat.row[i]].ids[flat.depth[i]]) for i in nodes]
    mask = [["x" if j <= i <= flat.last[j] else "." for j in range(i + 1)] for i in nodes]
    drawn = [
        ["node", *map(str, nodes)],
        ["token", *tokens],
        ["depth", *map(str, flat.depth)],
        ["last", *map(str, flat.last)],
        *([token, *line] for token, line in zip(tokens, mask, strict=True)),
    ]
    shown = [line.split() for line in (trees.__doc__ or "").splitlines()]
    for line in drawn:
        end = len(line)
        assert any(each[:end] == line and each[end : end + 1] != ["x"] for each in shown), line
