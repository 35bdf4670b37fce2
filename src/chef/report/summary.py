"""What is said at the end of a run: what may be typed next."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from chef.metric.groups import COMMA
from chef.scoring.result import RunResult


def next_steps(reports: Sequence[RunResult], results: Path, *, by: Sequence[str] = ()) -> str:
    """What may be typed next, in a line or two, after the runs that finished (one at least)."""
    run = next((item for item in reports if item.by), reports[0])
    steps = [f"look at the samples: chef show {shlex.quote(str(run.folder))} --page"]
    if run.by and not by:
        # A crossing of several fields is no table to begin with.
        field = next((name for name in run.by if COMMA not in name), next(iter(run.by)))
        again = f"chef score {shlex.quote(str(run.folder))} --by {shlex.quote(field)}"
        steps.append(f"by {field}: {again}")
    elif len(reports) > 1:
        steps.append(f"all runs: chef show {shlex.quote(str(results))}")
    return "\n".join(steps)
