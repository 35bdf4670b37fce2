"""Rows that begin alike, as a tree: what each has to compute, and in which passes.

The rows are sorted, so that rows with a common beginning are neighbours. A `Pack` is a part of
the tree that goes through the model as one sequence: its nodes in depth-first order, each seeing
its ancestors only. A node is then an ancestor of exactly the nodes from itself to the last one
below it, so that one number a node describes the whole attention mask.

A tree too large for one sequence is cut: what all its rows share becomes a pack of its own (a
trunk) that is computed first and kept, and the branches go on from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np

Integers: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"

#: A common beginning shorter than this many tokens is not worth a pass of its own.
SHORTEST_TRUNK = 64


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One text to score, as far as it has to be computed: without its last token.

    Attributes:
        ids: tokens, [length].
        keys: what the tokens are compared by: a token of an image stands for its content, [length].
        positions: as the model counts them, [length] or, with several dimensions, [n, length].
        blocks: number of the span in which tokens see each other both ways, or -1, [length].
        wanted: the tokens to score; token i is predicted at depth ``length - len(wanted) + i``.
    """

    ids: Integers
    keys: Integers
    positions: Integers
    blocks: Integers
    wanted: Integers

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def first(self) -> int:
        """The depth whose logits predict the first token to score."""
        return len(self.ids) - len(self.wanted)


R = TypeVar("R", bound=Row)


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """A part of the tree that is computed as one sequence.

    Attributes:
        begin: the first of the rows that pass through it, in sorted order.
        end: the row after the last of them.
        start: the depth where it begins; what is before comes from ``trunk``.
        stop: the depth where it ends, or None where the rows end.
        trunk: the pack it goes on from.
    """

    begin: int
    end: int
    start: int
    stop: int | None = None
    trunk: Pack | None = None


@dataclass(frozen=True, slots=True)
class Flat:
    """A pack's nodes in depth-first order.

    Attributes:
        rows: the pack's rows, as numbers.
        row: for each node, a row that passes through it, [nodes].
        depth: of each node, from the root, [nodes].
        last: the last node below each (itself where there is none), [nodes].
        paths: for each of ``rows``, its nodes from ``start`` on.
    """

    rows: list[int]
    row: Integers
    depth: Integers
    last: Integers
    paths: list[Integers]


