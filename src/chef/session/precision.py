"""``--precision``: a run ends when its first figure is known well enough.

The samples are asked in an order that the seed draws, in chunks. The scores are looked at when a
chunk is complete, so replies that come early count no more than others. A look needs nothing but
the journal: a run that was killed goes on to the same end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from chef.common.logs import logger
from chef.config import Recipe
from chef.errors import ConfigError
from chef.evaluator import Evaluator
from chef.metric import Metric
from chef.metric.mean_scores import has_mean
from chef.run.looks import GROWTH, looks
from chef.run.subset import drawn_groups
from chef.stats.confidence_sequence import Population

_log = logger(__name__)


def check_mean(recipe: Recipe, metric: Metric, option: str) -> None:
    """Refuse a recipe whose first figure cannot be known from a part of its samples.

    Args:
        recipe: the recipe.
        metric: its main metric.
        option: what needs it, for the error.

    Raises:
        ConfigError: the figure is no mean of the scores of samples, or a judge is asked first.
    """
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


@dataclass(frozen=True, slots=True)
class Drawn:
    """The samples of a run in the order in which its seed draws them.

    Attributes:
        units: the ids of each group that is asked whole, as far as the limit of the run goes.
        population: the whole benchmark.
    """

    units: Sequence[Sequence[str]]
    population: Population

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

    def looks(self, growth: float = GROWTH) -> list[int]:
        """After how many units each look is."""
        return looks([len(unit) for unit in self.units], growth)

    def ids(self, units: int, start: int = 0) -> list[str]:
        """The ids of the units from ``start`` up to ``units``."""
        return [name for unit in self.units[start:units] for name in unit]
