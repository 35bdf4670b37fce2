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
    import numpy as np

    stream = np.random.RandomState(seed)
    members: dict[str | int, list[int]] = {}
    for index in range(length):
        name = group(index)
        members.setdefault(index if name is None else name, []).append(index)
    if len(members) == length:
        drawn = stream.choice(length, sample_len, replace=False)
        return [int(index) for index in drawn]
    groups = list(members.values())
    chosen: list[int] = []
    for place in stream.permutation(len(groups)):
        if chosen and len(chosen) + len(groups[place]) > sample_len:
            break
        chosen += groups[place]
    return chosen
