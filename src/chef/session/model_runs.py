"""Evaluate one model on several recipes: check all of them first, then run them in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.common.logs import logger
from chef.common.user_code import forget_frames, user_place
from chef.models import Model, lifecycle
from chef.session.checking import Checked, RecipeFailure, check_columns, check_scoring
from chef.session.runners import budget_told, how_it_is_asked

if TYPE_CHECKING:
    from chef.config import ModelSpec
    from chef.evaluator import Evaluator
    from chef.run.folder import RunFolder
    from chef.run.plan import Runner
    from chef.run.session import OnProgress
    from chef.scoring.result import RunResult
    from chef.session.recipe_run import RecipeRun
    from chef.session.settings import Settings
    from chef.stats.guide import Expected

_log = logger(__name__)


class ModelRuns:
    """One model and recipes, checked; `Session` decides whether they run in spite of failures."""

    def __init__(
        self,
        spec: ModelSpec,
        model: Model,
        checked: Checked,
        settings: Settings,
    ) -> None:
        lifecycle.check_attributes(model)
        self.spec, self.model, self.settings = spec, model, settings
        self.name = model.name
        self._unloadable: Exception | None = None
        self.failures: list[RecipeFailure] = list(checked.failures)
        self.runs = checked.runs
        self.to_judge: list[RecipeRun] = []

    def open_folders(self, stack: ExitStack) -> list[RecipeRun]:
        """Check and lock every run folder, before the first question; the runs that have one."""
        from chef.session.drawing import begin_with

        opened = []
        guided = self.settings.is_guided
        paths = self.places()
        expected: dict[Path, Expected] = {}
        for path, run in zip(paths, self.runs, strict=True) if guided else ():
            with self.kept_going(run.evaluator):  # before any folder is made
                expected[path] = self._expected(run, path)
        for path, run in zip(paths, self.runs, strict=True):
            if guided and path not in expected:
                continue
            with self.kept_going(run.evaluator):
                if self.settings.fresh or not path.exists():  # what was begun goes on
                    check_columns(run.evaluator, self.settings.allow)
                run.take(stack.enter_context(self._opened(path, run.evaluator)))
                if guided:
                    run.follow(begin_with(expected[path], run.folder))
                if run.todo():
                    check_scoring(run.evaluator, run.preview.sample)
                opened.append(run)
        return opened

    def places(self) -> list[Path]:
        """The folder of each run, which need not be there; `ConfigError` where two share one."""
        from chef.session.folders import run_folders

        with self.spec.naming_file():
            evaluators = [run.evaluator for run in self.runs]
            return run_folders(self.spec, self.model, evaluators, self.settings)

    def _expected(self, run: RecipeRun, path: Path) -> Expected:
        """What earlier runs say about the samples of a run."""
        from chef.session.drawing import expectations, expected_of

        settings, ids = self.settings, run.evaluator.ids
        if settings.fresh:  # the folder will be another one
            return expectations(run.label, ids, settings.earlier, settings.save_dir, [path])
        return expected_of(path, run.label, ids, settings.earlier, settings.save_dir)

    def ask(
        self,
        opened: Sequence[RecipeRun],
        on_progress: OnProgress | None = None,
        place: tuple[int, int] | None = None,
    ) -> Iterator[RunResult]:
        """Ask and score the recipes in order; those with a judge are asked only (`to_judge`).

        ``place``: how many runs of other models come before these, and how many there are in all.
        """
        from chef.run.environment import asked_with
        from chef.run.journal import rare_collection
        from chef.run.session import traceback_in

        before, total = place or (0, len(opened))
        with ExitStack() as stack:
            with self.spec.naming_file():
                runner = self.runner(stack)
            stack.callback(lifecycle.close, self.model)
            known = 0
            for number, run in enumerate(opened, before + 1):
                # Of a model from a file, config.yaml holds every key: it hides nothing.
                if run.folder.finished and not self.spec.document.values:
                    self._warn_of_unseen(run.folder)
                count = f"[{number}/{total}] " if total > 1 else ""
                count += f"{self.model.name} " if place else ""
                report, made_with = None, None
                with self.kept_going(run.evaluator), traceback_in(run.folder):
                    made_with = run.evaluator.admit(self.model, run.folder)
                    files = self.spec.document, run.evaluator.recipe.document
                    made_with |= asked_with(*files, run.evaluator.options.seed)
                    self._say_what_is_there(run)
                if made_with is not None and self._loads(runner, run):
                    with (
                        self.kept_going(run.evaluator),
                        traceback_in(run.folder),
                        rare_collection(),
                    ):
                        report = self._evaluate(
                            run, runner, made_with=made_with, count=count, on_progress=on_progress
                        )
                for notice in runner.notices[known:]:
                    _log.warning("%s: %s", self.model.name, notice)
                known = len(runner.notices)
                if report is not None:
                    yield report

    def release(self) -> None:
        """Free the memory of the model, also what errors hold; nothing can be asked any more."""
        from chef.common.device import free_memory

        for failure in self.failures:
            forget_frames(failure.error)
        del self.model
        free_memory()

    def _loads(self, runner: Runner, run: RecipeRun) -> bool:
        """Load the model, once and before the bar, if it is needed; whether the recipe can run."""
        from chef.run.session import traceback_in

        if not run.todo():
            return True
        if self._unloadable is None:
            try:
                with traceback_in(run.folder), self.spec.naming_file():
                    runner.prepare()
            except Exception as error:
                self._unloadable = error
        with self.kept_going(run.evaluator):
            if self._unloadable is not None:
                raise self._unloadable
        return self._unloadable is None

    def check_settings(self) -> None:
        """Check what can be checked of the model without loading it; see `Model.check_settings`."""
        with self.spec.naming_file():
            self.model.check_settings()

    @contextmanager
    def kept_going(self, evaluator: Evaluator) -> Iterator[None]:
        """Note an error of one recipe, if the others are to go on; else let it pass."""
        try:
            yield
        except Exception as error:
            if not self.settings.keep_going or _is_closed_pipe(error):
                raise
            failure = RecipeFailure(evaluator.recipe.label, error, self.model.name)
            self.failures.append(failure)
            _log.warning("%s failed (%s); going on", failure.recipe, failure.why)

    def _opened(self, path: Path, evaluator: Evaluator) -> RunFolder:
        """Open and lock the run folder of a recipe."""
        from chef.run.folder import RunFolder
        from chef.run.reading import move_aside
        from chef.run.subset import IDS
        from chef.session.same_rows import take_answers

        if self.settings.fresh and (aside := move_aside(path)) is not None:
            _log.info("%s: the earlier run is now in %s", path, aside.name)
        config, reuse = evaluator.config(self.spec), self.settings.reuse_answers
        folder = RunFolder(path, config, reuse=reuse, is_own=True)
        if self.settings.options.ids is not None and not folder.is_subset:
            folder.write_json(IDS, {"ids": evaluator.ids})
        if not self.settings.fresh:
            take_answers(folder, evaluator, self.model, config, self.settings.name)
        if reuse and not folder.finished:
            _log.warning("%s: there are no answers to reuse (--run_name names a run)", path)
        return folder

    def _warn_of_unseen(self, folder: RunFolder) -> None:
        """Say what may have changed in a model object without anything showing it."""
        from chef.models.base import unseen_attributes

        if unseen := unseen_attributes(self.model):
            _log.warning(
                "%s: %d answer(s) of an earlier call are used. Whether %s of %s has changed since "
                "then is not known: give its class a fingerprint(), or the run another name",
                folder.path, len(folder.finished), ", ".join(unseen), type(self.model).__name__,
            )  # fmt: skip

    def _say_what_is_there(self, run: RecipeRun) -> None:
        """Say that an earlier run goes on or was cut off, or that it is only reported."""
        from chef.run.session import CUT_OFF, was_cut_off

        folder = run.folder
        if was_cut_off(folder.read_json("environment.json")):  # this process has its lock
            _log.warning("%s: %s", folder.path, CUT_OFF)
        todo, total = len(run.todo()), len(run.evaluator.ids)
        if not todo and not self.settings.is_brief:
            _log.info(
                "%s: this run is finished: nothing is asked, and its answers are scored as the "
                "recipe says (--fresh or --run_name NAME asks again)", folder.path,
            )  # fmt: skip
        elif folder.finished and self.settings.name is None:
            _log.info(
                "%s: this run of the same configuration goes on; %d of %d samples are still to be "
                "asked (--run_name NAME starts another run)", folder.path, todo, total,
            )  # fmt: skip

    def runner(self, stack: ExitStack) -> Runner:
        """Return a runner for the model in this process, or for workers if they are requested."""
        from chef.run.environment import reply_identity
        from chef.session.runners import LocalRunner

        settings = self.settings
        if settings.workers is None and settings.ray_address is None:
            from chef.engine.response_cache import ResponseCache

            identity = reply_identity(
                lifecycle.fingerprint(self.model),
                self.spec.plugins,
                self.spec.document.secret_digest(),
            )
            responses = ResponseCache(identity, settings.response_cache)
            return LocalRunner(self.model, stack.enter_context(closing(responses)))
        from chef.workers.pool import RayPool

        pool = RayPool(
            self.spec,
            lifecycle.fingerprint(self.model),
            settings.workers,
            settings.ray_address,
            response_cache=settings.response_cache,
        )
        stack.callback(pool.close)
        return pool

    def _evaluate(
        self,
        run: RecipeRun,
        runner: Runner,
        *,
        made_with: dict[str, Any],
        count: str,
        on_progress: OnProgress | None,
    ) -> RunResult | None:
        """Ask the samples of a recipe, and score them; None if a judge has to be asked first."""
        from chef.models.api.server_model import ServerModel
        from chef.run.session import ProgressBar, ProgressCounter, speed, traffic_of

        evaluator, folder = run.evaluator, run.folder
        todo, total = run.todo(), len(evaluator.ids)
        if todo:
            _log.info("%s: %s", run.label, how_it_is_asked(evaluator, self.model))
        done = total - len(folder.todo(evaluator.ids))
        is_served = isinstance(self.model, ServerModel)
        with ExitStack() as stack:
            if on_progress is None:
                bar = stack.enter_context(ProgressBar(f"{count}{run.label}", total, done))
                on_progress = bar.update
            counter = ProgressCounter(
                run.label, evaluator.ids, folder.finished,
                metric=evaluator.metric, on_progress=on_progress, model=self.name,
                traffic=partial(traffic_of, self.model) if is_served else str,
                interval=run.shown if run.is_partial else str,
            )  # fmt: skip
            stack.enter_context(budget_told(evaluator, folder))
            run.ask(self.model, runner, made_with, counter.update)
        judged = evaluator.recipe.judge is not None
        report = None if judged else run.report(self.name)
        if todo:
            sessions = folder.read_json("environment.json")["sessions"]
            _log.info("%s: %s", run.label, speed(sessions[-1]))
        if todo and (summary := runner.summary()):
            _log.info("%s", summary)
        if judged:
            self.to_judge.append(run)
        return report


def _is_closed_pipe(error: Exception) -> bool:
    """Whether the reader of the output is gone."""
    return isinstance(error, BrokenPipeError) and user_place(error) is None
