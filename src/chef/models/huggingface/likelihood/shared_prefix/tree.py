"""Rows with common beginnings, stored as a tree, and the passes that compute the tree.

Four rows, one letter a token, already without the last token of each (it is only predicted, never
fed in):

    row 0   a b c d              a -- b -- c -- d
    row 1   a b c e f     ->          |    + -- e -- f
    row 2   a b c e                   + -- g
    row 3   a b g

The tree has 7 nodes where the rows have 16 tokens. It goes through the model as ONE sequence, its
nodes in depth-first order, with a mask that shows each node its ancestors only ("x": the node of
this line sees the node of this column):

    node    0  1  2  3  4  5  6
    token   a  b  c  d  e  f  g
    depth   0  1  2  3  3  4  2     its position in its row
    last    6  6  5  3  5  5  6     the last node below it, or itself

            a  b  c  d  e  f  g
       a    x
       b    x  x
       c    x  x  x
       d    x  x  x  x
       e    x  x  x  .  x
       f    x  x  x  .  x  x
       g    x  x  .  .  .  .  x

Depth-first order makes the x of a column one run without gaps: a node comes first, then everything
below it, then the rest. So a column is described by where its run ends, and the whole mask by the
one number ``last`` a node: node i sees node j exactly where ``j <= i <= last[j]``.

Sorting the rows gives this order without building the tree: sorted neighbours share the longest
beginnings, and a row adds to the sequence only what it does not share with the row before it.

A tree too large for one sequence is cut. What all its rows share becomes a sequence of its own (a
*trunk*), which is computed first and whose keys and values are kept; the branches continue from
them. Each sequence is a `Pack`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np

from chef.frozen import Frozen

Integers: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"

#: A common beginning shorter than this many tokens gets no pass of its own: starting a pass costs
#: more than computing so few tokens again.
SHORTEST_TRUNK = 64


class TokenRow(Frozen, eq=False):
    """One text to score, without its last token: that one is predicted, not fed to the model.

    Attributes:
        keys: two tokens are one node only if their keys are equal, [length]; that of a placeholder
            stands for the image's content.
        positions: as the model counts them, [length] or, with several dimensions, [n, length].
        blocks: number of the span in which tokens see each other both ways, or -1, [length].
        targets: the tokens to score; target i is predicted at depth ``length - len(targets) + i``.
    """

    ids: Integers
    keys: Integers
    positions: Integers
    blocks: Integers
    targets: Integers

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def first(self) -> int:
        """The depth whose logits predict the first target."""
        return len(self.ids) - len(self.targets)


R = TypeVar("R", bound=TokenRow)


class Pack(Frozen, eq=False):
    """A part of the tree that is computed as one sequence: some sorted rows, from depth ``start``
    on.

    Attributes:
        stop: the depth after its last one; None where it reaches to the end of every row. Only a
            trunk has a ``stop``.
        trunk: the pack whose keys and values it continues from.
    """

    begin: int
    end: int
    start: int
    stop: int | None = None
    trunk: Pack | None = None


class Flat(Frozen):
    """The nodes of a pack in depth-first order: the sequence that the model sees.

    Attributes:
        rows: the rows of the pack, by their number in `PrefixTree.rows`.
        row: for each node, a row that passes through it, from which it is read, [nodes].
        depth: of each node, counted from the root of the whole tree, [nodes].
        last: the last node below each node, or itself where there is none: the mask, [nodes].
        paths: for each of ``rows``, its nodes from depth ``start`` on.
    """

    rows: list[int]
    row: Integers
    depth: Integers
    last: Integers
    paths: list[Integers]


class PrefixTree(Generic[R]):
    """The tree over some rows, at least one."""

    def __init__(self, rows: Sequence[R]) -> None:
        self.rows: Sequence[R] = rows
        # Bytes compare much faster than lists of numbers. Big-endian, because then the order of
        # the bytes is the order of the numbers; a shorter row comes before those it begins.
        self.order = sorted(
            range(len(rows)), key=lambda number: rows[number].keys.astype(">i8").tobytes()
        )
        # How many tokens each row, in sorted order, shares with the one before it. This list is
        # the whole tree: rows ``i`` to ``k`` have ``min(shared[i + 1 : k + 1])`` tokens in common.
        pairs = zip(self.order, self.order[1:], strict=False)
        self.shared = [0, *(common_length(rows[a].keys, rows[b].keys) for a, b in pairs)]

    @property
    def nodes(self) -> int:
        """Nodes of the tree: the smallest number of tokens that have to be computed."""
        return self._nodes(0, len(self.order), 0)

    def trunk(self, keys: Integers) -> Pack | None:
        """What all rows share with an earlier call's keys; None if too short for a pass."""
        # The rows are sorted, so what the first and the last share with the keys, all share.
        ends = (self.rows[self.order[place]] for place in (0, -1))
        depth = min(common_length(row.keys, keys) for row in ends)
        # It may not reach the first target of any row: a pass made in an earlier call has left
        # keys and values, but no logits to read a target's probability from.
        depth = min(depth, *(row.first for row in self.rows))
        # Nor may it end inside a block: its first tokens would have to see those after the cut.
        depth = min(_outside_block(row.blocks, depth) for row in self.rows)
        return Pack(0, len(self.order), 0, depth) if depth >= SHORTEST_TRUNK else None

    def packs(self, limit: int, trunk: Pack | None = None) -> list[Pack]:
        """The tree cut into packs of ``limit`` nodes (or one longer row), trunks before what
        continues.

        ``trunk`` is what all rows share, where it was computed before; it is not among the packs.
        """
        packs: list[Pack] = []
        if trunk is not None:
            self._cut(0, len(self.order), trunk, limit, packs)
            return packs
        # First separate the rows that have next to nothing in common. In one sequence their
        # tokens would only be masked from each other; in two they can be rows of one batch.
        begin = 0
        for end in range(1, len(self.order) + 1):
            if end == len(self.order) or not self._shares_enough(end):
                self._cut(begin, end, None, limit, packs)
                begin = end
        return packs

    def flat(self, pack: Pack) -> Flat:
        """The nodes of a pack, in depth-first order."""
        owners: list[Integers] = []
        depths: list[Integers] = []
        paths: list[Integers] = []
        last = np.zeros(0, dtype=np.int64)
        rows = self.order[pack.begin : pack.end]
        for place, number in enumerate(rows, pack.begin):
            stop = len(self.rows[number]) if pack.stop is None else pack.stop
            # The row walks along the nodes of the row before it as far as the two agree, and
            # there branches off with new nodes, which are appended to the sequence.
            before = paths[-1] if paths else last
            same = min(max(self.shared[place], pack.start), stop) - pack.start if paths else 0
            new = np.arange(len(last), len(last) + stop - pack.start - same, dtype=np.int64)
            path = np.concatenate([before[:same], new])
            last = np.concatenate([last, new])
            # Every node on the way now has the row's final node below it. The branches that the
            # rows before it left keep the ends they have: nothing is ever added to them again.
            last[path] = len(last) - 1
            owners.append(np.full(len(new), number, dtype=np.int64))
            depths.append(np.arange(pack.start + same, stop, dtype=np.int64))
            paths.append(path)
        return Flat(rows, np.concatenate(owners), np.concatenate(depths), last, paths)

    def _shares_enough(self, place: int) -> bool:
        """Whether a row joins the one before it: in one sequence all pairs cost attention."""
        return self.shared[place] >= min(SHORTEST_TRUNK, len(self.rows[self.order[place]]) // 4)

    def _nodes(self, begin: int, end: int, start: int) -> int:
        """How many nodes the sorted rows ``begin`` to ``end`` have from depth ``start`` on."""
        total = 0
        for place in range(begin, end):
            same = max(start, self.shared[place]) if place > begin else start
            total += max(0, len(self.rows[self.order[place]]) - same)
        return total

    def _cut(self, begin: int, end: int, trunk: Pack | None, limit: int, found: list[Pack]) -> None:
        """Append the packs of sorted rows, which all continue from ``trunk``."""
        start = trunk_depth(trunk)
        if end - begin == 1 or self._nodes(begin, end, start) <= limit:
            found.append(Pack(begin, end, start, trunk=trunk))
            return
        # Too large. Up to the fork all rows are one; there they part, or the shortest one ends.
        shortest = min(len(self.rows[number]) for number in self.order[begin:end])
        fork = min(shortest, *self.shared[begin + 1 : end])
        # A long way to the fork becomes a trunk, computed once for all branches. A short one is
        # computed again at the beginning of each pack of branches.
        if fork - start >= SHORTEST_TRUNK:
            trunk = Pack(begin, end, start, fork, trunk)
            found.append(trunk)
        # A new branch begins with each row that leaves the row before it at the fork.
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
        """Put neighbouring branches into packs as they fit; cut those too large alone."""
        start = trunk_depth(trunk)
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


def common_length(left: Integers, right: Integers) -> int:
    """How many numbers two arrays have in common from their beginning.

    >>> common_length(np.array([1, 2, 3]), np.array([1, 2, 4, 5]))
    2
    """
    length = min(len(left), len(right))
    differ = left[:length] != right[:length]
    return int(differ.argmax()) if differ.any() else length


def trunk_depth(trunk: Pack | None) -> int:
    """How many tokens a trunk reaches from the root; 0 where there is none."""
    if trunk is None:
        return 0
    assert trunk.stop is not None
    return trunk.stop


def _outside_block(blocks: Integers, depth: int) -> int:
    """The largest depth, up to ``depth``, at which no block is cut in two.

    >>> _outside_block(np.array([-1, 0, 0, -1]), 2), _outside_block(np.array([-1, 0, 0, -1]), 3)
    (1, 3)
    """
    if not depth or blocks[depth] < 0 or blocks[depth] != blocks[depth - 1]:
        return depth
    return int(np.flatnonzero(blocks == blocks[depth])[0])
