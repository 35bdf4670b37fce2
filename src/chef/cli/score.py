"""The ``score`` command: answers in, scores out; no model, and no data where it is not needed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

_EXAMPLES = """\
examples:
  chef score results/tiny/Shapes/ppl-20260101            score a run again
  chef score results/tiny/*/* --metric Accuracy          by another metric; results_Accuracy.json
  chef score RUN threshold=0.7                           with another option of its metric
  chef score answers.jsonl --recipe_cfg RECIPE           answers made elsewhere, by sample id

answers made elsewhere: .jsonl (chef), .json (ChEF), .xlsx and .tsv (VLMEvalKit)
exit codes: 0 done, 1 some samples failed, 2 bad input, 3 the metric failed
"""


def add_score(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of ``chef score``."""
    command = commands.add_parser(
        "score",
        help="score answers again, without a model",
        description="Score the answers of finished runs, or of files made elsewhere.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "answers", nargs="+", metavar="RUN_DIR|FILE|key=value",
        help="run folders, files of answers, and options of the metric",
    )  # fmt: skip
    command.add_argument("--metric", metavar="NAME", help="another metric, or protocol")
    command.add_argument(
        "--recipe_cfg", metavar="FILE",
        help="the recipe whose metric it is; for a file: whose scenario knows the truth, too",
    )  # fmt: skip


def score(given: argparse.Namespace) -> int:
    """Run the command; returns the exit code, raises `chef.errors.ChefError`."""
    from chef.cli.summary import Row, show_summary
    from chef.config import load_recipe
    from chef.scoring.answers import score_file
    from chef.scoring.override import MetricOverride
    from chef.scoring.run_folder import rescore_run

    paths, options = _split(given.answers)
    recipe = load_recipe(given.recipe_cfg) if given.recipe_cfg else None
    override = MetricOverride(given.metric, options, recipe)
    rows = []
    try:
        for path in paths:
            done = rescore_run(path, override) if path.is_dir() else score_file(path, override)
            for notice in done.notices:
                print(f"note: {notice}", file=sys.stderr)
            rows.append(Row(done.metric_run, done.of, done.report, f"Scores: {done.file}"))
    finally:
        if rows:
            show_summary(rows)
    return 1 if any(row.report.coverage.errors for row in rows) else 0


def _split(items: Sequence[str]) -> tuple[list[Path], list[str]]:
    """Paths, and ``key=value``; what exists is a path."""
    options = [item for item in items if "=" in item and not Path(item).exists()]
    return [Path(item) for item in items if item not in options], options
