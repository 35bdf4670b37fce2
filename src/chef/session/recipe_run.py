"""One recipe with one model: its ingredients, its run folder, and what is still to be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from chef.common.logs import logger
from chef.errors import DataError
from chef.guard.folder import remove
from chef.metric.mean_scores import ScoresSoFar

if TYPE_CHECKING:
    from chef.common.judgements import Judging
    from chef.evaluator import Evaluator
    from chef.models import Model
    from chef.run.folder import RunFolder
    from chef.run.plan import Runner
    from chef.run.rehearsal import Preview
    from chef.scoring.result import RunResult
    from chef.scoring.stopping import Stopping
    from chef.session.drawing import Drawn
    from chef.stats.confidence_sequence import Interval
    from chef.stats.guide import Expected
    from chef.types import Prediction

_log = logger(__name__)


@dataclass(slots=True, eq=False)
class RecipeRun:
    """A run: one recipe that is asked of one model, with ``--precision`` until it is known."""

    evaluator: Evaluator
    preview: Preview
    interval: Interval | None = field(default=None, init=False)
    problem: str = field(default="", init=False)
    _folder: RunFolder | None = field(default=None, init=False)
    _drawn: Drawn | None = field(default=None, init=False)
    _expected: Expected | None = field(default=None, init=False)
    _scores: ScoresSoFar = field(init=False)

    def __post_init__(self) -> None:
        self._scores = ScoresSoFar(self.evaluator.metric)

    def take(self, folder: RunFolder) -> None:
        """Give the run its folder, which is checked and locked."""
        self._folder = folder

    def follow(self, expected: Expected) -> None:
        """Let what earlier runs say decide in which order samples are drawn."""
        self._expected, self._drawn = expected, None

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
        from chef.session.drawing import Drawn

        if self._drawn is None:
            expected, most = self._expected, self.evaluator.options.items
            self._drawn = (
                Drawn.of(self.evaluator)
                if expected is None
                else Drawn.by(self.evaluator, expected, most)
            )
        return self._drawn

    @property
    def is_partial(self) -> bool:
        """Whether the run may end before all its samples are asked."""
        return self.precision is not None or self._expected is not None

    @property
    def _looks(self) -> list[int]:
        """After how many units the scores are looked at; once, where their number is chosen."""
        return self.drawn.looks() if self.precision is not None else [len(self.drawn.units)]

    def todo(self) -> list[str]:
        """The ids of the samples that may still be asked; empty where the run is at its end."""
        if self.is_partial:
            self.evaluator.metrics.take_readings(self.folder)
            units = self._complete()
            if units and self._is_reached(units):
                return self.folder.todo(self.drawn.ids(units))
        every = self.drawn.ids(len(self.drawn.units)) if self._expected else self.evaluator.ids
        return self.folder.todo(every)

    def ask(
        self,
        model: Model,
        runner: Runner,
        made_with: dict[str, Any],
        on_prediction: Callable[[Prediction], None] | None,
    ) -> None:
        """Ask what is still to be asked, and note in the run folder if it is not everything."""
        from chef.scoring.stopping import stopped_file
        from chef.session.runners import InChunks

        todo = self.todo()
        if todo:
            remove(stopped_file(self.folder.path))
            if self.is_partial:
                runner = InChunks(runner, self._chunks())
            self.evaluator.ask(
                model, self.folder, runner, environment=made_with, on_prediction=on_prediction
            )
        if self.is_partial:
            self._note_end()

    def shown(self) -> str:
        """The current interval, for the progress bar; empty before the first look."""
        if self.interval is None:
            return ""
        return f"[{100 * self.interval.low:.1f}, {100 * self.interval.high:.1f}]"

    def _complete(self) -> int:
        """How many units every sample of which is answered, at the last look that is complete."""
        found, start = 0, 0
        for units in self._looks:
            if any(name not in self.folder.finished for name in self.drawn.ids(units, start)):
                break
            found = start = units
        return found

    def _chunks(self) -> Iterator[Sequence[str]]:
        """The samples to ask of each chunk, until the figure is known."""
        start, every = 0, self._looks
        for units in every:
            if todo := self.folder.todo(self.drawn.ids(units, start)):
                yield todo
            start = units
            if start == self._complete() and self._is_reached(units):
                return

    def _is_reached(self, units: int) -> bool:
        """Look at the scores of the first units: whether the figure is known well enough."""
        if self.problem:
            return False
        asked = self.drawn.units[:units]
        try:
            scores = self._scores.of(self.folder.finished, chain.from_iterable(asked))
        except DataError as error:
            self.problem, self.interval = error.what, None
            _log.warning(
                "%s: nothing can be said from a part of the samples, so all are asked: %s",
                self.evaluator.recipe.document.path, error.what,
            )  # fmt: skip
            return False
        self.interval = self._stopping(units, is_reached=False).interval(scores)
        return self.precision is None or 100 * self.interval.reach <= self.precision

    def _stopping(self, units: int, *, is_reached: bool) -> Stopping:
        """What is noted where the run ends after some units."""
        from chef.scoring.stopping import Guided, Stopping
        from chef.stats.guide import first

        drawn = self.drawn
        guided = None
        if drawn.guide is not None and self._expected is not None:
            guided = Guided(self._expected.runs, first(drawn.guide, units))
        return Stopping(
            self.precision, is_reached, drawn.population, drawn.units[:units], guided,
            self.evaluator.options.items,
        )  # fmt: skip

    def _note_end(self) -> None:
        """Write which samples were asked, if these are not all of the benchmark."""
        units = self._complete()
        is_reached = self._is_reached(units)
        if self.problem or units == self.drawn.population.units:
            return
        self._stopping(units, is_reached=is_reached).keep(self.folder.path)

    def report(self, model: str, judging: Judging | None = None) -> RunResult:
        """Score the answers."""
        scores = self.evaluator.score(self.folder, judging)
        if self.folder.is_subset:
            _log.info(
                "%s: a run of more samples has this folder; the results of these %d are in %s",
                self.folder.path, len(self.evaluator.ids), scores.file.name,
            )  # fmt: skip
        return scores.of_model(model)
