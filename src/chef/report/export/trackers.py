"""Results sent to where others keep theirs: Weights & Biases, MLflow, a data set of the hub."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from chef.common.redaction import redact_data
from chef.errors import ConfigError, DependencyError, nearest
from chef.report.load import Run

#: How a data set of the hub is written.
HUB = "hf:"


def send(run: Run, place: str) -> str:
    """Send a scored run to a tracker; say what was done. DataError if it has no scores.

    ``place`` is ``wandb`` or ``mlflow`` (figures, configuration) or ``hf:OWNER/NAME`` (samples).
    """
    if place.startswith(HUB):
        return _hub(run, place.removeprefix(HUB))
    if place not in _TRACKERS:
        hint = nearest(place, [*_TRACKERS, f"{HUB}OWNER/NAME"])
        raise ConfigError(f"results cannot be sent to '{place}'", where="--to", hint=hint)
    names, figures = _figures(run)
    return _TRACKERS[place](run, names, figures)


def _figures(run: Run) -> tuple[dict[str, str], dict[str, float]]:
    """The names of a run, and its numbers: of each figure the value, both ends and n."""
    result = run.report
    numbers = {
        f"{key}{suffix}": number
        for one in result.all_metrics
        for key, item in one.metrics.items()
        for suffix, number in (
            ("", item.value), ("_low", item.low), ("_high", item.high), ("_n", item.n),
        )
        if number is not None
    }  # fmt: skip
    numbers["coverage"] = result.coverage.coverage
    names = {"model": result.model, "scenario": result.scenario, "recipe": result.recipe}
    return {**names, "metric": result.metric_type}, numbers


def _wandb(run: Run, names: Mapping[str, str], figures: Mapping[str, float]) -> str:
    wandb = _package("wandb")
    config = redact_data({**names, **run.config})
    with wandb.init(project="chef", name=run.folder.name, config=config) as session:
        session.summary.update(dict(figures))
    return f"{len(figures)} numbers to Weights & Biases, project chef"


def _mlflow(run: Run, names: Mapping[str, str], figures: Mapping[str, float]) -> str:
    mlflow = _package("mlflow")
    with mlflow.start_run(run_name=run.folder.name):
        mlflow.set_tags(dict(names))
        mlflow.log_dict(redact_data(dict(run.config)), "config.json")
        mlflow.log_metrics(dict(figures))
    return f"{len(figures)} numbers to MLflow"


def _hub(run: Run, name: str) -> str:
    if name.count("/") != 1:
        raise ConfigError(f"'{name}' is no data set", where="--to", hint=f"write {HUB}OWNER/NAME")
    rows: list[dict[str, Any]] = [redact_data(row) for row in run.rows]
    _package("datasets").Dataset.from_list(rows).push_to_hub(name, private=True)
    return f"{len(rows)} samples to the private data set {name}"


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        what = f"results are sent there by the package {name}, which is not installed"
        raise DependencyError(what, hint=f"pip install {name}") from None


_TRACKERS: dict[str, Callable[[Run, Mapping[str, str], Mapping[str, float]], str]] = {
    "wandb": _wandb,
    "mlflow": _mlflow,
}
