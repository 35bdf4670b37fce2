"""Where a table comes from: a file, a folder, or a data set of the hub."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from chef.errors import ConfigError
from chef.scenario.table.opening import Format, begins_a_name, is_saved, open_table
from chef.scenario.table.rows import Table


class HubKeys(NamedTuple):
    """The keys of ``scenario_cfg`` that are for data sets of the hub alone."""

    config: str | None = None
    revision: str | None = None
    streaming: bool = False


def open_source(
    path: str,
    source: str,
    *,
    split: str | None,
    hub: HubKeys,
    rows: int | None,
    kind: Format | None,
    within: str | None,
) -> tuple[Table, str | None]:
    """The table, and the split that is still to be taken from its rows.

    Args:
        path: the file, the folder, or the name on the hub.
        source: ``hub``, or ``file``.
        split: a split of the data set, the beginning of names of files, or the value of a column.
        hub: the keys for data sets of the hub.
        rows: the number of rows of a stream.
        kind: the format of files; None: as their names say.
        within: the key of the list in a JSON document.

    Raises:
        ConfigError: a key does not fit the source, or there is no such split.
        DataError: the data cannot be read.
        DependencyError: the package that reads it is not installed.
    """
    local = Path(path).expanduser()
    # A folder with files of tables is read without a copy in the cache of `datasets`.
    if is_saved(path) or (source == "hub" and (hub.streaming or not local.is_dir())):
        from chef.scenario.table.hub_table import hub_table

        return hub_table(path, split=split, rows=rows, **hub._asdict()), None
    _only_of_hub(config=hub.config, revision=hub.revision, streaming=hub.streaming or None)
    if split is not None and begins_a_name(local, split):
        return open_table(path, kind, within=within, split=split), None
    return open_table(path, kind, within=within), split


def _only_of_hub(**given: object) -> None:
    for key, value in given.items():
        if value is not None:
            raise ConfigError(
                f"{key} is for data sets of the hub",
                where=f"scenario_cfg.{key}",
                hint="remove it, or set source: hub",
            )
