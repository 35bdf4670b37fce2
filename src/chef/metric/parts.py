"""The parts of a benchmark, such as its subjects, and the figures that are made of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from chef.metric.vqa.accuracy import share_of
from chef.stats.estimate import Estimate
from chef.stats.figures import of_sums

if TYPE_CHECKING:
    from chef.stats.influence import Array

Record = dict[str, Any]


def parts_of(
    answers: Sequence[Record], names: Callable[[Record], Iterable[str]] | str
) -> dict[str, list[Record]]:
    """The answers of each part by name, in alphabetical order; a field that is empty names none."""
    parts: dict[str, list[Record]] = {}
    for answer in answers:
        if isinstance(names, str):
            names_of_it = [str(answer[names])] if answer.get(names) else []
        else:
            names_of_it = [*dict.fromkeys(names(answer))]
        for name in names_of_it:
            parts.setdefault(name, []).append(answer)
    return dict(sorted(parts.items()))


def shares_of(
    answers: Sequence[Record],
    names: Callable[[Record], Iterable[str]] | str,
    key: str = "metric_result",
) -> dict[str, Estimate]:
    """The mean of ``key``, in 0..1, of each of `parts_of`, in %."""
    return {name: share_of(part, key) for name, part in parts_of(answers, names).items()}


def sum_of_shares(
    rows: Sequence[tuple[int, Sequence[float]]],
    clusters: Sequence[Hashable],
    unit: str,
    *,
    parts: int,
    most: float,
) -> Estimate:
    """The sum of the shares of several parts, ``most`` where all are 1.

    A row has the place of an item's part, and its hits and its weight, of one share of the part or
    of several in turn.
    """
    width = len(rows[0][1])
    table = []
    for place, numbers in rows:
        row = [0.0] * width * parts
        row[width * place : width * (place + 1)] = numbers
        table.append(row)

    def total(sums: Array) -> Array:
        import numpy as np

        weights = np.where(sums[:, 1::2] > 0, sums[:, 1::2], np.nan)
        values: Array = most * (sums[:, ::2] / weights).mean(axis=1)
        return values

    return of_sums(table, total, clusters, unit, least=0, most=most)
