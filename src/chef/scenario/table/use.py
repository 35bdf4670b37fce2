"""Which columns of a table became what, which are not used, and what they look like."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.errors import SampleError
from chef.scenario.base import ColumnUse
from chef.scenario.table.columns import ROLES, Columns
from chef.scenario.table.images import Pictures
from chef.scenario.table.rows import Problem, Row, Table, top_column


def column_use(
    columns: Columns, table: Table, given: Mapping[str, Any], further: Collection[str], root: Path
) -> ColumnUse:
    """What the columns of a table are used for.

    Args:
        columns: of each role.
        table: the table, of which the first row is read where a role is lacking.
        given: ``columns`` of the recipe: a role that is null there is not lacking.
        further: columns that are used besides: of the template, kept ones, those that rows are
            chosen by.
        root: the folder that image paths are relative to.
    """
    roles = {role.replace("l2_", "l2-"): columns.of(role) for role in ROLES if columns.of(role)}
    named = (*further, *(name for names in roles.values() for name in names))
    used = {top_column(name, table.columns) for name in named}
    unused = tuple(name for name in table.columns if name not in used)
    said = {str(key).replace("image", "images").replace("imagess", "images") for key in given}
    missing = [role for role in ("images", "answer") if role not in {*roles, *said}]
    return ColumnUse(roles, unused, lacking_roles(table, unused, missing, root))


def lacking_roles(
    table: Table, unused: Sequence[str], missing: Sequence[str], root: Path
) -> dict[str, str]:
    """The roles without which a run is refused, with the column that looks like it.

    Args:
        table: the table, of which the first row is read.
        unused: its columns that nothing is made of.
        missing: of ``images`` and ``answer`` those that no column has.
        root: the folder that image paths are relative to.
    """
    if not unused or not missing:
        return {}
    pictures = picture_columns(_first(table), unused, root)
    others = [name for name in unused if name not in pictures]
    alike = {"images": pictures[:1], "answer": others if len(others) == 1 else []}
    return {role: next(iter(alike[role]), "") for role in missing}


def picture_columns(row: Row, columns: Sequence[str], root: Path) -> list[str]:
    """The columns whose cell holds images: files that are there, bytes, base64, addresses."""
    return [name for name in columns if row.get(name) and _is_picture(row, name, root)]


def _is_picture(row: Row, column: str, root: Path) -> bool:
    try:
        return bool(Pictures(root, [column]).of(row, ("", 1)))
    except SampleError:
        return False


def _first(table: Table) -> Row:
    """The first row that can be read."""
    rows = table.scan(table.columns)
    return next((row for row in rows if not isinstance(row, Problem)), {})
