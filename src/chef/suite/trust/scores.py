"""The score sheet of one model: tasks, sub-aspects, aspects and the total, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

from chef.stats.estimate import Estimate
from chef.suite.trust.columns import Columns
from chef.suite.trust.fields import MissingFigureError, figure_draws
from chef.suite.trust.formula import Figure, SubAspect, Task, evaluate, figures, read_sheet
from chef.suite.trust.resampling import clusters_of, weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Draws: TypeAlias = NDArray[np.float64]

#: How many draws of the bootstrap there are, and how many are computed at once.
DRAWS, AT_ONCE = 2000, 250
#: The decimals to which MMTrustEval rounds figures that are not 0 to 1.
_DECIMALS = {"iou": 2}


@dataclass(frozen=True, slots=True)
class Score:
    """One score of the sheet.

    Attributes:
        name: of the task (``T1``), the sub-aspect or the aspect, or ``total``.
        title: what a task is about.
        value: 0 to 100 (of P3 -100 to 100), with its interval; None where something is missing.
        missing: what is missing: data sets, or what their logs lack, by task.
        parts: what it is made of.
        drawn: the score in each draw of the bootstrap; empty where it has no value.
    """

    name: str
    title: str = ""
    value: Estimate | None = None
    missing: Mapping[str, Sequence[str]] = field(default_factory=dict)
    parts: tuple[Score, ...] = ()
    drawn: Draws | tuple[()] = field(default=(), repr=False)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "name": self.name,
            "title": self.title,
            "score": None if self.value is None else self.value.to_json(),
            "missing": {task: list(items) for task, items in self.missing.items()},
            "parts": [part.to_json() for part in self.parts],
        }

    def leaves(self) -> Iterable[Score]:
        """Its tasks, in the order of the sheet."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()


@cache
def sheet() -> tuple[SubAspect, ...]:
    """The sub-aspects with their tasks, as sheet.yaml has them."""
    from yaml import safe_load

    text = files("chef.suite.trust").joinpath("sheet.yaml").read_text(encoding="utf-8")
    return tuple(read_sheet(safe_load(text)))


def score_model(
    logs: Mapping[str, Columns],
    *,
    seed: int = 0,
    draws: int = DRAWS,
    rounded: bool = False,
    partial: bool = False,
) -> Score:
    """The score sheet of a model.

    Args:
        logs: the samples of each data set.
        seed: of the bootstrap.
        draws: how many draws it has; at least 1.
        rounded: whether values are rounded as MMTrustEval rounds them: the figures of data sets to
            4 decimals, the total to 2.
        partial: whether a score is given where tasks are missing: that of the others, with their
            weights scaled up.

    Returns:
        The total. It, and every score that something is missing of, has no value, unless
        ``partial``.
    """
    subs = {
        sub: _combined(
            sub.name,
            [
                (weight, _task(task, logs, (seed, draws), rounded=rounded))
                for weight, task in sub.tasks
            ],
            partial=partial,
        )
        for sub in sheet()
    }
    aspects: dict[str, list[Score]] = {}
    for sub, score in subs.items():
        aspects.setdefault(sub.aspect, []).append(score)
    parts = [
        _combined(name, [(1 / len(items), item) for item in items], partial=partial)
        for name, items in aspects.items()
    ]
    even = [(1 / len(subs), score) for score in subs.values()]
    total = replace(_combined("total", even, partial=partial), parts=tuple(parts))
    if rounded and total.value is not None and total.value.value is not None:
        total = replace(total, value=replace(total.value, value=round(total.value.value, 2)))
    return total


def _task(
    task: Task, logs: Mapping[str, Columns], drawing: tuple[int, int], *, rounded: bool
) -> Score:
    """The score of a task; ``drawing`` is the seed of the bootstrap and its number of draws."""
    import numpy as np

    wanted = dict.fromkeys(item.dataset for item in figures(task.formula))
    data = {name: logs[name] for name in wanted if name in logs}
    missing = [name for name in wanted if name not in logs]
    clusters = clusters_of(data)

    missing += [
        f"{item.dataset} ({lacking})"
        for item in dict.fromkeys(figures(task.formula))
        if item.dataset in data and (lacking := _lacking(item, data[item.dataset]))
    ]
    if missing:
        return Score(task.name, task.title, missing={task.name: missing})
    found = []
    seed, many = drawing
    starts = range(0, many, AT_ONCE)
    for count, start in [(0, 0), *((min(AT_ONCE, many - start), start) for start in starts)]:
        drawn = weights(clusters, count, seed, f"{task.name} {start}")
        given = {
            item: figure_draws(item.field, data[item.dataset], item.subset, drawn[item.dataset])
            for item in figures(task.formula)
        }
        if rounded and not count:
            given = {
                item: np.round(value, _DECIMALS.get(item.field, 4)) for item, value in given.items()
            }
        found.append(evaluate(task.formula, given.__getitem__))
    n = sum(map(len, data.values()))
    return Score(
        task.name, task.title, _estimate(found[0], np.concatenate(found[1:]), n),
        drawn=np.concatenate(found),
    )  # fmt: skip


def _lacking(item: Figure, data: Columns) -> str:
    """What the log of a data set lacks for a figure; empty where it lacks nothing."""
    import numpy as np

    try:
        value = figure_draws(item.field, data, item.subset, np.ones((1, len(data)), np.float32))
    except MissingFigureError as error:
        return str(error)
    return f"no answer counts{f' in {item.subset}' if item.subset else ''}" * bool(
        np.isnan(value[0])
    )


def _combined(name: str, parts: Sequence[tuple[float, Score]], *, partial: bool) -> Score:
    """The weighted mean of scores."""
    import numpy as np

    missing = {task: items for _, part in parts for task, items in part.missing.items()}
    there = [(weight, part) for weight, part in parts if part.value is not None]
    inner = tuple(part for _, part in parts)
    if not there or (missing and not partial):
        return Score(name, missing=missing, parts=inner)
    whole = sum(weight for weight, _ in there)
    drawn = sum((weight / whole * np.asarray(part.drawn) for weight, part in there), np.zeros(1))
    n = sum(part.value.n for _, part in there if part.value is not None)
    return Score(name, "", _estimate(drawn[:1], drawn[1:], n), missing, inner, drawn)


def _estimate(value: Draws, drawn: Draws, n: int) -> Estimate:
    """A score with the 95 % interval of its draws (percentiles)."""
    import numpy as np

    known = drawn[~np.isnan(drawn)]
    if len(known) < 2:
        return Estimate(float(value[0]), n, unit="0-100")
    low, high = np.percentile(known, [2.5, 97.5])
    return Estimate(
        float(value[0]), n, float(known.std(ddof=1)), float(low), float(high), "0-100", "bootstrap"
    )
