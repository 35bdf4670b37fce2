"""Find the logs of MMTrustEval's tasks: files in its own form, and run folders."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chef.config.tasks.recipe import METRIC
from chef.errors import DataError
from chef.guard.files import read_text
from chef.report.load import load_run
from chef.report.task_log import task_log
from chef.run.configuration import CONFIG
from chef.scoring.result import RESULTS
from chef.suite.trust.columns import LogColumns

#: The keys of a log.
TOTALS, SAMPLES, HEADER = "total_results", "per_sample_results", "run"


@dataclass(frozen=True)
class Log:
    """The log of one model on one data set.

    Attributes:
        dataset: the data set; of celebrities with its kind of question.
        source: the file or the run folder.
        coverage: the share of the samples that are scored, 0 to 1; None where it is not known.
        data: a digest of the data and the evaluators; empty where it is not known.
        limit: how many samples were asked for (``--limit``); None for all.
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
    header = given.get(HEADER) if isinstance(given.get(HEADER), dict) else {}
    assert isinstance(header, dict)
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
    for folder in folders:
        if not folder.exists():
            raise DataError("there is no such folder", where=str(folder))
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
