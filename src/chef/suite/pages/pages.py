"""The pages of some runs: of one, of a comparison, or one each with an overview."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote

from msgspec import field

from chef.common.logs import logger
from chef.common.printing import progress_bar
from chef.errors import ChefError, ConfigError, DataError
from chef.frozen import Frozen
from chef.report.compare.compare import compare
from chef.report.compare.comparison import Comparison
from chef.report.groups import check_groupings
from chef.report.load import Run, load_run
from chef.report.page.comparison import comparison_page
from chef.report.page.content import PageContent
from chef.report.page.opened import OpenedRun
from chef.report.page.overview import OverviewRun, suite_page
from chef.report.page.run import run_page
from chef.report.page.write import write_page
from chef.report.runs import apart, line_of
from chef.report.views import views_of
from chef.run.configuration import CONFIG, part_of_run, run_place, runs_below
from chef.run.journal import rare_collection
from chef.run.reading import is_there
from chef.scoring.result import RunResult
from chef.session.replay import RunReplay
from chef.suite.sweep.page import sweep_page
from chef.suite.sweep.running import analysed

_log = logger(__name__)

#: Of more runs not every pair is compared without being asked for.
_MOST_COMPARED = 8


class Pages(Frozen):
    """Pages of some runs, one at least.

    ``by`` has the fields by which scores are shown (empty: all), ``allow`` what compared runs may
    differ in, ``sweeps`` the folder of the sweep of each run that is part of one, by its resolved
    folder; ``thumbnails`` is where they are kept (None: in each run).
    """

    runs: Sequence[Run]
    by: Sequence[str] = ()
    allow: Sequence[str] = ()
    trust: bool = False
    sweeps: Mapping[Path, Path] = field(default_factory=dict)
    thumbnails: Path | None = None

    def build(self, output: Path | None = None) -> list[Path]:
        """Write the page of a run, a comparison if runs can be compared, else an overview.

        It returns the files, that page first. DataError if a run is damaged, or differs by more
        than ``allow`` names; ConfigError for a wrong setting; RunError if a page cannot be written.
        """
        self._check_by()
        if len(self.runs) == 1:
            return self.run(self.runs[0], target(output, self.runs[0].folder, REPORT))
        found = None if self.sweeps else self._compared()
        if found is None:
            return self.overview(output)
        return self.comparison(found, target(output, common_folder(self.runs), COMPARISON))

    def run(self, run: Run, file: Path) -> list[Path]:
        """Write the page of a run."""
        return _written(file, partial(self.run_content, run, file))

    def run_content(
        self, run: Run, file: Path, on_sample: Callable[[], None] = lambda: None
    ) -> PageContent:
        """The content of the page of a run, as links from that file have it."""
        opened = self._opened(run, run.folder.name, file)
        return run_page(opened, now(), by=self.by, on_sample=on_sample)

    def comparison(self, comparison: Comparison, file: Path) -> list[Path]:
        """Write the page of a comparison of the runs."""
        return _written(file, partial(self.comparison_content, comparison, file))

    def comparison_content(
        self, comparison: Comparison, file: Path, on_sample: Callable[[], None] = lambda: None
    ) -> PageContent:
        """The content of the page of a comparison, as links from that file have it."""
        labelled = zip(self.runs, comparison.runs, strict=True)
        opened = [self._opened(run, label, file) for run, label in labelled]
        return comparison_page(comparison, opened, now(), by=self.by, on_sample=on_sample)

    def overview(self, output: Path | None = None) -> list[Path]:
        """Write the page of each run, and one with links to them."""
        file = target(output, common_folder(self.runs), OVERVIEW)
        within = {run.folder.resolve(): self.sweeps.get(run.folder.resolve()) for run in self.runs}
        alone = [run for run in self.runs if within[run.folder.resolve()] is None]
        links, written = replace(self, runs=alone).linked(file)
        page_of = {run.folder.resolve(): link for run, link in zip(alone, links, strict=True)}
        sweeps = {}
        for folder in dict.fromkeys(filter(None, within.values())):
            try:
                written += sweep_pages(folder, folder / REPORT, trust=self.trust)
            except ChefError as error:
                _log.warning("%s: no page of this sweep: %s", folder, error.what)
                continue
            sweeps[folder.name] = _link(folder / REPORT, file)
        listed = self.listed(file, page_of)
        return [*write_page(suite_page(listed, now(), sweeps), file), *written]

    def listed(
        self, file: Path, links: Mapping[Path, str], damaged: Sequence[Path] = ()
    ) -> list[OverviewRun]:
        """The runs as an overview has them; links by resolved folders, of sweeps none."""
        lines = [line_of(run.folder) for run in self.runs]
        known = [{"model": line.model, "recipe": line.recipe, "scenario": line.scenario,
                  "run": line.path.name} for line in lines]  # fmt: skip
        names = apart(known) or [str(line.path) for line in lines]
        listed = []
        for run, line, name in zip(self.runs, lines, names, strict=True):
            folder = run.folder.resolve()
            sweep = self.sweeps.get(folder)
            opened = None if sweep else self._opened(run, name, file)
            listed.append(
                OverviewRun(line, opened, links.get(folder, ""), sweep.name if sweep else "")
            )
        return [*listed, *(OverviewRun(line_of(folder)) for folder in damaged)]

    def linked(self, file: Path, within: Path | None = None) -> tuple[list[str], list[Path]]:
        """Write the page of each run once, if in the folder; links (empty: failed) and files."""
        links, written = dict[Path, str](), list[Path]()
        for run in self.runs:
            folder = run.folder.resolve()
            if folder in links:
                continue
            links[folder] = ""
            if within is not None and not folder.is_relative_to(within):
                text = "%s: it is not in %s, so it gets no page; `chef show --page` writes one"
                _log.warning(text, run.folder, within)
                continue
            page = folder / REPORT
            try:
                written += self.run(run, run.folder / REPORT)
            except ChefError as error:
                _log.warning("%s: no page of this run: %s", run.folder, error.what)
                continue
            links[folder] = _link(page, file)
        return [links[run.folder.resolve()] for run in self.runs], written

    def _compared(self) -> Comparison | None:
        """The comparison of the runs; None, with a note, where they cannot be compared."""
        asked = {run.record.scenario_name for run in self.runs}
        if not self.allow and (len(asked) > 1 or len(self.runs) > _MOST_COMPARED):
            return None
        try:
            return compare(self.runs, allow=self.allow, trust=self.trust)
        except ChefError as error:
            if self.allow:
                raise
            _log.info("these runs are not compared: %s", error.what)
            return None

    def _opened(self, run: Run, label: str, file: Path) -> OpenedRun:
        run = Run(replace(run.record, trust=run.record.trust or self.trust))
        replay = RunReplay(run.record)
        return OpenedRun(label, views_of(run, replay, file.resolve().parent, self.thumbnails))

    def _check_by(self) -> None:
        """Refuse fields that no run is grouped by; runs without scores may have any."""
        known = {
            str(run.folder): run.record.result.by
            for run in self.runs
            if run.record.result is not None
        }
        if self.by and known:
            check_groupings(self.by, known)


def now() -> str:
    """The date and time, as pages show them."""
    return datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")


def sweep_pages(folder: Path, file: Path, *, trust: bool = False) -> list[Path]:
    """Write the page of a sweep, and that of each of its runs.

    Its runs are beside the folder of all sweeps; a sweep.json from elsewhere may name any folder.
    """
    found = analysed(folder)
    runs = [load_run(item.folder) for item in found.combinations]
    links, written = Pages(runs, trust=trust).linked(file, folder.resolve().parent.parent)
    return [*write_page(sweep_page(found, links, now()), file), *written]


def _link(page: Path, file: Path) -> str:
    """The relative link to a page in another one."""
    return quote(Path(os.path.relpath(page, file.resolve().parent)).as_posix())


def _written(file: Path, content_of: Callable[[Callable[[], None]], PageContent]) -> list[Path]:
    """Write a page, with a bar of its samples after two seconds."""
    # Where the output is no terminal, a bar would be a line for each of its states.
    options = {"delay": 2, "dynamic_ncols": True, "disable": None}
    with rare_collection(), progress_bar(str(file), None, "sample", **options) as bar:
        content = content_of(bar.update)
        bar.total = len(content.rows)
        return write_page(content, file)


#: A run folder, or a folder with runs below it; a run, or its report.
RunLike: TypeAlias = str | Path | Run | RunResult

#: The names of the pages.
REPORT, COMPARISON, OVERVIEW = "report.html", "comparison.html", "overview.html"
#: What lies beside run folders, and what `chef show DIR/* --page` therefore names.
_PAGES = {name for page in (COMPARISON, OVERVIEW) for name in (page, f"{Path(page).stem}_files")}
_SUFFIXES = (".html", ".htm")


def opened_runs(given: Sequence[RunLike]) -> list[Run]:
    """The runs, each once, in the order given, those below a folder by path; DataError for none."""
    found: dict[Path, Run] = {}
    for item in given:
        for run in _runs(item, is_only=len(given) == 1):
            found.setdefault(run.folder.resolve(), run)
    return list(found.values())


def _runs(item: RunLike, *, is_only: bool) -> list[Run]:
    if isinstance(item, Run):
        return [item]
    if isinstance(item, RunResult):
        if item.of_run:
            return [load_run(item.folder)]
        item = Path(item.model)
    path = run_place(Path(item))
    if path.name in _PAGES and not is_only:
        return []  # a page of chef's own, among the runs that a pattern of the shell names
    if path.is_file() and part_of_run(path) is None:
        raise ConfigError(
            "a page is made of run folders, and this is a file",
            where=str(path),
            hint="`chef score FILE` scores answers from elsewhere, `chef compare` compares them; a "
            "score sheet is what `chef score DIR --suite trust --json FILE` writes",
        )
    if path.is_dir() and not is_there(path / CONFIG) and (below := _below(path)):
        return [load_run(folder) for folder in sorted(below)]
    return [load_run(path)]


def _below(folder: Path) -> list[Path]:
    """The runs below a folder; also of the folder in which ``results`` is."""
    return runs_below(folder) or runs_below(folder / "results")


def target(output: Path | None, folder: Path, name: str) -> Path:
    """The file of a page: where it was asked for, or as usual; ConfigError if it is no page."""
    if output is None:
        return folder / name
    if output.is_dir():
        return output / name
    if output.suffix.lower() not in _SUFFIXES:
        raise ConfigError(
            "the name of a page ends in .html",
            where=str(output),
            hint=f"write {output.with_suffix('.html')}, or the name of a folder that exists",
        )
    return output


def common_folder(runs: Sequence[Run]) -> Path:
    """The folder that all runs are in; that of the first on different drives."""
    if not runs:
        raise DataError("there is no run", hint="`chef eval` makes runs")
    folders = [run.folder.resolve() for run in runs]
    first = folders[0].parent
    for folder in (first, *first.parents):
        if all(folder in other.parents for other in folders):
            return folder
    return first
