"""Evaluate one model on several recipes: check all of them first, then run them in order."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from chef.common.checks import whole_number
from chef.common.user_code import traceback_of, user_place
from chef.config import ModelSpec, Recipe
from chef.config.secrets import redact
from chef.engine.response_cache import ResponseCache
from chef.errors import ChefError, ConfigError
from chef.evaluator import Evaluator
from chef.models import Model
from chef.models.base import unseen_attributes
from chef.report.run_report import RunReport
from chef.run.earlier import newest_run
from chef.run.environment import fingerprints, reply_identity
from chef.run.folder import RunFolder, write_atomically
from chef.run.lock import move_aside
from chef.run.plan import Runner, RunOptions
from chef.run.progress import OnProgress, ProgressBar, ProgressCounter
from chef.run.rows import RowRecord, has_same_rows
from chef.run.session import speed
from chef.workers.checking import Failure, check_recipes, raise_failures
from chef.workers.in_process import LocalRunner

_log = logging.getLogger(__name__)
#: The file of a run folder with the traceback of the error that ended the run.
TRACEBACK = "traceback.txt"


@dataclass(frozen=True, slots=True)
class Settings:
    """How recipes are run, and where their results are written.

    Attributes:
        options: subset, random seed, batch size and verification.
        save_dir: the folder of all results.
        name: suffix of the run folder names; None continues the newest run of the same
            configuration, or starts one that has the date for its name.
        workers: number of replicas of the model, each in its own process. None runs the model in
            this process, or, with a ``ray_address``, one replica per GPU of the cluster.
        ray_address: address of the Ray cluster that the workers run on.
        response_cache: folder in which generated replies are cached for later calls.
        keep_going: whether the other recipes run where one cannot.
        fresh: move the run folders that are there aside, and ask everything again.
        reuse_answers: keep the answers in a run folder, though they were made with another
            configuration, weights or data.

    Raises:
        ConfigError: a value is invalid, or two settings exclude each other.
    """

    options: RunOptions
    save_dir: Path
    name: str | None = None
    workers: int | None = None
    ray_address: str | None = None
    response_cache: Path | None = None
    keep_going: bool = False
    fresh: bool = False
    reuse_answers: bool = False

    def __post_init__(self) -> None:
        if self.workers is not None:
            object.__setattr__(self, "workers", whole_number(self.workers, "workers", 1))
        if self.options.verify and (self.workers is not None or self.ray_address is not None):
            raise ConfigError(
                "the fast scorer is checked within one process",
                where="verify",
                hint="leave out the workers, or the verification",
            )
        if self.fresh and self.reuse_answers:
            raise ConfigError(
                "answers are either asked again or kept",
                where="fresh, reuse_answers",
                hint="leave one of the two out",
            )
        if self.name is not None and (not re.search(r"\w", self.name) or "/" in self.name):
            raise ConfigError(
                f"{self.name!r} is no name of a run",
                where="name (--run_name)",
                hint="write letters, digits and hyphens; --save_dir names the folder",
            )


class Evaluation:
    """A model and recipes that are checked and ready to run.

    Args:
        spec: the checked model file.
        model: the model; its weights are loaded when they are first needed.
        recipes: the checked recipes, in the order in which they run.
        settings: how the recipes are run.
        refused: recipes that could not be read.

    Attributes:
        evaluators: one evaluator per recipe that can run.
        previews: the first request of each of them.
        failures: the error of each recipe that cannot run or did not finish; only
            with ``keep_going`` there are any.

    Raises:
        ConfigError: the ingredients of a recipe are incompatible, or no sample can be asked.
        DataError: the data of a scenario is missing or malformed as a whole.
        SeveralErrors: several recipes are wrong.
    """

    def __init__(
        self,
        spec: ModelSpec,
        model: Model,
        recipes: Sequence[Recipe],
        settings: Settings,
        refused: Sequence[Failure] = (),
    ) -> None:
        self.spec, self.model, self.settings = spec, model, settings
        checked = check_recipes(recipes, settings.options, model)
        self.failures: list[Failure] = [*refused, *checked.failures]
        if not settings.keep_going or not checked.evaluators:
            raise_failures(self.failures)
        self.evaluators, self.previews = checked.evaluators, checked.previews

    def run(self, on_progress: OnProgress | None = None) -> Iterator[RunReport]:
        """Ask and score the recipes in order; yield each report when its recipe is finished.

        Args:
            on_progress: called after every answer; None shows a progress bar.

        Raises:
            ConfigError: a run folder holds a run with another configuration, weights or data.
            RunError: a run failed. Journaled answers are kept, and the same call resumes the run.
        """
        with ExitStack() as stack:
            runner = self._runner(stack)
            # Check and lock every folder before asking the first question.
            folders = []
            for path, evaluator in zip(self.paths(), self.evaluators, strict=True):
                with self._kept_going(evaluator):
                    folder = stack.enter_context(self._opened(path, evaluator))
                    folders.append((evaluator, folder))
            stack.callback(self.model.close)
            known = 0
            for number, (evaluator, folder) in enumerate(folders, 1):
                # Of a model from a file, config.yaml holds every key: it hides nothing.
                if folder.finished and not self.spec.document.values:
                    self._warn_of_unseen(folder)
                self._say_what_is_there(evaluator, folder)
                count = f"[{number}/{len(folders)}] " if len(folders) > 1 else ""
                if folder.todo(evaluator.ids):
                    with _traceback_in(folder):
                        runner.prepare()  # before the progress bar: loading shows its own
                report = None
                with self._kept_going(evaluator), _traceback_in(folder):
                    report = self._evaluate(evaluator, folder, runner, count, on_progress)
                for notice in runner.notices[known:]:
                    _log.warning("%s: %s", self.model.name, notice)
                known = len(runner.notices)
                if report is not None:
                    yield report

    @contextmanager
    def _kept_going(self, evaluator: Evaluator) -> Iterator[None]:
        """Note an error of one recipe, if the others are to go on; else let it pass."""
        try:
            yield
        except Exception as error:
            if not self.settings.keep_going or _is_closed_pipe(error):
                raise
            failure = Failure(str(evaluator.recipe.document.path), error)
            self.failures.append(failure)
            _log.warning("%s failed (%s); going on", failure.recipe, failure.why)

    def _opened(self, path: Path, evaluator: Evaluator) -> RunFolder:
        """Open and lock the run folder of a recipe."""
        if self.settings.fresh and (aside := move_aside(path)) is not None:
            _log.info("%s: the earlier run is now in %s", path, aside.name)
        config, reuse = evaluator.config(self.spec), self.settings.reuse_answers
        folder = RunFolder(path, config, reuse=reuse)
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
        run_name = self.settings.name or datetime.now().astimezone().strftime("%Y%m%d")
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
                    f"this recipe has the same run folder as {taken[path].recipe.document.path}",
                    where=str(evaluator.recipe.document.path),
                    hint="rename one of the recipes, or run each one with its own --run_name NAME "
                    "(Python: name=)",
                )
            taken[path] = evaluator
        return list(taken)

    def _may_be_earlier(self, path: Path) -> bool:
        """Whether an earlier folder may be the run's: not if this one is meant."""
        settings = self.settings
        is_meant = settings.fresh or (settings.reuse_answers and path.exists())
        return settings.name is None and not is_meant

    def _earlier(self, evaluator: Evaluator, place: Path) -> Path | None:
        """Return the folder in which the same command left answers, today or on another day."""
        if not self.spec.document.values and unseen_attributes(self.model):
            return None  # whether this object is the one of yesterday cannot be known

        name, scenario = _folder("run", evaluator.recipe.name), evaluator.scenario

        def is_made_with(folder: Path, known: Mapping[str, Any]) -> bool:
            made = fingerprints(self.model.fingerprint(), scenario.fingerprint())
            made["recipe"] = evaluator.recipe.name  # "ppl-" also begins "ppl-CoT-"
            others = [key for key, value in made.items() if known.get(key) not in (None, value)]
            rows_tell = others == ["scenario_fingerprint"] and has_same_rows(folder, scenario)
            return not others or rows_tell

        return newest_run(place, name, evaluator.config(self.spec), is_made_with)

    def _say_what_is_there(self, evaluator: Evaluator, folder: RunFolder) -> None:
        """Say that an earlier run goes on, or that it is finished and is only reported."""
        todo, total = len(folder.todo(evaluator.ids)), len(evaluator.ids)
        rows = RowRecord(folder.path, evaluator.scenario, folder.finished)
        if rows.tells and rows.changed:
            return  # what is asked again is said when it is known
        if not todo:
            _log.info(
                "%s: this run is finished, and its results are shown again; nothing is asked "
                "(--fresh or --run_name NAME asks again)", folder.path,
            )  # fmt: skip
        elif folder.finished and self.settings.name is None:
            _log.info(
                "%s: this run of the same configuration goes on; %d of %d samples are still to be "
                "asked (--run_name NAME starts another run)", folder.path, todo, total,
            )  # fmt: skip

    def _runner(self, stack: ExitStack) -> Runner:
        """Return a runner for the model in this process, or for workers if they are requested."""
        settings = self.settings
        if settings.workers is None and settings.ray_address is None:
            identity = reply_identity(self.model.fingerprint(), self.spec.plugins)
            responses = ResponseCache(identity, settings.response_cache)
            return LocalRunner(self.model, stack.enter_context(closing(responses)))
        from chef.workers.pool import RayPool

        pool = RayPool(
            self.spec,
            self.model.fingerprint(),
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
        count: str,
        on_progress: OnProgress | None,
    ) -> RunReport:
        todo, total = folder.todo(evaluator.ids), len(evaluator.ids)
        label = f"{evaluator.scenario.name}/{evaluator.recipe.name}"
        if todo:
            _log.info("%s: %s", label, evaluator.batches)
            runner.prepare()  # before the progress bar: loading shows its own
        done = total - len(todo)
        with ExitStack() as stack:
            if on_progress is None:
                bar = stack.enter_context(ProgressBar(f"{count}{label}", total, done))
                on_progress = bar.update
            counter = ProgressCounter(label, total, done, evaluator.metric, on_progress)
            report = evaluator.evaluate(self.model, folder, runner, on_prediction=counter.update)
        if todo:
            _log.info("%s: %s", label, speed(folder.read_json("environment.json")["sessions"][-1]))
        if todo and (summary := runner.summary()):
            _log.info("%s", summary)
        file = folder.path / evaluator.results_name(folder)
        if folder.is_subset:
            _log.info(
                "%s: a run of more samples has this folder; the results of these %d are in %s",
                folder.path, total, file.name,
            )  # fmt: skip
        return RunReport.of(
            report,
            recipe=evaluator.recipe.name,
            scenario=evaluator.scenario.name,
            model=self.model.name,
            file=file,
            random_accuracy=evaluator.metric_run.random_accuracy,
        )


def _is_closed_pipe(error: Exception) -> bool:
    """Whether the reader of the output is gone."""
    return isinstance(error, BrokenPipeError) and user_place(error) is None


@contextmanager
def _traceback_in(folder: RunFolder) -> Iterator[None]:
    """Write the traceback of an error that ends a run into the run folder, and note where it is."""
    file = folder.path / TRACEBACK
    file.unlink(missing_ok=True)  # of an earlier session
    try:
        yield
    except Exception as error:
        try:
            write_atomically(file, redact(traceback_of(error)))
        except (ChefError, OSError):  # the disk may be full, which is perhaps the error itself
            raise error from error.__cause__
        error.add_note(f"the whole traceback: {file}")
        raise


def _folder(kind: str, name: str) -> str:
    """Return ``name`` as the name of a folder.

    Raises:
        ConfigError: the name would lead out of its place.
    """
    safe = re.sub(r"[^\w.+()-]", "_", name)
    if not safe.strip("."):
        raise ConfigError(f"{name!r} cannot be the name of a {kind}: its results have a folder")
    return safe
