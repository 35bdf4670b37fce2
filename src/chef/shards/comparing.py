"""Two runs in object stores held against each other, shard by shard."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.document.numbers import interval, quantity
from chef.document.sections import Table
from chef.errors import ConfigError, DataError
from chef.frozen import Frozen
from chef.metric.mean_scores import scores_of
from chef.shards.looking import StoredParts
from chef.shards.part import StoredPart
from chef.shards.statistics import cluster_name
from chef.shards.sums import NOTHING, Sums
from chef.stats.estimate import Estimate


class StoredComparison(Frozen):
    """How much the second run is above the first, in points of percent, on samples of both."""

    first: str
    second: str
    figure: str
    means: tuple[Estimate, Estimate]
    difference: Estimate
    gained: int
    lost: int
    alone: int

    def table(self) -> Table:
        """The table that people read."""
        rows = [
            (name, f"{self.figure} {quantity(item)}", interval(item), str(item.n))
            for name, item in (
                (f"a: {self.first}", self.means[0]),
                (f"b: {self.second}", self.means[1]),
                ("b - a", self.difference),
            )
        ]
        item = self.difference
        is_shown = item.low is not None and item.high is not None and not item.low <= 0 <= item.high
        note = f"{self.gained} samples gained, {self.lost} lost. "
        note += "The difference is shown." if is_shown else "No difference is shown."
        if self.alone:
            note += f" {self.alone} samples are scored in one run only, and left out."
        return Table("compared", ("run", "value", "95% interval", "n"), rows, note, names=1)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        plain: dict[str, Any] = to_jsonable(asdict(self))
        return plain


def compared(first: str, second: str, *, allow: tuple[str, ...] = ()) -> StoredComparison:
    """Compare two runs, one shard of each in memory at a time; ``data`` may differ if allowed."""
    runs = StoredParts.at(first), StoredParts.at(second)
    _check(*runs, allow)
    seed = runs[0].settings.seed
    sums, gained, lost, alone = [NOTHING, NOTHING, NOTHING], 0, 0, 0
    figure = unit = ""
    for shard in runs[0].settings.shards:
        pair = [run.part(shard) for run in runs]
        a, b = ({} if one is None else _scores(one) for one in pair)
        part = next((one for one in pair if one is not None), None)
        alone += len(a.keys() ^ b.keys())
        if part is None or not (names := sorted(a.keys() & b.keys())):
            continue
        counted = part.head.statistics[0]
        figure, unit = counted.figure, counted.unit
        records = {item.sample_id: {"id": item.sample_id, **item.to_record()}
                   for item in part.answers}  # fmt: skip
        clusters = [cluster_name(records[name]) for name in names]
        columns = [[side[name] for name in names] for side in (a, b)]
        columns.append([after - before for before, after in zip(*columns, strict=True)])
        sums = [one + Sums.of(of, clusters, seed) for one, of in zip(sums, columns, strict=True)]
        gained += sum(change > 0 for change in columns[2])
        lost += sum(change < 0 for change in columns[2])
    if not sums[2].n:
        raise DataError("the runs have no scored sample in common", where=f"{first}, {second}")
    means = sums[0].mean(unit), sums[1].mean(unit)
    points = replace(sums[2].difference(), n=sums[2].n)
    return StoredComparison(first, second, figure, means, points, gained, lost, alone)


def _check(one: StoredParts, other: StoredParts, allow: tuple[str, ...]) -> None:
    a, b = one.settings, other.settings
    data = "scenario_fingerprint"
    if a.metrics[0] != b.metrics[0]:
        what, hint = "the runs have other metrics", "ask both by one recipe"
    elif a.shards != b.shards:
        what = f"the runs have {len(a.shards)} and {len(b.shards)} shards, cut at other samples"
        hint = "ask the same samples with the same --shard-size"
    elif a.made_with[data] != b.made_with[data] and "data" not in allow:
        what, hint = "the runs have other data files", "--allow data compares by the ids alone"
    else:
        return
    raise ConfigError(what, where=f"{one.store.url}, {other.store.url}", hint=hint)


def _scores(part: StoredPart) -> dict[str, float]:
    counted = part.head.statistics[0]
    if counted.no_mean:
        raise ConfigError(
            f"only means of scores are compared part by part: {counted.no_mean}",
            hint="`chef score URL` computes the figure of each run",
        )
    return scores_of(part.scores)
