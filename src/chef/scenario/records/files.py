"""Records read from JSON files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from chef.errors import DataError
from chef.files import read_text

Record: TypeAlias = Mapping[str, Any]


def read_records(file: Path, within: str | None = None) -> list[Record]:
    """Read a list of mappings from a file of JSON or of JSON lines.

    Args:
        file: encoded in UTF-8. A file that is not valid JSON is read as JSON lines.
        within: the key of the list, if the file contains a mapping.

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
    except json.JSONDecodeError as error:
        content = _json_lines(text)
        if content is None:
            raise DataError(
                f"is not JSON: {error}", where=where, hint="download it again"
            ) from None
    if within is not None and isinstance(content, dict):
        content = content.get(within)
    if isinstance(content, dict):  # a single line of JSON lines
        content = [content]
    if not isinstance(content, list) or not all(isinstance(item, dict) for item in content):
        inside = f" under '{within}'" if within else ""
        raise DataError(f"does not contain a list of mappings{inside}", where=where)
    return content


def _json_lines(text: str) -> list[Any] | None:
    """The lines as JSON; None if one of them is not valid."""
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except json.JSONDecodeError:
        return None
