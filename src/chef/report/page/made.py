"""How a run was made: its configuration, versions and sessions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chef.report.load import Run
from chef.report.page.content import Table


def made_tables(run: Run) -> list[Table]:
    """The configuration, and the machine and versions; to be opened by a click."""
    config = [*flattened(run.config)]
    environment = run.environment
    machine = [*flattened({k: v for k, v in environment.items() if k != "sessions"})]
    tables = [Table("How it was made: the configuration", ("key", "value"), config, "", True)]
    if machine:
        tables.append(
            Table("How it was made: versions and machine", ("key", "value"), machine, "", True)
        )
    if sessions := _sessions(environment.get("sessions", ())):
        tables.append(sessions)
    return tables


def flattened(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """The keys of nested mappings, joined by points, with their values as texts.

    >>> list(flattened({"a": {"b": 1, "c": None}, "d": [1, 2]}))
    [('a.b', '1'), ('a.c', 'null'), ('d', '1, 2')]
    """
    for key, value in data.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            yield from flattened(value, f"{name}.")
        else:
            yield name, _shown(value)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value))
    return "null" if value is None else str(value)


def _sessions(sessions: Sequence[Mapping[str, Any]]) -> Table | None:
    """What each session did: those keys that any of them has."""
    keys = ("started", "seconds", "asked", "batch_size", "requests", "generated_tokens", "notices")
    there = [key for key in keys if any(one.get(key) not in (None, [], "") for one in sessions)]
    rows = [tuple(_shown(one.get(key, "")) for key in there) for one in sessions]
    if not rows or not there:
        return None
    headers = [key.replace("_", " ") for key in there]
    return Table("How it was made: sessions", headers, rows, "", True)
