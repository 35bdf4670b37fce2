"""The base class of metrics: score each answer on its own, then aggregate.

A metric reads the journal, never the model. It works on copies, so it cannot change an answer.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal

from chef.common.judgements import Judging
from chef.common.packed import PackedRows
from chef.common.user_code import describe_failure, function_place
from chef.errors import DependencyError, RunError, message_of
from chef.metric.chef_answers import listed_answers, values_of
from chef.metric.coverage import Coverage, cut_answers
from chef.metric.groups import aggregates_of, latest_of, scored_run
from chef.metric.judgeable import Judgeable, is_skipped
from chef.metric.records import MissingTruthError, UnjudgedError, scored_as_one
from chef.metric.report import Report, estimates, flat, marked, values_and_findings
from chef.metric.second_reader import reading_in_two
from chef.metric.verdicts import brief, summarise
from chef.stats.clusters import LINKS, mark
from chef.stats.estimate import Estimate, undefined
from chef.types import Prediction, Status

__all__ = ["BaseMetric", "Base_Metric", "Base_metric", "Coverage", "Estimate", "Metric", "Report"]


class Metric(Judgeable, ABC):
    """Subclass this and implement `metric_func`; also `score_sample` if answers must be read first.

    The annotated keyword arguments of a subclass's ``__init__`` are its keys in ``metric_cfg``.

    Args:
        dataset_name: the name of the scenario, for messages and for rules that depend on it.

    Attributes:
        primary: the key of the headline metric; the first one when empty.

    >>> class Length(Metric):
    ...     def metric_func(self, answers):
    ...         return {"words": sum(len(a["answer"].split()) for a in answers) / len(answers)}
    >>> report = Length().evaluate([Prediction("1", Status.OK, answer="a red circle")])
    >>> report.metrics["words"].value
    3.0
    """

    primary: str = ""
    #: The keys that `Scenario.random_accuracy` belongs to: shares of correct answers. The chance
    #: level stands in a table beside these alone.
    chance_for: Sequence[str] = ()
    #: The figure that is the mean of ``metric_result``, 0 to 1, over the scored samples. If that is
    #: the primary one, a run can stop as soon as it is known well enough (``--precision``).
    mean_figure: str = ""
    #: True if it scores only options chosen by likelihood, False if only written text, None: both.
    needs_options: bool | None = None
    #: The only ``prompt_type`` whose answers it can score; None: both.
    needs_prompt_type: Literal["singleturn", "multiturn"] | None = None
    #: The figures of a group of samples, by their full names; empty: all.
    group_figures: Sequence[str] = ()
    #: The fields of a scored record that its figures are made of, besides what links samples; None:
    #: all. It counts for a class that has the methods that it is about.
    aggregates: ClassVar[Sequence[str] | None] = None
    #: Of a metric by the rules of others (`chef.metric.rows`) the one by chef's own.
    own_rules: ClassVar[Any] = None
    #: Whether these two hold. A subclass that reads answers in its own way has to declare them
    #: anew, in its body or its ``__init__``; what it inherits says nothing about it.
    needs_hold: ClassVar[bool] = True

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._reset_needs(set(vars(cls)))
        cls._name_both_ways()

    @classmethod
    def _reset_needs(cls, own: set[str]) -> None:
        """What is inherited about the needs is dropped where answers are read in another way."""
        needs = ("needs_options", "needs_prompt_type")
        declares = bool(own & {*needs, "__init__"})
        if own & {"judge", "score_sample"}:
            cls.needs_hold = declares
            for name in needs:
                if name not in own:
                    setattr(cls, name, None)
            if "judge_kinds" not in own:
                cls.judge_kinds = ()
        elif declares:
            cls.needs_hold = True

    @classmethod
    def _name_both_ways(cls) -> None:
        """Let a class say ``judge``, the former name of `score_sample`: both are one method."""
        both = ("score_sample", "judge")
        owner = next(kind for kind in cls.__mro__ if any(name in vars(kind) for name in both))
        method = next(vars(owner)[name] for name in both if name in vars(owner))
        if any(name not in vars(owner) for name in both):
            for name in both:
                setattr(cls, name, method)

    #: Gets the answers that `evaluate` aggregates, by id, where they are wanted afterwards. A class
    #: of a user's, which may change them, keeps none.
    aggregated: dict[str, dict[str, Any]] | None = None

    def __init__(self, dataset_name: str = "") -> None:
        self.dataset_name = dataset_name

    def require(self, *, scored: bool | None) -> None:
        """Check that the packages and tables that scoring needs are installed.

        It is called when a run is put together, before the model is asked anything.

        Args:
            scored: True if options will be scored, False if text will be written, None if that is
                not known.

        Raises:
            DependencyError: one is missing; the hint says how to get it.
        """
        del scored

    @classmethod
    def check_keys(cls, options: Mapping[str, Any]) -> None:
        """Check what the types of the keys do not say, before anything is made.

        Args:
            options: the values of all keys.

        Raises:
            ConfigError: a value is wrong; ``where`` is the path of the key from these on.
        """
        del options

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """Read and score one answer.

        Args:
            record: a copy of the flat record of one sample (`Prediction.to_record`).

        Returns:
            The findings, as plain data. They are added to the record before `metric_func` sees it,
            and must depend on this record alone. ``metric_result`` is the sample's score (0 to 1,
            or the size of an error) and feeds the running score; ``parsed`` is the value read from
            the answer, None if it could not be read; ``evidence`` says where it was found.

        Raises:
            MissingTruthError: there is no reference; the answer is kept but not scored.
            DependencyError: a package is missing (see `require`); nothing is scored.
            Exception: any other failure makes the sample an error, not a wrong answer.
        """
        del record
        return {}

    #: The former name of `score_sample`. A class that overrides one of them overrides both.
    judge = score_sample

    @abstractmethod
    def metric_func(
        self, answers: list[dict[str, Any]]
    ) -> Mapping[str, Any] | float | tuple[Any, list[dict[str, Any]]]:
        """Aggregate.

        Args:
            answers: the records of the answered samples, sorted by id, each with the findings of
                `score_sample`. Samples that failed are not included.

        Returns:
            Metrics by name. A value is an `Estimate`, a number (stored without uncertainty), None,
            or a mapping of these (stored as ``outer/inner``). Any other value is stored as a
            detail; there must be a number among them. A bare number is named ``score``. As in ChEF,
            the answers may come with it: ``(result, answers)``; what it added to them goes to the
            report's entries of the samples. A ``metric_result`` that it wrote into them does so
            anyhow.
        """

    def group_metrics(
        self, answers: list[dict[str, Any]]
    ) -> Mapping[str, Any] | float | tuple[Any, list[dict[str, Any]]]:
        """Aggregate the answers of one group of samples, such as those of a category.

        Args:
            answers: as in `metric_func`, of this group alone.

        Returns:
            As `metric_func`, which is the default, where there are ``group_figures`` without the
            others: a metric that reports a part of the data by name leaves these values out here.
            An empty dict: it has no values for groups.
        """
        values = self.metric_func(answers)
        if not self.group_figures or not isinstance(values, Mapping):
            return values
        return {name: item for name, item in flat(values) if name in self.group_figures}

    def scored_with(self, record: dict[str, Any]) -> str:
        """The name of what is scored as one with a record, also of one that failed and lacks
        fields; a group holds all or nothing of it.
        """
        return scored_as_one(record)

    def drawn_with(self, record: dict[str, Any]) -> str:
        """The name of what stands in one cluster with a record, for the intervals of all figures;
        samples that share an image, a question or a group do anyhow
        (`chef.stats.clusters.clusters_of`).
        """
        return self.scored_with(record)

    def answers_of_run(self, predictions: Sequence[Prediction]) -> Sequence[Prediction]:
        """The answers of a whole run as they are scored.

        It is called once, with all lines of the journal, one for each sample, before any of them is
        scored or a cluster is told. A metric that has to look at all of a run does so here.
        """
        return predictions

    def evaluate(
        self,
        predictions: Iterable[Prediction],
        expected: int | None = None,
        groupings: Mapping[str, str] | None = None,
        judging: Judging | None = None,
    ) -> Report:
        """Score the answers of a run.

        Args:
            predictions: the lines of the journal, in any order. If an id occurs twice, the last
                one counts.
            expected: the number of samples the run should have; default: the number given.
            groupings: the fields of the samples by which they are grouped too, by the names of the
                groupings (`Report.by`).
            judging: what judges say about the answers; a metric that uses no judgements of its
                kinds ignores it.

        Returns:
            The metrics, the coverage and one entry per sample. Samples with status ``error``, those
            that `score_sample` fails on, and those that lack the judgement they need, lower the
            coverage and do not affect the metrics.

        Raises:
            DependencyError: a package that scoring needs is missing.
        """
        judging, latest = self.usable(judging), latest_of(predictions)
        if type(self).answers_of_run is not Metric.answers_of_run:
            latest = latest_of(self.answers_of_run(list(latest.values())))
        of_some = partial(_values_of_group, copy.copy(self))
        whole = scored_run(self, latest, judging, groupings or {}, of_some)
        answers, samples = whole.answers, whole.entries
        # Before metric_func, which may change the records.
        mark(list(answers.values()), self.drawn_with)
        if self.aggregated is not None and self.is_own:
            self.aggregated.update(answers)
        if groupings and not self.is_own:  # chef's own metrics change no record
            copies = {name: dict(one) for name, one in answers.items()}
            whole = replace(whole, answers=copies)
        cut = cut_answers(
            answers, samples, whole.thoughts, lambda name: whole.unit({"id": name}), of_some
        )
        metrics, details, found = self._metrics(list(answers.values()))
        # What a metric reports of groups may be less.
        is_same = type(self).group_metrics is Metric.group_metrics and not self.group_figures
        of_all = metrics if is_same else None
        by = {name: whole.by(key, of_all) for name, key in (groupings or {}).items()}
        if found:
            samples = PackedRows({**entry, **found.get(entry["id"], {})} for entry in samples)
        primary = self.primary if self.primary in metrics else next(iter(metrics), "")
        return Report(
            metrics=metrics,
            coverage=Coverage.count(samples, expected),
            samples=samples,
            primary=primary,
            details=details,
            chance_for=tuple(key for key in self.chance_for if key in metrics),
            scored_chance=whole.chance(answers) if whole.has_several else None,
            by={name: groups for name, (groups, _) in by.items() if groups},
            left_out={name: count for name, (_, count) in by.items() if count},
            judge=None if judging is None else summarise(judging, samples, latest, self),
            cut=cut(primary),
        )

    def figured(self, record: dict[str, Any]) -> dict[str, Any]:
        """Those fields of a scored record that figures are made of; all where none are named."""
        if not self.is_own or (names := aggregates_of(type(self))) is None:
            return record
        return {name: record[name] for name in (*names, *LINKS) if name in record}

    def metric(self, answer_path: str | Path) -> dict[str, Any]:
        """The figures of a file of answers by name, as ChEF's metrics give them.

        Args:
            answer_path: a JSON list of records with ``answer`` and what it is compared with. The
                file stays as it is.

        Returns:
            The values of `evaluate` in the units of the metric; None for what is undefined.

        Raises:
            DataError: the file cannot be read, or none of its answers can be scored.
        """
        path = Path(answer_path)
        return values_of(self.evaluate(listed_answers(path)), path)

    def running(self, prediction: Prediction) -> float | None:
        """The score of one answer on its own, for the progress bar; None if it has no score."""
        try:
            record = self.with_judgements(self._record_of(prediction), None)
            result = self.read_once(record).get("metric_result")
        except Exception:  # scoring tells of it; a run is not stopped for its progress bar
            return None
        return float(result) if isinstance(result, bool | int | float) else None

    def scored_answers(
        self, predictions: Iterable[Prediction], judging: Judging | None = None
    ) -> dict[str, dict[str, Any]]:
        """What `metric_func` aggregates of answers of `answers_of_run`, by id, without those that
        are not scored; raises DependencyError.
        """
        latest, said = latest_of(predictions), self.usable(judging)
        with reading_in_two(self, latest, said):
            found = ((name, self._score_one(latest[name], said)[0]) for name in sorted(latest))
            answers = {name: item for name, item in found if item is not None}
        mark(list(answers.values()), self.drawn_with)
        return answers

    def figures(self, answers: Iterable[Mapping[str, Any]]) -> dict[str, Estimate]:
        """The metrics of some of the answers that `scored_answers` gave; these stay as they are."""
        # Copies, as a metric may change the records (chef's own change none), and keep sums in its
        # attributes.
        some: list[Any] = [item if self.is_own else dict(item) for item in answers]
        return copy.copy(self)._metrics(some)[0]  # noqa: SLF001

    def _record_of(self, prediction: Prediction) -> dict[str, Any]:
        """The record that `score_sample` reads, and may change."""
        record = prediction.to_record()
        record.setdefault("id", prediction.sample_id)
        return record if self.is_own else self.own_record(record)

    def _score_one(
        self, prediction: Prediction, judging: Judging | None = None
    ) -> tuple[dict[str, Any] | None, dict[str, Any]]:
        """The record for `metric_func` (None after an error) and the sample's report entry."""
        entry: dict[str, Any] = {"id": prediction.sample_id, "status": str(prediction.status)}
        if prediction.status == Status.ERROR:
            return None, {**entry, "error": dict(prediction.error or {})}
        record = self._record_of(prediction)
        try:
            record = self.with_judgements(record, judging)
            if self.judge_kinds and record["judgements"]:
                entry["judgements"] = brief(record["judgements"])
            if self.stops_groups and is_skipped(record):
                return {**record, "skipped_by_judge": True}, {**entry, "skipped": True}
            found = self.read_once(record)
        except MissingTruthError:
            return None, {**entry, "no_truth": True}
        except UnjudgedError as error:
            return None, {**entry, "unjudged": error.what}
        except DependencyError:
            raise
        except Exception as error:
            message = {**describe_failure(error), "message": message_of(error), "stage": "metric"}
            return None, {**entry, "status": str(Status.ERROR), "error": message}
        return {**record, **found}, {**entry, **found, "id": prediction.sample_id}

    def _metrics(
        self, answers: list[dict[str, Any]]
    ) -> tuple[dict[str, Estimate], dict[str, Any], dict[str, dict[str, Any]]]:
        """The result of `metric_func`: metrics, details, and its findings by sample id."""
        before = answers if self.is_own else [dict(answer) for answer in answers]
        number = len(answers)  # a class of the user's may take them out of the list
        try:
            where = function_place(self.metric_func)
            named, found = values_and_findings(self.metric_func(answers), before, where)
            if before is not answers:
                found = found or marked(answers, before)
        except Exception:
            if answers:
                raise
            # The mean of nothing: metrics need not handle the empty case.
            return {self.primary or "score": undefined()}, {}, {}
        metrics, others = estimates(named, number)
        details: dict[str, Any] = {"policy": self.policy} if self.policy else {}
        return metrics, {**details, **others}, found


def _values_of_group(metric: Metric, answers: list[dict[str, Any]]) -> dict[str, Estimate]:
    """The metrics of a group."""
    before = [dict(answer) for answer in answers]
    # A copy, because a metric may keep sums in its attributes.
    result = copy.copy(metric).group_metrics(answers)
    try:
        return estimates(values_and_findings(result, before)[0], len(answers))[0]
    except RunError:  # it has no number for these answers, as it has for all of them
        return {}


#: The names of the class in ChEF and its tutorial.
Base_Metric = Base_metric = BaseMetric = Metric
