"""``chef eval SWEEP --plan``: more questions, more wordings or more seeds?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from chef.document.sections import Section, Table, Words
from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.stats.arrays import np
from chef.stats.generalizability import CLUSTERS, ITEMS, Components, components
from chef.suite.sweep.analysis import WORDING, recipes
from chef.suite.sweep.samples import CombinationScores, earlier_sweep, matrix_of_runs, scores_of


class Allocation(Frozen):
    """What makes the scores of a sweep's recipes more exact, on average over the recipes.

    ``points`` is how far an interval may reach, ``total`` the samples that the scenario has.
    """

    name: str
    points: float
    total: int
    found: Components
    recipes: int

    def sections(self) -> list[Section]:
        """The components, what each kind of more would bring, and a command."""
        return [self._parts(), self._designs(), Words("", [f"next: {self._next()}"])]

    def _parts(self) -> Table:
        found = self.found
        whole = sum(found.parts.values()) or 1.0
        rows = [
            (" × ".join(names), f"{math.sqrt(part):.1f}", f"{part / whole:.1%}")
            for names, part in sorted(found.parts.items(), key=lambda item: -item[1])
        ]
        if found.clusters:
            rows.append(
                (f"of {ITEMS}: {CLUSTERS} (images)", f"{math.sqrt(found.clusters):.1f}",
                 f"{found.clusters / whole:.1%}")
            )  # fmt: skip
        title = f"{self.name}: what makes answers differ ({self.recipes} recipes)"
        return Table(title, ("source", "points", "of the variance"), rows)

    def _designs(self) -> Table:
        sizes = self.found.sizes
        rows = [self._row("as it is", sizes)]
        rows += [
            self._row(f"twice the {_plural(name)}", {**sizes, name: 2 * sizes[name]})
            for name in sorted(sizes, key=lambda name: name != ITEMS)
        ]
        if (best := self.found.cheapest(self.points)) is not None:
            rows.append(self._row(f"the fewest for ±{self.points:g}", best))
        headers = ("design", *map(_plural, sizes), "questions", "± points")
        note = "Of wordings, seeds and questions like these, of which those asked are draws."
        return Table("The score of a recipe", headers, rows, note)

    def _row(self, what: str, sizes: Mapping[str, int]) -> tuple[str, ...]:
        questions = math.prod(sizes.values())
        counts = [f"{sizes[name]:,}" for name in self.found.sizes]
        return what, *counts, f"{questions:,}", f"{self.found.reach(sizes):.1f}"

    def _next(self) -> str:
        best, sizes = self.found.cheapest(self.points), self.found.sizes
        if best is None or best[ITEMS] > self.total:
            most = {**sizes, ITEMS: self.total}
            more = max((n for n in sizes if n != ITEMS), key=lambda n: self._gain(most, n))
            reach = self.found.reach({**most, more: 2 * sizes[more]})
            return (
                f"chef eval {self.name} --limit {self.total} asks all samples, which reach "
                f"±{self.found.reach(most):.1f} points; with twice the {_plural(more)} in `vary`, "
                f"±{reach:.1f}"
            )
        more_ = [name for name in sizes if name != ITEMS and best[name] > sizes[name]]
        command = f"chef eval {self.name} --limit {best[ITEMS]}"
        if not more_:
            return command
        values = " and ".join(f"{best[name]} values of {name}" for name in more_)
        return f"{values} in `vary` of {self.name}, and {command}"

    def _gain(self, sizes: Mapping[str, int], name: str) -> float:
        more = {**sizes, name: 2 * sizes[name]}
        return self.found.variance(sizes) - self.found.variance(more)


def _plural(name: str) -> str:
    return name if name == ITEMS else f"{name}s"


def allocation(name: str, folder: Path, points: float, total: int) -> Allocation:
    """What makes the scores of a sweep more exact, by the runs of it that are there.

    ``points`` is how far an interval may reach to each side. ConfigError if the sweep has not run,
    has no nuisance of two values or more, or too few scores.
    """
    stored = earlier_sweep(folder)
    runs = [] if stored is None else scores_of(stored.combinations, folder)
    if stored is None or not runs:
        raise ConfigError(
            "this sweep has no runs yet, by which to plan it",
            where=str(folder),
            hint=f"a pilot: chef eval {name} --limit 50, and then the same command with --plan",
        )
    nuisances = {factor.name for factor in stored.factors if factor.role == "nuisance"}
    wanted = nuisances or {WORDING}
    factors = {one.name: one.values for one in stored.factors if len(one.values) > 1}
    conditions = [factor for factor in factors if factor in wanted]
    if not conditions:
        raise ConfigError(
            "no factor of this sweep is a nuisance with several values",
            where=name,
            hint="vary wording, seed or rotation, or give a factor `role: nuisance`",
        )
    found = _studies(runs, factors, conditions)
    if not found:
        raise ConfigError(
            "no recipe of this sweep has scores of the same samples under all conditions",
            where=str(folder),
            hint=f"run it to its end: chef eval {name}",
        )
    return Allocation(name, points, total, _mean(found), len(found))


def _studies(
    runs: Sequence[CombinationScores],
    factors: Mapping[str, Sequence[str]],
    conditions: Sequence[str],
) -> list[Components]:
    """The components of each recipe that was run under all combinations of the conditions."""
    values = [one.run.values for one in runs]
    choices = [name for name in factors if name not in conditions]
    shape = [len(factors[name]) for name in conditions]
    found = []
    for places in recipes(choices, values).values():
        own = [runs[place] for place in places]
        if len(own) != math.prod(shape):
            continue
        matrix = matrix_of_runs(own)
        if not matrix.is_complete or matrix.scores.shape[1] < 2:
            continue
        grid = np.empty((*shape, matrix.scores.shape[1]))
        for one, scores in zip(own, matrix.scores, strict=True):
            at = tuple(factors[name].index(one.run.values[name]) for name in conditions)
            grid[at] = 100 * scores
        found.append(components(grid, conditions, [int(one) for one in matrix.clusters]))
    return found


def _mean(found: Sequence[Components]) -> Components:
    """The components on average over recipes."""
    count = len(found)
    parts = {names: sum(one.parts[names] for one in found) / count for names in found[0].parts}
    return Components(
        parts,
        sum(one.clusters for one in found) / count,
        sum(one.cluster_size for one in found) / count,
        {**found[0].sizes, ITEMS: round(sum(one.sizes[ITEMS] for one in found) / count)},
    )
