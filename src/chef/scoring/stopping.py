"""The file of a run that stopped early: which samples it asked, in which order and why it ended.

Scores are made of these samples alone, and the interval of the first figure of the order in which
they were drawn, also by another metric later. A call that asks more removes the file first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import msgspec

from chef.common.writing import write_json
from chef.errors import ConfigError, DataError
from chef.frozen import Frozen
from chef.metric import Metric, Report
from chef.metric.coverage import BY_ITEMS, METHOD, StoppedEarly
from chef.metric.mean_scores import has_mean, mean_scores
from chef.run.reading import is_there, read_json
from chef.stats.confidence_sequence import (
    Draws,
    Interval,
    Population,
    mean_interval,
    sampled_interval,
)
from chef.stats.estimate import PERCENT
from chef.stats.guide import Guide
from chef.types import Prediction

#: What the bets aim at where no precision is wanted.
AIMS = (0.1, 0.05, 0.025, 0.0125)
#: The key of results.json, and the name of the file.
STOPPED = "stopped_early"


def stopped_file(folder: Path) -> Path:
    """The file of a run folder; it is there only if the run stopped early."""
    return folder / f"{STOPPED}.json"


class Guided(Frozen):
    """What earlier runs, and how many, said about the units that were asked, in their order."""

    runs: int
    guide: Guide


#: The keys of the file that tell the population.
_POPULATION = ("units", "samples", "largest")


class Stopping(msgspec.Struct, frozen=True):
    """What a run asked of a benchmark before it ended.

    ``precision`` is how far the interval was to reach to each side, in points of percent (None: a
    race); ``reached``: the interval is that narrow, or the race of the model decided. ``asked`` has
    the ids of each unit in the order of the draw, ``guided`` what earlier runs said about them, and
    ``items`` how many samples were to be asked (None: the scores decided that).
    """

    precision: float | None
    reached: bool
    population: Population
    asked: Sequence[Sequence[str]]
    guided: Guided | None = None
    items: int | None = None

    @classmethod
    def read(cls, folder: Path) -> Stopping | None:
        """Read the file of a run folder; None where there is none, DataError if damaged."""
        file = stopped_file(folder)
        try:
            if not is_there(file):
                return None
            data = read_json(file)
            population = {key: data[key] for key in _POPULATION if key in data}
            return msgspec.convert({**data, "population": population}, cls)
        except (msgspec.ValidationError, ConfigError) as error:
            what = f"the file is not what chef writes ({getattr(error, 'what', error)})"
            hint = "remove it; the `chef eval` command of the run writes it again"
            raise DataError(what, where=str(file), hint=hint) from None

    def keep(self, folder: Path) -> None:
        """Write the file of a run folder."""
        data: dict[str, Any] = {
            "precision": self.precision,
            "reached": self.reached,
            **{key: getattr(self.population, key) for key in _POPULATION},
            "asked": [list(unit) for unit in self.asked],
        }
        if self.guided is not None:
            data |= {"guided": asdict(self.guided), "items": self.items}
        write_json(stopped_file(folder), data)

    def asked_of(self, answers: Sequence[Prediction]) -> list[Prediction]:
        """The answers that count; empty where some are missing, as in a run of fewer samples."""
        wanted = {name for unit in self.asked for name in unit}
        found = [answer for answer in answers if answer.sample_id in wanted]
        return found if wanted <= {answer.sample_id for answer in found} else []

    def applied(self, report: Report, metric: Metric) -> Report:
        """The report of these answers, with what is known of the whole benchmark.

        The interval of the first figure becomes that of the whole benchmark, if the figure is the
        mean of the scores of its samples.
        """
        asked = sum(len(unit) for unit in self.asked)
        runs = None if self.guided is None else self.guided.runs
        stopped = StoppedEarly(
            asked, self.population.samples, self.precision, self.reached, runs=runs,
            items=self.items,
        )  # fmt: skip
        try:
            scores = mean_scores(report) if has_mean(metric) else {}
        except DataError:
            scores = {}
        if not scores:
            return msgspec.structs.replace(report, stopped=stopped)
        found = self.interval(scores)
        figure = report.metrics[report.primary]
        factor = 100 / PERCENT[figure.unit]
        known = replace(
            figure,
            value=figure.value if self.guided is None else found.value * factor,
            low=found.low * factor,
            high=found.high * factor,
            stderr=None,
            method=METHOD if self.guided is None else BY_ITEMS,
        )
        stopped = replace(
            stopped,
            figure=report.primary,
            half_width=100 * found.reach,
            unscored=asked - len(scores),
            of_asked=None if self.guided is None else figure.value,
        )
        metrics = {**report.metrics, report.primary: known}
        return msgspec.structs.replace(report, metrics=metrics, stopped=stopped)

    def interval(self, scores: Mapping[str, float]) -> Interval:
        """The mean score of the whole benchmark, with interval, by scores 0-1 of those asked."""
        guide = None if self.guided is None else self.guided.guide
        draws = draws_of(self.asked, scores, guide)
        if self.items is not None and self.precision is None:
            return sampled_interval(draws, self.population)
        aims = AIMS if self.precision is None else [self.precision / 100]
        return mean_interval(draws, self.population, aims)


def draws_of(
    asked: Sequence[Sequence[str]], scores: Mapping[str, Any], guide: Guide | None = None
) -> Draws:
    """The units with the scores of their samples; a sample without a score does not count."""
    found = [[scores[name] for name in unit if name in scores] for unit in asked]
    return Draws([sum(unit) for unit in found], [*map(len, found)], [*map(len, asked)], guide)
