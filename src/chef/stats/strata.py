"""How labels are shared out among strata: more for large ones, and some for each."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping
from typing import TypeVar

Stratum = TypeVar("Stratum", bound=Hashable)
#: So many are drawn from each stratum before any has more.
FIRST = 2


def dealt(sizes: Mapping[Stratum, int]) -> Iterator[Stratum]:
    """The stratum of the first drawn sample, of the second one, and so on, by the sizes of strata.

    After `FIRST` of each, strata get samples in proportion to the root of their sizes, by highest
    averages, so that however early a person stops, the labels are shared out well. The root stands
    between equal numbers, which know each stratum alike, and proportional ones, which know the
    whole best where strata are alike. Source: Bankier 1988, "Power Allocations".

    >>> "".join(dealt({"a": 9, "b": 3}))
    'aabbaaabaaaa'
    """
    left = dict(sizes)
    counts = dict.fromkeys(sizes, 0)
    while any(left.values()):
        name = min(
            (name for name, number in left.items() if number),
            key=lambda name: (
                (0, 0.0)
                if counts[name] < FIRST
                else (1, -math.sqrt(sizes[name]) / (counts[name] + 1))
            ),
        )
        left[name] -= 1
        counts[name] += 1
        yield name
