"""A task on chef's engine: journaled, resumed, scored, and its log written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chef.report.load import load_run
from chef.report.task_log import task_log, write_log
from chef.run.plan import RunOptions
from chef.session.settings import Settings
from chef.session.tasks import sessions_of


def run_task(content: Mapping[str, Any], save_dir: Path, limit: int | None) -> dict[str, Any]:
    """Run a task, and write its log if it names a file; lists of the scored samples, metrics."""
    settings = Settings(RunOptions(limit), save_dir)
    ((session, _),) = sessions_of([content], settings=settings)
    (report,) = session.run()
    if log_file := content.get("log_file"):
        write_log(report, Path(log_file))
    log = task_log(load_run(report.folder), report)
    rows: list[dict[str, Any]] = log["per_sample_results"]
    names = dict.fromkeys(name for row in rows for name in row)
    return {**log["total_results"], **{name: [row.get(name) for row in rows] for name in names}}
