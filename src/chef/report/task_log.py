"""The log of a task's run, in MMTrustEval's form: totals, and a line for each sample."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.common.digest import digest
from chef.common.jsonable import to_jsonable
from chef.common.logs import logger
from chef.common.mmtrusteval import EXTRA, ImageTxtSample, TxtSample, content_of
from chef.common.version import VERSION
from chef.common.writing import write_json
from chef.guard.files import read_text
from chef.guard.folder import has_file
from chef.metric.groups import natural
from chef.metric.mmtrusteval.chain import PREDICTIONS, prefixes_of
from chef.metric.mmtrusteval.evaluators import ANSWERS, OUTPUTS, as_answer
from chef.report.load import Run, load_run
from chef.run.asked_data import ROWS
from chef.run.reading import read_json
from chef.scoring.result import RESULTS, RunResult
from chef.stats.clusters import unchanged
from chef.stats.estimate import Estimate
from chef.types import Compat, Prediction

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


#: The columns that are left out by MMTrustEval's own rules where every value is falsy.
_COLUMNS = ("content", "pred", "label", "extra")
#: How the predictions end of the evaluator that gives NaN by MMTrustEval's own rules.
_GIVES_NAN = f"rule_match_and_score_eval:{PREDICTIONS}"


def log_form(
    metrics: Mapping[str, Estimate],
    predictions: Sequence[Prediction],
    entries: Sequence[Mapping[str, Any]],
    *,
    sequences: Sequence[Mapping[str, Any]],
    run: Mapping[str, Any],
    compat: Compat = "corrected",
) -> dict[str, Any]:
    """The content of the JSON file: ``total_results``, ``per_sample_results``, and ``run``.

    Samples that failed are in ``not_scored`` of ``run``, with the reasons. With ``upstream``,
    columns whose values are all falsy are left out, and what is undefined is NaN, not None.
    """
    found = {str(entry["id"]): entry for entry in entries}
    names = [*_names(sequences), *_metrics(found.values())]
    rows: list[dict[str, Any]] = []
    left_out: list[dict[str, Any]] = []
    for item in predictions:
        entry = found.get(item.sample_id, {})
        if OUTPUTS not in entry:
            left_out.append({"id": item.sample_id, "reason": _reason(entry)})
            continue
        outputs = entry[OUTPUTS]
        columns = _columns(as_answer(item, compat))
        rows.append({**{name: outputs.get(name) for name in names}, **columns})
    totals = {name: item.value for name, item in metrics.items() if name != ANSWERS}
    upstream = compat == "upstream"
    if upstream:
        totals = {name: math.nan if item is None else item for name, item in totals.items()}
        for name in names:
            if name.endswith(_GIVES_NAN) or not name.endswith(
                f":{PREDICTIONS}"
            ):  # in a run folder NaN is null
                rows = [{**row, name: math.nan if row[name] is None else row[name]} for row in rows]
        for column in _COLUMNS:
            if not any(row[column] for row in rows):
                rows = [{key: row[key] for key in row if key != column} for row in rows]
    content = {
        "total_results": totals,
        "per_sample_results": rows,
        "run": {**run, "not_scored": left_out},
    }
    return {key: to_jsonable(part, nan=upstream) for key, part in content.items()}


def _names(sequences: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of the predictions that are told of each sample, in order."""
    found: list[str] = []
    for sequence in sequences:
        *before, last = prefixes_of(sequence) or [""]
        keys = list(sequence.values())[-1] if sequence else {}
        found += before
        if PREDICTIONS in ((keys or {}).get("metrics_cfg") or {}):
            found.append(last)
    return [f"{prefix}:{PREDICTIONS}" for prefix in dict.fromkeys(found)]


def _metrics(entries: Iterable[Mapping[str, Any]]) -> list[str]:
    """The names of the metrics that have a value for each sample."""
    names = dict.fromkeys(name for entry in entries for name in entry.get(OUTPUTS, ()))
    return [name for name in names if not name.endswith(f":{PREDICTIONS}")]


def _columns(item: Prediction) -> dict[str, Any]:
    text = str(item.sample.get("question", ""))
    path = next((_path(image) for image in item.images), None)
    asked = TxtSample(text) if path is None else ImageTxtSample(str(path), text)
    return {
        "content": content_of(asked),
        "pred": item.answer,
        "label": item.sample.get("gt_answers"),
        "extra": item.sample.get(EXTRA),
    }


def _path(image: Mapping[str, Any]) -> str:
    """The file of an image; of one that a method has changed, that of the image before."""
    return str(image.get("path") or unchanged(image).get("path") or "")


def _reason(entry: Mapping[str, Any]) -> str:
    if "unjudged" in entry:
        return str(entry["unjudged"])
    error = entry.get("error") or {}
    return str(error.get("message") or "it was not scored")
