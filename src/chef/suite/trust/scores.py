"""The score sheet of one model: tasks, sub-aspects, aspects and the total, with intervals.

Draws are those of the Poisson bootstrap (Hanley and MacGibbon 2006, "Creating non-parametric
bootstrap samples using Poisson frequencies"): a cluster counts k times, k drawn from a Poisson
distribution of mean 1. It counts the same in every data set of the sheet: the questions of the
variants of a data set (with text alone, an image, unrelated images) are the same ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from chef.common.seeding import sample_rng
from chef.common.yaml_text import shipped
from chef.frozen import Frozen
from chef.stats.arrays import Array, NDArray, np
from chef.stats.clusters import components
from chef.stats.estimate import Estimate
from chef.stats.influence import ClusterSpread
from chef.stats.scales import bounded
from chef.suite.formula import (
    Figure,
    Formula,
    evaluate,
    figures,
    has_max,
    number,
    read_formula,
    without,
)
from chef.suite.trust.fields import MissingFigureError, figure_draws
from chef.suite.trust.logs import LogColumns


class Task(Frozen):
    """One of the 32 tasks, ``T1`` to ``P6``, with the formula of its score, 0 to 100."""

    name: str
    title: str
    formula: Formula

    @property
    def datasets(self) -> list[str]:
        """The data sets that its score is made of, each once."""
        return list(dict.fromkeys(item.dataset for item in figures(self.formula)))


class SubAspect(Frozen):
    """One of the ten sub-aspects, with the aspect that it is part of and its weighted tasks."""

    aspect: str
    name: str
    tasks: tuple[tuple[float, Task], ...]


def read_sheet(given: Mapping[str, Any]) -> list[SubAspect]:
    """The sub-aspects of sheet.yaml; ValueError if a formula is malformed or weights are not 1."""
    found = []
    for aspect, parts in given.items():
        if aspect == "version":
            continue
        for name, part in parts.items():
            weights = {task: number(weight) for task, weight in part["weights"].items()}
            if abs(sum(weights.values()) - 1) > 1e-9 or set(weights) != set(part["tasks"]):
                raise ValueError(f"the weights of {name} do not fit its tasks")
            tasks = (
                (weights[key], Task(key, task["title"], read_formula(task["score"])))
                for key, task in part["tasks"].items()
            )
            found.append(SubAspect(aspect, name, tuple(tasks)))
    return found


#: How many draws of the bootstrap there are, and how many are computed at once.
DRAWS, AT_ONCE = 2000, 250
#: The decimals to which MMTrustEval rounds figures that are not 0 to 1.
_DECIMALS = {"iou": 2}


@dataclass(frozen=True, slots=True)
class SheetScore:
    """One score of the sheet.

    Attributes:
        name: of the task (``T1``), the sub-aspect or the aspect, or ``total``.
        title: what a task is about.
        value: 0 to 100 (of P3 -100 to 100), with its interval; None where something is missing.
        missing: what is missing: data sets, or what their logs lack, by task.
        drawn: the score in each draw of the bootstrap; empty where it has no value.
        shares: how much of it is each cluster's, over all clusters of the sheet; empty likewise.
        least: the smallest value that is possible.
    """

    name: str
    title: str = ""
    value: Estimate | None = None
    missing: Mapping[str, Sequence[str]] = field(default_factory=dict)
    parts: tuple[SheetScore, ...] = ()
    drawn: Array | tuple[()] = field(default=(), repr=False)
    shares: Array | tuple[()] = field(default=(), repr=False)
    least: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "name": self.name,
            "title": self.title,
            "score": None if self.value is None else self.value.to_json(),
            "missing": {task: list(items) for task, items in self.missing.items()},
            "parts": [part.to_json() for part in self.parts],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SheetScore:
        """The score that `to_json` gave, without its draws.

        KeyError, TypeError, ValueError or AttributeError: it is something else.
        """
        value = data["score"]
        return cls(
            str(data["name"]),
            str(data["title"]),
            None if value is None else Estimate.from_json(value),
            {str(task): list(map(str, items)) for task, items in data.get("missing", {}).items()},
            tuple(map(cls.from_json, data["parts"])),
        )

    def leaves(self) -> Iterable[SheetScore]:
        """Its tasks, in the order of the sheet."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()


@cache
def sheet() -> tuple[SubAspect, ...]:
    """The sub-aspects with their tasks, as sheet.yaml has them."""
    return tuple(read_sheet(shipped("chef.suite.trust", "sheet.yaml")))


def sheet_datasets() -> set[str]:
    """The data sets that the sheet is made of."""
    return {name for sub in sheet() for _, task in sub.tasks for name in task.datasets}


