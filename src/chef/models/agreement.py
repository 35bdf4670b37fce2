"""Comparison of the fast scorer with the reference scorer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from chef.frozen import Frozen
from chef.types import Scored

#: How far two mean log-probabilities (nats per token) may differ, by the precision of the weights.
#: The same sums in another order differ by about 1e-6 in float32; half precision keeps 8 or 11 bits
#: of every intermediate value.
TOLERANCES = {"float32": 1e-3, "float16": 0.05, "bfloat16": 0.2}

Scores = Sequence[tuple[Scored, ...]]


class Verification(Frozen):
    """How two scorers compare on the same requests.

    Attributes:
        largest, tolerance: of the differences between two means, in nats per token.
        changed: the requests, by number, whose most likely candidate differs.
    """

    requests: int
    largest: float
    tolerance: float
    changed: tuple[int, ...]

    @property
    def agrees(self) -> bool:
        """Whether the difference is within the tolerance; changed answers are then near ties."""
        return self.largest <= self.tolerance

    def __str__(self) -> str:
        return (
            f"{self.requests} request(s) scored by both scorers: the means differ by at most "
            f"{self.largest:.2g} nats (tolerance {self.tolerance:g}), "
            f"{len(self.changed)} answer(s) change"
        )


def compare(fast: Scores, slow: Scores, tolerance: float) -> Verification:
    """Compare the scores of the same requests.

    Two NaN agree, and so do two equal infinities. Any other pair with a value that is not finite
    differs by infinity.
    """
    pairs = [pair for a, b in zip(fast, slow, strict=True) for pair in zip(a, b, strict=True)]
    largest = max((_difference(a, b) for a, b in pairs), default=0.0)
    changed = [i for i, (a, b) in enumerate(zip(fast, slow, strict=True)) if _best(a) != _best(b)]
    return Verification(len(fast), largest, tolerance, tuple(changed))


def tolerance_of(dtype: Any) -> float:
    """The tolerance for weights of a torch type."""
    return TOLERANCES.get(str(dtype).removeprefix("torch."), TOLERANCES["bfloat16"])


def _difference(fast: Scored, slow: Scored) -> float:
    if fast.tokens != slow.tokens:
        return math.inf
    if math.isnan(fast.mean) and math.isnan(slow.mean):
        return 0.0
    difference = 0.0 if fast.mean == slow.mean else abs(fast.mean - slow.mean)
    return math.inf if math.isnan(difference) else difference


def _best(scored: tuple[Scored, ...]) -> int:
    means = [item.mean for item in scored]
    return means.index(max(means)) if means else 0
