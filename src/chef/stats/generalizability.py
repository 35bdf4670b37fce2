"""Variance components of scores that depend on items and conditions: a G-study, and what follows.

Each item is asked under each combination of conditions (wordings, seeds, judges, ...), all of which
are random draws. The variance of a score is the sum of a part of each set of these: of the items,
of the wordings, of items and wordings together, and so on. Mean squares have known expectations,
which are solved for the parts (Henderson 1953, method 1; of a full grid the analysis of variance).
The variance of a mean over other numbers of items and conditions follows. Source: Brennan 2001,
"Generalizability Theory", chapters 3 to 6.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from itertools import chain, combinations, product
from typing import TypeAlias

from chef.frozen import Frozen
from chef.stats.arrays import Array, np, special
from chef.stats.scales import CONFIDENCE

#: The name of the items among the conditions, and that of clusters of items, as of an image.
ITEMS, CLUSTERS = "items", "clusters"
#: A set of conditions, in the order of the grid.
Part: TypeAlias = tuple[str, ...]
#: The most values of a condition that a better design has.
_MOST = 12


class Components(Frozen):
    """Variances, in squared units of the scores.

    Attributes:
        parts: by the names of the conditions; none is below 0.
        clusters: what all items of a cluster share, which is a part of that of the items.
        cluster_size: items in a cluster, on average.
        sizes: how many values of each condition there were, the items among them.
    """

    parts: Mapping[Part, float]
    clusters: float
    cluster_size: float
    sizes: Mapping[str, int]

    def variance(self, sizes: Mapping[str, int]) -> float:
        """That of the mean score, with so many items and other conditions drawn again."""
        total = sum(
            part / math.prod(sizes[name] for name in names) for names, part in self.parts.items()
        )
        # Items of a cluster share a part, so that this one goes down with the clusters alone.
        return total + self.clusters * (self.cluster_size - 1) / sizes[ITEMS]

    def reach(self, sizes: Mapping[str, int]) -> float:
        """How far the interval of the mean score reaches to each side, in units of the scores."""
        return float(special.ndtri(0.5 + CONFIDENCE / 2)) * math.sqrt(self.variance(sizes))

    def cheapest(self, reach: float) -> dict[str, int] | None:
        """The values of each condition in the design with the fewest questions that reaches no
        further; as many as they were or more, up to 12. None where no number of items is enough.
        """
        names = [name for name in self.sizes if name != ITEMS]
        ranges = [range(self.sizes[name], max(_MOST, self.sizes[name]) + 1) for name in names]
        best: tuple[int, dict[str, int]] | None = None
        for values in product(*ranges):
            conditions = dict(zip(names, values, strict=True))
            items = self._items_for(conditions, reach)
            if items is None:
                continue
            questions = items * math.prod(values)
            if best is None or questions < best[0]:
                best = questions, {**conditions, ITEMS: items}
        return None if best is None else best[1]

    def _items_for(self, conditions: Mapping[str, int], reach: float) -> int | None:
        """How many items are enough; None where no number is."""
        wanted = (reach / float(special.ndtri(0.5 + CONFIDENCE / 2))) ** 2
        one, two = (self.variance({**conditions, ITEMS: items}) for items in (1, 2))
        by_items = 2 * (one - two)  # the rest does not depend on their number
        left = wanted - (one - by_items)
        return max(2, math.ceil(by_items / left)) if left > 0 else None


def components(
    scores: Array, conditions: Sequence[str], clusters: Sequence[Hashable]
) -> Components:
    """The variance components of a full grid: ``scores`` is ``(values of the first condition, ...,
    items)``, at least 2 of each; ``conditions`` names all axes but the last.

    >>> import numpy as np
    >>> found = components(np.array([[0.0, 1.0, 2.0], [1.0, 2.0, 3.0]]), ["wording"], range(3))
    >>> {"×".join(names): round(part, 9) for names, part in found.parts.items()}
    {'wording': 0.5, 'items': 1.0, 'wording×items': 0.0}
    """
    names = [*conditions, ITEMS]
    axes = tuple(range(len(names)))
    parts = [*chain.from_iterable(combinations(axes, size) for size in range(1, len(axes) + 1))]
    whole = set(axes)
    shape = scores.shape
    squares: dict[tuple[int, ...], float] = {}
    for part in parts:
        effect = scores.mean(axis=tuple(whole - {*part}), keepdims=True)
        for axis in part:
            effect = effect - effect.mean(axis=axis, keepdims=True)
        repeated = math.prod(shape[axis] for axis in whole - {*part})
        freedom = math.prod(shape[axis] - 1 for axis in part)
        squares[part] = repeated * float((effect**2).sum()) / freedom
    found: dict[tuple[int, ...], float] = {}
    for part in reversed(parts):  # those of more conditions are part of those of fewer
        others = sum(
            found[more] * math.prod(shape[axis] for axis in whole - {*more})
            for more in found
            if {*part} < {*more}
        )
        repeated = math.prod(shape[axis] for axis in whole - {*part})
        found[part] = (squares[part] - others) / repeated
    kept = {tuple(names[axis] for axis in part): max(0.0, found[part]) for part in parts}
    shared, size = _of_clusters(scores.mean(axis=axes[:-1]), clusters)
    sizes = dict(zip(names, map(int, np.shape(scores)), strict=True))
    return Components(kept, min(shared, kept[ITEMS,]), size, sizes)


def _of_clusters(means: Array, clusters: Sequence[Hashable]) -> tuple[float, float]:
    """What items of a cluster share, and how many they are, by their means: the component between
    groups of unequal size (Searle, Casella and McCulloch 1992, "Variance Components", 3.6).
    """
    codes = np.unique([str(one) for one in clusters], return_inverse=True)[1]
    counts = np.bincount(codes)
    total, groups = len(means), len(counts)
    if groups in (1, total):
        return 0.0, 1.0
    centres = np.bincount(codes, weights=means) / counts
    within = float(((means - centres[codes]) ** 2).sum()) / (total - groups)
    between = float((counts * (centres - means.mean()) ** 2).sum()) / (groups - 1)
    usual = (total - float((counts**2).sum()) / total) / (groups - 1)
    # The mean over items has the variance of n / sum(m^2) clusters.
    return max(0.0, (between - within) / usual), float((counts**2).sum()) / total
