"""Tasks of MMTrustEval put together: which models are asked which of them, and their logs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from chef.config import Recipe, load_model, load_recipe, with_judge
from chef.config.task import Task, model_content, read_task, shipped_runs
from chef.errors import ConfigError
from chef.report.run_report import RunReport
from chef.report.task_log import write_log
from chef.workers.checking import Failure, raise_failures
from chef.workers.evaluations import Built, Evaluations
from chef.workers.settings import Settings

#: The tasks by the name of the recipe and the data set that they become.
Tasks = Mapping[tuple[str, str], Task]


def evaluations_of(
    configs: Sequence[str | Path | Mapping[str, object]],
    *,
    datasets: Sequence[str] = (),
    models: Sequence[str] = (),
    judges: Sequence[str | Path | Mapping[str, object]] = (),
    overrides: Sequence[str] = (),
    model_overrides: Sequence[str] = (),
    settings: Settings,
) -> Iterator[tuple[Evaluations, Tasks]]:
    """The evaluations of tasks: one for each set of tasks that the same models are asked.

    Everything is checked before the first is given.

    Args:
        configs: task files, names of chef's own, or their content.
        datasets: the data sets of each, ``all`` for those of the benchmark; none: that of the file.
        models: model files or ids of MMTrustEval, instead of the tasks' own.
        judges: the model files of judges, instead of the tasks' own.
        overrides: ``key.path=value`` for all tasks.
        model_overrides: the same for all models.
        settings: how they are run.

    Raises:
        ConfigError: a task or a model is wrong.
        SeveralErrors: several are.
    """
    refused: list[Failure] = []
    groups: dict[tuple[str, ...], list[tuple[Task, Recipe]]] = {}
    for config in configs:
        for changes in _changes(config, datasets):
            try:
                task = read_task(config, [*changes, *overrides])
                recipe = load_recipe(task.document.source, task.document.overrides)
                pair = (task, with_judge(recipe, judges))
                groups.setdefault(tuple(models) or (_model(task),), []).append(pair)
            except Exception as error:
                refused.append(Failure(str(config), error))
    built: dict[tuple[str, ...], list[Built]] = {}
    for names, tasks in groups.items():
        where = "--model_id" if models else tasks[0][0].document.where("model_id")
        for name in names:
            try:
                spec = load_model(model_content(name, where), model_overrides)
                built.setdefault(names, []).append((spec, spec.model.build()))
            except Exception as error:
                refused.append(Failure(name, error))
    if not settings.keep_going or not built:
        raise_failures(refused)
    for names, tasks in groups.items():
        if names in built:
            recipes = [recipe for _, recipe in tasks]
            yield (
                Evaluations(built[names], recipes, settings, refused),
                {(recipe.name, task.dataset): task for task, recipe in tasks},
            )
            refused = []


class Logs:
    """Writes the logs of tasks in MMTrustEval's form.

    Args:
        tasks: the tasks of the runs.

    Attributes:
        written: the files.
    """

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self.written: list[Path] = []

    def write(self, report: RunReport) -> None:
        """Write the log of a finished run."""
        task = self._tasks[report.recipe, report.scenario]
        self.written.append(write_log(report, task.log(report.model)))


def _changes(config: object, datasets: Sequence[str]) -> Iterator[list[str]]:
    """The overrides for each data set that a task is run on."""
    if not datasets:
        yield []
    for name in datasets:
        if name == "all":
            yield from shipped_runs(config)
        else:
            yield [f"dataset_id={name}"]


def _model(task: Task) -> str:
    """The model that a task names.

    Raises:
        ConfigError: it names none.
    """
    if not task.model_id:
        raise ConfigError(
            "the task names no model",
            where=task.document.where(),
            hint="write model_id: tiny, or give --model_id tiny",
        )
    return task.model_id
