"""The public Python interface: evaluate recipes, score stored answers, load runs.

The command line is a thin layer on these functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast, overload

from chef.config import ModelSpec, Recipe, load_model, load_recipe
from chef.config.recipe import model_spec
from chef.errors import ConfigError
from chef.models import Model
from chef.report.load import Run, load_run
from chef.report.run_report import RunReport
from chef.run.plan import RunOptions
from chef.run.progress import OnProgress
from chef.scoring.override import MetricOverride
from chef.workers.evaluation import Evaluation, Settings

__all__ = ["Run", "RunReport", "evaluate", "load_run", "score"]

#: A model file, its content, the result of `load_model`, or a model object.
ModelLike: TypeAlias = str | Path | Mapping[str, Any] | ModelSpec | Model
#: A recipe file, its content, or the result of `load_recipe`.
RecipeLike: TypeAlias = str | Path | Mapping[str, Any] | Recipe


@overload
def evaluate(  # type: ignore[overload-overlap] # a str is one recipe, though it is a sequence too
    model: ModelLike,
    recipe: RecipeLike,
    *,
    limit: int | None = ...,
    seed: int = ...,
    batch_size: int | None = ...,
    save_dir: str | Path = ...,
    name: str | None = ...,
    workers: int | None = ...,
    ray_address: str | None = ...,
    response_cache: str | Path | None = ...,
    fresh: bool = ...,
    reuse_answers: bool = ...,
    verify: int = ...,
    timeout: float | None = ...,
    on_progress: OnProgress | None = ...,
) -> RunReport: ...
@overload
def evaluate(
    model: ModelLike,
    recipe: Sequence[RecipeLike],
    *,
    limit: int | None = ...,
    seed: int = ...,
    batch_size: int | None = ...,
    save_dir: str | Path = ...,
    name: str | None = ...,
    workers: int | None = ...,
    ray_address: str | None = ...,
    response_cache: str | Path | None = ...,
    fresh: bool = ...,
    reuse_answers: bool = ...,
    verify: int = ...,
    timeout: float | None = ...,
    on_progress: OnProgress | None = ...,
) -> list[RunReport]: ...
def evaluate(
    model: ModelLike,
    recipe: RecipeLike | Sequence[RecipeLike],
    *,
    limit: int | None = None,
    seed: int = 0,
    batch_size: int | None = None,
    save_dir: str | Path = "results",
    name: str | None = None,
    workers: int | None = None,
    ray_address: str | None = None,
    response_cache: str | Path | None = None,
    fresh: bool = False,
    reuse_answers: bool = False,
    verify: int = 0,
    timeout: float | None = None,
    on_progress: OnProgress | None = None,
) -> RunReport | list[RunReport]:
    """Evaluate a model on one recipe or on several.

    Every answer is journaled in the run folder immediately. The same call resumes an interrupted
    run, and returns the scores of a finished run without asking the model again.

    Args:
        model: a model file, its content as a mapping, or a model object.
        recipe: a recipe file, its content as a mapping, or a sequence of those.
        limit: number of samples, drawn at random; None for all.
        seed: random seed of the subset and of sampled generation.
        batch_size: samples per batch; None for the recipe's where answers depend on it, and
            automatic batches elsewhere.
        save_dir: the folder of all results.
        name: suffix of the run folder name; None continues the newest run of the same
            configuration, or starts one that has the date for its name.
        workers: number of replicas of the model, each in its own Ray worker process.
        ray_address: address of the Ray cluster that the workers run on.
        response_cache: folder in which generated replies are cached for later calls.
        fresh: move the run folder that is there aside, and ask everything again.
        reuse_answers: keep the answers in the run folder, though they were made with another
            configuration, weights or data.
        verify: number of samples on which the fast scorer is checked against the reference
            scorer before the run.
        timeout: the most seconds of one call of the model; None for no limit. See docs/models.md
            for what happens to a call that does not end.
        on_progress: called after every answer; None shows a progress bar.

    Returns:
        The report of the recipe, or a list of reports in the order of the recipes.

    Raises:
        ConfigError: a setting, the model file or a recipe is invalid; nothing was asked.
        DataError: the data of a scenario is missing or malformed as a whole.
        RunError: a run failed. Journaled answers are kept.
    """
    single = isinstance(recipe, str | Path | Mapping | Recipe)
    given = [cast("RecipeLike", recipe)] if single else _several(recipe)
    recipes = [as_recipe(item) for item in given]
    options = RunOptions(limit, seed, batch_size, verify, timeout)
    cache = None if response_cache is None else Path(response_cache)
    place = Path(save_dir)
    settings = Settings(options, place, name, workers, ray_address, cache, fresh, reuse_answers)
    reports = list(ready(model, recipes, settings).run(on_progress))
    return reports[0] if single else reports


def score(
    answers: str | Path | Run | RunReport,
    metric: str | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    recipe: RecipeLike | None = None,
) -> RunReport:
    """Score stored answers again, without loading a model.

    Args:
        answers: a run, its report or its folder; or a file of answers (``.jsonl`` of chef,
            ``.json`` of ChEF, ``.xlsx`` and ``.tsv`` of VLMEvalKit).
        metric: name of the metric to use instead of the metric of the run.
        options: keys of the metric section of the recipe, to override.
        recipe: the recipe that defines the metric and, for a file of answers, the scenario with
            the reference answers.

    Raises:
        DataError: the answers cannot be read, or they have no reference answers.
        ConfigError: the metric or an option is invalid.
        RunError: the metric failed, or the run is still being written.
    """
    from chef.scoring.answer_file import score_file
    from chef.scoring.run_folder import rescore_run

    path = _place(answers)
    chosen = None if recipe is None else as_recipe(recipe)
    override = MetricOverride(metric, options or {}, chosen)
    done = rescore_run(path, override) if path.is_dir() else score_file(path, override)
    return RunReport.of(
        done.report,
        recipe=done.metric_run.recipe,
        scenario=done.metric_run.scenario,
        model=done.of.partition(": ")[2],
        file=done.file,
        random_accuracy=done.metric_run.random_accuracy,
    )


def ready(model: ModelLike, recipes: Sequence[Recipe], settings: Settings) -> Evaluation:
    """Check the model, the recipes and the settings; `Evaluation.run` then runs them."""
    if isinstance(model, Model):
        if settings.workers is not None or settings.ray_address is not None:
            raise ConfigError(
                "a model object cannot be sent to workers",
                where="workers",
                hint="write a model file that names its class, and pass the path of the file",
            )
        return Evaluation(model_spec(model), model, recipes, settings)
    if not isinstance(model, str | Path | Mapping | ModelSpec):
        raise ConfigError(
            f"{model!r} is no model",
            where="model",
            hint="give a model file, its content as a mapping, or an object of a subclass of "
            "chef.Model (an object, not the class)",
        )
    spec = model if isinstance(model, ModelSpec) else load_model(model)
    return Evaluation(spec, spec.model.build(), recipes, settings)


def as_recipe(recipe: RecipeLike) -> Recipe:
    """Load and check a recipe, if it is not loaded already.

    Raises:
        ConfigError: it is no recipe, or a wrong one.
    """
    if not isinstance(recipe, str | Path | Mapping | Recipe):
        raise ConfigError(
            f"{recipe!r} is no recipe",
            where="recipe",
            hint="give a recipe file, its content as a mapping, or what chef.load_recipe returns",
        )
    return recipe if isinstance(recipe, Recipe) else load_recipe(recipe)


def _several(recipes: Any) -> list[Any]:
    """Return the recipes as a list, whatever holds them."""
    if not isinstance(recipes, Iterable) or isinstance(recipes, bytes):
        return [recipes]  # refused as no recipe
    return list(recipes)


def _place(answers: str | Path | Run | RunReport) -> Path:
    """Return the run folder, or the file of answers."""
    if isinstance(answers, RunReport) and not answers.of_run:
        return Path(answers.model)
    if isinstance(answers, Run | RunReport):
        return answers.folder
    if not isinstance(answers, str | Path):
        raise ConfigError(
            f"{answers!r} holds no answers",
            where="answers",
            hint="give a run folder, a file of answers, a run or its report",
        )
    return Path(answers)
