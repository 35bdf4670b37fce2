"""Tasks of MMTrustEval put together: which models are asked which of them, and their logs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, TypeVar

from chef.config import Recipe, load_model, load_recipe, with_judge
from chef.config.task import TaskFile, read_task, shipped_runs
from chef.errors import ConfigError
from chef.report.task_log import write_log
from chef.scoring.result import RunResult
from chef.session.checking import RecipeFailure, raise_failures
from chef.session.session import Built, Session
from chef.session.settings import Settings

T = TypeVar("T")
#: The tasks by the name of the recipe and the data set that they become.
Tasks: TypeAlias = Mapping[tuple[str, str], TaskFile]
#: Tasks with their recipes, by the models that they are asked of.
Groups: TypeAlias = dict[tuple[str, ...], list[tuple[TaskFile, Recipe]]]


def sessions_of(
    configs: Sequence[str | Path | Mapping[str, object]],
    *,
    datasets: Sequence[str] = (),
    models: Sequence[str] = (),
    judges: Sequence[str | Path | Mapping[str, object]] = (),
    overrides: Sequence[str] = (),
    model_overrides: Sequence[str] = (),
    settings: Settings,
) -> Iterator[tuple[Session, Tasks]]:
    """The session of tasks: one for each set of tasks that the same models are asked.

    Everything is checked before the first is given.
    """
    refused: list[RecipeFailure] = []
    groups = _read(configs, datasets, models, overrides, refused)
    try:
        groups = _judged(groups, judges)
    except ConfigError as error:
        refused.append(RecipeFailure("--judge_cfg", error))
    built: dict[tuple[str, ...], list[Built]] = {}
    for names, tasks in groups.items():
        where = "--model_id" if models else tasks[0][0].document.where("model_id")
        for name in names:
            try:
                spec = load_model(name, model_overrides, where=where)
                built.setdefault(names, []).append((spec, spec.model.build()))
            except Exception as error:
                refused.append(RecipeFailure(name, error))
    if not settings.keep_going or not built:
        raise_failures(refused)
    for names, tasks in groups.items():
        if names in built:
            recipes = [recipe for _, recipe in tasks]
            yield (
                Session(built[names], recipes, settings, refused),
                {(recipe.name, task.dataset): task for task, recipe in tasks},
            )
            refused = []


class Logs:
    """Writes the logs of tasks in MMTrustEval's form; `ConfigError` where a place is unfit."""

    def __init__(self, tasks: Tasks, models: Sequence[str]) -> None:
        self._tasks = tasks
        self.written: list[Path] = []
        known: dict[Path, TaskFile] = {}
        for task in tasks.values():
            for model in models:
                path = task.log(model)
                where = task.document.where("log_file") if task.log_file else str(path)
                if known.setdefault(path.absolute(), task) is not task or (
                    task.log_file and len(models) > 1
                ):
                    raise ConfigError(
                        f"several runs would write the log {path}",
                        where=where,
                        hint="leave log_file out: each then has its own, "
                        "logs/ASPECT/TASK/MODEL/DATA_SET.json",
                    )
                _check_place(path, where)

    def write(self, report: RunResult) -> None:
        """Write the log of a finished run."""
        task = self._tasks[report.recipe, report.scenario]
        self.written.append(write_log(report, task.log(report.model)))


def _check_place(path: Path, where: str) -> None:
    """Check before anything is asked that a log can be written."""
    folder = next(folder for folder in path.absolute().parents if folder.exists())
    why = ""
    if path.is_dir():
        why = "it is a folder"
    elif not folder.is_dir():
        why = f"{folder} is no folder"
    elif not os.access(folder, os.W_OK | os.X_OK):
        why = f"the folder {folder} is read-only"
    if why:
        raise ConfigError(
            f"the log {path} cannot be written: {why}",
            where=where,
            hint="name another file: log_file=FILE.json",
        )


def _read(
    configs: Sequence[str | Path | Mapping[str, object]],
    datasets: Sequence[str],
    models: Sequence[str],
    overrides: Sequence[str],
    refused: list[RecipeFailure],
) -> Groups:
    """The tasks of a call; ``refused`` gets the errors of those that are wrong."""
    groups: Groups = {}
    for config in _once(configs):
        for changes in _once(_changes(config, datasets)):
            try:
                task = read_task(config, [*changes, *overrides])
                recipe = load_recipe(task.document.source, task.document.overrides)
                names = tuple(_once(models)) or (_model(task),)
                groups.setdefault(names, []).append((task, recipe))
            except Exception as error:
                refused.append(RecipeFailure(str(config), error))
    return groups


def _once(items: Iterable[T]) -> list[T]:
    """The items in their order; what a call names twice, it means once."""
    kept: list[T] = []
    for item in items:
        if item not in kept:
            kept.append(item)
    return kept


def _judged(groups: Groups, judges: Sequence[str | Path | Mapping[str, object]]) -> Groups:
    """The same with the judges of ``--judge_cfg`` for those tasks whose evaluators ask one."""
    pairs = [pair for of in groups.values() for pair in of]
    if not judges or not pairs:
        return groups
    if not any(task.asks_judge for task, _ in pairs):
        raise ConfigError(
            "no evaluator of the tasks asks a judge",
            where="--judge_cfg",
            hint="leave it out; chatmodel_eval and chatmodel_score ask one, and "
            "harmbenchmodel_eval with model_id",
        )
    return {
        names: [
            (task, with_judge(recipe, judges) if task.asks_judge else recipe) for task, recipe in of
        ]
        for names, of in groups.items()
    }


def _changes(config: object, datasets: Sequence[str]) -> Iterator[list[str]]:
    """The overrides for each data set that a task is run on."""
    if not datasets:
        yield []
    for name in datasets:
        if name == "all":
            yield from shipped_runs(config)
        else:
            yield [f"dataset_id={name}"]


def _model(task: TaskFile) -> str:
    """The model that a task names; `ConfigError` where it names none."""
    if not task.model_id:
        raise ConfigError(
            "the task names no model",
            where=task.document.where(),
            hint="write model_id: tiny, or give --model_id tiny",
        )
    return task.model_id
