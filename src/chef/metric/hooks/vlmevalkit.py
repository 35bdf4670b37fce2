"""The metric that a class written for VLMEvalKit brings with it: its ``evaluate``."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from chef.common import plugin_package
from chef.common.digest import digest
from chef.common.user_code import contained, told
from chef.common.vlmevalkit_messages import conversation_of
from chef.errors import ChefError, RunError
from chef.metric import METRICS
from chef.metric.hooks.eval_file import write_eval_file
from chef.metric.hooks.returned import main_of, metrics_of
from chef.metric.place import Place, PlacedMetric
from chef.models.own_code import own_code
from chef.scenario.hooks.vlmevalkit.base import ImageBaseDataset
from chef.scenario.hooks.vlmevalkit.files import load
from chef.scenario.hooks.vlmevalkit.frame import index_text
from chef.scenario.hooks.vlmevalkit.running import evaluating
from chef.scenario.hooks.vlmevalkit.scenario import DatasetScenario, own_metric, usual_metric
from chef.scenario.vlmevalkit.roots import reading_from
from chef.stats.estimate import undefined
from chef.types import Generate, Prediction, Status, Text, Turn

#: What ``evaluate`` is given besides the name of the judge, unless the recipe says otherwise.
_USUAL: Mapping[str, Any] = {"nproc": 4, "verbose": False}
#: The name of the judge where there is none.
NO_JUDGE = "exact_matching"


class OwnEvaluation(PlacedMetric):
    """What ``evaluate(eval_file, **judge_kwargs)`` of a class returns.

    The file is in ``vlmevalkit/`` of the run folder, and so is what the class writes next to it.
    Samples that failed are not in it.

    Args:
        dataset_name: the name of the scenario.
        judge_kwargs: arguments for ``evaluate``: ``nproc``, ``verbose`` and others. ``model`` is
            the name of the recipe's judge, or ``exact_matching`` where it has none.

    Metrics: those that the class returns; of tables and nested dicts with joined names.
    """

    dataset_class: ClassVar[type[ImageBaseDataset]]

    def __init__(
        self, dataset_name: str = "", *, judge_kwargs: dict[str, Any] | None = None
    ) -> None:
        super().__init__(dataset_name)
        self.judge_kwargs = dict(judge_kwargs or {})

    def metric_func(self, answers: list[dict[str, Any]]) -> Mapping[str, Any]:
        if self.place is None or not answers:
            return {"score": undefined()}
        scenario, source = self.place.scenario(), f"{self.dataset_class.__name__}.evaluate"
        if not isinstance(scenario, DatasetScenario):
            raise RunError(
                f"{source} evaluates the rows of its class, and the recipe asks others",
                hint="remove `circular: true` from scenario_cfg, or choose another metric",
            )
        name = f"{self.place.model}_{scenario.name}"
        run = _Run(self.place, scenario, answers)
        judge = run.judge_name or NO_JUDGE
        given = _accepted(
            scenario.dataset.evaluate, {"model": judge, **_USUAL, **self.judge_kwargs}
        )
        by = digest([run.judge_name, given, own_code(self.dataset_class)])
        file = write_eval_file(self.place.folder, name, scenario.rows, answers, by)
        try:
            with evaluating(run), reading_from(scenario.source), contained(source):
                returned = scenario.dataset.evaluate(str(file), **given)
        except Exception as error:
            raise _failed(error, file) from error
        found = metrics_of(returned)
        self.primary = main_of(found)
        return found

    def group_metrics(self, answers: list[dict[str, Any]]) -> Mapping[str, Any]:
        """None: the class names its own groups."""
        del answers
        return {}


#: The metric of each class.
_made: dict[type[ImageBaseDataset], type[OwnEvaluation]] = {}


class _Run:
    """What the code of the class may ask of the run; see `running.Running`."""

    def __init__(
        self, place: Place, scenario: DatasetScenario, answers: Sequence[Mapping[str, Any]]
    ) -> None:
        self._place, self._scenario = place, scenario
        self._answers = {str(answer["id"]): answer for answer in answers}

    @property
    def judge_name(self) -> str | None:
        return None if self._place.judge is None else self._place.judge.name

    def ask_judge(self, message: Any, **options: Any) -> str:
        judge = self._place.judge
        assert judge is not None  # build_judge has checked it
        conversation = conversation_of(message)
        if system := options.get("system_prompt"):
            conversation = (Turn("system", (Text(str(system)),)), *conversation)
        request = Generate(
            conversation,
            max_new_tokens=int(options.get("max_tokens", 2048)),
            temperature=float(options.get("temperature", 0.0)),
        )
        return judge.ask(request)

    def family_scores(self, eval_file: str) -> dict[str, float | None]:
        kind = METRICS.get(usual_metric(self._scenario.kind, self._scenario.name))
        metric = kind(self._scenario.name)
        table = load(eval_file)
        rows = table.to_dict("records") if hasattr(table, "to_dict") else table
        found = [self._prediction(row) for row in rows]
        report = metric.evaluate([item for item in found if item is not None])
        return {name: item.value for name, item in report.metrics.items()}

    def _prediction(self, row: Mapping[str, Any]) -> Prediction | None:
        """The answer of a row; None if it is of no sample of the run."""
        name = index_text(row["index"])
        record = self._answers.get(name)
        if record is None:
            return None
        own = {key: item for key, item in record.items() if key not in {"answer", "status"}}
        answer = record["answer"] if "choice" in record else row.get("prediction")
        return Prediction(name, Status(record["status"]), answer, sample=own)


def metric_of(kind: type[ImageBaseDataset]) -> tuple[str, type[OwnEvaluation]] | None:
    """The name and the metric of a class with its own ``evaluate``; None of one without."""
    name = own_metric(kind)
    if name is None:
        return None
    if kind in _made:
        return name, _made[kind]
    body = {"dataset_class": kind, "__doc__": OwnEvaluation.__doc__, "__module__": kind.__module__}
    _made[kind] = type(f"{kind.__name__}Evaluation", (OwnEvaluation,), body)
    return name, _made[kind]


def _accepted(method: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that a method takes."""
    parameters = inspect.signature(method).parameters.values()
    if any(item.kind is item.VAR_KEYWORD for item in parameters):
        return dict(given)
    names = {item.name for item in parameters}
    return {name: value for name, value in given.items() if name in names}


def _failed(error: Exception, file: Path) -> RunError:
    """The error for an ``evaluate`` that raised one; the line that did is told of its cause."""
    why = error.what if isinstance(error, ChefError) else told(error)
    hint: str | None = "correct it; this is the file that it was given"
    if isinstance(error, ChefError):
        hint = error.hint or hint
    elif isinstance(error, ImportError) and plugin_package.is_about(error):
        hint = plugin_package.hint(error)
    return RunError(why, where=str(file), hint=hint)
