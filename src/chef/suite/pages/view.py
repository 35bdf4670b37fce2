"""Pages: one for a run, for a comparison, for a sweep, for several runs, for a score sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.errors import ConfigError, DataError
from chef.guard.folder import has_file
from chef.report.load import Run
from chef.report.page.content import PageContent
from chef.report.page.write import write_page
from chef.run.configuration import CONFIG
from chef.run.reading import read_json
from chef.scoring.result import RunResult
from chef.suite.pages.pages import REPORT, Pages, RunLike, now, opened_runs, sweep_pages, target
from chef.suite.sweep.samples import SWEEP, sweeps_near
from chef.suite.trust.scores import SheetScore
from chef.suite.trust.sheets import TrustSheet, sheet_sections


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
    folder of a sweep has a page too, and the file of a score sheet, as ``chef score DIR --suite
    trust --json FILE`` writes it.

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
    is_one = isinstance(runs, str | Path | Run | RunResult | TrustSheet)
    given: list[Any] = [runs] if is_one else list(runs)  # type: ignore[arg-type]
    alone = given[0] if len(given) == 1 else None
    if isinstance(alone, TrustSheet):
        page = target(file, Path(), "trust.html")
        return write_page(sheet_page(alone.to_json(), now(), "the score sheet"), page)
    if isinstance(alone, str | Path) and (data := sheet_of(Path(alone))):
        page = target(file, Path(alone).parent, f"{Path(alone).stem}.html")
        return write_page(sheet_page(data, now(), str(alone)), page)
    if isinstance(alone, str | Path) and has_file(Path(alone) / SWEEP):
        return sweep_pages(Path(alone), target(file, Path(alone), REPORT), trust=trust)
    opened = opened_runs(given)
    if not opened:
        raise ConfigError("no run is given", where="RUN", hint="give one or more run folders")
    sweeps = {
        run: sweep
        for item in given
        if isinstance(item, str | Path) and not has_file(Path(item) / CONFIG)
        for run, sweep in sweeps_near(Path(item)).items()
    }
    there = {run.folder.resolve() for run in opened}
    sweeps = {run: sweep for run, sweep in sweeps.items() if run in there}
    pages = Pages(opened, by=by, allow=allow, trust=trust, sweeps=sweeps)
    return pages.build(file)


def sheet_of(file: Path) -> dict[str, Any] | None:
    """The content of a JSON file if it holds a score sheet, else None; ConfigError if no JSON."""
    if file.suffix.lower() != ".json" or not file.is_file():
        return None
    data = read_json(file)
    is_sheet = bool(data) and all(
        isinstance(item, Mapping) and {"parts", "score", "title"} <= item.keys()
        for item in data.values()
    )
    return data if is_sheet else None


def sheet_page(data: Mapping[str, Any], made: str, place: str) -> PageContent:
    """The page of scores by model (`TrustSheet.to_json`): totals and aspects, and all scores.

    ``place`` is where the sheet comes from, for messages; DataError if it is damaged.
    """
    try:
        scores = {model: SheetScore.from_json(item) for model, item in data.items()}
        coverage = {model: dict(item.get("coverage", {})) for model, item in data.items()}
        sections = sheet_sections(scores, coverage)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise DataError(
            f"the score sheet is damaged ({type(error).__name__}: {error})",
            where=place,
            hint="write it again with chef score RESULTS_DIR --suite trust --json FILE",
        ) from error
    return PageContent(
        kind="suite",
        title=f"Trustworthiness of {', '.join(scores)}",
        subtitle="Scores of MMTrustEval's tasks, 0 to 100, with 95% intervals",
        made=made,
        sections=sections,
    )
