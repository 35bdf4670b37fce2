"""Tasks of MMTrustEval: their files checked, and read as recipes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from chef.config.document import Document, read_document
from chef.config.lookup import find_what
from chef.config.plugins import load_plugins
from chef.config.spec import check_value
from chef.config.suggest import suggestion
from chef.config.tasks import (
    CHEF_KEYS,
    SPELLED,
    TASK_KEYS,
    is_task,
    placed,
    recipe_of,
    shipped_tasks,
)
from chef.errors import ConfigError, nearest, similar
from chef.frozen import Frozen
from chef.scenario import SCENARIOS
from chef.scenario.mmtrusteval.table import datasets

#: The types of the keys of a task.
_TYPES: Mapping[str, Any] = {
    "dataset_id": str,
    "model_id": str,
    "log_file": str | None,
    "method_cfg": dict[str, Any] | list[Any] | None,
    "dataset_cfg": dict[str, Any] | None,
    "generation_kwargs": dict[str, Any] | None,
    "evaluator_seq_cfgs": list[Any] | None,
    "classifier_cfg": dict[str, Any] | None,
}
_GENERATION: Mapping[str, Any] = {
    "max_new_tokens": int,
    "do_sample": bool,
    "temperature": float,
    "top_p": float,
    "stop_sequences": list[str] | str | None,
    "num_beams": int,
    "output_scores": bool,
}


class TaskFile(Frozen):
    """A task file that was read: ids of data set and model, and the log's file, empty or None where
    not named.
    """

    document: Document
    dataset_id: str
    model_id: str
    log_file: str | None

    @property
    def dataset(self) -> str:
        """The data set, with its kind of question where that has a log of its own."""
        options = self.document.values.get("dataset_cfg") or {}
        kind = options.get("data_type_id")
        return f"{self.dataset_id}-{kind}" if kind else self.dataset_id

    @property
    def asks_judge(self) -> bool:
        """Whether one of its evaluators asks a judge."""
        from chef.metric.mmtrusteval.chains import chains_of  # no recipe needs it

        values = self.document.values
        chains = chains_of(
            values.get("evaluator_seq_cfgs") or (), values.get("compat") or "corrected"
        )
        return any(chain.needs_judge for chain in chains)

    def log(self, model: str) -> Path:
        """The file of its log, for a model of that name."""
        if self.log_file:
            return Path(self.log_file)
        path = self.document.path
        aspect = path.parent.name if path.parent.parent.name == "tasks" else ""
        return Path("logs", aspect, path.stem, model, f"{self.dataset}.json")


def read_task(source: str | Path | Mapping[str, Any], overrides: Sequence[str] = ()) -> TaskFile:
    """Read and check a task: a file, a shipped name (``privacy/p3-infoflow``), or its content.

    Raises ConfigError.
    """
    content = source if isinstance(source, Mapping) else _file_of(source)
    document = read_document(content, overrides)
    if not is_task(document.values):
        raise ConfigError(
            "is no task",
            where=str(document.path),
            hint="a task has dataset_id and evaluator_seq_cfgs; recipes are for `chef eval`",
        )
    as_recipe(document)
    values = document.values
    return TaskFile(
        document, values["dataset_id"], str(values.get("model_id") or ""), values.get("log_file")
    )


def _file_of(given: str | Path) -> Path:
    return cast("Path", find_what(given, ("tasks",)).source)


def shipped_runs(source: object) -> list[list[str]]:
    """The overrides that run a task of chef's on each data set of the benchmark.

    ConfigError: it is not one.
    """
    path = _file_of(source) if isinstance(source, str | Path) else Path("(a mapping)")
    name = f"{path.parent.name}/{path.stem}"
    if name not in shipped_tasks():
        raise ConfigError(
            "only chef's own tasks have a list of data sets",
            where=str(path),
            hint="name them: --dataset_id A B",
        )
    return [overrides for _, overrides in shipped_tasks()[name].runs()]


def as_recipe(document: Document) -> Document:
    """The document of a task as that of a recipe; a ConfigError names the keys of the task."""
    values = document.values
    for key in values:
        if key not in (*TASK_KEYS, *CHEF_KEYS):
            hint = suggestion((str(key),), (*TASK_KEYS, *CHEF_KEYS), document)
            raise ConfigError("unknown key", where=document.where(str(key)), hint=hint)
    if "dataset_id" not in values:
        raise ConfigError(
            "a task needs the key 'dataset_id'",
            where=document.where(),
            hint="for example dataset_id: safebench; `chef list datasets` shows all",
        )
    for key, kind in _TYPES.items():
        if key in values:
            check_value(values[key], kind, document.where(key))
    check_generation(values.get("generation_kwargs") or {}, document)
    load_plugins(values.get("plugins"), document)
    own = _is_own(values["dataset_id"], document)
    places = {placed(key): place for key, place in document.places.items()}
    return replace(
        document,
        values=recipe_of(values, is_own=own),
        raw=recipe_of(document.raw, is_own=own),
        places={**places, **document.places},
        spelled=SPELLED,
    )


def _is_own(dataset_id: str, document: Document) -> bool:
    """Whether a data set is a class of a plugin. ConfigError: there is no such data set."""
    if SCENARIOS.is_in_scope(dataset_id):
        return True
    if dataset_id in datasets():
        return False
    if dataset_id in SCENARIOS:
        return True
    near = similar(dataset_id, [*datasets(), *SCENARIOS])
    meant = f"did you mean '{near}'? " if near else ""
    raise ConfigError(
        f"unknown data set '{dataset_id}'",
        where=document.where("dataset_id"),
        hint=f"{meant}`chef list datasets` shows all; `plugins` brings classes of your own",
    )


def check_generation(given: Mapping[str, Any], document: Document | None = None) -> None:
    """Check ``generation_kwargs``, which are arguments of a call where no task has them.

    Raises ConfigError.
    """

    def at(key: str) -> str:
        return key if document is None else document.where("generation_kwargs", key)

    for key, value in given.items():
        where = at(key)
        if key not in _GENERATION:
            hint = nearest(str(key), _GENERATION)
            raise ConfigError("unknown key", where=where, hint=hint)
        check_value(value, _GENERATION[key], where)
    if given.get("num_beams", 1) != 1:
        raise ConfigError(
            "chef does not search with beams",
            where=at("num_beams"),
            hint="remove it: replies are greedy, or sampled with do_sample: true",
        )
