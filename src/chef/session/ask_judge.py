"""Judges in the Python interface."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.config import Recipe, load_recipe
from chef.report.load import Run
from chef.scoring.result import RunResult
from chef.session.inputs import Reports, place_of
from chef.session.judge_runs import judge_folders


def ask_judge(
    runs: str | Path | Run | RunResult | Sequence[str | Path | Run | RunResult],
    judge_cfg: str | Path | Mapping[str, Any] | Sequence[str | Path | Mapping[str, Any]] = (),
    *,
    options: Mapping[str, Any] | None = None,
    metric: str | None = None,
    recipe: str | Path | Mapping[str, Any] | Recipe | None = None,
    response_cache: str | Path | None = None,
    timeout: float | None = None,
    trust: bool = False,
    trust_plugins: bool = False,
) -> RunResult | Reports:
    """Ask judges about the answers of runs, and score them. The tested model is not asked.

    The same call resumes, and asks nothing that was asked before. Where the recipe of a run has no
    judge, its results stay, and the judged ones are in ``results_judged.json``.

    Args:
        runs: a run, its report or its folder, or several of them.
        judge_cfg: the model file of the judge or its content, several of them, or a file with the
            section ``judge_cfg`` or that section as a mapping; none: the judges that the run had.
        options: keys of ``judge_cfg``, such as ``{"kind": "equivalence"}``.
        metric: name of the metric to use instead of the metric of the run.
        recipe: the recipe that defines the metric, where it is not known by its name.
        response_cache: folder of the judges' replies; None for the one beside the models' folders.
        timeout: the most seconds of one call of a judge's model.
        trust: as in `score`.
        trust_plugins: the former name of ``trust``.

    Returns:
        The report of the run; of several runs `Reports`.

    Raises:
        DataError: there is no run, or no answer in it.
        ConfigError: a file or a key is wrong, or no metric of a run uses what the judge says.
        RunError: a judge failed. Answers and judgements so far are kept.
    """
    single = isinstance(runs, str | Path | Run | RunResult)
    several = [runs] if isinstance(runs, str | Path | Run | RunResult) else runs
    files = [judge_cfg] if isinstance(judge_cfg, str | Path | Mapping) else list(judge_cfg)
    changes = [f"{key}={json.dumps(value)}" for key, value in (options or {}).items()]
    chosen = recipe if recipe is None or isinstance(recipe, Recipe) else load_recipe(recipe)
    cache = None if response_cache is None else Path(response_cache)
    reports = Reports(
        judge_folders(
            [place_of(item) for item in several], files, changes, recipe=chosen, metric=metric,
            replies=cache, timeout=timeout, trust=trust or trust_plugins,
        )
    )  # fmt: skip
    return reports[0] if single else reports