def score_model(
    logs: Mapping[str, LogColumns],
    *,
    seed: int = 0,
    draws: int = DRAWS,
    rounded: bool = False,
    partial: bool = False,
) -> SheetScore:
    """The total of a model, with ``draws`` of the bootstrap.

    ``rounded``: figures of data sets have 4 decimals and the total 2, and the best of several
    prompts is as it is, as MMTrustEval makes them. ``partial``: what something is missing of has
    the score of the rest, with weights scaled up; else it has none. With both a task has the score
    of the data sets that are there, too.
    """
    drawing = _Drawing.of(logs, seed, draws)
    subs = {
        sub: _combined(
            sub.name,
            [
                (weight, _task(task, logs, drawing, rounded=rounded, partial=partial))
                for weight, task in sub.tasks
            ],
            partial=partial,
        )
        for sub in sheet()
    }
    aspects: dict[str, list[SheetScore]] = {}
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


class _Drawing(Frozen):
    """One draw of clusters for the whole sheet: tasks that share questions are drawn together.

    ``half`` says of each cluster whether it is in the first half, on which prompts are chosen.
    """

    clusters: Mapping[str, Sequence[int]]
    half: NDArray[np.bool_]
    seed: int
    draws: int

    @classmethod
    def of(cls, logs: Mapping[str, LogColumns], seed: int, draws: int) -> _Drawing:
        names = sheet_datasets()
        clusters = clusters_of({name: data for name, data in logs.items() if name in names})
        many = max((number for of in clusters.values() for number in of), default=-1) + 1
        rng = np.random.default_rng(sample_rng(seed, "halves").getrandbits(64))
        return cls(clusters, rng.permutation(many) < many // 2, seed, draws)

    def shares(self, datasets: Iterable[str]) -> Array:
        """How much of a score made of these data sets, each of one weight, is each cluster's."""
        of = [np.asarray(self.clusters[name]) for name in datasets]
        shares = sum(
            (np.bincount(one, minlength=len(self.half)) / len(one) for one in of if len(one)),
            np.zeros(len(self.half)),
        )
        return np.asarray(shares / max(1, sum(1 for one in of if len(one))))

    def weights(self, datasets: Iterable[str]) -> Iterable[dict[str, NDArray[np.float32]]]:
        """How often each sample counts: once, then in each block of draws."""
        wanted = {name: self.clusters[name] for name in datasets}
        starts = range(0, self.draws, AT_ONCE)
        blocks = [(min(AT_ONCE, self.draws - start), start) for start in starts]
        for count, start in [(0, 0), *blocks]:
            yield weights(wanted, count, self.seed, f"sheet {start}", len(self.half))


def _task(
    task: Task,
    logs: Mapping[str, LogColumns],
    drawing: _Drawing,
    *,
    rounded: bool,
    partial: bool,
) -> SheetScore:
    """The score of a task; ``rounded`` and ``partial``: of the data sets that are there."""
    lacking = {
        item: "" if item.dataset not in logs else f" ({why})"
        for item in dict.fromkeys(figures(task.formula))
        if item.dataset not in logs or (why := _lacking(item, logs[item.dataset]))
    }
    names = [f"{item.dataset}{why}" for item, why in lacking.items()]
    missing = {task.name: [*dict.fromkeys(sorted(names, key=lambda name: "(" in name))]}
    rest = without(task.formula, lacking) if rounded and partial else None
    if lacking and rest is None:
        return SheetScore(task.name, task.title, missing=missing)
    if rest is not None:
        task = replace(task, formula=rest)
    wanted = task.datasets
    drawn = np.concatenate(
        [
            _value(task, logs, weights, None if rounded else drawing, rounds=rounded and not place)
            for place, weights in enumerate(drawing.weights(wanted))
        ]
    )
    shares = drawing.shares(wanted)
    least = -100.0 if any(item.field == "correlation" for item in figures(task.formula)) else 0.0
    n = sum(len(logs[name]) for name in wanted)
    value = _estimate(drawn[:1], drawn[1:], n, shares, least)
    given = missing if lacking else {}
    return SheetScore(task.name, task.title, value, given, (), drawn, shares, least)


def _value(
    task: Task,
    logs: Mapping[str, LogColumns],
    drawn: Mapping[str, NDArray[np.float32]],
    drawing: _Drawing | None,
    *,
    rounds: bool,
) -> Array:
    """The score of a task in each draw, by how often each sample counts (``drawn``).

    On the halves of ``drawing`` the best of several prompts is chosen; None: on all samples.
    """

    def of(sets: Mapping[str, NDArray[np.float32]]) -> Callable[[Figure], Array]:
        given = {
            item: figure_draws(item.field, logs[item.dataset], item.subset, sets[item.dataset])
            for item in figures(task.formula)
        }
        if rounds:
            given = {
                item: np.round(value, _DECIMALS.get(item.field, 4)) for item, value in given.items()
            }
        return given.__getitem__

    halves = []
    if drawing is not None and has_max(task.formula):
        inside = {name: drawing.half[list(drawing.clusters[name])] for name in drawn}
        for is_first in (True, False):
            half = {name: one * (inside[name] == is_first) for name, one in drawn.items()}
            halves.append(of(half))
    return evaluate(task.formula, of(drawn), halves)


def _lacking(item: Figure, data: LogColumns) -> str:
    """What the log of a data set lacks for a figure; empty where it lacks nothing."""
    try:
        value = figure_draws(item.field, data, item.subset, np.ones((1, len(data)), np.float32))
    except MissingFigureError as error:
        return str(error)
    return f"no answer counts{f' in {item.subset}' if item.subset else ''}" * bool(
        np.isnan(value[0])
    )


def _combined(name: str, parts: Sequence[tuple[float, SheetScore]], *, partial: bool) -> SheetScore:
    """The weighted mean of scores."""
    missing = {task: items for _, part in parts for task, items in part.missing.items()}
    there = [(weight, part) for weight, part in parts if part.value is not None]
    inner = tuple(part for _, part in parts)
    if not there or (missing and not partial):
        return SheetScore(name, missing=missing, parts=inner)
    whole = sum(weight for weight, _ in there)
    weights = [weight / whole for weight, _ in there]
    drawn, shares = (
        sum((weight * np.asarray(one) for weight, one in zip(weights, items, strict=True)),
            np.zeros(1))
        for items in ([part.drawn for _, part in there], [part.shares for _, part in there])
    )  # fmt: skip
    least = sum(weight * part.least for weight, (_, part) in zip(weights, there, strict=True))
    n = sum(part.value.n for _, part in there if part.value is not None)
    value = _estimate(drawn[:1], drawn[1:], n, shares, least)
    return SheetScore(name, "", value, missing, inner, drawn, shares, least)


def _estimate(value: Array, drawn: Array, n: int, shares: Array, least: float) -> Estimate:
    """A score ``(1,)`` with its 95% interval: the variance is that of its draws ``(draws,)``.

    The scale is from its least value to 100 (`chef.stats.scales.bounded`), so that a score of 100
    is not taken for certain. ``shares`` ``(clusters,)`` of the score have the sum 1.
    """
    known, own = drawn[~np.isnan(drawn)], shares[shares > 0]
    bare = Estimate(float(value[0]), n, unit="0-100", clusters=len(own))
    if len(known) < 2 or len(own) < 2 or np.isnan(value[0]):
        return bare
    effective, width = 1 / float((own**2).sum()), 100 - least
    # Drawn clusters vary by (C - 1) / C too little.
    variance = float(known.var(ddof=1)) * effective / max(1e-9, effective - 1)
    spread = ClusterSpread(variance / width**2, max(0.5, effective - 1), len(own), effective)
    low, high = bounded((float(value[0]) - least) / width, spread)
    return replace(
        bare, stderr=math.sqrt(variance), low=least + low * width, high=least + high * width,
        method="bootstrap variance, wilson",
    )  # fmt: skip


def clusters_of(data: Mapping[str, LogColumns]) -> dict[str, list[int]]:
    """The cluster of each sample of several data sets, numbered from 0.

    Samples that share an image or a question, in whichever of the data sets, are in one cluster.
    """
    shared: list[list[str]] = []
    for name, columns in data.items():
        shared += [
            [f"{name} {item}" if item.startswith("sample") else item for item in items]
            for items in columns.clusters("unrelated" in name)
        ]
    numbers = iter(components(shared))
    return {name: [next(numbers) for _ in range(len(columns))] for name, columns in data.items()}


def weights(
    clusters: Mapping[str, Sequence[int]], draws: int, seed: int, name: str, many: int
) -> dict[str, NDArray[np.float32]]:
    """How often each sample counts, ``(draws, samples)`` for each data set; for 0 draws once.

    ``name`` is that of the random stream, ``many`` the number of all clusters of all data sets.
    """
    if not draws:
        return {name: np.ones((1, len(of)), np.float32) for name, of in clusters.items()}
    rng = np.random.default_rng(sample_rng(seed, name).getrandbits(64))
    counts = rng.poisson(1.0, (draws, many)).astype(np.float32)
    return {name: counts[:, list(of)] for name, of in clusters.items()}
