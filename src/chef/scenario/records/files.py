"""Records read from JSON files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from chef.errors import DataError
from chef.guard.files import read_text

Record: TypeAlias = Mapping[str, Any]


class BadRecord(dict[str, Any]):
    """A record that cannot be used: its sample is an error, and the others are not affected.

    Args:
        problem: what is wrong with it.
        content: what could be read of it.
    """

    def __init__(self, problem: str, content: Record | None = None) -> None:
        super().__init__(content or {})
        self.problem = problem


def read_records(file: Path, within: str | None = None) -> list[Record]:
    """Read a list of mappings from a file of JSON or of JSON lines.

    Args:
        file: encoded in UTF-8. A file that is not valid JSON is read as JSON lines.
        within: the key of the list, if the file contains a mapping.

    Returns:
        The records. One that is no mapping, and a line that is not valid, is a `BadRecord`.

    Raises:
        DataError: the file does not exist, is not JSON, or does not contain a list of mappings.
    """
    where = str(file)
    try:
        text = read_text(file)
    except FileNotFoundError:
        raise DataError(
            "no such file",
            where=where,
            hint="put the data set there, or set scenario_cfg.base_data_path",
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot be read: {error}", where=where) from None
    try:
        content = json.loads(text)
    except RecursionError:
        raise DataError("is nested too deeply", where=where, hint="download it again") from None
    except ValueError as error:  # also a number of thousands of digits
        content = _json_lines(text)
        if content is None:
            raise DataError(
                f"is not JSON: {error}", where=where, hint="download it again"
            ) from None
    if within is not None and isinstance(content, dict):
        content = content.get(within)
    if isinstance(content, dict):  # a single line of JSON lines
        content = [content]
    if not isinstance(content, list) or (content and not any(map(_is_record, content))):
        inside = f" under '{within}'" if within else ""
        raise DataError(f"does not contain a list of mappings{inside}", where=where)
    return [item if isinstance(item, dict) else BadRecord(_is_no_record(item)) for item in content]


def _is_record(item: Any) -> bool:
    return isinstance(item, dict) and not isinstance(item, BadRecord)


def _is_no_record(item: Any) -> str:
    return f"the record is a {type(item).__name__}, not a mapping"


def _json_lines(text: str) -> list[Any] | None:
    """The lines as JSON; None if most of them are not valid, as in a damaged file of JSON."""
    found = [_json_line(line) for line in text.splitlines() if line.strip()]
    good = sum(map(_is_record, found))
    return found if good and 2 * good >= len(found) else None


def _json_line(line: str) -> Any:
    try:
        return json.loads(line)
    except RecursionError:
        return BadRecord("the line is nested too deeply")
    except ValueError as error:
        return BadRecord(f"the line is not valid JSON: {error}")
