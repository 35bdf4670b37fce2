"""Which samples are drawn by what earlier runs say about them: ``--items``, ``--from``.

What they say is kept in the run folder when the first answer is asked for, as the order of the draw
must not depend on answers that it brought.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from chef.common.logs import logger
from chef.errors import ConfigError
from chef.report.items import items_of_runs, lines_below
from chef.run.folder import RunFolder
from chef.run.reading import is_there
from chef.stats.guide import Expected

_log = logger(__name__)
#: The file of a run folder with what earlier runs said about its samples.
ITEMS = "items.json"
_HINT = "ask some models all samples first, or name runs of the same benchmark: --from RUN ..."


def kept_expectations(
    folder: RunFolder, label: str, ids: Collection[str], earlier: Sequence[Path], results: Path
) -> Expected:
    """What earlier runs say about the samples of a run; what a run began with stays.

    Args:
        folder: the folder of the run.
        label: ``scenario/recipe``.
        ids: of its samples.
        earlier: runs or folders of runs; empty for those of other models with that label.
        results: the folder of all results, where these are looked for.

    Raises:
        ConfigError: there is no run that has scored any of the samples.
    """
    if is_there(folder.path / ITEMS):
        found = folder.read_json(ITEMS)
        return Expected(found["scores"], found["differences"], found["runs"])
    expected = expectations(label, ids, earlier, results, folder.path)
    data = {"scores": expected.scores, "differences": expected.differences, "runs": expected.runs}
    folder.write_json(ITEMS, data)
    return expected


def expectations(
    label: str, ids: Collection[str], earlier: Sequence[Path], results: Path, own: Path | None
) -> Expected:
    """As `kept_expectations`, of the runs that are there now, but for the folder ``own``."""
    lines = lines_below(earlier or [results])
    if not earlier:
        model = None if own is None else own.resolve().parents[1].name
        lines = [line for line in lines if line.label == label and line.model != model]
    paths = [line.path for line in lines if own is None or line.path.resolve() != own.resolve()]
    items = items_of_runs(paths, ids)
    if items is None:
        where = ", ".join(map(str, earlier)) or str(results)
        raise ConfigError(
            f"no earlier run there has scored samples of {label}", where=where, hint=_HINT
        )
    _log.info("%s: the samples are drawn by what %d earlier runs say", label, items.runs)
    return items.expected
