"""Rows and cells do not depend on how the file is cut into chunks."""

from __future__ import annotations

import csv
import io
import random
from typing import Literal
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.errors import DataError
from chef.scenario.table import delimited
from chef.scenario.table.delimited import TsvReader, line_cells, long_cells

TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r"), max_size=12)
CELL = st.one_of(TEXT, st.sampled_from(["", '"', '""', "a\tb", "x\ny", 'say "hi"', "None", "é漢"]))
TABLE = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), max_size=5)
)


def read(data: bytes) -> list[list[str]]:
    return [row.texts() for row in TsvReader(io.BytesIO(data))]


@given(
    TABLE,
    st.sampled_from([1, 2, 7, 1 << 20]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from([4, 4096]),
)
def test_what_the_csv_module_writes_is_read_back(
    table: list[list[str]], chunk: int, newline: str, quoting: Literal[0, 1], small: int
) -> None:
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter="\t", quoting=quoting, lineterminator=newline)
    writer.writerows(table)
    with patch.object(delimited, "CHUNK", chunk), patch.object(delimited, "SMALL", small):
        assert read(file.getvalue().encode()) == table


@given(st.binary(max_size=60).map(lambda data: data.replace(b"\xff", b'"')))
def test_any_bytes_are_read_to_their_end(data: bytes) -> None:
    rows = list(TsvReader(io.BytesIO(data)))
    assert sum(row.length for row in rows) <= len(data)
    assert all(len(row.cells) > 0 for row in rows)


@pytest.mark.parametrize("chunk", [1, 5, 1000])
def test_offsets_find_the_same_row_again(chunk: int) -> None:
    data = b'\xef\xbb\xbfindex\tq\n\n1\t"two\nlines"\n\r\n2\tplain\r\n3\t"end"'
    with patch.object(delimited, "CHUNK", chunk):
        rows = [(row.offset, row.length, row.texts()) for row in TsvReader(io.BytesIO(data))]
    assert [texts for _, _, texts in rows] == [
        ["index", "q"], ["1", "two\nlines"], ["2", "plain"], ["3", "end"],
    ]  # fmt: skip
    for offset, length, texts in rows:
        assert read(data[offset : offset + length]) == [texts]


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        (b'"Yes" or no?\tB', ['"Yes" or no?', "B"]),
        (b'5" screen\t"B"', ['5" screen', "B"]),
        (b'" inch\tB', ['" inch', "B"]),
        (b'"a ""b""', ['"a ""b""']),
        (b"\t", ["", ""]),
    ],
)
def test_a_stray_quote_stays_in_its_cell(line: bytes, cells: list[str]) -> None:
    # The row behind it is quoted, so a reader that pairs quotes blindly would merge the two.
    assert read(line + b'\n"next"\t"row"\n') == [cells, ["next", "row"]]


def test_a_row_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "CHUNK", 10)
    monkeypatch.setattr(delimited, "MAX_ROW", 50)
    assert read(b"a\tb\n" * 30) == [["a", "b"]] * 30
    with pytest.raises(DataError, match="begins at byte 4 is longer than 50 bytes"):
        read(b"a\tb\n" + b"x" * 100)


def test_a_row_of_too_many_cells_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "MAX_CELLS", 3)
    assert read(b"a\tb\tc\n" + b'"a"\t"b"\t"c"\n') == [["a", "b", "c"]] * 2
    for row in (b"a\tb\tc\td\n", b'"a"\t"b"\t"c"\t"d"\n'):
        with pytest.raises(DataError, match="begins at byte 2 has more than 3 cells"):
            read(b"a\n" + row)


def test_a_quote_that_is_never_closed_costs_no_more_than_one_row_of_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(delimited, "CHUNK", 10)
    monkeypatch.setattr(delimited, "MAX_ROW", 50)
    assert read(b'"open\tb\n' + b"c\td\n" * 100)[0] == ['"open', "b"]


def test_long_lines_have_the_cells_of_short_ones() -> None:
    """They are searched in another way, which has to see the same quotes."""
    draws = random.Random(5)
    for _ in range(20_000):
        line = "".join(draws.choices('a"\t,b', k=draws.randint(1, 14))).encode()
        if b'"' in line:
            for separator in (b"\t", b","):
                assert long_cells(line, len(line), separator) == line_cells(line, separator), line
