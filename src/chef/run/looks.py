"""When a run that may stop early is looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence

#: The samples before the first look, and the fewest between two.
FIRST = 32
#: How much more is asked at each look: who stops has asked at most this much more than needed.
GROWTH = 1.1


def looks(sizes: Sequence[int], growth: float = GROWTH) -> list[int]:
    """After how many units each look is; the last one is after all of them.

    Args:
        sizes: number of samples of each unit, in the order in which they are asked.
        growth: the factor between the samples at two looks, where they are far apart.

    >>> looks([1] * 500)[-5:]
    [352, 388, 427, 470, 500]
    """
    found: list[int] = []
    asked, wanted = 0, FIRST
    for number, size in enumerate(sizes, 1):
        asked += size
        if asked >= wanted:
            found.append(number)
            wanted = max(asked + FIRST, math.ceil(asked * growth))
    if sizes and (not found or found[-1] < len(sizes)):
        found.append(len(sizes))
    return found
