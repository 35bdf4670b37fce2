"""The log of a task's run, in MMTrustEval's form."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.common.digest import digest
from chef.common.logs import logger
from chef.common.version import VERSION
from chef.common.writing import write_json
from chef.guard.files import read_text
from chef.guard.folder import has_file
from chef.metric.groups import natural
from chef.metric.mmtrusteval.chain import PREDICTIONS
from chef.metric.mmtrusteval.log import log_form
from chef.report.load import Run, load_run
from chef.run.asked_data import ROWS
from chef.run.reading import read_json
from chef.scoring.result import RESULTS, RunResult

_log = logger(__name__)


def task_log(
    run: Run, report: RunResult | None = None, *, complete: bool = False
) -> dict[str, Any]:
    """The content of the log of a run with the metric `Evaluators`; DataError if it has no scores.

    ``total_results`` and ``per_sample_results`` are as MMTrustEval writes them; ``run`` has model,
    data set, rules, coverage, ``limit`` (None: all samples), a digest of the data with the
    evaluators, versions, and what was not scored. ``complete`` tells the predictions of the last
    evaluators of each sample though their ``metrics_cfg`` does not ask for it.
    """
    scores = run.report if report is None else report
    recipe = run.config["recipe_cfg"]
    sequences = _sequences(recipe)
    compat = recipe.get("compat", "corrected")
    asked = {key: item for key, item in recipe["scenario_cfg"].items() if key != "data_root"}
    header = {
        "model": scores.model,
        "dataset": scores.scenario,
        "task": scores.recipe,
        "compat": compat,
        "coverage": scores.coverage.coverage,
        "limit": scores.coverage.total if _of_part(scores) else run.config["run"]["sample_len"],
        "data": digest([run.environment.get("scenario_fingerprint"), asked, sequences, compat]),
        "config": digest([run.config["model_cfg"], recipe]),
        "folder": str(run.folder),
        "chef": VERSION,
    }
    scored = {str(entry["id"]) for entry in scores.samples}
    asked_for = [item for item in run.predictions if item.sample_id in scored]
    # They are answered in any order; a log has that of the data set, where the run knows it.
    places = _places(run.folder)
    last = len(places)
    asked_for.sort(key=lambda item: (places.get(item.sample_id, last), natural(item.sample_id)))
    return log_form(
        scores.metrics, asked_for, scores.samples,
        sequences=_told(sequences) if complete else sequences, run=header, compat=compat,
    )  # fmt: skip


def write_log(report: RunResult, path: Path) -> Path:
    """Write the log of a finished run, and return its file.

    A log of another configuration, or one that is not chef's, is kept under another name. The log
    of a part of a run has a name of its own, as its results have: ``<name>_<n>_samples.json``.
    """
    path = path.with_stem(f"{path.stem}{_of_part(report)}")
    content = task_log(load_run(report.folder), report)
    if path.exists() and not _is_of(path, content["run"]["config"]):
        kept = _free(path)
        path.rename(kept)
        _log.warning("%s was the log of another run, and is %s now", path, kept.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, content, nan=content["run"]["compat"] == "upstream")
    return path


def _places(folder: Path) -> dict[str, int]:
    """The place of each sample in the data set, as the run has noted it; empty where it has not."""
    rows = read_json(folder / ROWS).get("rows") if has_file(folder / ROWS) else None
    return {name: place for place, name in enumerate(rows or {})}


def _of_part(report: RunResult) -> str:
    """What the files of a report have in their names where the run has more samples."""
    return report.file.stem.removeprefix(Path(RESULTS).stem)


def _sequences(recipe: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    metrics = recipe["eval_cfg"]["metric_cfg"]
    items = metrics if isinstance(metrics, list) else [metrics]
    key = "evaluator_seq_cfgs"
    return next((item[key] for item in items if key in item), [])


def _told(sequences: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The sequences, with the last predictions of each among their metrics."""
    found = []
    for sequence in sequences:
        *_, last = sequence or [None]
        keys = dict(sequence[last] or {}) if last is not None else {}
        metrics = {**(keys.get("metrics_cfg") or {}), PREDICTIONS: None}
        found.append({**sequence, **({last: {**keys, "metrics_cfg": metrics}} if last else {})})
    return found


def _is_of(path: Path, config: str) -> bool:
    try:
        return bool(json.loads(read_text(path))["run"]["config"] == config)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _free(path: Path) -> Path:
    number = 1
    while (kept := path.with_name(f"{path.stem}.old{number}{path.suffix}")).exists():
        number += 1
    return kept
