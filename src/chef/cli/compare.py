"""The ``compare`` command: runs held against each other, sample by sample."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from chef.cli.failures import DONE, SOME_FAILED, check_by
from chef.cli.options import METRIC, TRACEBACK, TRUST, Command, Input, by, json
from chef.cli.terminal import check_outputs, is_alone, put_json, tell_written
from chef.common.printing import say

if TYPE_CHECKING:
    from chef.report.compare.comparison import Comparison

#: A run is worse than the first one by more than ``--fail-if-worse`` allows.
WORSE = 4

_EXAMPLES = """\
examples:
  chef compare results/a/Shapes/ppl-1 results/b/Shapes/ppl-1      is b better than a?
  chef compare results/*/Shapes/ppl-1                             several: all pairs, jointly
  chef compare RUN_A RUN_B --by category --json difference.json
  chef compare RUN_A RUN_B --allow subset                         on the samples of both
  chef compare RUN answers.jsonl                                  answers from another tool
  chef compare BASE NEW --fail-if-worse 1                         for CI; see below

--fail-if-worse POINTS: code 4 if a difference to the first run is shown, and its whole 95 %
interval is worse than POINTS. --not-worse-than POINTS: code 4 unless the whole interval is better
than -POINTS. Both: code 1 if a run lacks scores of samples that the first run has.
exit codes: 0 compared, 1 scores are missing, 2 bad input or not comparable, 3 the metric failed,
4 worse
"""


_OPTIONS = (
    Input("runs", "run folders, or files of answers that `chef score` reads; the first is the "
          "baseline", "RUN_DIR|FILE", how={"nargs": "*"}),
    METRIC,
    Input("--recipe_cfg", "score files of answers by this recipe (default: by that of the first "
          "run folder)", "FILE"),
    Input("--allow", "compare though this differs: scenario, subset, metric, data (question, "
          "options, reference or images under one id)", "WHAT", several=True),
    by(),
    json("everything"),
    Input("--flips", "write the ids of all answers that became right or wrong, one JSON line each",
          "FILE", Path),
    Input("--fail-if-worse", "exit with code 4 if a run is worse than the first by more than "
          "POINTS", "POINTS", float),
    Input("--not-worse-than", "exit with code 4 unless each run is shown to be at most POINTS "
          "worse than the first", "POINTS", float),
    TRUST,
    TRACEBACK,
)  # fmt: skip
COMMAND = Command(
    "Compare runs on the samples that they share: paired differences with "
    "intervals, what is decided, and which answers changed.",
    _EXAMPLES,
    {"": _OPTIONS},
)


def compare(given: argparse.Namespace) -> int:
    """Run the command and return the exit code; raises `chef.errors.ChefError`."""
    from chef import api
    from chef.cli.terminal import terminal_width
    from chef.common.writing import write_lines
    from chef.report.compare.comparison import NOT_WORSE, check_points

    check_outputs(given.json, given.flips)
    if given.fail_if_worse is not None:
        check_points(given.fail_if_worse)
    if given.not_worse_than is not None:
        check_points(given.not_worse_than, NOT_WORSE)
    others = _paths_among(given)
    found = api.compare(
        *given.runs,
        *others,
        metric=given.metric,
        recipe=given.recipe_cfg,
        allow=given.allow,
        by=given.by,
        trust=given.trust,
    )
    check_by(given.by, {f"{pair.second} against {pair.first}": pair.by for pair in found.pairs})
    if not is_alone(given.json):
        say(found.table(terminal_width(), given.by))
    put_json(given.json, found.to_json())
    if given.flips:
        write_lines(given.flips, _flips(found))
    tell_written(given.json, given.flips)
    return _gate(found, given.fail_if_worse, given.not_worse_than)


def _paths_among(given: argparse.Namespace) -> list[str]:
    """Runs after ``--by`` or ``--allow``, which argparse takes for more of their words."""
    others = [item for item in [*given.by, *given.allow] if Path(item).exists()]
    given.by = [item for item in given.by if item not in others]
    given.allow = [item for item in given.allow if item not in others]
    return others


def _flips(found: Comparison) -> list[dict[str, str]]:
    return [
        {"id": name, "change": change, "first": pair.first, "second": pair.second}
        for pair in found.pairs
        for change, ids in (("gained", pair.gained), ("lost", pair.lost))
        for name in ids
    ]


def _gate(found: Comparison, allowed: float | None, margin: float | None) -> int:
    """The exit code of the rules that were asked for."""
    from chef.report.compare.comparison import fail_if_worse, not_worse_than

    rules = ((fail_if_worse, allowed), (not_worse_than, margin))
    gates = [rule(found, points) for rule, points in rules if points is not None]
    worse = [text for gate in gates for text in gate.worse]
    lacking = dict.fromkeys(text for gate in gates for text in gate.open)
    for text in [*worse, *lacking]:
        say(f"failed: {text}", sys.stderr)
    if worse:
        return WORSE
    return SOME_FAILED if lacking else DONE
