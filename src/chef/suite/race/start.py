"""A race from Python: its models and its recipe checked, then run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from chef.errors import ConfigError
from chef.run.plan import RunOptions
from chef.session.inputs import ModelLike, RecipeLike, ready
from chef.session.settings import Settings
from chef.suite.race.racing import race as run_race
from chef.suite.race.result import On, Race


def race(
    models: Sequence[ModelLike],
    recipe: RecipeLike,
    *,
    limit: int | None = None,
    seed: int = 0,
    batch_size: int | None = None,
    save_dir: str | Path = "results",
    name: str | None = None,
    fresh: bool = False,
    workers: int | None = None,
    ray_address: str | None = None,
    timeout: float | None = None,
    on: On = "questions",
    one_at_a_time: bool | None = None,
    earlier: Sequence[str | Path] = (),
) -> Race:
    """Ask several models the same samples until one is better than all others.

    Args:
        models: two or more; each as in `evaluate`.
        recipe: a recipe whose first figure is the mean of the scores of its samples.
        limit: the most samples that each model is asked; None for all. `evaluate` without a limit
            finishes its runs.
        seed: random seed of the order of the samples and of sampled generation.
        batch_size: as in `evaluate`.
        save_dir: as in `evaluate`.
        name: as in `evaluate`.
        fresh: as in `evaluate`.
        workers: number of replicas of each model, in Ray worker processes; those of all models
            that are still in the race run at once.
        ray_address: as in `evaluate`.
        timeout: as in `evaluate`.
        on: where one is to be better: on ``questions`` like these, of which the benchmark is a
            sample; or on this ``benchmark``, which takes fewer samples, but also finds the small
            difference that two models which are equal in general have here by chance.
        one_at_a_time: free the memory of each model after its turn; None does so where several
            models run on a GPU of this machine.
        earlier: runs, or folders of runs, that say which samples tell most, and are drawn first;
            of a race on this benchmark.

    Raises:
        ConfigError: a model or the recipe is wrong; nothing was asked.
        RunError: a run failed; the same call goes on.
    """
    if on not in get_args(On):
        raise ConfigError(f"'{on}' is no such place", where="on", hint="write questions, benchmark")
    if earlier and on != "benchmark":
        raise ConfigError(
            "what earlier runs say about these samples tells nothing of other questions",
            where="earlier (--from)",
            hint="decide the race on the samples of this benchmark: on='benchmark' (--on "
            "benchmark), or leave the earlier runs out",
        )
    options = RunOptions(limit, seed, batch_size, timeout=timeout)
    # The limit ends the race. The runs are those of the whole benchmark, which `evaluate` finishes.
    whole = replace(options, sample_len=None)
    settings = Settings(whole, Path(save_dir), name, workers, ray_address, fresh=fresh)
    session = ready(list(models), [recipe], settings)
    places = [Path(one) for one in earlier]
    return run_race(session, limit=limit, on=on, one_at_a_time=one_at_a_time, earlier=places)
