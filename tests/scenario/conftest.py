"""A writer of small TSV files."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

Rows = Sequence[Mapping[str, str]]


@pytest.fixture
def write_tsv(tmp_path: Path) -> Callable[..., str]:
    """``write_tsv(rows)``: a file with the columns of all rows, every cell quoted; its path."""

    def write(rows: Rows, name: str = "set.tsv", columns: Sequence[str] | None = None) -> str:
        names: list[Any] = list(columns or dict.fromkeys(key for row in rows for key in row))
        path = tmp_path / name
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\n")
            writer.writerow(names)
            writer.writerows([row.get(key, "") for key in names] for row in rows)
        return str(path)

    return write
