"""The metric that a class written for VLMEvalKit brings with it: its ``evaluate``."""

from __future__ import annotations

import inspect
import re
import shutil
from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any, ClassVar

from chef.common.digest import content_digest, digest
from chef.common.logs import logger
from chef.common.redaction import redact_data
from chef.common.user_code import contained, import_hint, is_of_a_system, told
from chef.common.vlmevalkit_messages import conversation_of
from chef.common.writing import write_atomically
from chef.errors import ChefError, RunError
from chef.guard.folder import holds_links, make_folder, read_bytes
from chef.metric import METRICS
from chef.metric.place import Place, PlacedMetric
from chef.models.own_code import own_code
from chef.scenario.hooks.vlmevalkit.base import ImageBaseDataset
from chef.scenario.hooks.vlmevalkit.files import (
    MAX_CELL,
    as_indices,
    dump,
    index_text,
    load,
    pandas_module,
)
from chef.scenario.hooks.vlmevalkit.helpers import get_pred_file_format
from chef.scenario.hooks.vlmevalkit.prompts import evaluating
from chef.scenario.hooks.vlmevalkit.rows import Rows
from chef.scenario.hooks.vlmevalkit.scenario import DatasetScenario, own_metric, usual_metric
from chef.scenario.vlmevalkit.table import reading_from
from chef.stats.estimate import undefined
from chef.types import Generate, Prediction, Status, Text, Turn

_log = logger(__name__)
#: The folder of the file, and of what evaluation writes next to it.
FOLDER = "vlmevalkit"
#: The digest of what the files of the folder were made of.
_STAMP = ".made_of"
_UNSAFE = re.compile(r"[^\w.+()-]")


def write_eval_file(
    folder: Path, name: str, rows: Rows, answers: Sequence[Mapping[str, Any]], by: str
) -> Path:
    """Write the rows that were answered, with the column ``prediction``; return the file.

    Files that an earlier evaluation left stay if it was the same one: of equal rows, answers and
    ``by``.
    """
    table: list[dict[str, Any]] = redact_data(_table(rows, answers))
    place = folder / FOLDER
    digest = content_digest(by, *(repr(sorted(row.items())) for row in table))
    stamp = place / _STAMP
    folder.mkdir(parents=True, exist_ok=True)
    make_folder(place)
    if _is_of_another(place, stamp, digest):
        shutil.rmtree(place)
        make_folder(place)
    kind = get_pred_file_format()
    if kind == "xlsx" and any(len(str(c)) > MAX_CELL for row in table for c in row.values()):
        _log.warning("%s: an answer is too long for a workbook: written as .tsv", place)
        kind = "tsv"
    file = place / f"{_UNSAFE.sub('_', name)}.{kind}"
    frame = pandas_module().DataFrame(table)
    dump(frame if kind != "json" else table, file)
    write_atomically(stamp, digest)
    return file


def _is_of_another(place: Path, stamp: Path, digest: str) -> bool:
    """Whether files were left by another evaluation, or by somebody else: one is a link."""
    try:
        return read_bytes(stamp, below=2) != digest.encode() or holds_links(place)
    except OSError:
        return True


def _table(rows: Rows, answers: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows in the order of the data set."""
    known = {str(answer["id"]): answer for answer in answers}
    places = [place for place in range(len(rows)) if rows.id(place) in known]
    indices = as_indices([rows.id(place) for place in places])
    return [
        {
            **{key: text if text != "" else None for key, text in rows.cells(place).items()},
            "index": index,
            "prediction": prediction_of(known[rows.id(place)]),
        }
        for place, index in zip(places, indices, strict=True)
    ]


def prediction_of(record: Mapping[str, Any]) -> Any:
    """The answer as evaluation reads it: the letter of an option that was chosen by its score."""
    choice = record.get("choice")
    labels = record.get("labels") or ()
    if isinstance(choice, int) and choice < len(labels):
        return labels[choice]
    answer = record.get("answer")
    return "" if answer is None else answer if isinstance(answer, str) else repr(answer)


_FORMS = "return a dict of numbers by name, a pandas DataFrame of scores, or a number"


def metrics_of(returned: Any) -> dict[str, Any]:
    """The values of a number, dict or frame by name; nested names, and the texts of a row, are
    joined by ``/``. Values that are no numbers are for the details; raises RunError without any
    number.

    >>> metrics_of({"Overall": [0.5], "sub": {"a": 1}, "judge": "none"})
    {'Overall': 0.5, 'sub/a': 1, 'judge': 'none'}
    """
    if returned is None:
        raise RunError("it returned None", hint=_FORMS)
    metrics = _named(returned)
    if metrics is None:
        raise RunError(f"it returned a {type(returned).__name__}", hint=_FORMS)
    if not any(_is_number(value) for value in metrics.values()):
        given = ", ".join(f"{name}: {value!r:.40}" for name, value in metrics.items()) or "nothing"
        raise RunError(f"it returned no number: {given:.200}", hint=_FORMS)
    return metrics


def main_of(named: Mapping[str, Any]) -> str:
    """The key of the headline metric: ``Overall`` or the like, else the first number."""
    numbers = [name for name, value in named.items() if _is_number(value)]
    last = {name: name.rpartition("/")[2].lower() for name in numbers}
    for wanted in ("overall", "final score", "total", "score", "acc", "accuracy"):
        if found := [name for name in numbers if last[name] == wanted]:
            return found[0]
    return numbers[0]


def _named(item: Any) -> dict[str, Any] | None:
    """Values by name; None for what has none."""
    if _is_number(item):
        return {"score": item}
    if isinstance(item, Mapping):
        return _joined(item)
    if hasattr(item, "columns") and hasattr(item, "to_dict"):
        return _of_frame(item)
    if hasattr(item, "to_dict"):  # a Series
        return _joined(item.to_dict())
    return None


def _joined(items: Mapping[Any, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in items.items():
        if isinstance(value, list | tuple) and len(value) == 1:
            (value,) = value  # noqa: PLW2901 (columns of a frame with one row)
        inner = None if _is_number(value) else _named(value)
        if inner is None and isinstance(value, list | tuple) and all(map(_is_number, value)):
            inner = {str(place): number for place, number in enumerate(value)}
        if inner is None:
            found[str(key)] = _number(value)
        else:
            found |= {f"{key}/{name}": number for name, number in inner.items()}
    return found


def _of_frame(frame: Any) -> dict[str, Any]:
    """The numbers of a table by row and column."""
    rows = frame.to_dict("records")
    if len(rows) == 1:
        return _joined(rows[0])
    found: dict[str, Any] = {}
    for label, row in zip(frame.index, rows, strict=True):
        values = {str(name): _number(value) for name, value in row.items()}
        texts = [str(value) for value in values.values() if not _is_number(value)]
        name = "/".join(text for text in texts if text) or str(label)
        while any(key.startswith(f"{name}/") for key in found):
            name += "'"  # two rows of one name
        found |= {f"{name}/{key}": value for key, value in values.items() if _is_number(value)}
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) or (
        hasattr(value, "item") and getattr(value, "ndim", None) == 0 and not callable(value)
    )


def _number(value: Any) -> Any:
    """The number that a text is; anything else as it is."""
    if not isinstance(value, str):
        return value
    try:
        return float(value)
    except ValueError:
        return value


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
        metrics = metrics_of(returned)
        self.primary = main_of(metrics)
        return metrics

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
    elif isinstance(error, ImportError) and is_of_a_system(error):
        hint = import_hint(error)
    return RunError(why, where=str(file), hint=hint)
