"""Which combinations of values a sweep asks: all, or some that are drawn in balance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from chef.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: More combinations than this are not even counted out.
MOST = 200_000
#: How often a draw is tried again for a better balance.
_TRIES = 20


def combinations(
    factors: Mapping[str, Sequence[str]],
    exclude: Sequence[Mapping[str, Sequence[str]]] = (),
    sample: int | None = None,
    seed: int = 0,
) -> list[dict[str, str]]:
    """Combinations of values: one value of every factor each.

    Args:
        factors: the values of each factor, by its name.
        exclude: combinations that are left out: those whose values are all among these.
        sample: how many to draw; None for all. Every value occurs about equally often: of a grid
            without exclusions, at most one time more than another of its factor wherever such a
            draw is found.
        seed: of the draw.

    Returns:
        The combinations in the order of the grid, in which the last factor changes fastest.

    Raises:
        ConfigError: there are too many, or none is left.

    >>> combinations({"wording": ["0", "1"], "examples": ["0", "2"]}, [{"examples": ["2"]}])
    [{'wording': '0', 'examples': '0'}, {'wording': '1', 'examples': '0'}]
    """
    total = math.prod(map(len, factors.values()))
    if total > MOST:
        raise ConfigError(
            f"the grid has {total:,} combinations, and at most {MOST:,} can be drawn from",
            where="vary",
            hint="give fewer values, or fewer factors",
        )
    rows = [dict(zip(factors, row, strict=True)) for row in product(*factors.values())]
    allowed = [row for row in rows if not any(_is_part(part, row) for part in exclude)]
    if not allowed:
        raise ConfigError(
            "every combination is excluded", where="exclude", hint="exclude fewer of them"
        )
    if sample is None or sample >= len(allowed):
        return allowed
    return [allowed[place] for place in sorted(_drawn(allowed, factors, sample, seed))]


def _is_part(part: Mapping[str, Sequence[str]], row: Mapping[str, str]) -> bool:
    return all(row[name] in labels for name, labels in part.items())


def _drawn(
    allowed: Sequence[Mapping[str, str]],
    factors: Mapping[str, Sequence[str]],
    sample: int,
    seed: int,
) -> list[int]:
    """The positions of the drawn combinations: the best balance of several seeded draws."""
    import numpy as np

    places = {
        name: {label: at for at, label in enumerate(labels)} for name, labels in factors.items()
    }
    levels = np.array([[places[name][row[name]] for name in factors] for row in allowed])
    stream = np.random.default_rng(seed)
    sizes = [len(labels) for labels in factors.values()]
    best: list[int] = []
    least = math.inf
    for _ in range(_TRIES):
        drawn, counts = _draw(levels, sizes, sample, stream)
        excess = sum(max(0, int(count.max() - count.min()) - 1) for count in counts)
        if excess < least:
            best, least = drawn, excess
        if not least:
            break
    return best


def _draw(
    levels: NDArray[np.int64], sizes: Sequence[int], sample: int, stream: np.random.Generator
) -> tuple[list[int], list[NDArray[Any]]]:
    """Draw one combination after another, each of the values that were drawn least so far."""
    import numpy as np

    order = stream.permutation(len(levels))
    counts = [np.zeros(size) for size in sizes]
    is_taken = np.zeros(len(levels), dtype=bool)
    drawn = []
    for _ in range(sample):
        above = [count - count.min() for count in counts]
        cost = sum(excess[levels[order, at]] ** 2 for at, excess in enumerate(above))
        place = int(order[np.argmin(np.where(is_taken[order], np.inf, cost))])
        is_taken[place] = True
        drawn.append(place)
        for at, count in enumerate(counts):
            count[levels[place, at]] += 1
    return drawn, counts
