"""The runs of a session kept in an object store: asked shard after shard, here or by workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from chef.errors import ConfigError
from chef.models import lifecycle
from chef.run.journal import JOURNAL
from chef.scoring.result import RunResult
from chef.session.checking import check_columns, check_scoring
from chef.session.model_runs import ModelRuns
from chef.session.recipe_run import RecipeRun
from chef.session.session import Session
from chef.session.settings import Settings
from chef.shards.asking import ShardedRun, Work, Workers, in_process
from chef.shards.looking import StoredParts, result_of
from chef.shards.settings import SIZE, ShardSettings, cut
from chef.shards.store import Store


def stored_runs(session: Session, url: str, size: int = SIZE) -> Iterator[tuple[RunResult, str]]:
    """Ask every recipe of every model into shards of about ``size`` samples below an address.

    Yields each result, which has no samples, with the address of its run.
    """
    for one in session.models:
        _check(one.settings)
        for run in one.runs:
            with one.kept_going(run.evaluator):
                yield _asked(one, run, url, size)
        one.release()


def _check(settings: Settings) -> None:
    """Refuse the settings of runs in folders."""
    if settings.fresh:
        raise ConfigError(
            "parts in an object store are never changed",
            where="--fresh",
            hint="--run-name NAME starts another run",
        )
    options = settings.options
    others = {
        "precision": options.precision, "items": options.items, "verify": options.verify,
        "earlier": settings.earlier, "reuse_answers": settings.reuse_answers,
    }  # fmt: skip
    for key in (key for key, value in others.items() if value):
        raise ConfigError(
            "only runs in folders have it", where=key, hint="leave it out, or name a folder"
        )


def _asked(one: ModelRuns, run: RecipeRun, url: str, size: int) -> tuple[RunResult, str]:
    """Ask one recipe; its result, and the address of its run."""
    evaluator = run.evaluator
    if evaluator.recipe.judge is not None:
        raise ConfigError(
            "judges are asked about runs in folders alone",
            where=evaluator.recipe.label,
            hint="leave judge_cfg out, or give --save-dir a folder",
        )
    check_columns(evaluator, one.settings.allow)
    check_scoring(evaluator, run.preview.sample)
    scenario, places = evaluator.scenario, evaluator.samples.positions
    shards = cut(evaluator.ids, size, lambda name: scenario.group(places[name]))
    fingerprint = lifecycle.fingerprint(one.model)
    settings = ShardSettings.of(evaluator, one.spec, fingerprint, one.name, shards)
    name = f"{settings.recipe}-{one.settings.name or settings.digest[:8]}"
    store = Store(f"{url}/{one.name}/{settings.scenario}/{name}")
    stored = ShardedRun(store, settings)
    settings = stored.settings
    work = Work(store.url, settings.digest, evaluator.config(one.spec), settings.seed)
    with _workers(one, run, work) as workers:
        statistics = stored.ask(shards, workers)
    return result_of(StoredParts(store, settings), statistics), store.url


@contextmanager
def _workers(one: ModelRuns, run: RecipeRun, work: Work) -> Iterator[Workers]:
    """What does the shards: the model in this process, or Ray workers."""
    with ExitStack() as stack, one.spec.naming_file():
        runner = one.runner(stack)
        if one.settings.workers is None and one.settings.ray_address is None:
            stack.callback(lifecycle.close, one.model)
            yield in_process(work, run.evaluator, runner)
            return
        from chef.workers.dispatch import ShardPool
        from chef.workers.pool import RayPool

        assert isinstance(runner, RayPool)
        yield ShardPool(runner, run.evaluator.plan((), Path(JOURNAL)), work)
