"""Digests are kept in run folders and caches, so their values are fixed."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from chef.common.digest import (
    checksum,
    content_digest,
    digest,
    file_digest,
    fraction,
    stream_digest,
)
from chef.embedding.cache import cache_file
from chef.embedding.encoders import text_encoder
from chef.errors import DataError
from chef.scenario.tsv.table import TsvTable


def test_values_do_not_change(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc" * 1_000_000)
    (tmp_path / "b").write_bytes(b"")
    (tmp_path / "s.tsv").write_text("index\tquestion\tanswer\n1\tä?\tYes\n2\tb\tNo\n", "utf-8")
    plain = {"b": [1, 2.5, None, "ü"], "a": {"x", "y"}}
    assert digest(plain) == "7f92c42eae98c98fd2b23768b8343ed5"
    assert file_digest(tmp_path / "a", tmp_path / "b") == "4005fef2389e1dfbeb4ea3c908a08117"
    assert content_digest(repr((1, "ä", (2,))), size=8) == "1986aa198d521dea"
    assert cache_file("c", "e").name == "7ef56b3a5eaff7a889cefb7ffd496a6f.npy"
    assert TsvTable(tmp_path / "s.tsv").digest() == "024fb680d17c3c0d578b16fa78d313d0"
    assert text_encoder("embedded").fingerprint() == "4e4561cb74526d38c17dac7de5ebec16"


@pytest.mark.parametrize("size", [4, 16])
def test_parts_are_one_content(size: int) -> None:
    expected = hashlib.blake2b("äbc".encode(), digest_size=size).hexdigest()
    assert content_digest("äbc", size=size) == expected
    assert content_digest("ä", b"b", memoryview(b"c"), size=size) == expected
    assert stream_digest(iter(["äb", "c"]), size) == expected


def test_a_fraction_is_the_first_bytes_of_a_digest() -> None:
    first = hashlib.blake2b(b"7", digest_size=4).digest()
    assert fraction("7") == fraction(b"7") == int.from_bytes(first, "big") / 2**32


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        file_digest(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        checksum(tmp_path / "none", "md5")
