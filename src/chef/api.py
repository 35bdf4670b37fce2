"""The public Python interface: evaluate recipes, score stored answers, load runs.

The command line is a thin layer on these functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, cast, overload

from chef.config.spec import LIMITS
from chef.errors import ConfigError, nearest
from chef.metric import Metric
from chef.models import Model
from chef.report.compare.comparison import Comparison
from chef.report.load import Run, load_run
from chef.run.plan import RunOptions
from chef.run.session import OnProgress
from chef.run.subset import chosen_ids
from chef.scenario.table.session import with_data
from chef.scoring.override import MetricOverride, metric_name
from chef.scoring.result import RunResult
from chef.session.checking import raise_failures
from chef.session.inputs import (
    ModelLike,
    RecipeLike,
    Reports,
    as_list,
    as_recipe,
    build,
    is_model,
    is_recipe,
    place_of,
    ready,
)
from chef.session.judge_runs import ask_judge
from chef.session.session import Session
from chef.session.settings import Settings
from chef.shards.store import is_url
from chef.suite.members.asking import Suite
from chef.suite.members.file import is_suite
from chef.suite.members.result import SuiteResult

__all__ = [
    "Reports", "Run", "RunResult", "SuiteResult", "ask_judge", "compare", "evaluate", "export",
    "load_run", "score",
]  # fmt: skip


#: The suites of chef.
SuiteName: TypeAlias = Literal[
    "desiderata", "desiderata_chef", "robustness", "tokens", "trust", "vision"
]


class HowAsked(TypedDict, total=False):
    """The keyword arguments of `evaluate`, for those who check types."""

    limit: int | None
    ids: Sequence[str | int] | None
    seed: int
    batch_size: int | None
    save_dir: str | Path
    name: str | None
    workers: int | None
    ray_address: str | None
    response_cache: str | Path | None
    fresh: bool
    reuse_answers: bool
    keep_going: bool
    allow: Sequence[str]
    verify: int
    log_prompts: bool
    timeout: float | None
    precision: float | None
    items: int | None
    earlier: Sequence[str | Path]
    on_progress: OnProgress | None


@overload
def evaluate(  # type: ignore[overload-overlap] # a str is one recipe, though it is a sequence too
    model: ModelLike, recipe: SuiteName, **how: Unpack[HowAsked]
) -> SuiteResult: ...
@overload
def evaluate(  # type: ignore[overload-overlap]
    model: ModelLike, recipe: RecipeLike, **how: Unpack[HowAsked]
) -> RunResult: ...
@overload
def evaluate(
    model: ModelLike | Sequence[ModelLike],
    recipe: RecipeLike | Sequence[RecipeLike],
    **how: Unpack[HowAsked],
) -> Reports: ...
def evaluate(
    model: ModelLike | Sequence[ModelLike],
    recipe: RecipeLike | Sequence[RecipeLike],
    *,
    limit: int | None = None,
    ids: Sequence[str | int] | None = None,
    seed: int = 0,
    batch_size: int | None = None,
    save_dir: str | Path = "results",
    name: str | None = None,
    workers: int | None = None,
    ray_address: str | None = None,
    response_cache: str | Path | None = None,
    fresh: bool = False,
    reuse_answers: bool = False,
    keep_going: bool = False,
    allow: Sequence[str] = (),
    verify: int = 0,
    log_prompts: bool = False,
    timeout: float | None = None,
    precision: float | None = None,
    items: int | None = None,
    earlier: Sequence[str | Path] = (),
    on_progress: OnProgress | None = None,
    **others: object,
) -> RunResult | Reports | SuiteResult | list[SuiteResult]:
    """Evaluate a model, or one after another, on one recipe or on several, or on a suite.

    Every answer is journaled in the run folder immediately. The same call resumes an interrupted
    run, and returns the scores of a finished run without asking the model again.

    Args:
        model: a model file, its content as a mapping, a model object, or a sequence of those. Each
            is loaded once, runs all recipes, and its memory is freed before the next is loaded.
        recipe: a recipe file, its content as a mapping, data (docs/reference/python.md), or several
            of them; or a suite: the name of one, its file, or its content.
        limit: number of samples, drawn at random; None for all.
        ids: of the samples to ask, and no others; None for all.
        seed: random seed of the subset and of sampled generation.
        batch_size: samples per batch; None for the recipe's where it matters, else automatic.
        save_dir: the folder of all results; or the address of an object store, such as
            ``s3://bucket/prefix``, for runs in shards: `score` takes theirs, and they call no
            ``on_progress``.
        name: suffix of the run folder name; None for the newest such run, or the date.
        workers: number of replicas of the model, each in its own Ray worker process.
        ray_address: address of the Ray cluster that the workers run on.
        response_cache: folder in which generated replies are cached for later calls.
        fresh: move the run folder that is there aside, and ask everything again.
        reuse_answers: keep answers of another configuration, other weights or data.
        keep_going: whether the others run where a model or a recipe cannot or fails.
        allow: ``text-only``, ``unscored``: ask a table without known images, or answers, as it is.
        verify: samples on which the fast scorer is checked against the reference scorer.
        log_prompts: record in the journal what is sent to the model, after its chat template.
        timeout: the most seconds of one call of the model; None for no limit.
        precision: ends a run when its first figure is known to so many points.
        items: number of samples, drawn by what earlier runs say about them; None for all.
        earlier: these runs, or folders of runs, for ``items`` and ``precision``; without any,
            ``items`` takes those of other models below ``save_dir``.
        on_progress: called after every answer; None shows a progress bar.
        others: none; an unknown argument is refused.

    Returns:
        The report of the recipe. Of several models or recipes `Reports`: all of the first model,
        then of the next; with ``keep_going`` without those that failed. Of a suite its figures, for
        several models in a list.

    Raises:
        ConfigError: a setting, a model file or a recipe is invalid; nothing was asked.
        DataError: the data of a scenario is missing or malformed as a whole.
        RunError: a run failed; its answers are kept. ``error.reports``: those of finished runs.
    """
    _refuse(others)
    settings = Settings(
        RunOptions(limit, seed, batch_size, verify, log_prompts, timeout, precision,
                   ids=None if ids is None else chosen_ids(ids), items=items),
        Path("results" if is_url(save_dir) else save_dir), name, workers, ray_address,
        None if response_cache is None else Path(response_cache),
        keep_going, fresh, reuse_answers, _words(allow), tuple(map(Path, earlier)),
    )  # fmt: skip
    return _asked(model, with_data(recipe), settings, on_progress, save_dir)


def _words(allow: Sequence[str]) -> tuple[str, ...]:
    return (allow,) if isinstance(allow, str) else tuple(allow)


#: What is meant by arguments that `evaluate` does not have.
_MEANT = {
    "run_name": "name=NAME is the name of a run",
    **dict.fromkeys(LIMITS, "limit=N asks N samples"),
    "model_cfg": "the model is the first argument",
    "recipe_cfg": "the recipe is the second argument",
    "by": "report.by has the figures of each category; scenario_cfg.keep of a table names more",
    "judge": "eval_cfg.judge_cfg of the recipe names one; chef.ask_judge(report, JUDGE) asks later",
    "overrides": "chef.evaluate(model, chef.load_recipe(recipe, ['KEY=VALUE'])) changes a recipe",
    "metric": "the recipe says it: chef.load_recipe(recipe, ['eval_cfg.metric_cfg.metric_type="
    "NAME']); chef.score(report, metric=NAME) scores by another one",
}


def _refuse(others: Mapping[str, object]) -> None:
    """TypeError, as Python's own, where there are arguments that `evaluate` does not have."""
    for name in others:
        hint = _MEANT.get(name) or nearest(name, HowAsked.__annotations__)
        raise TypeError(f"chef.evaluate has no argument '{name}'\n  -> {hint}")


