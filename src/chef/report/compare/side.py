"""One of the runs that are compared: its scores, its answers, and figures of some of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from chef.common.judgements import Judging
from chef.errors import ChefError, RunError
from chef.metric import Estimate, Metric
from chef.metric.coverage import is_scored
from chef.metric.groups import ScoredSamples
from chef.metric.records import scored_as_one
from chef.scenario.wrapped import QUESTION
from chef.scoring.record import RunRecord
from chef.scoring.result import RunResult
from chef.scoring.sampled import figures_of_questions, scores_of_questions
from chef.stats.clusters import CLUSTER, clusters_of
from chef.stats.figures import rows_kept, without_intervals
from chef.types import Prediction


def _letters(name: str) -> str:
    """What the name of a folder keeps of a name: its letters and digits."""
    return "".join(filter(str.isalnum, name))


class FigureScorer:
    """A metric and all answers of a run, scored once a figure is asked for; asks no judge."""

    def __init__(
        self, metric: Metric, predictions: Sequence[Prediction], judging: Judging | None = None
    ) -> None:
        self.metric, self._judging = metric, judging
        self._predictions = metric.answers_of_run(predictions)

    @cached_property
    def answers(self) -> Mapping[str, dict[str, Any]]:
        """What the metric aggregates, by sample id."""
        return self._aggregated or self._scored(self._predictions)

    @property
    def _aggregated(self) -> Mapping[str, dict[str, Any]] | None:
        # The name may mean something else in a class of a user's.
        return self.metric.aggregated if self.metric.is_own else None

    def _scored(self, predictions: Iterable[Prediction]) -> Mapping[str, dict[str, Any]]:
        return self.metric.scored_answers(predictions, self._judging)

    @cached_property
    def whole(self) -> dict[str, Estimate]:
        """The figures of all samples."""
        return self._figures(self.answers, self.answers)

    def figures(self, ids: Sequence[str]) -> dict[str, Estimate]:
        """The figures of some samples; none where the metric has no number for them."""
        is_whole = len(ids) == len(self.answers) and self.answers.keys() == set(ids)
        return self.whole if is_whole else self._figures(self.answers, ids)

    def values(self, ids: Sequence[str], places: Iterable[int]) -> dict[str, float | None]:
        """The values of the samples at some places, whose clusters have these as numbers."""
        names = {ids[place]: place for place in places if ids[place] in self.answers}
        records = {name: {**self.answers[name], CLUSTER: place} for name, place in names.items()}
        with without_intervals(keep_rows=self.metric.is_own and rows_kept()):
            return {key: item.value for key, item in self._figures(records, records).items()}

    def part(self, ids: Sequence[str]) -> dict[str, Estimate]:
        """The same, without scoring the answers to any other samples."""
        wanted = set(ids)
        some = (item for item in self._predictions if item.sample_id in wanted)
        try:
            return self._figures(self._aggregated or self._scored(some), ids)
        except ChefError:
            return {}

    def _figures(
        self, known: Mapping[str, dict[str, Any]], ids: Iterable[str]
    ) -> dict[str, Estimate]:
        try:  # sorted by id, as in the whole run
            answers = [known[name] for name in sorted(ids) if name in known]
            return self.metric.figures(answers)
        except RunError:  # it returned no number
            return {}
        except Exception as error:
            raise RunError(
                f"the metric {type(self.metric).__name__} failed on a part of the answers: "
                f"{type(error).__name__}: {error}"
            ) from error


#: The findings that metrics share: the score of a sample, and what was read of its answer.
SCORE, READ = "metric_result", "parsed"
_KNOWN = (SCORE, READ, "score")


@dataclass(frozen=True)
class Side:
    """A run, or a file of answers, with its scores by one metric.

    Attributes:
        place: the run folder, or the file.
        predictions: the answers by sample id.
        scenario: the name of the data set; empty where it is not known.
        fingerprint: of its files; empty where it has none, None where it is not known.
        config: the keys of config.yaml with dots, and their values; empty for a file.
        groupings: the fields of the samples by the names of the groupings.
        metric_keys: the effective keys of the metric; None where they are not known.
        run: what the run folder says; None for a file.
        made: computes figures of some of the samples; None where that cannot be done.
        not_made: why it cannot.
    """

    place: Path
    report: RunResult
    predictions: Mapping[str, Prediction]
    scenario: str
    fingerprint: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    groupings: Mapping[str, str] = field(default_factory=dict)
    metric_keys: Mapping[str, Any] | None = None
    run: RunRecord | None = None
    made: FigureScorer | None = None
    not_made: str = ""
    _members: dict[str, Mapping[str, Sequence[str]]] = field(default_factory=dict, repr=False)

    @cached_property
    def entries(self) -> Mapping[str, Mapping[str, Any]]:
        """What the metric found about each sample, by id."""
        return {str(entry["id"]): entry for entry in self.report.samples}

    @cached_property
    def scored(self) -> frozenset[str]:
        """The ids of the samples that the figures are based on."""
        return frozenset(name for name, entry in self.entries.items() if is_scored(entry))

    @cached_property
    def scores(self) -> Mapping[str, float]:
        """The score of every scored sample that has one, by id (``metric_result``)."""
        found = {name: _number(self.entries[name].get(SCORE)) for name in self.scored}
        return {name: item for name, item in found.items() if item is not None}

    @cached_property
    def findings(self) -> Mapping[str, Mapping[str, float]]:
        """Numbers that all scored samples have, by the name of the finding and by id.

        The score comes first, then whether the answer could be read (``parsed``), then others.
        """
        entries = {name: self.entries[name] for name in sorted(self.scored)}
        found: dict[str, Mapping[str, float]] = {SCORE: self.scores, READ: _read(entries)}
        first = next(iter(entries.values()), {})
        for key in first:
            if key not in _KNOWN and _number(first[key]) is not None:
                numbers = {name: _number(entry.get(key)) for name, entry in entries.items()}
                found[key] = {name: item for name, item in numbers.items() if item is not None}
        return {key: values for key, values in found.items() if len(values) == len(entries)}

    @cached_property
    def clusters(self) -> Mapping[str, int]:
        """The cluster of every scored sample by id, as the metric has it for its own intervals."""
        names = sorted(self.scored)
        records = [
            {"id": name, **(self.predictions[name].to_record() if name in self.predictions else {})}
            for name in names
        ]
        unit = scored_as_one if self.metric is None else self.metric.drawn_with
        return dict(zip(names, clusters_of(records, unit), strict=True))

    def named_clusters(self, names: Iterable[str]) -> list[str]:
        """The cluster of each sample under a name that all runs share: its first sample here."""
        firsts: dict[int, str] = {}
        return [firsts.setdefault(self.clusters[name], name) for name in names]

    def scores_of_questions(self, ids: Iterable[str]) -> dict[str, dict[str, float]]:
        """The scores of the questions that were asked several times, of some scored samples."""
        return scores_of_questions(self._found(ids))

    def _found(self, ids: Iterable[str]) -> Iterator[Mapping[str, Any]]:
        """The records, with what the metric found, of samples that ask a question again."""
        answers = ((name, self.predictions.get(name)) for name in ids)
        return (
            {"id": name, **answer.sample, **self.entries[name]}
            for name, answer in answers
            if answer is not None and QUESTION in answer.sample
        )

    @property
    def names(self) -> Mapping[str, str]:
        """By what people tell runs apart, the best known first.

        A run that was moved is called by its path: the folders above it name no model any more.
        """
        above = _letters(self.place.resolve().parent.name)
        is_moved = bool(self.scenario) and above != _letters(self.scenario)
        model = str(self.place) if is_moved else self.report.model
        return {
            "model": model if self.report.of_run else self.place.stem,
            "recipe": self.report.recipe,
            "scenario": self.scenario,
            "run": self.place.resolve().name,
        }

    @property
    def metric(self) -> Metric | None:
        """The metric; None where it cannot be made here."""
        return None if self.made is None else self.made.metric

    @property
    def scorer(self) -> FigureScorer | None:
        """`made`, unless it scores otherwise than the report."""
        return None if self.no_scorer else self.made

    @cached_property
    def no_scorer(self) -> str:
        """Why figures of some of the samples cannot be computed; empty where they can."""
        if self.made is None:
            return self.not_made
        try:
            figures = self.made.figures([*self.scored])
            figures = {**figures, **figures_of_questions(self._found(self.scored))}
        except ChefError as error:
            return error.what
        for key, item in self.report.metrics.items():
            if not _same(item.value, figures[key].value if key in figures else None):
                return (
                    f"the metric gives another {key} now than in {self.report.file.name}; "
                    f"`chef score {self.place}` scores again"
                )
        return ""

    def members_of(self, grouping: str) -> Mapping[str, Sequence[str]]:
        """The ids of the scored samples in each group of a grouping; found once."""
        if grouping not in self._members:
            members = self._samples.members(self.groupings.get(grouping, grouping))
            self._members[grouping] = {
                value: [str(entry["id"]) for entry in item] for value, item in members.items()
            }
        return self._members[grouping]

    def members(self, grouping: str, ids: Iterable[str]) -> dict[str, list[str]]:
        """Those of some scored ids that are in each group of a grouping such as ``category``."""
        wanted = set(ids)
        members = {
            value: [name for name in names if name in wanted]
            for value, names in self.members_of(grouping).items()
        }
        return {value: names for value, names in members.items() if names}

    @cached_property
    def _samples(self) -> ScoredSamples:
        """The samples as grouping needs them, with the entries of the scored ones."""
        return ScoredSamples(
            records={name: self.record(name) for name in self.entries},
            entries=[self.entries[name] for name in sorted(self.scored)],
            answers={},
            unit=scored_as_one if self.metric is None else self.metric.scored_with,
            values=lambda _: {},
        )

    def record(self, name: str) -> dict[str, Any]:
        """The record of a sample; it has at least its id."""
        known = self.predictions.get(name)
        return {"id": name, **({} if known is None else known.sample)}


def some_ids(names: Sequence[str]) -> str:
    """The first three of some ids in quotes, and whether there are more."""
    return ", ".join([*(f"'{name}'" for name in names[:3]), *(["..."] if len(names) > 3 else [])])


def _number(item: Any) -> float | None:
    """A finding as a number; None where it is none, or not finite."""
    if isinstance(item, bool | int | float) and math.isfinite(item):
        return float(item)
    return None


def _read(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """Whether each answer could be read; empty for a metric that does not say it."""
    if not all(READ in entry for entry in entries.values()):
        return {}
    return {name: float(entry[READ] is not None) for name, entry in entries.items()}


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
