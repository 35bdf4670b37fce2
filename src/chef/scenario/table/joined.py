"""Several tables as one: rows after each other, or columns beside each other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from chef.common.digest import content_digest
from chef.scenario.table.rows import Problem, Row, RowTable

#: The columns by which the rows of two tables belong together.
_KEYS = ("question_id", "id")


class JoinedRows(RowTable):
    """The rows of several tables, at least one, of a folder, one after the other."""

    def __init__(self, path: str, tables: Sequence[RowTable]) -> None:
        self.path, self._tables = path, tables
        self.columns = tuple(dict.fromkeys(name for table in tables for name in table.columns))
        self.names = {name: texts for table in tables for name, texts in table.names.items()}
        self._starts = list(accumulate(map(len, tables), initial=0))

    def __len__(self) -> int:
        return self._starts[-1]

    def locate(self, position: int) -> tuple[str, int]:
        table, within = self._find(position)
        return table.locate(within)

    def read(self, position: int) -> Row:
        table, within = self._find(position)
        return table.read(within)

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        for table in self._tables:
            yield from table.scan(columns)

    def digests(self) -> Iterator[str]:
        """The digests of the rows of each table."""
        for table in self._tables:
            yield from table.digests()

    def state(self) -> str:
        """The state of each table, with its name."""
        return repr([(table.path, table.state()) for table in self._tables])

    def _find(self, position: int) -> tuple[RowTable, int]:
        number = bisect_right(self._starts, position) - 1
        return self._tables[number], position - self._starts[number]


class JoinedColumns(RowTable):
    """The rows of a table, whose columns win, with those of another by the value of a column."""

    def __init__(self, path: str, table: RowTable, other: RowTable, key: str) -> None:
        self.path, self._table, self._other, self._key = path, table, other, key
        self.columns = tuple(dict.fromkeys((*table.columns, *other.columns)))
        self.names = {**other.names, **table.names}
        self._positions = {
            str(row.get(key)): position
            for position, row in enumerate(other.scan([key]))
            if not isinstance(row, Problem)
        }

    def __len__(self) -> int:
        return len(self._table)

    def locate(self, position: int) -> tuple[str, int]:
        return self._table.locate(position)

    def read(self, position: int) -> Row:
        row = self._table.read(position)
        place = self._positions.get(str(row.get(self._key)))
        return row if place is None else {**self._other.read(place), **row}

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        if {*columns} <= {*self._table.columns}:
            yield from self._table.scan(columns)
            return
        for position, row in enumerate(self._table.scan([self._key])):
            whole = row if isinstance(row, Problem) else self.read(position)
            if isinstance(whole, Problem):
                yield whole
            else:
                yield {name: whole[name] for name in columns if name in whole}

    def digests(self) -> Iterator[str]:
        """Those of the rows of both."""
        others = [*self._other.digests()]
        for row, digest in zip(self._table.scan([self._key]), self._table.digests(), strict=True):
            key = "" if isinstance(row, Problem) else str(row.get(self._key))
            place = self._positions.get(key)
            yield digest if place is None else content_digest(digest, others[place], size=8)

    def state(self) -> str:
        """The state of both."""
        return repr((self._table.state(), self._other.state()))


def beside_each_other(path: str, tables: Sequence[RowTable]) -> JoinedColumns | None:
    """Two tables of which one has the questions and the other says more of each; else None."""
    asking = [table for table in tables if "question" in table.columns]
    telling = [table for table in tables if "question" not in table.columns]
    if len(asking) != 1 or len(telling) != 1:
        return None
    shared = {*asking[0].columns} & {*telling[0].columns}
    key = next((name for name in _KEYS if name in shared), None)
    return None if key is None else JoinedColumns(path, asking[0], telling[0], key)
