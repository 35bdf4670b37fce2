"""Tables on disk. What a cell holds is data: no spreadsheet computes it."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from chef.common.logs import logger
from chef.document.markup import inert
from chef.errors import DataError, DependencyError

_log = logger(__name__)
Rows = Sequence[Mapping[str, Any]]
#: Characters that the XML of a workbook cannot hold.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
#: The limits of the xlsx format: characters of a cell, and rows.
CELL, ROWS = 32_767, 1_048_576


def cell(value: Any) -> str | float | None:
    """A value as a cell: lists and mappings become JSON.

    >>> cell(["a", 1]), cell(True), cell(None)
    ('["a", 1]', 'True', None)
    """
    if isinstance(value, bool):
        return str(value)
    if value is None or isinstance(value, str | int | float):
        return value
    return json.dumps(value, ensure_ascii=False)


def write_csv(path: Path, columns: Sequence[str], rows: Rows) -> None:
    """Write UTF-8 with commas; texts are quoted, and formulas begin with an apostrophe."""
    with path.open("w", encoding="utf-8", newline="", errors="replace") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(columns)
        for row in rows:
            cells = (cell(row.get(name)) for name in columns)
            writer.writerow([inert(item) if isinstance(item, str) else item for item in cells])


def write_xlsx(path: Path, columns: Sequence[str], rows: Rows) -> None:
    """Write a workbook with one sheet, in which every text is text.

    Control characters become U+FFFD and longer texts than `CELL` are cut; the log says how many.
    DataError if there are more rows than a sheet has; DependencyError without openpyxl.
    """
    openpyxl = needed("openpyxl", "xlsx")
    if len(rows) >= ROWS:
        raise DataError(
            f"{len(rows):,} samples are more than the rows of a sheet",
            where=str(path),
            hint="choose --export csv or parquet",
        )
    from openpyxl.cell import WriteOnlyCell

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("samples")
    sheet.append(list(columns))
    changed = 0
    for row in rows:
        cells = []
        for value in (cell(row.get(name)) for name in columns):
            if isinstance(value, str):
                text = _UNWRITABLE.sub("\ufffd", value.encode(errors="replace").decode())[:CELL]
                changed += text != value
                made = WriteOnlyCell(sheet, text)
                made.data_type = "s"  # "=1+1" is a text, too
                cells.append(made)
            else:
                cells.append(value)
        sheet.append(cells)
    book.save(path)
    if changed:
        _log.warning(
            "%s: %d cell(s) were cut to %d characters or lost control characters, which xlsx "
            "cannot hold", path, changed, CELL,
        )  # fmt: skip


def write_parquet(path: Path, columns: Sequence[str], rows: Rows) -> None:
    """Write Parquet: lists of texts stay lists, columns of several types become JSON."""
    pa, parquet = needed("pyarrow", "parquet"), needed("pyarrow.parquet", "parquet")
    table = {name: _column([row.get(name) for row in rows], pa) for name in columns}
    parquet.write_table(pa.table(table), path)


def _column(values: Sequence[Any], pa: Any) -> Any:
    given = [value for value in values if value is not None]
    if not given or all(isinstance(value, str) for value in given):
        return pa.array(values, pa.string())
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in given):
        is_whole = all(isinstance(value, int) for value in given)
        return pa.array(values, pa.int64() if is_whole else pa.float64())
    if all(isinstance(value, list) and all(isinstance(x, str) for x in value) for value in given):
        return pa.array(values, pa.list_(pa.string()))
    texts = [None if value is None else str(cell(value)) for value in values]
    return pa.array(texts, pa.string())


def needed(package: str, extra: str) -> Any:
    """An optional package; DependencyError with the extra that installs it."""
    try:
        return import_module(package)
    except ImportError:
        name = package.partition(".")[0]
        raise DependencyError(
            f"this format needs {name}",
            where=f"--export {extra}",
            hint=f"pip install 'chef-eval[{extra}]', or choose --export csv",
        ) from None
