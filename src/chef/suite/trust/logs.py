"""Find the logs of MMTrustEval's tasks, and their samples as columns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from chef.config.tasks import METRIC
from chef.errors import DataError
from chef.frozen import Frozen
from chef.guard.files import read_text
from chef.report.load import load_run
from chef.report.task_log import task_log
from chef.run.configuration import CONFIG, run_hint, run_place
from chef.scoring.result import RESULTS
from chef.stats.arrays import Array, np

#: The keys of a log.
TOTALS, SAMPLES, HEADER = "total_results", "per_sample_results", "run"


class Log(Frozen):
    """The log of one model on one data set, of celebrities with its kind of question.

    ``coverage`` is the share of scored samples, 0 to 1; ``data`` a digest of the data and the
    evaluators; ``limit`` how many samples were asked for (None: all).
    """

    model: str
    dataset: str
    columns: LogColumns
    source: Path
    coverage: float | None = None
    data: str = ""
    limit: int | None = None


def log_of_file(path: Path) -> Log | None:
    """A log in MMTrustEval's form; None for another file, DataError for no JSON.

    The model is the name of the folder, and the data set that of the file, where the log does not
    say.
    """
    try:
        given = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(
            f"cannot be read as a log ({error})", where=str(path), hint="remove it, or correct it"
        ) from error
    if not isinstance(given, dict) or not isinstance(given.get(TOTALS), dict):
        return None
    return log_of(given, path, model=path.parent.name, dataset=path.stem)


def log_of(given: Mapping[str, Any], source: Path, *, model: str, dataset: str) -> Log:
    """A log as a mapping: ``total_results``, ``per_sample_results`` and, of chef's, ``run``.

    ``model`` and ``dataset`` are the names where it does not say.
    """
    samples = [item for item in given.get(SAMPLES) or () if isinstance(item, dict)]
    header = given.get(HEADER)
    if not isinstance(header, dict):  # a log of MMTrustEval's own, which has its rules
        header = {"compat": "upstream"}
    columns = LogColumns(given[TOTALS], samples, header.get("compat", "corrected") == "upstream")
    return Log(
        str(header.get("model") or model),
        str(header.get("dataset") or dataset),
        columns,
        source,
        header.get("coverage"),
        str(header.get("data") or ""),
        header.get("limit"),
    )


def find_logs(folders: Iterable[Path], wanted: Container[str]) -> Iterator[Log]:
    """The logs below folders (a file is one): the last written, of each model and wanted data set.

    One of all samples comes before those of a part. DataError for a missing or unreadable one.
    """
    found: list[Log] = []
    for folder in map(run_place, folders):
        if not folder.exists():
            raise DataError("no such folder", where=str(folder), hint=run_hint(folder))
        runs = {file.parent for file in folder.rglob(CONFIG)}
        files = [folder] if folder.is_file() else sorted(folder.rglob("*.json"))
        logs = [
            *map(log_of_run, sorted(runs)),
            *(log_of_file(file) for file in files if file.parent not in runs),
        ]
        found += [log for log in logs if log is not None and log.dataset in wanted]
    return _newest(found)


def log_of_run(folder: Path) -> Log | None:
    """The log of a run folder; None where its metric is another, or it has no scores yet."""
    run = load_run(folder)
    result = run.record.result
    if result is None or result.metric_type != METRIC:
        return None
    log = task_log(run, complete=True)
    return log_of(log, folder / RESULTS, model=log[HEADER]["model"], dataset=log[HEADER]["dataset"])


def _newest(logs: Iterable[Log]) -> Iterator[Log]:
    """The log that was written last, of each model and data set; one of all samples if there is."""
    found: dict[tuple[str, str], Log] = {}
    for log in logs:
        key = (log.model, log.dataset)
        if key not in found or _order(log) >= _order(found[key]):
            found[key] = log
    return iter(found.values())


def _order(log: Log) -> tuple[bool, float]:
    return log.limit is None, log.source.stat().st_mtime


#: A text that more samples share is a prompt of the data set, not a question of its own.
_SHARED = 20


@dataclass(frozen=True)
class LogColumns:
    """What the log of one data set holds: totals (values by ``A->B:metric``) and samples.

    ``is_upstream``: whether MMTrustEval's own rules were used.
    """

    totals: Mapping[str, Any]
    samples: Sequence[Mapping[str, Any]]
    is_upstream: bool = False
    _found: dict[str, Array] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.samples)

    def of(self, evaluator: str) -> Array | None:
        """What an evaluator said of each sample, NaN where nothing; None if it is in no chain."""
        if evaluator not in self._found:
            outputs = self._outputs(evaluator)
            if outputs is None:
                return None
            self._found[evaluator] = np.array([*map(as_number, outputs)], dtype=float)
        return self._found[evaluator]

    def texts(self, evaluator: str) -> list[str] | None:
        """What an evaluator made of each answer, as text; None if it is in no chain."""
        outputs = self._outputs(evaluator)
        return None if outputs is None else [*map(str, outputs)]

    def _outputs(self, evaluator: str) -> list[Any] | None:
        keys = {key for sample in self.samples for key in sample}
        key = next((key for key in sorted(keys) if _is_output(key, evaluator)), None)
        return None if key is None else [sample.get(key) for sample in self.samples]

    def total(self, evaluator: str, metric: str, subset: str = "") -> float | None:
        """A value of the log that no sample stands for; None if it has none."""
        end = f"_{subset}" if subset else ""
        for key, value in self.totals.items():
            prefix, _, name = key.rpartition(":")
            if name == f"{metric}{end}" and prefix.split("->")[-1] == evaluator:
                return as_number(value)
        return None

    @cached_property
    def answers(self) -> list[str]:
        """The answers of the tested model."""
        return [str(sample.get("pred") or "") for sample in self.samples]

    @cached_property
    def labels(self) -> Array:
        """The references as numbers; NaN where one is none. MMTrustEval leaves out zeros alone."""
        return np.array([as_number(sample.get("label", 0)) for sample in self.samples], dtype=float)

    @cached_property
    def extras(self) -> list[Mapping[str, Any]]:
        """What each sample says besides: its subset, and others."""
        return [sample.get("extra") or {} for sample in self.samples]

    def clusters(self, is_unrelated: bool) -> Iterator[tuple[str, ...]]:
        """What each sample shares: its text, and its image unless that is unrelated."""
        texts = Counter(map(_text, self.samples))
        for number, sample in enumerate(self.samples):
            image = _image(sample)
            shared = [f"image {image}"] if image and not is_unrelated else []
            if texts[_text(sample)] <= _SHARED:
                shared.append(f"text {_text(sample)}")
            yield tuple(shared) or (f"sample {number}",)


def as_number(given: Any) -> float:
    """A number that an evaluator gave; NaN for anything else.

    >>> as_number(True), as_number("0.5")
    (1.0, 0.5)
    """
    if isinstance(given, list) and len(given) == 1:
        given = given[0]
    try:
        return float(given)
    except (TypeError, ValueError):
        return float("nan")


#: Evaluators that have a second name: MMTrustEval's own, by the other one.
_OWN_NAMES = {"classifier_reject_eval": "classifer_reject_eval"}


def _is_output(key: str, evaluator: str) -> bool:
    prefix, _, metric = key.rpartition(":")
    last = prefix.split("->")[-1]
    return metric == "pred_no_op" and _OWN_NAMES.get(last, last) == evaluator


def _text(sample: Mapping[str, Any]) -> str:
    content = sample.get("content")
    return str(content.get("text") if isinstance(content, Mapping) else content)


def _image(sample: Mapping[str, Any]) -> str:
    content = sample.get("content")
    return str(content.get("image_path") or "") if isinstance(content, Mapping) else ""
