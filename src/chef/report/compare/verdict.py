"""What a comparison of runs says of two of them, as plain data, and what is decided in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import field

from chef.document.numbers import number
from chef.frozen import Frozen
from chef.metric.coverage import Coverage
from chef.stats.estimate import PERCENT, Estimate
from chef.stats.paired import PairedDifference


class Difference(Frozen):
    """A figure of two runs on the samples that both have, and its paired difference.

    Attributes:
        figure: the key of the metric, such as ``ACC``.
        difference: second minus first with its 95% interval, in the unit of the figure.
        p_value: two-sided, of no difference; None where it cannot be told.
        detectable: the smallest true difference that is found with a power of 80% at the 5% level,
            in the unit of the figure.
    """

    figure: str
    first: Estimate
    second: Estimate
    difference: Estimate
    p_value: float | None = None
    detectable: float | None = None


class Matched(NamedTuple):
    """A figure of two runs on the samples that both have, and what its difference is made of."""

    first: Estimate
    second: Estimate
    paired: PairedDifference

    def difference(self, figure: str) -> Difference:
        """What is told of it, under the key of the figure."""
        paired = self.paired
        return Difference(
            figure, self.first, self.second, paired.estimate, paired.p_value, paired.detectable
        )


class McNemar(Frozen):
    """Right and wrong answers of two runs, in samples, and McNemar's exact two-sided test.

    ``p_value`` is None where samples stand in clusters, as the test takes them as independent.
    """

    both: int
    first_only: int
    second_only: int
    neither: int
    p_value: float | None


class Pair(Frozen):
    """Two of the runs, by their labels.

    Attributes:
        samples: number of shared samples that both runs have scored.
        differences: of every figure, the main one first.
        mcnemar: None where samples are not right or wrong.
        gained, lost: ids that only the second run, or only the first, has right.
        by: differences of the main figure of each group, by field and value.
        joint: the main figure with the interval and the p-value that hold for all pairs of a
            comparison together (`chef.stats.paired`); None for two runs.
        notes: what a reader has to know of this pair, such as samples that failed in one run.
    """

    first: str
    second: str
    samples: int
    differences: Mapping[str, Difference]
    mcnemar: McNemar | None = None
    gained: Sequence[str] = ()
    lost: Sequence[str] = ()
    by: Mapping[str, Mapping[str, Difference]] = field(default_factory=dict)
    joint: Difference | None = None
    notes: Sequence[str] = ()

    def deciding(self, figure: str) -> Difference:
        """What verdict, gate and colours go by: of several runs the joint one, where there is."""
        joint = self.joint
        return joint if joint is not None and joint.figure == figure else self.differences[figure]


class RunScore(Frozen):
    """A run as a whole, with the figures and the coverage of all its samples.

    ``place`` is the run folder, or the file of answers.
    """

    label: str
    place: Path
    figures: Mapping[str, Estimate]
    coverage: Coverage


class Best(Frozen):
    """The run with the best of several scores, which has an interval corrected for the choice."""

    run: str
    score: Estimate


class RectifiedPair(Frozen):
    """The difference of two runs by labels of people, who have labelled some answers of both.

    ``labels`` counts the labelled samples of each, ``both`` those of both. ``difference`` is second
    minus first, with its 95% interval, of the samples that both have scored and that could be
    drawn in both; ``p_value`` is two-sided.
    """

    first: str
    second: str
    figure: str
    labels: tuple[int, int]
    both: int
    difference: Estimate
    p_value: float | None


_LEVEL = 0.05


def is_decided(item: Difference) -> bool:
    """Whether a difference (main: `Pair.deciding`) has an interval without 0, and p <= 5%."""
    return _excludes_zero(item.difference) and item.p_value is not None and item.p_value <= _LEVEL


def tone(item: Difference) -> Literal["", "good", "bad"]:
    """``good`` or ``bad`` where a difference is shown, and its figure has a better direction."""
    gain = item.difference
    if gain.higher_is_better is None or gain.low is None or not is_decided(item):
        return ""
    return "good" if (gain.low > 0) == gain.higher_is_better else "bad"


def verdict(pair: Pair, figure: str) -> str:
    """What is decided about two runs by a figure, in words."""
    item = pair.deciding(figure)
    value, better = item.difference.value, item.difference.higher_is_better
    if value is None:
        return f"{figure} is not defined on the {pair.samples} shared samples of a run."
    size = amount(abs(value), item.difference)
    if item.difference.low is None:
        text = f"{figure} of {pair.second} is {_above(value)} that of {pair.first}"
        gap = f" by {size}" if value else ""
        return f"{text}{gap}; how certain that is cannot be told, as there is no interval."
    if is_decided(item):
        ends = sorted(abs(end) for end in (item.difference.low, item.difference.high or 0.0))
        span = ", ".join(bare(end, item.difference.unit) for end in ends)
        if better is None:
            text = f"{figure} of {pair.second} is {_above(value)} that of {pair.first}"
            return f"{text} by {size} [{span}]."
        winner = pair.second if (value > 0) is better else pair.first
        loser = pair.first if winner == pair.second else pair.second
        corrected = "" if pair.joint is None else ", jointly with all pairs"
        return f"{winner} is better than {loser} by {size} [{span}] in {figure}{corrected}."
    runs = f"{pair.first} and {pair.second}"
    return f"No difference between {runs} is shown in {figure}: {_open(pair, item)}."


def _open(pair: Pair, item: Difference) -> str:
    """Why nothing is decided."""
    difference = item.difference
    seen = f"{signed(difference.value, difference.unit)} {span_of(difference)}"
    if item.detectable is None:
        if difference.value == 0:
            return f"{seen}; the two scores are the same on all {pair.samples} samples"
        return f"{seen}; {pair.samples} samples are too few for any difference to be found"
    found = amount(item.detectable, difference)
    power = f"with {pair.samples} samples, a true difference of {found} is found with 80% power"
    if _excludes_zero(difference):
        return f"{seen}, but p is above 0.05; {power}"
    return f"{seen}; {power}"


def _excludes_zero(item: Estimate) -> bool:
    return item.low is not None and item.high is not None and not item.low <= 0 <= item.high


def _above(value: float) -> str:
    return "above" if value > 0 else "below" if value < 0 else "equal to"


def amount(value: float, like: Estimate) -> str:
    """A difference without its sign, with its unit: of shares in points.

    >>> amount(2.14, Estimate(None, 5, unit="%")), amount(0.5, Estimate(None, 5, unit="px"))
    ('2.1 points', '0.500 px')
    """
    text = bare(value, like.unit)
    if like.unit in PERCENT:
        return f"{text} points"
    return f"{text} {like.unit}" if like.unit and not like.unit.startswith("0-") else text


def bare(value: float, unit: str) -> str:
    """A value as tables show it, without its sign of percent."""
    return number(value, unit).rstrip("%")


def signed(value: float | None, unit: str) -> str:
    """A difference with its sign; of shares in points.

    >>> signed(2.14, "%"), signed(-0.021, "0-1"), signed(0.0, "%"), signed(None, "")
    ('+2.1', '-2.1', '0.0', '-')
    """
    if value is None:
        return "-"
    text = bare(value, unit)
    is_zero = not float(text)
    return text.lstrip("-") if is_zero else f"+{text}" if value > 0 else text


def span_of(item: Estimate) -> str:
    """The interval of a difference; empty where there is none.

    >>> span_of(Estimate(0.01, 9, low=-0.002, high=0.022, unit="0-1"))
    '[-0.2, +2.2]'
    """
    if item.low is None or item.high is None:
        return ""
    return f"[{signed(item.low, item.unit)}, {signed(item.high, item.unit)}]"
