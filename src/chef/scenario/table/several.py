"""Several files as one table, such as the shards of a split."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from chef.scenario.table.rows import Problem, Row, Table


class Several(Table):
    """The rows of several tables, one after the other.

    Args:
        path: their folder.
        tables: at least one.
    """

    def __init__(self, path: str, tables: Sequence[Table]) -> None:
        self.path, self._tables = path, tables
        self.columns = tuple(dict.fromkeys(name for table in tables for name in table.columns))
        self.names = {name: texts for table in tables for name, texts in table.names.items()}
        self._starts = list(accumulate(map(len, tables), initial=0))

    def __len__(self) -> int:
        return self._starts[-1]

    def locate(self, position: int) -> tuple[str, int]:
        """See `chef.scenario.table.rows.Table`."""
        table, within = self._find(position)
        return table.locate(within)

    def read(self, position: int) -> Row:
        """See `chef.scenario.table.rows.Table`."""
        table, within = self._find(position)
        return table.read(within)

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        """See `chef.scenario.table.rows.Table`."""
        for table in self._tables:
            yield from table.scan(columns)

    def digests(self) -> Iterator[str]:
        """The digests of the rows of each table."""
        for table in self._tables:
            yield from table.digests()

    def state(self) -> str:
        """The state of each table, with its name."""
        return repr([(table.path, table.state()) for table in self._tables])

    def _find(self, position: int) -> tuple[Table, int]:
        number = bisect_right(self._starts, position) - 1
        return self._tables[number], position - self._starts[number]