def _asked(
    model: Any,
    recipe: Any,
    settings: Settings,
    on_progress: OnProgress | None,
    save_dir: str | Path,
) -> RunResult | Reports | SuiteResult | list[SuiteResult]:
    """What `evaluate` returns."""
    store = str(save_dir) if is_url(save_dir) else None
    models = [cast("ModelLike", model)] if is_model(model) else as_list(model)
    if isinstance(recipe, Model):
        raise ConfigError(
            "a model is given in the place of a recipe",
            where="recipe",
            hint="the model comes first: chef.evaluate(model, recipe)",
        )
    if not models:
        raise ConfigError("no model is given", where="model", hint="give one, or a list of some")
    if is_suite(recipe):
        if store is not None:
            raise ConfigError(
                "a suite needs a folder", where="save_dir", hint="give a folder, or its recipes"
            )
        built = [build(one, settings) for one in models]
        suites = Suite(recipe, built, settings).ask(on_progress)
        return suites[0] if is_model(model) else suites
    recipes = [cast("RecipeLike", recipe)] if is_recipe(recipe) else as_list(recipe)
    reports = _run(ready(models, recipes, settings), on_progress, store)
    if is_model(model) and is_recipe(recipe):
        raise_failures(reports.failures)
        return reports[0]
    return reports


def _run(session: Session, on_progress: OnProgress | None, store: str | None) -> Reports:
    """Run everything; an error that ends it carries the reports of the finished runs."""
    reports = Reports()
    try:
        if store is None:
            reports.extend(session.run(on_progress))
        else:
            from chef.session.stored import stored_runs  # what it loads is of no other run

            reports.extend(result for result, _ in stored_runs(session, store))
    except (Exception, KeyboardInterrupt) as error:
        if reports:
            vars(error)["reports"] = reports
            error.add_note(f"error.reports holds the {len(reports)} report(s) of finished runs")
        raise
    reports.failures = session.failures
    return reports


