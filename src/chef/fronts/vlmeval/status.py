"""Functions of ``vlmeval.smp.status_report`` and of judge files: the state that a run tells."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from chef.common.writing import write_json
from chef.fronts.vlmeval.files import RUN_STATUS_NAME
from chef.guard.files import read_bytes

#: Names of figures in the order in which one of them stands for all.
_MAIN = ("overall", "acc", "accuracy", "score", "final score", "average")


def load_run_status(run_dir: str) -> dict[str, Any]:
    """The content of ``status.json`` of a folder; empty where there is none."""
    path = Path(run_dir) / RUN_STATUS_NAME
    return msgspec.json.decode(read_bytes(path), type=dict[str, Any]) if path.is_file() else {}


def upsert_run_status(run_dir: str, **fields: Any) -> dict[str, Any]:
    """Write fields of a run into ``status.json``; the others stay. Returns the whole."""
    content = {**load_run_status(run_dir), **fields}
    write_json(Path(run_dir) / RUN_STATUS_NAME, content)
    return content


def upsert_dataset_status(
    run_dir: str, model_name: str, dataset_name: str, **fields: Any
) -> dict[str, Any]:
    """Write what is known of one data set of a run into ``status.json``; returns it."""
    content = load_run_status(run_dir)
    datasets: dict[str, Any] = dict(content.get("datasets") or {})
    entry = {**(datasets.get(dataset_name) or {}), "model": model_name, **fields}
    datasets[dataset_name] = entry
    upsert_run_status(run_dir, datasets=datasets)
    return entry


def collect_run_benchmark_report(run_dir: str) -> dict[str, Any]:
    """The figures of each data set that ``status.json`` tells."""
    datasets: Mapping[str, Any] = load_run_status(run_dir).get("datasets") or {}
    return {name: entry.get("metrics") for name, entry in datasets.items()}


def choose_primary_metric_key(metrics: Mapping[str, Any]) -> str | None:
    """The name of the figure that stands for all; the first one where none is usual."""
    folded = {str(name).lower(): str(name) for name in metrics}
    usual = [folded[name] for name in _MAIN if name in folded]
    return next(iter([*usual, *map(str, metrics)]), None)


def count_markers_in_obj(obj: Any, markers: list[str]) -> int:
    """How many texts of a nested object contain one of the markers."""
    if isinstance(obj, Mapping):
        return sum(count_markers_in_obj(item, markers) for item in obj.values())
    if isinstance(obj, list | tuple):
        return sum(count_markers_in_obj(item, markers) for item in obj)
    return int(isinstance(obj, str) and any(marker in obj for marker in markers))


def score_judge_file_candidate(candidate: str, judge_model: str | None) -> int:
    """How well the name of a file fits that of a judge: 1 where it has it, else 0."""
    return int(bool(judge_model) and str(judge_model) in Path(candidate).stem)


def setup_subprocess_logger(log_file: str) -> Any:
    """A logger for a process that a file starts: chef's, which shows notes on standard error."""
    from chef.common.logs import logger

    return logger(f"chef.plugin.{Path(log_file).stem}")
