"""The page of a suite: its sections, its members with links to their pages, and its lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

from chef.document.outline import shorten_end
from chef.document.sections import Cell, Section, Table
from chef.report.load import Run, load_run
from chef.report.page.content import PageContent
from chef.report.page.write import write_page
from chef.scoring.figures import FIGURE, figure_cells, titled, without_empty
from chef.suite.members.result import SuiteResult
from chef.suite.members.sections import sections_of
from chef.suite.pages.pages import Pages, now

#: So many characters of a question are shown in a list.
_SHOWN = 160


def write_suite_page(result: SuiteResult, file: Path) -> list[Path]:
    """Write the page of a suite, which stands first in what is returned, and that of each run."""
    folders = {name: one.folder for name, one in result.members.items() if one.folder is not None}
    runs = {name: load_run(folder) for name, folder in folders.items()}
    addresses, written = Pages([*runs.values()]).linked(file) if runs else ([], [])
    links = dict(zip(runs, addresses, strict=True))
    content = PageContent(
        kind="suite",
        title=f"{result.file.title} · {result.model}",
        subtitle=f"{len(runs)} of {len(result.members)} members have finished",
        made=now(),
        sections=[*sections_of(result), *_lists(result, runs, links), members_table(result, links)],
    )
    return [*write_page(content, file), *written]


def _lists(
    result: SuiteResult, runs: Mapping[str, Run], links: Mapping[str, str]
) -> Iterator[Section]:
    """Each list of samples, with links to them in the run of the first member."""
    first = next(iter(runs), "")
    if not first:
        return
    lines = {line["id"]: line for line in runs[first].report.samples}
    for name, ids in result.lists().items():
        rows = [
            (
                Cell(id_, href=f"{links[first]}#sample={quote(id_)}" if links[first] else ""),
                _short(lines.get(id_, {}).get("question")),
                _short(lines.get(id_, {}).get("truth")),
            )
            for id_ in ids
        ]
        note = f"{len(ids)} samples; links lead to them in {first}."
        title = name.replace("_", " ")
        yield Table(title, ("sample", "question", "answer"), rows, note, True, names=3)


def _short(text: object) -> str:
    return shorten_end(" ".join(str("" if text is None else text).split()), _SHOWN)


def members_table(result: SuiteResult, links: Mapping[str, str]) -> Table:
    """The main figure of each member; ``links`` are those to the pages of their runs, by name."""
    more = titled(one.report for one in result.members.values() if one.report is not None)
    empty: list[str | Cell] = ["-", *[""] * (len(FIGURE) - 1 + len(more))]
    rows: list[list[str | Cell]] = []
    for name, one in result.members.items():
        report, cells = one.report, empty
        if report is not None and report.primary in report.metrics:
            cells = figure_cells(report, report.primary, report.chance, more)
        metric = one.why if report is None else report.primary
        rows.append([Cell(name, href=links.get(name, "")), metric, *cells])
    headers, rows = without_empty(
        ("member", "metric", *FIGURE, *more), rows, ("clusters", "chance", *more)
    )
    return Table("Members", headers, rows, names=2)
