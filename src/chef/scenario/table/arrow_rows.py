"""What tables of Apache Arrow have in common, in Parquet files or its own: needs pyarrow."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from chef.errors import DataError, DependencyError, first_line
from chef.scenario.table.rows import Problem, Row

#: The rows that are decoded at once have about so many bytes.
BATCH_BYTES = 4 << 20


def need_pyarrow(path: str) -> None:
    """Check that pyarrow is installed.

    Raises:
        DependencyError: it is not.
    """
    try:
        import pyarrow as pa  # noqa: F401
    except ImportError as error:
        raise DependencyError(
            "Parquet and Arrow files need the package 'pyarrow'",
            where=path,
            hint="pip install 'chef-eval[parquet]'",
        ) from error


@contextmanager
def errors_named(path: str) -> Iterator[None]:
    """Turn the errors of pyarrow into a `DataError` with the name of the file."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise DataError(
            f"cannot be read: {first_line(error)}", where=path, hint="download or write it again"
        ) from None


def column_names(schema: Any, where: str) -> tuple[str, ...]:
    """The names of the columns of a schema.

    Args:
        schema: the schema.
        where: its file, for the error.

    Raises:
        DataError: two have the same name.
    """
    twice = [name for name, count in Counter(schema.names).items() if count > 1]
    if twice:
        what = f"names the column '{twice[0]}' twice"
        raise DataError(what, where=where, hint="rename one of them")
    return tuple(schema.names)


def class_names(schema: Any) -> Mapping[str, Sequence[str]]:
    """The names of the classes of each column that `datasets` wrote as a ``ClassLabel``."""
    try:
        features = json.loads((schema.metadata or {})[b"huggingface"])["info"]["features"]
        return {
            name: [str(item) for item in feature["names"]]
            for name, feature in features.items()
            if isinstance(feature, dict) and feature.get("_type") == "ClassLabel"
        }
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}


def rows_of(batches: Iterator[Any]) -> Iterator[Row | Problem]:
    """The rows of record batches, as plain data."""
    for batch in batches:
        for number in range(batch.num_rows):
            yield row_of(batch, number)


def lazy_rows(batches: Iterator[Any]) -> Iterator[Callable[[], Row | Problem]]:
    """As `rows_of`, but each row is made when it is called."""
    for batch in batches:
        for number in range(batch.num_rows):
            yield partial(row_of, batch, number)


def row_of(batch: Any, number: int) -> Row | Problem:
    """A row of a record batch, as plain data; its `Problem` if a value cannot be one."""
    row = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            row[name] = column[number].as_py()
        except Exception as error:  # invalid UTF-8, dates beyond Python's, ...
            what = f"the column '{name}' cannot be read: {type(error).__name__}: {error}"
            return Problem(what, "correct the value, or leave the column out of the file")
    return row


def batch_rows(total_bytes: int, rows: int) -> int:
    """How many rows have about `BATCH_BYTES`, if ``rows`` have ``total_bytes``."""
    return max(1, min(1024, BATCH_BYTES * rows // max(total_bytes, 1)))
