"""Scores of the same recipe and model under several seeds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from chef.metric.groups import natural
from chef.metric.records import cluster
from chef.metric.seeds import across_seeds
from chef.report.compare.comparison import Spread
from chef.report.compare.means import factor_of
from chef.report.compare.side import Side

_SEED = "run.seed"


def spreads(
    sides: Sequence[Side], figures: Sequence[str], means: Mapping[str, str]
) -> list[Spread]:
    """A spread for each set of runs that differ in nothing but the seed.

    Args:
        sides: the runs.
        figures: the keys of the metric, the main one first.
        means: of what finding about each sample they are the mean; the others have no spread.
    """
    alike: dict[str, dict[int, Side]] = {}
    for side in sides:
        if isinstance(side.config.get(_SEED), int):
            alike.setdefault(_settings(side), {}).setdefault(side.config[_SEED], side)
    wanted = {figure: means[figure] for figure in figures if means[figure]}
    return [_spread(known, wanted) for known in alike.values() if len(known) > 1 and wanted]


def _settings(side: Side) -> str:
    """Everything but the seed. What the seed decides, such as the drawn examples, is left out."""
    kept = {
        key: value
        for key, value in side.config.items()
        if key not in (_SEED, "decided_by.examples")
    }
    return repr(sorted(kept.items(), key=lambda item: item[0]))


def _spread(known: Mapping[int, Side], figures: Mapping[str, str]) -> Spread:
    sides = list(known.values())
    ids = sorted({name for side in sides for name in side.scored}, key=natural)
    # A record of any of the runs tells the cluster, as they ask the same.
    owners = [next(side for side in sides if name in side.scored) for name in ids]
    clusters = [cluster(side.record(name)) for side, name in zip(owners, ids, strict=True)]
    found, between = {}, {}
    for figure, finding in figures.items():
        numbers = [side.findings[finding] for side in sides]
        table = [[values.get(name, math.nan) for name in ids] for values in numbers]
        item = sides[0].report.metrics[figure]
        factor = factor_of(item, [number for values in numbers for number in values.values()])
        across = across_seeds(table, clusters, higher_is_better=item.higher_is_better)
        found[figure] = across.estimate.scaled(factor, item.unit)
        between[figure] = (across.between or 0.0) * factor
    names = sides[0].names
    label = f"{names['model']}, {names['scenario']}/{names['recipe']}"
    return Spread(label, list(known), found, between)
