"""A sweep: many runs of one call, and what they say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import msgspec

from chef.common.logs import logger
from chef.common.version import VERSION
from chef.errors import RunError, first_line
from chef.guard.folder import has_file
from chef.run.plan import RunOptions
from chef.run.session import OnProgress
from chef.run.subset import chosen_ids, ids_digest
from chef.scoring.result import RunResult
from chef.session.checking import RecipeFailure, raise_failures
from chef.session.inputs import ModelLike, as_list, is_model
from chef.session.settings import Settings
from chef.suite.sweep.analysis import analyse
from chef.suite.sweep.file import read_sweep
from chef.suite.sweep.objects import SessionObjects
from chef.suite.sweep.planning import SweepPlan
from chef.suite.sweep.result import SweepResult
from chef.suite.sweep.samples import (
    SWEEP,
    SWEEPS,
    StoredFactor,
    StoredRun,
    StoredSweep,
    earlier_sweep,
    read_sweep_json,
    relative,
    scores_of,
    write_sweep,
)

_log = logger(__name__)
_ROTATION = "rotation"


class Sweep:
    """A sweep that is checked and ready to run; ConfigError or SeveralErrors if it is wrong.

    ``source`` is a file, the name of one of chef's (``Shapes``), or its content, also with objects
    of the session; ``models`` and ``limit`` replace those of the sweep; ``overrides`` are
    ``key=value`` for all runs, keys of models beginning with ``model_cfg.``. Where samples are
    named, the sweep is called by them, too.
    """

    def __init__(
        self,
        source: str | Path | Mapping[str, Any],
        settings: Settings | None = None,
        *,
        models: Sequence[ModelLike] = (),
        overrides: Sequence[str] = (),
        limit: int | None = None,
    ) -> None:
        settings = settings or Settings()
        objects = SessionObjects(settings)
        source = objects.with_names(source) if isinstance(source, Mapping) else source
        file = read_sweep(source, models=objects.models_of(models), limit=limit)
        if (ids := settings.options.ids) is not None:  # not the folder of the whole sweep
            file = replace(file, limit=None, name=f"{file.name}_{ids_digest(ids)[:8]}")
        self.folder = settings.save_dir / SWEEPS / file.name
        earlier = earlier_sweep(self.folder)
        before = [] if earlier is None else earlier.combinations
        self.plan = SweepPlan(file, overrides, [one.run for one in before], objects)
        is_alike = earlier is not None and (earlier.limit, earlier.seed) == (file.limit, file.seed)
        self._earlier = {_key(one): one for one in before if is_alike}
        self.file = self.plan.file
        if not self.plan.cells:
            raise_failures(self._told(self.plan.failures))
        # Later than here, one combination never stops the others.
        options = replace(settings.options, sample_len=file.limit, seed=file.seed)
        self.session = self.plan.session(
            replace(settings, options=options, name=file.name, keep_going=True, is_brief=True)
        )
        if self.failures and not settings.keep_going:
            raise_failures(self._told(self.failures))
        self.reports: list[RunResult] = []

    @property
    def failures(self) -> list[RecipeFailure]:
        """The combinations that cannot be asked, and the runs that did not finish."""
        return [*self.plan.failures, *self.session.failures]

    @property
    def samples(self) -> int:
        """The number of samples of all runs."""
        return sum(len(run.evaluator.ids) for one in self.session.models for run in one.runs)

    def run(self, on_progress: OnProgress | None = None) -> None:
        """Ask everything that has no answer yet; sweep.json is written after every run."""
        self._write()
        try:
            for report in self.session.run(on_progress):
                self.reports.append(report)
                self._write()
        finally:
            self._write()

    def result(self) -> SweepResult:
        """What the runs that have finished say together; RunError if none has."""
        return analysed(self.folder)

    def _told(self, failures: Sequence[RecipeFailure]) -> list[RecipeFailure]:
        """Each error once, with the number of combinations that have it."""
        alike: dict[str, list[RecipeFailure]] = {}
        for failure in failures:
            alike.setdefault(str(failure.error), []).append(failure)
        total = len(self.plan.cells) + len(self.plan.failures)
        for group in alike.values():
            if len(group) < total:
                group[0].error.add_note(
                    f"in {len(group)} of {total} combinations, for example {group[0].recipe}; "
                    "'exclude' in the sweep leaves combinations out, --keep-going runs the others"
                )
        return [group[0] for group in alike.values()]

    def _write(self) -> None:
        """Write sweep.json as far as the runs are."""
        file = self.file
        roles = {factor.name: factor.role for factor in file.factors}
        by_run = {(report.model, report.recipe): report for report in self.reports}
        failed = {(one.model, one.recipe): first_line(one.error) for one in self.failures}
        runs = []
        for cell in self.plan.cells:
            entry = StoredRun(self.plan.shown(cell), cell.model, cell.recipe.name)
            error = failed.get((cell.model, cell.recipe.label), "")
            if (report := by_run.get(_key(entry))) is not None:
                results = relative(report.file, self.folder)
                entry = msgspec.structs.replace(entry, results=results)
            elif (known := self._earlier.get(_key(entry))) is not None and not error:
                entry = msgspec.structs.replace(known, values=entry.values)
            runs.append(msgspec.structs.replace(entry, error=error))
        write_sweep(
            self.folder,
            StoredSweep(
                name=file.name,
                factors=[
                    StoredFactor(name, roles[name], labels)
                    for name, labels in self.plan.varied.items()
                ],
                combinations=runs,
                file=str(file.document.path),
                sweep=file.document.public(),
                limit=file.limit,
                seed=file.seed,
                version=VERSION,
            ),
        )


def _key(run: StoredRun) -> tuple[str, str]:
    return run.model, run.run


def analysed(folder: Path) -> SweepResult:
    """Analyse the runs of a folder with sweep.json; nothing is asked.

    DataError if it holds no sweep or a run is damaged; RunError if no run has finished.
    """
    stored = read_sweep_json(folder)
    scores = scores_of(stored.combinations, folder)
    if not scores:
        raise RunError(
            "no run of this sweep has scores yet",
            where=str(folder / SWEEP),
            hint="run the sweep again: it goes on where it stopped",
        )
    factors = {factor.name: factor.values for factor in stored.factors}
    roles = {factor.name: factor.role for factor in stored.factors}
    rotation = _ROTATION if _ROTATION in factors else None
    found = analyse(stored.name, folder, factors, scores, roles=roles, rotation=rotation)
    if missing := len(stored.combinations) - len(scores):
        note = f"{missing} of {len(stored.combinations)} combinations have no scores"
        found = replace(found, notes=[*found.notes, note])
    return found


def sweep(
    source: str | Path | Mapping[str, Any],
    *,
    model: ModelLike | Sequence[ModelLike] | None = None,
    overrides: Sequence[str] = (),
    limit: int | None = None,
    ids: Sequence[str | int] | None = None,
    save_dir: str | Path = "results",
    batch_size: int | None = None,
    workers: int | None = None,
    ray_address: str | None = None,
    response_cache: str | Path | None = None,
    timeout: float | None = None,
    fresh: bool = False,
    reuse_answers: bool = False,
    keep_going: bool = False,
    on_progress: OnProgress | None = None,
) -> SweepResult:
    """Run the combinations of a sweep, and say how much each factor decides.

    The same call goes on where an interrupted one stopped; after an edit of the file only the new
    combinations are asked. Every run is an ordinary run folder.

    Args:
        source: the file of the sweep, the name of one of chef's (``Shapes``), its content as a
            mapping, in which models and recipes may also be objects or contents, and recipes data
            (docs/reference/python.md); or the folder of a sweep that has run
            (``results/sweeps/Shapes``), of which nothing is asked again.
        model: model(s) instead of those of the sweep; each as in `evaluate`.
        overrides: ``key=value`` for all runs; keys of models begin with ``model_cfg.``.
        limit: number of samples of each run, instead of the sweep's.
        ids: of the samples that each run asks, and no others; None for the sweep's number of them.
        save_dir: the folder of all results.
        batch_size: samples per batch; None for the recipe's, or automatic.
        workers: number of replicas of the model, each in its own Ray worker process.
        ray_address: address of the Ray cluster that the workers run on.
        response_cache: folder in which generated replies are cached for later calls.
        timeout: the most seconds of one call of the model; None for no limit.
        fresh: move the runs that are there aside, and ask everything again.
        reuse_answers: keep the answers of runs that were made with another configuration.
        keep_going: whether the others run where a combination cannot be asked.
        on_progress: called after every answer; None shows a progress bar.

    Raises:
        ConfigError: the sweep or one of its combinations is wrong; nothing was asked.
        RunError: no run has finished. A run that fails stops no other; `SweepResult.notes` tell.
    """
    if not isinstance(source, Mapping) and has_file(Path(source) / SWEEP):
        return analysed(Path(source))
    settings = Settings(
        RunOptions(
            batch_size=batch_size, timeout=timeout, ids=None if ids is None else chosen_ids(ids)
        ),
        Path(save_dir),
        workers=workers,
        ray_address=ray_address,
        response_cache=None if response_cache is None else Path(response_cache),
        keep_going=keep_going,
        fresh=fresh,
        reuse_answers=reuse_answers,
    )
    models = (
        [] if model is None else [cast("ModelLike", model)] if is_model(model) else as_list(model)
    )
    ready = Sweep(source, settings, models=models, overrides=overrides, limit=limit)
    ready.run(on_progress)
    if not ready.reports:
        raise_failures(ready.failures)
    for failure in ready.failures:
        _log.warning("%s: %s", failure.recipe, failure.why)
    return ready.result()
