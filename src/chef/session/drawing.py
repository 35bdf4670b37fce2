"""Which samples of a run are drawn, in which order, and when it ends: ``--precision``, ``--items``.

With ``--precision`` a run ends when its first figure is known well enough. The samples are asked in
an order that the seed draws, in chunks. The scores are looked at when a chunk is complete, so
replies that come early count no more than others. A look needs nothing but the journal: a run that
was killed goes on to the same end.

With ``--items`` and ``--from`` what earlier runs say about the samples decides the order. It is
kept in the run folder when the first answer is asked for, as the order of the draw must not depend
on answers that it brought.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile
from pathlib import Path

from chef.common.logs import logger
from chef.config import Recipe
from chef.errors import ConfigError
from chef.evaluator import Evaluator
from chef.frozen import Frozen
from chef.metric import Metric
from chef.metric.mean_scores import has_mean
from chef.run.folder import RunFolder
from chef.run.reading import is_there, read_json
from chef.run.subset import drawn_groups
from chef.stats.confidence_sequence import Population
from chef.stats.guide import Expected, Guide, drawn_order, guides_of, weights_of

_log = logger(__name__)
#: The file of a run folder with what earlier runs said about its samples.
ITEMS = "items.json"
_HINT = "ask some models all samples first, or name runs of the same benchmark: --from RUN ..."


def expected_of(
    path: Path, label: str, ids: Collection[str], earlier: Sequence[Path], results: Path
) -> Expected:
    """What earlier runs (none named: those of other models in ``results``) say of a run's samples.

    What a run in ``path`` began with stays. `ConfigError` where no run has scored any of the
    samples.
    """
    return kept(path) or expectations(label, ids, earlier, results, [path])


def begin_with(expected: Expected, folder: RunFolder) -> Expected:
    """What a run began with, which is ``expected`` where its folder holds nothing yet."""
    found = kept(folder.path)
    if found is None:
        keep(expected, folder)
    return found or expected


def kept(path: Path) -> Expected | None:
    """What a run folder holds of what earlier runs said; None where it holds nothing."""
    if not is_there(path / ITEMS):
        return None
    found = read_json(path / ITEMS)
    return Expected(found["scores"], found["differences"], found["runs"])


def keep(expected: Expected, folder: RunFolder) -> None:
    """Write what earlier runs say to a run folder."""
    data = {"scores": expected.scores, "differences": expected.differences, "runs": expected.runs}
    folder.write_json(ITEMS, data)


def expectations(
    label: str,
    ids: Collection[str],
    earlier: Sequence[Path],
    results: Path,
    own: Sequence[Path] = (),
) -> Expected:
    """As `expected_of`, of the runs that are there now, but for the folders ``own``."""
    # Reports are read only by a run that draws by earlier ones.
    from chef.report.items import items_of_runs, lines_below

    lines, mine = lines_below(earlier or [results]), {path.resolve() for path in own}
    if not earlier:
        models = {path.parents[1].name for path in mine}
        lines = [line for line in lines if line.label == label and line.model not in models]
    items = items_of_runs([line.path for line in lines if line.path.resolve() not in mine], ids)
    if items is None:
        where = ", ".join(map(str, earlier)) or str(results)
        raise ConfigError(
            f"no earlier run there has scored samples of {label}", where=where, hint=_HINT
        )
    _log.info("%s: the samples are drawn by what %d earlier runs say", label, items.runs)
    return items.expected


#: The samples before the first look, and the fewest between two.
FIRST = 32
#: How much more is asked at each look: who stops has asked at most this much more than needed.
GROWTH = 1.1


def looks(sizes: Sequence[int], growth: float = GROWTH) -> list[int]:
    """After how many units (of so many samples each) each look is; the last is after all.

    >>> looks([1] * 500)[-5:]
    [352, 388, 427, 470, 500]
    """
    found: list[int] = []
    asked, wanted = 0, FIRST
    for number, size in enumerate(sizes, 1):
        asked += size
        if asked >= wanted:
            found.append(number)
            wanted = max(asked + FIRST, math.ceil(asked * growth))
    if sizes and (not found or found[-1] < len(sizes)):
        found.append(len(sizes))
    return found


def check_mean(recipe: Recipe, metric: Metric, option: str) -> None:
    """Refuse a recipe whose first figure is no mean of samples' scores, which the option needs."""
    where = str(recipe.document.path)
    if recipe.judge is not None:
        raise ConfigError(
            f"{option} looks at the scores while the model is asked, and judges are asked last",
            where=where,
            hint="leave out one of the two; `chef score --judge` asks a judge about a finished run",
        )
    if not has_mean(metric):
        figure = f"'{metric.primary}'" if metric.primary else "the first figure"
        raise ConfigError(
            f"{option} needs a first figure that is the mean of the scores of its samples, and "
            f"{figure} of {type(metric).__name__} is not declared as one",
            where=where,
            hint="Accuracy, VQA, YesNo and Counting have one; a metric of your own declares it by "
            'mean_figure = primary = "KEY"; --limit N asks a number of samples',
        )


class Drawn(Frozen):
    """Units (ids asked as one) in the order their seed draws, up to the limit, and their guide."""

    units: Sequence[Sequence[str]]
    population: Population
    guide: Guide | None = None

    @classmethod
    def of(cls, evaluator: Evaluator) -> Drawn:
        """The samples of a recipe."""
        scenario = evaluator.scenario
        groups = drawn_groups(len(scenario), evaluator.options.seed, scenario.group)
        names = {index: name for name, index in evaluator.samples.positions.items()}
        # A limit keeps a prefix of the groups.
        within = takewhile(lambda group: group[0] in names, groups)
        units = [[names[index] for index in group] for group in within]
        return cls(units, Population(len(groups), len(scenario), max(map(len, groups))))

    @classmethod
    def by(cls, evaluator: Evaluator, expected: Expected, most: int | None) -> Drawn:
        """The samples in an order drawn by what is expected; at most ``most``, in whole groups."""
        scenario, ids = evaluator.scenario, evaluator.ids
        seed = evaluator.options.seed
        groups = drawn_groups(len(ids), seed, scenario.group)
        units = [[ids[index] for index in group] for group in groups]
        return ordered(units, expected, expected.scores, seed).within(most)

    def within(self, most: int | None) -> Drawn:
        """The same with so many samples at most, as whole units, but at least one unit."""
        if most is None:
            return self
        sizes = list(accumulate(map(len, self.units)))
        kept = max(1, sum(size <= most for size in sizes))
        return replace(self, units=self.units[:kept])

    def looks(self, growth: float = GROWTH) -> list[int]:
        """After how many units each look is."""
        return looks([len(unit) for unit in self.units], growth)

    def ids(self, units: int, start: int = 0) -> list[str]:
        """The ids of the units from ``start`` up to ``units``."""
        return [name for unit in self.units[start:units] for name in unit]


def ordered(
    units: Sequence[Sequence[str]], expected: Expected, scores: Mapping[str, float], seed: int
) -> Drawn:
    """All units in the order in which a seed draws them by their weights, with their guide."""
    weights = weights_of(units, expected)
    order = drawn_order(weights, seed)
    units, weights = [units[place] for place in order], [weights[place] for place in order]
    of = Population(len(units), sum(map(len, units)), max(map(len, units)))
    return Drawn(units, of, guides_of(units, scores, weights))
