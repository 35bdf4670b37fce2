"""Several models on the same recipes: check everything first, then run one model after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, TypeAlias

from chef.config import ModelSpec, Recipe
from chef.config.scenario import Shared
from chef.errors import ConfigError
from chef.models import Model
from chef.session.checking import RecipeFailure, check_recipes, raise_failures
from chef.session.model_runs import ModelRuns
from chef.session.runners import check_no_workers

if TYPE_CHECKING:
    from chef.evaluator import Evaluator
    from chef.image import Image
    from chef.judge.stage import ImagesOf
    from chef.run.session import OnProgress
    from chef.scoring.result import RunResult
    from chef.session.judging import JudgedRun
    from chef.session.recipe_run import RecipeRun
    from chef.session.settings import Settings

#: A model file that was checked, and the model that was made of it.
Built: TypeAlias = tuple[ModelSpec, Model]


class Session:
    """Models and recipes that are checked and ready to run; ``refused`` could not be read."""

    def __init__(
        self,
        models: Sequence[Built],
        recipes: Sequence[Recipe] | Mapping[str, Sequence[Recipe]],
        settings: Settings,
        refused: Sequence[RecipeFailure] = (),
    ) -> None:
        uses_workers = settings.workers is not None or settings.ray_address is not None
        if uses_workers and any(not check_no_workers(model, settings) for _, model in models):
            from chef.workers.cluster import check_ray

            check_ray()
        self.models: list[ModelRuns] = []
        self._refused = [*refused]
        shared = Shared()
        for spec, model in models:
            error = check_no_workers(model, settings)
            if any(one.name == model.name for one in self.models):
                error = name_taken(model.name, is_object=not spec.document.values)
            if error is not None:
                self._refused.append(RecipeFailure(str(spec.document.path), error))
            else:
                own = recipes[model.name] if isinstance(recipes, Mapping) else recipes
                checked = check_recipes(own, settings.options, model, shared)
                self.models.append(ModelRuns(spec, model, checked, settings))
        if not models and not isinstance(recipes, Mapping):
            # Nothing can run; what else is wrong is told too.
            self._refused += check_recipes(recipes, settings.options, None).failures
        if not settings.keep_going or not any(one.runs for one in self.models):
            raise_failures(self.failures)

    @property
    def failures(self) -> list[RecipeFailure]:
        """The errors of models and recipes; without ``keep_going`` those of recipes are raised."""
        return [*self._refused, *(item for one in self.models for item in one.failures)]

    def run(self, on_progress: OnProgress | None = None) -> Iterator[RunResult]:
        """Run the recipes with one model after another; yield each report when it is finished.

        A model is loaded once, and its memory is free before the next one is loaded. Judges are
        asked last, when the answers of all models are there.
        """
        with ExitStack() as stack:
            # Every folder is checked before the first question to the first model.
            opened = [(one, one.open_folders(stack)) for one in self.models]
            before, total = 0, sum(len(runs) for _, runs in opened)
            for one, runs in opened:
                place = (before, total) if len(opened) > 1 else None
                yield from one.ask(runs, on_progress, place)
                if place or one.to_judge:
                    one.release()
                before += len(runs)
            # All questions first: a judge is loaded once, when no tested model is in memory.
            yield from judged_reports(self.models)


def name_taken(name: str, *, is_object: bool) -> ConfigError:
    """The error for two models of one name, as their runs would share folders."""
    in_files = "write name: NAME in one of the model files, or FILE:name=NAME after the files"
    in_python = f"give each object a name of its own before the call: model.name = '{name}-2'"
    return ConfigError(
        f"another of the models is called '{name}' too, and results are kept by that name",
        where="model_cfg",
        hint=in_python if is_object else in_files,
    )


def judged_reports(models: Sequence[ModelRuns]) -> Iterator[RunResult]:
    """Ask the judges of all recipes that have some, score the answers, and yield the reports."""
    from chef.run.session import traceback_in

    waiting = [(one, run) for one in models for run in one.to_judge]
    if not waiting:
        return
    from chef.judge.stored import REPLIES
    from chef.session.judging import judge_runs

    settings = waiting[0][0].settings
    several = len({one.name for one, _ in waiting}) > 1
    runs = [_judged_run(run, f"{one.name} " if several else "") for one, run in waiting]
    outcomes = judge_runs(
        runs,
        settings.response_cache or settings.save_dir / REPLIES,
        settings.options.timeout,
        keep_going=settings.keep_going,
    )
    for (one, run), outcome in zip(waiting, outcomes, strict=True):
        report = None
        with one.kept_going(run.evaluator), traceback_in(run.folder):
            if isinstance(outcome, Exception):
                raise outcome
            report = run.report(one.name, outcome)
        if report is not None:
            yield report


def _judged_run(run: RecipeRun, prefix: str) -> JudgedRun:
    from chef.session.judging import JudgedRun

    evaluator, folder = run.evaluator, run.folder
    section = evaluator.recipe.judge
    assert section is not None
    label = f"{prefix}{evaluator.metrics.label}"
    answers = evaluator.answers(folder)
    return JudgedRun(label, folder, section, evaluator.metrics.all, answers, _images_of(evaluator))


def _images_of(evaluator: Evaluator) -> ImagesOf:
    def images_of(name: str) -> Sequence[Image]:
        return next(evaluator.jobs([name])).make().images

    return images_of
