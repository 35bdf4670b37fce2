"""Tasks of MMTrustEval, which write their logs, too (also ``python tools/run_task.py``)."""

from __future__ import annotations

from chef.cli.evaluate import dry_run, run, settings_of
from chef.cli.options import EvalOptions, check_fits
from chef.common.printing import say
from chef.session.tasks import Logs, sessions_of

_TAKES = ("datasets", "judge_cfg", "data_root", "time", "reuse_answers", "batch_size", "workers",
          "ray_address", "response_cache", "seed", "verify", "log_prompts", "timeout", "precision",
          "ids", "dry_run", "by", "keep_going", "page", "open")  # fmt: skip


def task(options: EvalOptions) -> int:
    """Run the tasks and return the exit code; raises `chef.errors.ChefError`."""
    check_fits(options, "a task", _TAKES, "leave it out")
    overrides = [*options.overrides]
    if options.data_root is not None:
        overrides.append(f"dataset_cfg.data_root={options.data_root}")
    groups = sessions_of(
        options.recipe_cfg,
        datasets=options.datasets,
        models=options.model_cfg,
        judges=options.judge_cfg,
        overrides=overrides,
        model_overrides=options.of_models,
        settings=settings_of(options),
    )
    code = 0
    # Every task and every place of a log is checked before the first question.
    checked = [
        (session, Logs(tasks, [one.name for one in session.models])) for session, tasks in groups
    ]
    for session, logs in checked:
        if options.dry_run:
            code = max(code, dry_run(session, options))
            continue
        code = max(code, run(session, options, logs.write))
        for path in logs.written:
            say(f"log: {path}")
    return code
