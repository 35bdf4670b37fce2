"""A table some of whose columns are changed before they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from chef.errors import ConfigError, SampleError
from chef.scenario.questions.transforms import Transform, transformed
from chef.scenario.table.columns import ROLES, Columns
from chef.scenario.table.rows import Problem, Row, RowTable, is_missing, usable

_WHERE = "scenario_cfg.transforms"


class Transformed(RowTable):
    """The rows of another table; cells that hold nothing stay as they are.

    Args:
        table: the other one.
        transforms: by column.
    """

    def __init__(self, table: RowTable, transforms: Mapping[str, Transform]) -> None:
        self._table, self._transforms = table, transforms
        self.path, self.columns, self.is_whole = table.path, table.columns, table.is_whole
        self.names = {name: texts for name, texts in table.names.items() if name not in transforms}

    def __len__(self) -> int:
        return len(self._table)

    def locate(self, position: int) -> tuple[str, int]:
        """See `chef.scenario.table.rows.RowTable`."""
        return self._table.locate(position)

    def read(self, position: int) -> Row:
        """See `chef.scenario.table.rows.RowTable`."""
        return usable(self._changed(self._table.read(position)))

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        """See `chef.scenario.table.rows.RowTable`."""
        for row in self._table.scan(columns):
            yield row if isinstance(row, Problem) else self._changed(row)

    def state(self) -> str:
        """See `chef.scenario.table.rows.RowTable`."""
        return self._table.state()

    def digests(self) -> Iterator[str]:
        """Those of the other table: its transforms are keys of the recipe."""
        return self._table.digests()

    def fingerprint(self) -> str:
        """See `chef.scenario.table.rows.RowTable`."""
        return self._table.fingerprint()

    def _changed(self, row: Row) -> Row | Problem:
        values = dict(row)
        for column, transform in self._transforms.items():
            if not is_missing(values.get(column)):
                try:
                    values[column] = transformed(transform, column, values[column])
                except SampleError as error:
                    return Problem(f"column '{column}': {error.what}", error.hint or "correct it")
        return values


def with_transforms(
    table: RowTable, columns: Columns, transforms: Mapping[str, Transform]
) -> RowTable:
    """The table with its columns changed as a recipe says.

    Args:
        table: the table.
        columns: of each role.
        transforms: by role, as `columns` of the recipe names it.

    Raises:
        ConfigError: there is no such role, or its columns are no whole columns of the table.
    """
    by_column: dict[str, Transform] = {}
    for key, transform in transforms.items():
        role = "images" if key == "image" else key.replace("-", "_")
        names = columns.of(role) if role in ROLES else ()
        if not names or any(name not in table.columns for name in names):
            raise ConfigError(
                f"no whole column of {table.path} is the {key}",
                where=f"{_WHERE}.{key}",
                hint=f"name one of these: {', '.join(role for role in ROLES if columns.of(role))}",
            )
        by_column |= dict.fromkeys(names, transform)
    return Transformed(table, by_column) if by_column else table
