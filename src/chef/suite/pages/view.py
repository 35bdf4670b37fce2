"""Pages: one for a run, for a comparison, for a sweep, for several runs, for a score sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from chef.document.numbers import interval, quantity
from chef.errors import ConfigError, DataError
from chef.guard.folder import has_file
from chef.report.load import Run
from chef.report.page.content import PageContent, Plot, Section, Table
from chef.report.page.plots import radar
from chef.report.page.write import write_page
from chef.run.configuration import CONFIG
from chef.run.reading import read_json
from chef.scoring.result import RunResult
from chef.stats.estimate import Estimate
from chef.suite.pages.given import REPORT, RunLike, opened_runs, target
from chef.suite.pages.pages import Pages, now, sweep_pages
from chef.suite.sweep.stored import SWEEP, sweeps_near
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


class _Score(msgspec.Struct):
    """A score and its parts, as `chef.suite.trust.scores.Score.to_json` gives them."""

    name: str
    title: str
    score: dict[str, Any] | None
    parts: list[_Score]
    missing: dict[str, list[str]] = {}

    @property
    def estimate(self) -> Estimate | None:
        return None if self.score is None else Estimate.from_json(self.score)


def sheet_of(file: Path) -> dict[str, Any] | None:
    """The content of a JSON file if it holds a score sheet, else None.

    Raises:
        ConfigError: it is no JSON.
    """
    if file.suffix.lower() != ".json" or not file.is_file():
        return None
    data = read_json(file)
    is_sheet = bool(data) and all(
        isinstance(item, Mapping) and {"parts", "score", "title"} <= item.keys()
        for item in data.values()
    )
    return data if is_sheet else None


def sheet_page(data: Mapping[str, Any], made: str, place: str) -> PageContent:
    """The content of the page: a radar of the aspects, and the table of all scores.

    Args:
        data: the scores by model, as `chef.TrustSheet.to_json` gives them.
        made: the date and time of now.
        place: where the sheet comes from, for messages.

    Raises:
        DataError: it is damaged.
    """
    try:
        scores = {model: msgspec.convert(item, _Score) for model, item in data.items()}
        sections = [*_sections(scores)]
    except (msgspec.ValidationError, TypeError) as error:
        raise DataError(
            f"the score sheet is damaged ({error})",
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


def _sections(scores: Mapping[str, _Score]) -> Iterator[Section]:
    first = next(iter(scores.values()))
    yield from _radar("Aspects", first.parts, scores)
    headers = ("score", "title", *scores)
    titles = {name: (level, title) for item in scores.values() for name, level, title in _all(item)}
    cells = {model: dict(_cells(item)) for model, item in scores.items()}
    rows = [
        (
            f"{'· ' * max(0, level - 1)}{name}",
            title,
            *(cells[model].get(name, "-") for model in scores),
        )
        for name, (level, title) in titles.items()
    ]
    missing = [
        f"{model} lacks {', '.join(item.missing)}."
        for model, item in scores.items()
        if item.missing
    ]
    yield Table("Scores", headers, rows, " ".join(missing))


def _radar(title: str, parts: Sequence[_Score], scores: Mapping[str, _Score]) -> Iterator[Plot]:
    names = [part.name for part in parts]
    values = {}
    for model, item in scores.items():
        found = {part.name: part.estimate for part in item.parts}
        values[model] = [one.value if (one := found.get(name)) else None for name in names]
    if len(names) > 2 and any(value is not None for found in values.values() for value in found):
        yield radar(title, [part.title or part.name for part in parts], values)


def _all(item: _Score, level: int = 0) -> Iterator[tuple[str, int, str]]:
    yield item.name, level, item.title
    for part in item.parts:
        yield from _all(part, level + 1)


def _cells(item: _Score) -> Iterator[tuple[str, str]]:
    known = item.estimate
    yield item.name, "-" if known is None else f"{quantity(known)} {interval(known)}".strip()
    for part in item.parts:
        yield from _cells(part)
