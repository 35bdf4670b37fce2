"""One recipe with one model: its ingredients, its run folder, and what is still to be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from chef.common.judgements import Judging
from chef.common.logs import logger
from chef.errors import DataError
from chef.evaluator import Evaluator, Preview
from chef.guard.folder import remove
from chef.metric.mean_scores import ScoresSoFar
from chef.models import Model
from chef.run.folder import RunFolder
from chef.run.plan import Runner
from chef.scoring.result import RunResult
from chef.scoring.stopping import Stopping, benchmark_interval, stopped_file
from chef.session.in_chunks import InChunks
from chef.session.precision import Drawn
from chef.stats.confidence_sequence import Interval
from chef.types import Prediction

_log = logger(__name__)


@dataclass(slots=True, eq=False)
class RecipeRun:
    """A run: one recipe that is asked of one model, with ``--precision`` until its figure is known.

    Attributes:
        evaluator: the ingredients of the recipe, put together.
        preview: the first sample that can be asked, and its first request.
        interval: what the last look at the figure told; None before.
        problem: why nothing can be said from a part of the samples; empty where all is well.
    """

    evaluator: Evaluator
    preview: Preview
    interval: Interval | None = field(default=None, init=False)
    problem: str = field(default="", init=False)
    _folder: RunFolder | None = field(default=None, init=False)
    _drawn: Drawn | None = field(default=None, init=False)
    _scores: ScoresSoFar = field(init=False)

    def __post_init__(self) -> None:
        self._scores = ScoresSoFar(self.evaluator.metric)

    def take(self, folder: RunFolder) -> None:
        """Give the run its folder, which is checked and locked."""
        self._folder = folder

    @property
    def folder(self) -> RunFolder:
        """Its run folder; there is one once `take` was called."""
        assert self._folder is not None
        return self._folder

    @property
    def label(self) -> str:
        """The scenario and the recipe."""
        return f"{self.evaluator.scenario.name}/{self.evaluator.recipe.name}"

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

    def report(self, model: str, judging: Judging | None = None) -> RunResult:
        """Score the answers.

        Args:
            model: the name of the model.
            judging: what judges say about the answers; None where there is no judge.
        """
        scores = self.evaluator.score(self.folder, judging)
        if self.folder.is_subset:
            _log.info(
                "%s: a run of more samples has this folder; the results of these %d are in %s",
                self.folder.path, len(self.evaluator.ids), scores.file.name,
            )  # fmt: skip
        return scores.of_model(model)
