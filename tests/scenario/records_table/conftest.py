"""Rows written in each format that Records reads."""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import PIL.Image
import pytest

from chef.errors import SampleError
from chef.scenario.table.scenario import Records

Rows = Sequence[Mapping[str, Any]]
FORMATS = ("jsonl", "json", "csv", "tsv", "parquet", "arrow", "feather", "xlsx")


def png(color: str = "red", side: int = 8) -> bytes:
    """A small image, encoded."""
    stream = io.BytesIO()
    PIL.Image.new("RGB", (side, side), color).save(stream, "PNG")
    return stream.getvalue()


def write(path: Path, rows: Rows) -> str:
    """Write rows in the format that the name of the file says; the path."""
    if path.suffix in (".parquet", ".arrow", ".feather"):
        _write_arrow(path, rows)
    elif path.suffix in (".csv", ".tsv"):
        names = list(dict.fromkeys(key for row in rows for key in row))
        with path.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, delimiter="\t" if path.suffix == ".tsv" else ",")
            table.writerow(names)
            table.writerows([_cell(row.get(name)) for name in names] for row in rows)
    elif path.suffix == ".xlsx":
        names = list(dict.fromkeys(key for row in rows for key in row))
        book = openpyxl.Workbook()
        book.active.append(names)
        for row in rows:
            book.active.append([_plain_cell(row.get(name)) for name in names])
        book.save(path)
    else:
        plain = [{key: _plain(value) for key, value in row.items()} for row in rows]
        lines = "".join(json.dumps(row) + "\n" for row in plain)
        path.write_text(json.dumps(plain, indent=2) if path.suffix == ".json" else lines, "utf-8")
    return str(path)


def _write_arrow(path: Path, rows: Rows) -> None:
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    table = pa.Table.from_pylist(list(rows))
    if path.suffix == ".parquet":
        pa.parquet.write_table(table, path, row_group_size=3)
    elif path.suffix == ".feather":
        pa.feather.write_feather(table, path)
    else:  # a stream, as `datasets` writes it
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table, max_chunksize=2)


def _plain(value: Any) -> Any:
    if isinstance(value, dict) and "bytes" in value:
        return base64.b64encode(value["bytes"]).decode()
    return value


def _cell(value: Any) -> str:
    value = _plain(value)
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value)


def _plain_cell(value: Any) -> str | float | None:
    """As in a workbook, whose numbers are numbers."""
    return value if isinstance(value, int | float) or value is None else _cell(value)


@pytest.fixture
def records(tmp_path: Path) -> Callable[..., Records]:
    """``records(rows, **keys)``: the scenario on a file with these rows, or with this content."""

    def make(rows: Rows | str | bytes, name: str = "set.jsonl", /, **keys: Any) -> Records:
        path = tmp_path / name
        if isinstance(rows, str | bytes):
            path.write_bytes(rows.encode() if isinstance(rows, str) else rows)
        else:
            write(path, rows)
        return Records(path=str(path), **keys)

    return make


def failure(scenario: Records, index: int) -> str:
    """The message of a row that cannot be used."""
    with pytest.raises(SampleError) as caught:
        scenario[index]
    return str(caught.value)
