"""Evaluate one model on several recipes: check all of them first, then run them in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from chef.common.device import free_memory
from chef.common.judgements import Judging
from chef.common.logs import logger
from chef.common.redaction import redact
from chef.common.user_code import forget_frames, user_place
from chef.config import ModelSpec
from chef.config.mapping_name import earlier_name
from chef.engine.response_cache import ResponseCache
from chef.errors import ConfigError
from chef.evaluator import Evaluator
from chef.models import Model, lifecycle
from chef.models.base import unseen_attributes
from chef.run.command import asked_with
from chef.run.earlier import newest_run
from chef.run.ending import traceback_in
from chef.run.environment import fingerprints, reply_identity
from chef.run.folder import RunFolder
from chef.run.lock import move_aside
from chef.run.plan import Runner
from chef.run.progress import OnProgress, ProgressBar, ProgressCounter, traffic_of
from chef.run.rows import has_same_rows
from chef.run.session import CUT_OFF, speed, was_cut_off
from chef.run.subset import IDS, ids_digest
from chef.scoring.result import RunResult
from chef.workers.checking import Checked, Failure, check_columns, check_scoring
from chef.workers.in_process import LocalRunner
from chef.workers.precision import Asking
from chef.workers.servers import budget_told, how_it_is_asked
from chef.workers.settings import Settings

_log = logger(__name__)
#: A recipe and its run folder, checked and locked.
Opened: TypeAlias = tuple[Evaluator, RunFolder]


class Evaluation:
    """One model and recipes, checked; `Evaluations` decides whether they run in spite of failures.

    Args:
        spec: the checked model file.
        model: the model; its weights are loaded when they are first needed.
        checked: its recipes, in the order in which they run.
        settings: how the recipes are run.

    Attributes:
        name: the name of the model.
        evaluators: one evaluator per recipe that can run.
        previews: the first request of each of them.
        failures: the error of each recipe that cannot run or did not finish.
        to_judge: the recipes that were asked, and are scored once judges were asked.
    """

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
        self.failures: list[Failure] = list(checked.failures)
        self.evaluators, self.previews = checked.evaluators, checked.previews
        self.to_judge: list[Opened] = []

    def open_folders(self, stack: ExitStack) -> list[Opened]:
        """Check and lock every run folder, before the first question is asked.

        Args:
            stack: unlocks the folders when it ends.

        Raises:
            ConfigError: a run folder holds a run with another configuration, weights or data.
        """
        opened = []
        with self.spec.naming_file():
            paths = self.paths()
        runs = zip(paths, self.evaluators, self.previews, strict=True)
        for path, evaluator, preview in runs:
            with self.kept_going(evaluator):
                if self.settings.fresh or not path.exists():  # what was begun goes on
                    check_columns(evaluator, self.settings.allow)
                folder = stack.enter_context(self._opened(path, evaluator))
                if Asking(evaluator, folder).todo():
                    check_scoring(evaluator, preview.sample)
                opened.append((evaluator, folder))
        return opened

    def ask(
        self,
        opened: Sequence[Opened],
        on_progress: OnProgress | None = None,
        place: tuple[int, int] | None = None,
    ) -> Iterator[RunResult]:
        """Ask and score the recipes in order; yield each report when its recipe is finished.

        Recipes with a judge are asked only: they are then in `to_judge`.

        Args:
            opened: what `open_folders` returned.
            on_progress: called after every answer; None shows a progress bar.
            place: number of runs of other models before these, and of all runs; None where this
                is the only model.

        Raises:
            ConfigError: a run folder holds a run with other weights or data.
            RunError: a run failed. Journaled answers are kept, and the same call resumes the run.
        """
        before, total = place or (0, len(opened))
        with ExitStack() as stack:
            with self.spec.naming_file():
                runner = self.runner(stack)
            stack.callback(lifecycle.close, self.model)
            known = 0
            for number, (evaluator, folder) in enumerate(opened, before + 1):
                # Of a model from a file, config.yaml holds every key: it hides nothing.
                if folder.finished and not self.spec.document.values:
                    self._warn_of_unseen(folder)
                count = f"[{number}/{total}] " if total > 1 else ""
                count += f"{self.model.name} " if place else ""
                report, made_with = None, None
                with self.kept_going(evaluator), traceback_in(folder):
                    made_with = evaluator.admit(self.model, folder)
                    files = self.spec.document, evaluator.recipe.document
                    made_with |= asked_with(*files, evaluator.options.seed)
                    self._say_what_is_there(evaluator, folder)
                if made_with is not None and self._loads(runner, evaluator, folder):
                    with self.kept_going(evaluator), traceback_in(folder):
                        report = self._evaluate(
                            evaluator, folder, runner,
                            made_with=made_with, count=count, on_progress=on_progress,
                        )  # fmt: skip
                for notice in runner.notices[known:]:
                    _log.warning("%s: %s", self.model.name, notice)
                known = len(runner.notices)
                if report is not None:
                    yield report

    def release(self) -> None:
        """Free the memory of the model, also what errors hold; nothing can be asked any more."""
        for failure in self.failures:
            forget_frames(failure.error)
        del self.model
        free_memory()

    def _loads(self, runner: Runner, evaluator: Evaluator, folder: RunFolder) -> bool:
        """Load the model if it is needed; whether the recipe can run.

        It is loaded before the progress bar is shown, because loading shows its own. A model that
        cannot be loaded is not tried again for the next recipe.
        """
        if not Asking(evaluator, folder).todo():
            return True
        if self._unloadable is None:
            try:
                with traceback_in(folder), self.spec.naming_file():
                    runner.prepare()
            except Exception as error:
                self._unloadable = error
        with self.kept_going(evaluator):
            if self._unloadable is not None:
                raise self._unloadable
        return self._unloadable is None

    def check_settings(self) -> None:
        """Check what can be checked of the model without loading it; see `Model.check_settings`.

        Raises:
            ConfigError: a device or a checkpoint does not exist.
        """
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
            failure = Failure(evaluator.recipe.label, error, self.model.name)
            self.failures.append(failure)
            _log.warning("%s failed (%s); going on", failure.recipe, failure.why)

    def _opened(self, path: Path, evaluator: Evaluator) -> RunFolder:
        """Open and lock the run folder of a recipe."""
        if self.settings.fresh and (aside := move_aside(path)) is not None:
            _log.info("%s: the earlier run is now in %s", path, aside.name)
        config, reuse = evaluator.config(self.spec), self.settings.reuse_answers
        folder = RunFolder(path, config, reuse=reuse, is_own=True)
        if self.settings.options.ids is not None and not folder.is_subset:
            folder.write_json(IDS, {"ids": evaluator.ids})
        if reuse and not folder.finished:
            _log.warning("%s: there are no answers to reuse (--run_name names a run)", path)
        return folder

    def _warn_of_unseen(self, folder: RunFolder) -> None:
        """Say what may have changed in a model object without anything showing it."""
        if unseen := unseen_attributes(self.model):
            _log.warning(
                "%s: %d answer(s) of an earlier call are used. Whether %s of %s has changed since "
                "then is not known: give its class a fingerprint(), or the run another name",
                folder.path, len(folder.finished), ", ".join(unseen), type(self.model).__name__,
            )  # fmt: skip

    def paths(self) -> list[Path]:
        """Return the run folder of each recipe: ``<save_dir>/<model>/<scenario>/<recipe>-<name>``.

        Without a name it is the newest folder of the same run; the name of a new one is the date.

        Raises:
            ConfigError: two recipes would share a folder.
        """
        today = datetime.now().astimezone().strftime("%Y%m%d")
        if (ids := self.settings.options.ids) is not None:  # not the folder of the whole run
            today += f"_{ids_digest(ids)[:8]}"
        run_name = self.settings.name or today
        taken: dict[Path, Evaluator] = {}
        for evaluator in self.evaluators:
            place = self.settings.save_dir / _folder("model", self.model.name)
            place /= _folder("scenario", evaluator.scenario.name)
            path = place / _folder("run", f"{evaluator.recipe.name}-{run_name}")
            settings = self.settings
            is_chosen = (
                settings.name or settings.fresh or (settings.reuse_answers and path.exists())
            )
            earlier = None if is_chosen else self._earlier(evaluator, place)
            if earlier is not None and earlier not in taken:
                path = earlier
            if path in taken:
                raise ConfigError(
                    f"this recipe has the same run folder as {taken[path].recipe.label}",
                    where=str(evaluator.recipe.document.path),
                    hint="rename one of the recipes, or run each one with its own --run_name NAME "
                    "(Python: name=)",
                )
            taken[path] = evaluator
        return list(taken)

    def _earlier(self, evaluator: Evaluator, place: Path) -> Path | None:
        """Return the folder in which the same command left answers, today or on another day."""
        if not self.spec.document.values and unseen_attributes(self.model):
            return None  # whether this object is the one of yesterday cannot be known

        scenario, name = evaluator.scenario, evaluator.recipe.name

        def is_made_with(folder: Path, known: Mapping[str, Any]) -> bool:
            made = fingerprints(lifecycle.fingerprint(self.model), scenario.fingerprint())
            made["recipe"] = name  # "ppl-" also begins "ppl-CoT-"
            if known.get("recipe") == earlier_name(name):
                made["recipe"] = earlier_name(name)
            others = [key for key, value in made.items() if known.get(key) not in (None, value)]
            rows_tell = others == ["scenario_fingerprint"] and has_same_rows(folder, scenario)
            return not others or rows_tell

        names = [_folder("run", one) for one in (name, earlier_name(name)) if one]
        return newest_run(place, names, evaluator.config(self.spec), is_made_with)

    def _say_what_is_there(self, evaluator: Evaluator, folder: RunFolder) -> None:
        """Say that an earlier run goes on or was cut off, or that it is only reported."""
        if was_cut_off(folder.read_json("environment.json")):  # this process has its lock
            _log.warning("%s: %s", folder.path, CUT_OFF)
        todo, total = len(Asking(evaluator, folder).todo()), len(evaluator.ids)
        if not todo and not self.settings.is_brief:
            _log.info(
                "%s: this run is finished, and its results are shown again; nothing is asked "
                "(--fresh or --run_name NAME asks again)", folder.path,
            )  # fmt: skip
        elif folder.finished and self.settings.name is None:
            _log.info(
                "%s: this run of the same configuration goes on; %d of %d samples are still to be "
                "asked (--run_name NAME starts another run)", folder.path, todo, total,
            )  # fmt: skip

    def runner(self, stack: ExitStack) -> Runner:
        """Return a runner for the model in this process, or for workers if they are requested."""
        settings = self.settings
        if settings.workers is None and settings.ray_address is None:
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
        evaluator: Evaluator,
        folder: RunFolder,
        runner: Runner,
        *,
        made_with: dict[str, Any],
        count: str,
        on_progress: OnProgress | None,
    ) -> RunResult | None:
        """Ask the samples of a recipe, and score them; None if a judge has to be asked first."""
        asking = Asking(evaluator, folder)
        todo, total = asking.todo(), len(evaluator.ids)
        label = f"{evaluator.scenario.name}/{evaluator.recipe.name}"
        if todo:
            _log.info("%s: %s", label, how_it_is_asked(evaluator, self.model))
        done = total - len(folder.todo(evaluator.ids))
        with ExitStack() as stack:
            if on_progress is None:
                bar = stack.enter_context(ProgressBar(f"{count}{label}", total, done))
                on_progress = bar.update
            counter = ProgressCounter(
                label, evaluator.ids, folder.finished,
                metric=evaluator.metric, on_progress=on_progress, model=self.name,
                traffic=partial(traffic_of, self.model), interval=asking.shown,
            )  # fmt: skip
            stack.enter_context(budget_told(evaluator, folder))
            asking.ask(self.model, runner, made_with, counter.update)
        judged = evaluator.recipe.judge is not None
        report = None if judged else self.report(evaluator, folder)
        if todo:
            _log.info("%s: %s", label, speed(folder.read_json("environment.json")["sessions"][-1]))
        if todo and (summary := runner.summary()):
            _log.info("%s", summary)
        if judged:
            self.to_judge.append((evaluator, folder))
        return report

    def report(
        self, evaluator: Evaluator, folder: RunFolder, judging: Judging | None = None
    ) -> RunResult:
        """Score the answers of a recipe.

        Args:
            evaluator: of the recipe.
            folder: its run folder.
            judging: what judges say about the answers; None where there is no judge.
        """
        scores = evaluator.score(folder, judging)
        if folder.is_subset:
            _log.info(
                "%s: a run of more samples has this folder; the results of these %d are in %s",
                folder.path, len(evaluator.ids), scores.file.name,
            )  # fmt: skip
        return scores.of_model(self.name)


def _is_closed_pipe(error: Exception) -> bool:
    """Whether the reader of the output is gone."""
    return isinstance(error, BrokenPipeError) and user_place(error) is None


def _folder(kind: str, name: str) -> str:
    """Return ``name`` as the name of a folder.

    Raises:
        ConfigError: the name would lead out of its place.
    """
    safe = re.sub(r"[^\w.+()-]", "_", redact(name))
    if not safe.strip("."):
        raise ConfigError(f"{name!r} cannot be the name of a {kind}: its results have a folder")
    return safe
