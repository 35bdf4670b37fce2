"""Files that are no TSV, and headers with misspelt columns: what they are, and what to do."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Sequence
from pathlib import Path

from chef.errors import DataError

#: Files that pandas reads, and those that the scenario Records reads.
_SHEETS = (".xlsx", ".xls", ".ods")
_TABLES = (".parquet", ".csv", ".json", ".jsonl", ".arrow")
#: What a file that was downloaded or renamed begins with, what it is, and what to do.
_BEGINNINGS = (
    (b"<!doctype", "a web page", "download the file itself: the address leads to a page about it"),
    (b"<html", "a web page", "download the file itself: the address leads to a page about it"),
    (b"version https://git-lfs", "a pointer of Git LFS", "fetch the content with `git lfs pull`"),
    (b"pk\x03\x04", "a workbook (.xlsx) or an archive", "save it as text, separated by tabs"),
    (b"par1", "a Parquet file", "read it as it is: dataset_name: Records in place of Tsv"),
    (b"{", "JSON", "read it as it is: dataset_name: Records in place of Tsv"),
    (b"[", "JSON", "read it as it is: dataset_name: Records in place of Tsv"),
)
#: What the column ``index`` is called elsewhere.
_IDS = ("id", "idx", "qid", "question_id", "uid")
_AS_IT_IS = "or read the table as it is: dataset_name: Records"
#: Columns of which a question needs one.
_WANTED = (("index",), ("question",), ("answer",), ("image", "image_path"))
_OPTION = re.compile(r"(?:option|choice)?[ _-]?([a-z])", re.IGNORECASE)
#: How similar a column must be to count as misspelt: ``question_id`` is not.
_SIMILAR = 0.85
#: So many columns are compared with those wanted: no benchmark has nearly as many.
_LOOKED_AT = 1_000


def check_beginning(line: bytes) -> None:
    """DataError where the first line is of another kind of file: a web page, JSON, ..."""
    if found := what_begins(line):
        what, hint = found
        raise DataError(f"is {what}, not a TSV", hint=hint)


def what_begins(content: bytes) -> tuple[str, str] | None:
    """What a file that begins like this is instead of a table of text, and what to do.

    >>> what_begins(b"<!DOCTYPE html>")[0]
    'a web page'
    """
    start = content[:40].lower()
    return next((found[1:] for found in _BEGINNINGS if start.startswith(found[0])), None)


def check_header(names: Sequence[str]) -> None:
    """DataError for a header without ``index``, or with a nearly right name for another column."""
    for wanted in _WANTED:
        if not {*wanted} & {*names} and (near := _misspelt(wanted, names)):
            raise DataError(
                f"has no column '{near[1]}', but '{near[0]}'",
                hint=f"rename the column to '{near[1]}'",
            )
    if "index" not in names:
        commas = len(names) == 1 and "," in names[0]
        hint = "separate the cells by tabs, not by commas" if commas else ""
        if other := next((name for name in names if name.lower() in _IDS), ""):
            hint = f"rename the column '{other}' to 'index'; {_AS_IT_IS}"
        raise DataError(
            f"has no column 'index'; its header reads {', '.join(names)[:200]}",
            hint=hint or "name the columns in the first line, separated by tabs",
        )
    _check_options(names)


def _check_options(names: Sequence[str]) -> None:
    """Refuse option columns that are not named A, B, ...: without them nothing has options."""
    if "A" in names:
        return
    found = {match[1].upper(): name for name in names if (match := _OPTION.fullmatch(name))}
    if {"A", "B"} <= found.keys():
        raise DataError(
            f"has the option columns '{found['A']}' and '{found['B']}'",
            hint="rename the option columns to A, B, ...",
        )


def _misspelt(wanted: Collection[str], names: Sequence[str]) -> tuple[str, str] | None:
    """A column, and the one of those wanted that it is nearly called; None if there is none."""
    for given in names[:_LOOKED_AT]:
        if near := difflib.get_close_matches(given.lower(), wanted, n=1, cutoff=_SIMILAR):
            return given, near[0]
    return None


def refuse_other_formats(path: str) -> None:
    """DataError for an address, a workbook, a Parquet file or an archive, by its name."""
    name = path.rpartition("/")[2]
    if "://" in path:
        what = "is an address, and only files are read"
        raise DataError(what, where=path, hint=f"download it (curl -LO {path}), then path: {name}")
    suffix = Path(path).suffix.lower()
    if suffix in (*_SHEETS, *_TABLES) and Path(path).expanduser().is_file():
        stem = Path(path).with_suffix(".tsv")
        hint = (
            f"convert it: python -c \"import pandas; pandas.read_excel('{path}')"
            f".to_csv('{stem}', sep='\\t', index=False)\""
        )
        if suffix in _TABLES:
            hint = "read it as it is: dataset_name: Records in place of Tsv"
        raise DataError(f"a {suffix} file is no TSV", where=path, hint=hint)
    if suffix in {".gz", ".zip", ".zst", ".xz", ".bz2"}:
        raise DataError("is compressed, and a TSV is read as it is", where=path, hint="unpack it")
