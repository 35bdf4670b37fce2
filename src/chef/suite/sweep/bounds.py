"""Intervals of variances and of their shares, which cannot be negative.

A bootstrap of a variance is wrong near 0: the variance of resampled means is larger than that of
the means, for they carry the noise of the samples twice. The test is inverted instead (Carpenter
1999, "Test inversion bootstrap confidence intervals"): the interval holds the values under which
the variance that was observed is not among the 2.5% most extreme on either side. Under each
candidate the effects that were found are shrunk or stretched until they have it, and the deviations
of the bootstrap are added to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chef.stats.scales import CONFIDENCE

if TYPE_CHECKING:
    from chef.suite.sweep.matrix import Array

_TAIL = (1 - CONFIDENCE) / 2
_GRID = 401


@dataclass(frozen=True, slots=True)
class Component:
    """A variance between runs: the squared length of effects, less what noise adds to it.

    Attributes:
        name: of the term.
        length: squared length of the estimated effects.
        noise: what the noise of samples (and of missing runs) adds to it on average.
        along: ``(draws,)``: product of the effects and their bootstrap deviations.
        across: ``(draws,)``: squared length of the bootstrap deviations.
    """

    name: str
    length: float
    noise: float
    along: Array
    across: Array

    @property
    def variance(self) -> float:
        """Unbiased; below 0 where there is less than noise alone would show."""
        return self.length - self.noise

    @property
    def p_value(self) -> float:
        """Of no effect at all: how often noise alone has at least this length."""
        reached = int((self.across >= self.length).sum())
        return (reached + 1) / (len(self.across) + 1)


def variance_interval(item: Component) -> tuple[float, float]:
    """The 95% interval of a variance, in its unit; both ends are at least 0."""
    import numpy as np

    size = float(np.sqrt(item.length))
    if not size:
        return 0.0, 0.0
    reach = size + 4 * float(np.sqrt(item.across.mean()))
    sizes = np.linspace(0.0, reach, _GRID)[:, None]
    drawn = sizes**2 + 2 * sizes / size * item.along + item.across
    return _accepted(sizes[:, 0] ** 2, drawn, np.full(_GRID, item.length))


def share_interval(item: Component, others: list[Component]) -> tuple[float, float]:
    """The 95% interval of the share of a variance in a sum of variances, 0 to 1.

    A share is tested as Fieller 1954 tests a ratio: ``(1 - share) * variance - share * others`` is
    0 on average if it is the share.
    """
    import numpy as np

    total = sum(part.variance for part in [item, *others])
    if not item.length and not item.across.any():
        return 0.0, 0.0  # runs that ask the same: there is neither an effect nor noise
    if total <= 0:
        return 0.0, 1.0
    shares = np.linspace(0.0, 1.0, _GRID)[:, None]
    scale = np.sqrt(total * shares / item.length) if item.length else 0 * shares
    own = shares * total + 2 * scale * item.along + item.across - item.noise
    weights = [max(0.0, part.variance) for part in others]
    if not sum(weights):
        weights = [part.length for part in others]
    along, across = np.zeros(len(item.along)), np.zeros(len(item.along))
    for part, weight in zip(others, weights, strict=True):
        across += part.across - part.noise
        if weight:
            along += part.along * np.sqrt(total * weight / sum(weights) / part.length)
    rest = (1 - shares) * total * bool(sum(weights)) + 2 * np.sqrt(1 - shares) * along + across
    observed = (1 - shares) * item.variance - shares * sum(part.variance for part in others)
    return _accepted(shares[:, 0], (1 - shares) * own - shares * rest, observed[:, 0])


def _accepted(candidates: Array, drawn: Array, observed: Array) -> tuple[float, float]:
    """The first and the last candidate under which what was observed is not extreme."""
    seen = observed[:, None]
    low = (drawn >= seen).mean(axis=1) >= _TAIL
    high = (drawn <= seen).mean(axis=1) >= _TAIL
    first = int(low.argmax()) if low.any() else len(candidates) - 1
    last = len(high) - 1 - int(high[::-1].argmax()) if high.any() else 0
    ends = sorted((float(candidates[first]), float(candidates[last])))
    return ends[0], ends[1]