def score(
    answers: str | Path | Run | RunResult,
    metric: str | type[Metric] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    recipe: RecipeLike | None = None,
    trust: bool = False,
    trust_plugins: bool = False,
) -> RunResult:
    """Score stored answers again, without loading a model.

    Args:
        answers: a run, its report or its folder; or a file of answers (``.jsonl`` of chef,
            ``.json`` of ChEF, ``.xlsx``, ``.tsv``, ``.csv`` and ``.json`` of VLMEvalKit), or a
            run's address in an object store.
        metric: name of the metric to use instead of the metric of the run, or a class of yours.
        options: keys of the metric section of the recipe, to override.
        recipe: the recipe that defines the metric and, for a file of answers, the scenario with
            the reference answers.
        trust: use what the run folder of somebody else names: servers, variables, models, data,
            and Python files, also those in config.yaml, into which chef writes none.
        trust_plugins: the former name of ``trust``.

    Raises:
        DataError: the answers cannot be read, or they have no reference answers.
        ConfigError: the metric or an option is invalid, or config.yaml names plugins.
        RunError: the metric failed, or the run is still being written.
    """
    from chef.run.journal import rare_collection
    from chef.scoring.answer_file import score_file
    from chef.scoring.run_folder import rescore_run

    metric = metric_name(metric)
    if is_url(answers) and recipe is None:
        from chef.shards.looking import scored

        return scored(str(answers), metric, options or {}, trust=trust or trust_plugins)
    path = place_of(answers)
    chosen = None if recipe is None else as_recipe(recipe)
    override = MetricOverride(metric, options or {}, chosen)
    with rare_collection():
        if path.is_dir():
            return rescore_run(path, override, trust=trust or trust_plugins)
        return score_file(path, override)


def compare(
    *runs: str | Path | Run | RunResult | Sequence[str | Path | Run | RunResult],
    metric: str | type[Metric] | None = None,
    recipe: RecipeLike | None = None,
    allow: Sequence[str] = (),
    by: Sequence[str] = (),
    trust: bool = False,
    trust_plugins: bool = False,
) -> Comparison:
    """Compare runs on the samples that they share; no model is asked and no file is written.

    Args:
        runs: two or more, also as one sequence: run folders, runs, reports, or files of answers
            (see `score`).
        metric: the metric that scores all of them, instead of their own: as in `score`.
        recipe: the recipe that scores files of answers; None: that of the first run folder.
        allow: what may differ: ``scenario``, ``subset``, ``metric``, ``data``.
        by: the groupings, such as ``category``, whose differences are computed also where the
            main figure is no mean of sample scores, which takes long. Others are always there.
        trust: as in `score`.
        trust_plugins: the former name of ``trust``.

    Returns:
        The differences with their intervals; ``print`` shows them as `chef compare` does.

    Raises:
        DataError: a run is not finished or not scored, or the runs do not ask the same.
        ConfigError: fewer than two runs, or an unknown metric or word of ``allow``.
        RunError: the metric failed.
    """
    from chef.report.compare.compare import compare as compare_runs

    single = str | Path | Run | RunResult
    is_one = [isinstance(item, single) or not isinstance(item, Iterable) for item in runs]
    groups = ([item] if alone else item for item, alone in zip(runs, is_one, strict=True))
    several = [one for group in groups for one in cast("Sequence[Any]", group)]
    sides = [item if isinstance(item, Run | RunResult) else place_of(item) for item in several]
    chosen = None if recipe is None else as_recipe(recipe)
    return compare_runs(
        sides,
        metric=metric_name(metric),
        recipe=chosen,
        allow=allow,
        by=by,
        trust=trust or trust_plugins,
    )


def export(
    runs: str | Path | Run | RunResult | Sequence[str | Path | Run | RunResult],
    format: str | None = None,  # noqa: A002 (the usual name)
    output: str | Path | None = None,
    *,
    force: bool = False,
) -> list[Path]:
    """Write the samples of runs to a file, one row for each sample.

    Args:
        runs: a run, its report or its folder, or several of them.
        format: ``csv``, ``xlsx``, ``parquet``, or ``vlmevalkit`` (VLMEvalKit's result file); None
            for the format of ``output``'s suffix, else csv.
        output: the file, or a folder; None for a name of its own in the current folder.
        force: replace a file that exists.

    Returns:
        The files that were written: with ``vlmevalkit`` one for each run, else one.

    Raises:
        ConfigError: there is no such format, or a file exists.
        DataError: a folder holds no run, or no answers.
        DependencyError: the package of the format is missing.
    """
    from chef.report.export.tables import export as export_runs

    several = [runs] if isinstance(runs, str | Path | Run | RunResult) else runs
    opened = [item if isinstance(item, Run) else load_run(place_of(item)) for item in several]
    target = None if output is None else Path(output)
    return [done.path for done in export_runs(opened, format, target, force=force)]
