"""Pages: one for a run, for a comparison, for a sweep, for several runs, for a score sheet."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from chef.common.logs import logger
from chef.errors import ChefError, ConfigError
from chef.report.compare.compare import compare
from chef.report.compare.comparison import Comparison
from chef.report.groups import check_groupings
from chef.report.load import Run
from chef.report.page.comparison import comparison_page
from chef.report.page.content import PageContent
from chef.report.page.opened import OpenedRun
from chef.report.page.run import run_page
from chef.report.page.suite import suite_page
from chef.report.page.write import write_page
from chef.report.run_report import RunReport
from chef.report.views import views_of
from chef.suite.pages.given import (
    COMPARISON,
    OVERVIEW,
    REPORT,
    RunLike,
    common_folder,
    opened_runs,
    target,
)
from chef.suite.pages.sheet import sheet_of, sheet_page
from chef.suite.sweep.stored import SWEEP
from chef.suite.trust.sheets import TrustSheet
from chef.workers.replay import RunReplay

_log = logger(__name__)


def view(
    runs: RunLike | TrustSheet | Sequence[RunLike],
    output: str | Path | None = None,
    *,
    by: Sequence[str] = (),
    allow: Sequence[str] = (),
    trust_plugins: bool = False,
) -> list[Path]:
    """Write pages that open in any browser, from disk and offline.

    A run gets ``report.html`` in its folder. Several runs that were asked the same questions get
    one page that compares them, ``comparison.html``; other runs get a page each, and
    ``overview.html`` with links to them. Both are in the folder that all these runs are in. The
    folder of a sweep and the file of a score sheet (``chef trust --json FILE``) have pages too.

    Args:
        runs: run folders, folders with runs below them, runs or reports; the folder of a sweep; the
            file of a score sheet, or a `TrustSheet`.
        output: the page, or a folder for it; None for the usual place.
        by: the fields by which scores are shown, such as ``category``; empty for all.
        allow: what compared runs may differ in; see `chef.compare`.
        trust_plugins: run the Python files that the recipes of the runs name, to show what was
            sent; a run folder may come from somebody else.

    Returns:
        The files that were written, the page that was asked for first.

    Raises:
        DataError: there is no run, a file of one is damaged, or with ``allow`` the runs cannot be
            compared.
        ConfigError: a setting is wrong.
        RunError: a page cannot be written.
    """
    file = None if output is None else Path(output)
    one = isinstance(runs, str | Path | Run | RunReport | TrustSheet)
    given: list[Any] = [runs] if one else list(runs)  # type: ignore[arg-type]
    alone = given[0] if len(given) == 1 else None
    if isinstance(alone, TrustSheet):
        usual = Path("trust.html") if file is None else file
        content = sheet_page(alone.to_json(), _now(), "the score sheet")
        return write_page(content, target(usual, Path(), "trust.html"))
    if isinstance(alone, str | Path):
        path = Path(alone)
        if path.suffix == ".json" and path.is_file() and (data := sheet_of(path)):
            page = target(file, path.parent, f"{path.stem}.html")
            return write_page(sheet_page(data, _now(), str(path)), page)
        if (path / SWEEP).is_file():
            return _sweep(path, file)
    _refuse_sweeps(given)
    opened = opened_runs(given)
    if not opened:
        raise ConfigError("no run is given", where="RUN", hint="give one or more run folders")
    return _Pages(opened, file, by, allow, trust_plugins=trust_plugins).write()
