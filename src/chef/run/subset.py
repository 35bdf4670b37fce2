"""Choose the samples of a scenario that a run asks."""

from __future__ import annotations

from collections.abc import Callable


def draw_indices(
    length: int,
    sample_len: int | None,
    seed: int,
    group: Callable[[int], str | None] = lambda _: None,
) -> list[int]:
    """Return the indices to ask: all, or ``sample_len`` drawn without replacement.

    The random numbers are those of ChEF (NumPy's legacy generator), so seed 0 gives the same
    subset in the same order as ChEF. If samples belong to groups, whole groups are drawn: as many
    as fit, but at least one.

    >>> draw_indices(3, None, 0)
    [0, 1, 2]
    >>> draw_indices(4, 2, 0, lambda index: f"{index // 2}")
    [2, 3]
    """
    if sample_len is None or sample_len >= length:
        return list(range(length))
    chosen: list[int] = []
    for members in drawn_groups(length, seed, group):
        if chosen and len(chosen) + len(members) > sample_len:
            break
        chosen += members
    return chosen


def drawn_groups(
    length: int, seed: int, group: Callable[[int], str | None] = lambda _: None
) -> list[list[int]]:
    """Return all groups of samples in the order in which a seed draws them.

    A sample without a group is one of its own. The subset of any size is a prefix of this.

    >>> drawn_groups(4, 0, lambda index: f"{index // 2}")
    [[2, 3], [0, 1]]
    """
    import numpy as np

    members: dict[str | int, list[int]] = {}
    for index in range(length):
        name = group(index)
        members.setdefault(index if name is None else name, []).append(index)
    groups = list(members.values())
    return [groups[place] for place in np.random.RandomState(seed).permutation(len(groups))]
