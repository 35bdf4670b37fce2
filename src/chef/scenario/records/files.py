"""Records read from JSON files."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import msgspec

from chef.errors import DataError
from chef.guard.files import open_file
from chef.scenario.table.json_tables import JsonItem, JsonScanner, json_value, line_items, member
from chef.scenario.table.rows import Problem

Record: TypeAlias = Mapping[str, Any]
#: A document of fewer bytes is decoded at once; of a larger one memory holds a record at a time.
_WHOLE = 64 << 20


class BadRecord(dict[str, Any]):
    """What could be read of a record with a ``problem``: its sample is an error, and no other."""

    def __init__(self, problem: str, content: Record | None = None) -> None:
        super().__init__(content or {})
        self.problem = problem


def read_records(file: Path, within: str | None = None) -> list[Record]:
    """Read a list of mappings from a UTF-8 file of JSON (of a mapping the list ``within``) or of
    JSON lines. What is no mapping or no JSON is a `BadRecord`. DataError where that holds for all
    of it.
    """
    where = str(file)
    try:
        with open_file(file) as opened:
            if (whole := _whole(opened, within)) is not None:
                return whole
            is_lines, items = _items(opened, within)
            records = [_record(item.content, "line" if is_lines else "record") for item in items]
    except FileNotFoundError:
        raise DataError(
            "no such file",
            where=where,
            hint="put the data set there, or set scenario_cfg.base_data_path",
        ) from None
    except OSError as error:
        raise DataError(f"cannot be read: {error}", where=where) from None
    except DataError as error:
        raise DataError(error.what, where=where, hint=error.hint) from None
    good = sum(not isinstance(record, BadRecord) for record in records)
    if is_lines and 2 * good < len(records):  # as in a damaged document
        problem = next(one.problem for one in records if isinstance(one, BadRecord))
        raise DataError(f"is not JSON: {problem}", where=where, hint="download it again")
    if records and not good:
        inside = f" under '{within}'" if within else ""
        raise DataError(f"does not contain a list of mappings{inside}", where=where)
    return records


def _whole(file: BinaryIO, within: str | None) -> list[Record] | None:
    """The records of a document that is small and sound; else None, and the file at its start."""
    try:
        value = msgspec.json.decode(file.read(_WHOLE).removeprefix(BOM_UTF8))
        records = value[within] if within is not None and isinstance(value, dict) else value
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, KeyError):
        records = None
    file.seek(0)
    is_sound = isinstance(records, list) and all(isinstance(one, dict) for one in records)
    return records if is_sound else None


def _items(file: BinaryIO, within: str | None) -> tuple[bool, Iterable[JsonItem]]:
    """Whether the records are lines, and each of them."""
    scanner = JsonScanner(file)
    if scanner.opening == b"[":
        return False, scanner.items(to_end=True)
    starts: dict[str, int] = {}
    try:
        for offset, content in scanner.items(to_end=True) if scanner.opening == b"{" else ():
            key, length = member(content)
            starts[key] = offset + length
    except DataError:  # another line follows, or the first is torn
        return True, line_items(file)
    if scanner.opening != b"{":
        return True, line_items(file)
    if within is None:  # a single line of JSON lines
        file.seek(0)
        return False, [JsonItem(0, file.read())]
    listed = JsonScanner(file, starts[within]) if within in starts else None
    if listed is None or listed.opening != b"[":
        raise DataError(f"does not contain a list of mappings under '{within}'")
    return False, listed.items()


def _record(content: bytes, what: str) -> Record:
    value = json_value(content)
    if isinstance(value, Problem):
        return BadRecord(value.what.replace("it is", f"the {what} is", 1))
    if isinstance(value, dict):
        return value
    return BadRecord(f"the record is a {type(value).__name__}, not a mapping")
