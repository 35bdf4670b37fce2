"""Pages: one for a run, for a comparison, for a sweep, for several runs, for a score sheet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chef.errors import ConfigError
from chef.guard.folder import has_file
from chef.report.load import Run, load_run
from chef.report.page.write import write_page
from chef.report.run_report import RunReport
from chef.suite.pages.given import REPORT, RunLike, opened_runs, target
from chef.suite.pages.pages import Pages, now
from chef.suite.pages.sheet import sheet_of, sheet_page
from chef.suite.sweep.page import sweep_page
from chef.suite.sweep.running import analysed
from chef.suite.sweep.stored import SWEEP
from chef.suite.trust.sheets import TrustSheet


def view(
    runs: RunLike | TrustSheet | Sequence[RunLike],
    output: str | Path | None = None,
    *,
    by: Sequence[str] = (),
    allow: Sequence[str] = (),
    trust: bool = False,
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
        trust: use what the run folders of somebody else name, to show what was sent.
        trust_plugins: the former name of ``trust``.

    Returns:
        The files that were written, the page that was asked for first.

    Raises:
        DataError: there is no run, a file of one is damaged, or with ``allow`` the runs cannot be
            compared.
        ConfigError: a setting is wrong.
        RunError: a page cannot be written.
    """
    trust = trust or trust_plugins
    file = None if output is None else Path(output)
    is_one = isinstance(runs, str | Path | Run | RunReport | TrustSheet)
    given: list[Any] = [runs] if is_one else list(runs)  # type: ignore[arg-type]
    alone = given[0] if len(given) == 1 else None
    if isinstance(alone, TrustSheet):
        page = target(file, Path(), "trust.html")
        return write_page(sheet_page(alone.to_json(), now(), "the score sheet"), page)
    if isinstance(alone, str | Path) and (data := sheet_of(Path(alone))):
        page = target(file, Path(alone).parent, f"{Path(alone).stem}.html")
        return write_page(sheet_page(data, now(), str(alone)), page)
    if isinstance(alone, str | Path) and has_file(Path(alone) / SWEEP):
        return _sweep(Path(alone), file, trust=trust)
    opened = opened_runs(given)
    if not opened:
        raise ConfigError("no run is given", where="RUN", hint="give one or more run folders")
    pages = Pages(opened, by=by, allow=allow, trust=trust)
    return pages.build(file)


def _sweep(folder: Path, output: Path | None, *, trust: bool) -> list[Path]:
    """Write the page of a sweep, and that of each of its runs.

    Its runs are beside the folder of all sweeps; a sweep.json from elsewhere may name any folder.
    """
    found, file = analysed(folder), target(output, folder, REPORT)
    runs = [load_run(item.folder) for item in found.combinations]
    results = folder.resolve().parent.parent
    links, written = Pages(runs, trust=trust).linked(file, results)
    return [*write_page(sweep_page(found, links, now()), file), *written]
