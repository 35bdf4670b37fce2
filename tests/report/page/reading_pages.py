"""Parts of the content of a page, and runs for one."""

from __future__ import annotations

import json
from pathlib import Path

import chef
from chef.report.page.content import Cell, PageContent, Table
from chef.report.page.opened import OpenedRun
from chef.report.views import views_of

HOSTILE = "</td><script>alert('1')</script>"
COLOURS, SHAPES = f"colour {HOSTILE}", "shape"


def opened(folder: Path, label: str = "r") -> OpenedRun:
    return OpenedRun(label, views_of(chef.load_run(folder)))


def table(content: PageContent, title: str) -> Table:
    return next(
        item for item in content.sections if isinstance(item, Table) and item.title == title
    )


def texts(content: Table) -> list[list[str]]:
    return [[cell.text if isinstance(cell, Cell) else cell for cell in row] for row in content.rows]


def lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "scores.jsonl").read_text().splitlines()]
