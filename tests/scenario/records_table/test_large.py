"""Memory does not grow with the file, and rows are read without what stands before them."""

from __future__ import annotations

import csv
import json
import tracemalloc
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from chef.errors import SampleError
from chef.scenario.table import arrow, delimited, json_tables
from chef.scenario.table import rows as rows_module
from chef.scenario.table.arrow import Forward, LazyRow
from chef.scenario.table.delimited import Delimited
from chef.scenario.table.rows import Problem
from chef.scenario.table.scenario import Records

IMAGE = b"\x89PNG" + bytes(300_000)
TEXT = "QUJD" * 75_000


def peak_of(path: Path) -> int:
    """The most bytes that Python's objects take while a table is opened and a row is read."""
    tracemalloc.start()
    try:
        scenario = Records(path=str(path))
        assert scenario[50].images
        assert len(scenario.row_digests()) == 100
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv"])
def test_memory_is_that_of_a_row(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"large.{suffix}"
    rows = [{"id": n, "question": "q", "image": TEXT} for n in range(100)]
    if suffix == "csv":
        lines = ["id,question,image", *(f"{row['id']},q,{TEXT}" for row in rows)]
        path.write_text("\n".join(lines))
    elif suffix == "json":
        path.write_text(json.dumps(rows))
    else:
        path.write_text("\n".join(map(json.dumps, rows)))
    assert path.stat().st_size > 30_000_000
    assert peak_of(path) < 8_000_000


@pytest.fixture
def one_group(tmp_path: Path) -> Path:
    """30 MB in one row group, as pandas writes it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [{"id": n, "question": f"q{n}", "image": IMAGE} for n in range(100)]
    path = tmp_path / "large.parquet"
    pq.write_table(
        pa.Table.from_pylist(rows), path, use_dictionary=False, data_page_size=1 << 16,
        write_batch_size=4, compression="none",
    )  # fmt: skip
    return path


def test_a_large_row_group_is_not_decoded_as_a_whole(
    one_group: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow as pa

    def grown() -> int:
        before = pa.total_allocated_bytes()
        scenario = Records(path=str(one_group))
        for index in (50, 51, 3, 99, 98, 0):
            assert scenario[index].question == f"q{index}"
            assert scenario[index].images[0].source == IMAGE
        return pa.total_allocated_bytes() - before

    assert grown() > 25_000_000  # as a whole, which is what small groups are
    monkeypatch.setattr(arrow, "_WHOLE_GROUP", 1 << 20)
    assert grown() < 15_000_000


class Counted:
    """Rows that count how often they are passed and made."""

    def __init__(self, length: int) -> None:
        self.length, self.begun, self.passed, self.made = length, 0, 0, 0

    def __call__(self) -> Iterator[LazyRow]:
        self.begun += 1
        for number in range(self.length):
            self.passed += 1
            yield partial(self._make, number)

    def _make(self, number: int) -> dict[str, Any] | Problem:
        self.made += 1
        return Problem("bad", "mend it") if number == 7 else {"n": number, "b": b"\x00\xff"}


def test_going_forward_makes_only_the_rows_that_are_read() -> None:
    rows = Counted(1000)
    forward = Forward(rows)
    for number in (0, 500, 499, 999):  # 499 has just been passed
        assert forward.read(number) == {"n": number, "b": b"\x00\xff"}
    assert (rows.begun, rows.passed, rows.made) == (1, 1000, 4)


def test_going_back_begins_again_once_and_then_reads_what_is_kept() -> None:
    rows = Counted(1000)
    forward = Forward(rows)
    for number in (900, 5, 800, 3, 799, 6):
        assert forward.read(number)["n"] == number
    assert (rows.begun, rows.passed) == (2, 901 + 801)
    with pytest.raises(SampleError, match="bad"):
        forward.read(7)
    with pytest.raises(SampleError, match="only 1000 rows"):
        forward.read(1000)


def test_a_stream_is_never_begun_again() -> None:
    rows = Counted(1000)
    forward = Forward(rows, keep=True)
    for number in (900, 5, 0, 950, 899):
        assert forward.read(number)["n"] == number
    assert (rows.begun, rows.passed) == (1, 951)


@pytest.mark.parametrize("limit", [{}, {"_MAX_KEPT": 300}, {"SMALL": 5}])
def test_what_is_kept_from_the_first_pass_is_what_the_file_says(
    limit: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _limit(limit, monkeypatch)
    rows = [
        {"id": f'q"{n}', "question": "x" * 6000, "answer": ["yes", "no", None][n % 3], "é": n}
        for n in range(20)
    ]
    lines = [*map(json.dumps, rows), '{"id": "nan", "question": "q", "answer": NaN}', "[torn"]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines))
    scenario = Records(path=str(path), where={"é": [1, 2, ""]})
    ids = [scenario.sample_id(index) for index in range(len(scenario))]
    assert ids == ['q"1', 'q"2', "nan", "row 22"]
    assert scenario.kind == "yesno"
    assert [scenario[index].answer for index in range(3)] == ["No", None, None]
    again = list(scenario._table.scan(["id"]))
    assert [row["id"] for row in again[:-1]] == [*(row["id"] for row in rows), "nan"]
    assert isinstance(again[-1], Problem)


@pytest.mark.parametrize("limit", [{}, {"_MAX_KEPT": 300}, {"SMALL": 5}])
@pytest.mark.parametrize("separator", [",", "\t"])
def test_what_is_kept_of_cells_is_what_the_file_says(
    limit: dict[str, int], separator: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _limit(limit, monkeypatch)
    rows = [[f"i{n}", "x" * 6000 if n % 2 else "short", f"yes{separator}no", ""] for n in range(9)]
    path = tmp_path / "a.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=separator)
        writer.writerows([["id", "question", "answer", "note"], *rows])
        file.write(f'i9{separator}"Stop" {"y" * 6000}{separator}no" {separator}\n')
        file.write(f"i10{separator}q\n")
    table = Delimited(path, separator.encode())
    *rest, last = table.scan(["id", "answer"])
    assert rest == [
        *({"id": row[0], "answer": row[2]} for row in rows),
        {"id": "i9", "answer": 'no" '},
    ]
    assert isinstance(last, Problem)
    whole = list(table.scan(table.columns))[:-1]
    assert whole == [table.read(place) for place in range(10)]
    assert [row["question"] for row in whole[:9]] == [row[1] for row in rows]


def _limit(limit: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let less be kept of the rows of tables of text."""
    for module in (rows_module, json_tables, delimited):
        for name, value in limit.items():
            monkeypatch.setattr(module, name, value, raising=False)
