"""What every metric is: judge each answer alone, then sum up.

A metric reads the journal, never the model, and never changes an answer: it works on copies.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal

from chef.common.jsonable import to_jsonable
from chef.metric.estimate import Estimate, undefined
from chef.metric.records import MissingTruthError
from chef.metric.report import Coverage, Report, as_estimate
from chef.types import Prediction, Status

__all__ = ["BaseMetric", "Base_Metric", "Coverage", "Estimate", "Report"]


class BaseMetric(ABC):
    """Subclass this, and write `metric_func`; `score_sample` too, if answers need reading first.

    A subclass takes its ``metric_cfg`` keys as annotated keyword arguments of ``__init__``.

    Args:
        dataset_name: the name of the scenario, for messages and for rules that differ by it.

    Attributes:
        primary: the key of the figure that stands for the whole; the first one when empty.

    >>> class Length(BaseMetric):
    ...     def metric_func(self, answers):
    ...         return {"words": sum(len(a["answer"].split()) for a in answers) / len(answers)}
    >>> report = Length().evaluate([Prediction("1", Status.OK, answer="a red circle")])
    >>> report.metrics["words"].value
    3.0
    """

    primary: str = ""
    #: The name of the rules by which it reads texts, kept with the results; empty: none.
    policy: str = ""
    #: Whether it judges options chosen by their scores, or written text; None: either.
    needs_options: bool | None = None
    #: The ``prompt_type`` whose answers it judges; None: either.
    needs_prompt_type: Literal["singleturn", "multiturn"] | None = None
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

    def __init__(self, dataset_name: str = "") -> None:
        self.dataset_name = dataset_name

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """Read one answer.

        Args:
            record: the flat record of one sample (`Prediction.to_record`), a copy.

        Returns:
            What was found, as plain data, added to the record before `metric_func` sees it.
            ``metric_result`` is the sample's score (0 to 1, or an error size) and feeds the
            running score; ``parsed`` is what the answer was taken as, None when it could not be
            read; ``evidence`` says where. It depends on this record alone.

        Raises:
            MissingTruthError: there is nothing to compare with; the answer is kept, not scored.
            Exception: anything else; the sample is then an error, not a wrong answer.
        """
        del record
        return {}

    #: Its former name; a class that overrides either of them overrides both.
    judge = score_sample

    @abstractmethod
    def metric_func(self, answers: list[dict[str, Any]]) -> Mapping[str, Any] | float:
        """Sum up.

        Args:
            answers: the records of the samples that have an answer, each with what `score_sample`
                added, sorted by id. Errors are not among them.

        Returns:
            Figures by name: an `Estimate`, a number (taken without uncertainty), None, or a
            mapping of these (named ``outer/inner``). Anything else is kept as a detail. A bare
            number is named ``score``.
        """

    def evaluate(self, predictions: Iterable[Prediction], expected: int | None = None) -> Report:
        """Score the answers of a run.

        Args:
            predictions: of the journal, in any order; when an id occurs twice the last one counts.
            expected: how many samples the run should have; default: as many as there are.

        Returns:
            The figures, the coverage and one entry a sample. Samples whose status is ``error``,
            and those that `score_sample` fails on, lower the coverage and leave the figures alone.
        """
        latest = {prediction.sample_id: prediction for prediction in predictions}
        answers: list[dict[str, Any]] = []
        samples: list[dict[str, Any]] = []
        for sample_id in sorted(latest):
            scored, entry = self._score_one(latest[sample_id])
            samples.append(entry)
            if scored is not None:
                answers.append(scored)
        metrics, details = self._metrics(answers)
        return Report(
            metrics=metrics,
            coverage=Coverage.count(samples, expected),
            samples=samples,
            primary=self.primary if self.primary in metrics else next(iter(metrics), ""),
            details=details,
        )

    def running(self, prediction: Prediction) -> float | None:
        """The score of one answer on its own, for progress; None where there is none."""
        result = self._score_one(prediction)[1].get("metric_result")
        return float(result) if isinstance(result, bool | int | float) else None

    def _score_one(self, prediction: Prediction) -> tuple[dict[str, Any] | None, dict[str, Any]]:
        """The record to sum up (None after an error) and the sample's entry in the report."""
        entry: dict[str, Any] = {"id": prediction.sample_id, "status": str(prediction.status)}
        if prediction.status == Status.ERROR:
            return None, {**entry, "error": dict(prediction.error or {})}
        # A deep copy: a metric may rewrite what it is given, and the journal must not notice.
        record = copy.deepcopy(prediction.to_record())
        record.setdefault("id", prediction.sample_id)
        try:
            found = to_jsonable(dict(self.score_sample(record)))
        except MissingTruthError:
            return None, {**entry, "no_truth": True}
        except Exception as error:
            message = {"type": type(error).__name__, "message": str(error), "stage": "metric"}
            return None, {**entry, "status": str(Status.ERROR), "error": message}
        return {**record, **found}, {**entry, **found, "id": prediction.sample_id}

    def _metrics(self, answers: list[dict[str, Any]]) -> tuple[dict[str, Estimate], dict[str, Any]]:
        """What `metric_func` returns, split into figures and details."""
        try:
            result = self.metric_func(answers)
        except Exception:
            if answers:
                raise
            # The mean of nothing: a metric need not think of it.
            return {self.primary or "score": undefined()}, {}
        named = result if isinstance(result, Mapping) else {"score": result}
        metrics: dict[str, Estimate] = {}
        details: dict[str, Any] = {"policy": self.policy} if self.policy else {}
        for name, item in _flat(named):
            metric = as_estimate(item, len(answers))
            if metric is not None:
                metrics[name] = metric
            else:
                details[name] = to_jsonable(item)
        return metrics, details


def _flat(items: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    for key, item in items.items():
        if isinstance(item, Mapping):
            yield from _flat(item, f"{prefix}{key}/")
        else:
            yield f"{prefix}{key}", item


#: The name by which ChEF's users know it.
Base_Metric = BaseMetric
