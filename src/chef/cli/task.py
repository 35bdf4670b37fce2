"""The ``task`` command: run tasks of MMTrustEval (also ``python tools/run_task.py``)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from chef.cli.how import add_how, add_precision, add_subset
from chef.cli.judge import add_judge_cfg
from chef.common.printing import say
from chef.errors import ConfigError

if TYPE_CHECKING:
    from chef.cli.options import EvalOptions

EXAMPLES = """\
examples:
  chef task privacy/p1-vispriv-recognition --model_id tiny     a task of chef's, with its data set
  chef task privacy/p3-infoflow --dataset_id all               on every data set of the benchmark
  chef task truthfulness/t4-visual-assistance --judge_cfg judge.yaml
  chef task my_task.yaml --cfg-options dataset_id=confaide-text generation_kwargs.do_sample=true

The data root is --data_root DIR, $CHEF_MMTRUST_DATA, or the folder data. `chef list tasks` shows
the tasks, `chef trust results` makes their scores.
"""


def add_task(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``chef task``."""
    command = commands.add_parser(
        "task",
        help="run trustworthiness tasks of MMTrustEval",
        description="Run tasks: a data set, a model and chains of evaluators in one file each. "
        "Every answer is saved at once; the same command goes on where it stopped.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = command.add_argument_group("what to run")
    what.add_argument(
        "configs", nargs="*", metavar="TASK",
        help="task files, or names of chef's own, such as privacy/p3-infoflow",
    )  # fmt: skip
    what.add_argument(
        "--config", action="append", default=[], metavar="FILE", help="the same, one at a time"
    )
    what.add_argument(
        "--cfg-options", nargs="+", action="extend", default=[], metavar="key=value",
        help="override keys of all tasks; the value is read as YAML",
    )  # fmt: skip
    what.add_argument(
        "--dataset_id", nargs="+", metavar="ID",
        help="the data sets, instead of the one of the file; all: those of the benchmark",
    )  # fmt: skip
    what.add_argument(
        "--model_id", "--model_cfg", dest="model_cfg", nargs="+", action="extend", default=[],
        metavar="MODEL", help="model files or ids of MMTrustEval, instead of the task's",
    )  # fmt: skip
    add_judge_cfg(what)
    what.add_argument("--data_root", metavar="DIR", help="the folder with the data of MMTrustEval")
    add_subset(what)
    add_precision(what)
    add_how(command)
    command.add_argument(
        "--dry-run", action="store_true",
        help="check everything and show the first question of each task; no model is loaded",
    )  # fmt: skip


def task(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    from chef.cli.evaluate import dry_run, run, settings_of
    from chef.workers.tasks import Logs, evaluations_of

    if not given.configs:
        raise ConfigError(
            "no task is named",
            where="chef task",
            hint="for example chef task privacy/p3-infoflow --model_id tiny; `chef list tasks` "
            "shows all",
        )
    options: EvalOptions = given.options
    groups = evaluations_of(
        given.configs,
        datasets=given.dataset_id or (),
        models=options.model_cfg,
        judges=options.judge_cfg,
        overrides=options.overrides,
        model_overrides=[
            f"{key}={value}"
            for key, value in (("device", options.device), ("dtype", options.dtype))
            if value is not None
        ],
        settings=settings_of(options),
    )
    code = 0
    # Every task and every place of a log is checked before the first question.
    checked = [
        (evaluations, Logs(tasks, [one.name for one in evaluations.evaluations]))
        for evaluations, tasks in groups
    ]
    for evaluations, logs in checked:
        if options.dry_run:
            code = max(code, dry_run(evaluations, options))
            continue
        code = max(code, run(evaluations, options, logs.write))
        for path in logs.written:
            say(f"log: {path}")
    return code