class PrefixTree(Generic[R]):
    """The tree over some rows.

    Args:
        rows: at least one, in any order.
    """

    def __init__(self, rows: Sequence[R]) -> None:
        self.rows: Sequence[R] = rows
        self.order = sorted(
            range(len(rows)), key=lambda number: rows[number].keys.astype(">i8").tobytes()
        )
        # How many tokens each row, in sorted order, shares with the one before it.
        pairs = zip(self.order, self.order[1:], strict=False)
        self.shared = [0, *(common(rows[a].keys, rows[b].keys) for a, b in pairs)]

    @property
    def nodes(self) -> int:
        """Tokens of the tree: the fewest that have to be computed."""
        return self._nodes(0, len(self.order), 0)

    def trunk(self, keys: Integers) -> Pack | None:
        """What all rows share with ``keys``, where that is worth a pass of its own.

        It ends before anything is to be scored: there are no logits of a pass made earlier. Nor
        does it end inside a block, whose tokens have to see each other.
        """
        # Sorted, all rows share what the first and the last share.
        ends = (self.rows[self.order[place]] for place in (0, -1))
        depth = min(*(common(row.keys, keys) for row in ends), *(row.first for row in self.rows))
        depth = min(_outside_block(row.blocks, depth) for row in self.rows)
        return Pack(0, len(self.order), 0, depth) if depth >= SHORTEST_TRUNK else None

    def packs(self, limit: int, trunk: Pack | None = None) -> list[Pack]:
        """The tree cut into packs, trunks before what goes on from them.

        Args:
            limit: nodes of one pack, at most, unless a single row is longer.
            trunk: of all rows, which is there already and not among the packs.
        """
        found: list[Pack] = []
        if trunk is not None:
            self._cut(0, len(self.order), trunk, limit, found)
            return found
        begin = 0
        for end in range(1, len(self.order) + 1):
            if end == len(self.order) or not self._worth_joining(end):
                self._cut(begin, end, None, limit, found)
                begin = end
        return found

    def flat(self, pack: Pack) -> Flat:
        """The nodes of a pack."""
        owners: list[Integers] = []
        depths: list[Integers] = []
        paths: list[Integers] = []
        last = np.zeros(0, dtype=np.int64)
        rows = self.order[pack.begin : pack.end]
        for place, number in enumerate(rows, pack.begin):
            stop = len(self.rows[number]) if pack.stop is None else pack.stop
            before = paths[-1] if paths else last
            same = min(max(self.shared[place], pack.start), stop) - pack.start if paths else 0
            new = np.arange(len(last), len(last) + stop - pack.start - same, dtype=np.int64)
            path = np.concatenate([before[:same], new])
            last = np.concatenate([last, new])
            last[path] = len(last) - 1
            owners.append(np.full(len(new), number, dtype=np.int64))
            depths.append(np.arange(pack.start + same, stop, dtype=np.int64))
            paths.append(path)
        return Flat(rows, np.concatenate(owners), np.concatenate(depths), last, paths)

    def _worth_joining(self, place: int) -> bool:
        """Whether a row shares so much with the one before it that they should be one tree.

        In one sequence every token is held against every other, be it masked or not.
        """
        return self.shared[place] >= min(SHORTEST_TRUNK, len(self.rows[self.order[place]]) // 4)

    def _nodes(self, begin: int, end: int, start: int) -> int:
        """Nodes at depth ``start`` and below of the sorted rows ``begin`` to ``end``."""
        total = 0
        for place in range(begin, end):
            same = max(start, self.shared[place]) if place > begin else start
            total += max(0, len(self.rows[self.order[place]]) - same)
        return total

    def _cut(self, begin: int, end: int, trunk: Pack | None, limit: int, found: list[Pack]) -> None:
        """Append the packs of the sorted rows ``begin`` to ``end``, which share their trunk."""
        start = _depth(trunk)
        if end - begin == 1 or self._nodes(begin, end, start) <= limit:
            found.append(Pack(begin, end, start, trunk=trunk))
            return
        # The shortest row may end within what all share.
        shortest = min(len(self.rows[number]) for number in self.order[begin:end])
        fork = min(shortest, *self.shared[begin + 1 : end])
        if fork - start >= SHORTEST_TRUNK:
            trunk = Pack(begin, end, start, fork, trunk)
            found.append(trunk)
        inner = [place for place in range(begin + 1, end) if self.shared[place] <= fork]
        branches = list(zip([begin, *inner], [*inner, end], strict=True))
        self._fill(branches, trunk, limit, found)

    def _fill(
        self,
        branches: Sequence[tuple[int, int]],
        trunk: Pack | None,
        limit: int,
        found: list[Pack],
    ) -> None:
        """Put branches side by side into packs as far as they fit; cut those that do not."""
        start = _depth(trunk)
        open_from, filled = branches[0][0], 0
        for begin, end in branches:
            size = self._nodes(begin, end, start)
            if filled and filled + size > limit:
                found.append(Pack(open_from, begin, start, trunk=trunk))
                open_from, filled = begin, 0
            if size > limit:
                self._cut(begin, end, trunk, limit, found)
                open_from = end
            else:
                filled += size
        if filled:
            found.append(Pack(open_from, branches[-1][1], start, trunk=trunk))


def common(left: Integers, right: Integers) -> int:
    """How many numbers two arrays have in common from their beginning.

    >>> common(np.array([1, 2, 3]), np.array([1, 2, 4, 5]))
    2
    """
    length = min(len(left), len(right))
    differ = left[:length] != right[:length]
    return int(differ.argmax()) if differ.any() else length


def _outside_block(blocks: Integers, depth: int) -> int:
    """The largest depth, up to ``depth``, at which no block is cut in two.

    >>> _outside_block(np.array([-1, 0, 0, -1]), 2), _outside_block(np.array([-1, 0, 0, -1]), 3)
    (1, 3)
    """
    if not depth or blocks[depth] < 0 or blocks[depth] != blocks[depth - 1]:
        return depth
    return int(np.flatnonzero(blocks == blocks[depth])[0])


def _depth(trunk: Pack | None) -> int:
    if trunk is None:
        return 0
    assert trunk.stop is not None
    return trunk.stop
