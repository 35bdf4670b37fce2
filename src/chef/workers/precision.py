"""``--precision``: a run ends when its first figure is known well enough.

The samples are asked in an order that the seed draws, in chunks. The scores are looked at when a
chunk is complete, so replies that come early count no more than others. A look needs nothing but
the journal: a run that was killed goes on to the same end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from chef.common.logs import logger
from chef.config import Recipe
from chef.errors import ConfigError, DataError
from chef.evaluator import Evaluator
from chef.guard.folder import remove
from chef.metric import Metric
from chef.metric.mean_scores import ScoresSoFar, has_mean
from chef.models import Model
from chef.run.folder import RunFolder
from chef.run.looks import GROWTH, looks
from chef.run.plan import Runner
from chef.run.subset import drawn_groups
from chef.scoring.stopping import Stopping, benchmark_interval, stopped_file
from chef.stats.confidence_sequence import Interval, Population
from chef.types import Prediction
from chef.workers.in_chunks import InChunks

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


@dataclass(slots=True)
class Asking:
    """The samples of one recipe, asked until its first figure is known well enough.

    Attributes:
        evaluator: of the recipe.
        folder: its run folder.
        interval: what the last look has found; None before.
        problem: why nothing can be said from a part of the samples; empty where all is well.
    """

    evaluator: Evaluator
    folder: RunFolder
    interval: Interval | None = None
    problem: str = ""
    _drawn: Drawn | None = field(default=None, init=False)
    _scores: ScoresSoFar = field(init=False)

    def __post_init__(self) -> None:
        self._scores = ScoresSoFar(self.evaluator.metric)

    @property
    def precision(self) -> float | None:
        """How far the interval may reach to each side, in points of percent."""
        return self.evaluator.options.precision

    @property
    def drawn(self) -> Drawn:
        """The samples in order."""
        if self._drawn is None:
            self._drawn = Drawn.of(self.evaluator)
        return self._drawn

    def todo(self) -> list[str]:
        """The ids of the samples that may still be asked; empty where the run is at its end."""
        if self.precision is not None:
            self.evaluator.metrics.take_readings(self.folder)
            units = self._complete()
            if units and self._is_reached(units):
                return self.folder.todo(self.drawn.ids(units))
        return self.folder.todo(self.evaluator.ids)

    def ask(
        self,
        model: Model,
        runner: Runner,
        made_with: dict[str, Any],
        on_prediction: Callable[[Prediction], None] | None,
    ) -> None:
        """Ask what is still to be asked, and note in the run folder if it is not everything."""
        todo = self.todo()
        if todo:
            remove(stopped_file(self.folder.path))
            if self.precision is not None:
                runner = InChunks(runner, self._chunks())
            self.evaluator.ask(
                model, self.folder, runner, environment=made_with, on_prediction=on_prediction
            )
        if self.precision is not None:
            self._note_end(self.precision)

    def shown(self) -> str:
        """The current interval, for the progress bar; empty before the first look."""
        if self.interval is None:
            return ""
        return f"[{100 * self.interval.low:.1f}, {100 * self.interval.high:.1f}]"

    def _complete(self) -> int:
        """How many units every sample of which is answered, at the last look that is complete."""
        found, start = 0, 0
        for units in self.drawn.looks():
            if any(name not in self.folder.finished for name in self.drawn.ids(units, start)):
                break
            found = start = units
        return found

    def _chunks(self) -> Iterator[Sequence[str]]:
        """The samples to ask of each chunk, until the figure is known."""
        start, every = 0, self.drawn.looks()
        for units in every:
            if todo := self.folder.todo(self.drawn.ids(units, start)):
                yield todo
            start = units
            if start == self._complete() and self._is_reached(units):
                return

    def _is_reached(self, units: int) -> bool:
        """Look at the scores of the first units: whether the figure is known well enough."""
        assert self.precision is not None
        if self.problem:
            return False
        asked = self.drawn.units[:units]
        try:
            scores = self._scores.of(self.folder.finished[name] for unit in asked for name in unit)
        except DataError as error:
            self.problem, self.interval = error.what, None
            _log.warning(
                "%s: nothing can be said from a part of the samples, so all are asked: %s",
                self.evaluator.recipe.document.path, error.what,
            )  # fmt: skip
            return False
        self.interval = benchmark_interval(asked, scores, self.drawn.population, self.precision)
        return 100 * self.interval.reach <= self.precision

    def _note_end(self, precision: float) -> None:
        """Write which samples were asked, if these are not all of the benchmark."""
        units = self._complete()
        is_reached = self._is_reached(units)
        if self.problem or units == self.drawn.population.units:
            return
        asked = self.drawn.units[:units]
        Stopping(precision, is_reached, self.drawn.population, asked).keep(self.folder.path)
