"""Which samples are drawn by what earlier runs say about them: ``--items``, ``--from``.

What they say is kept in the run folder when the first answer is asked for, as the order of the draw
must not depend on answers that it brought.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from chef.common.logs import logger
from chef.errors import ConfigError
from chef.run.folder import RunFolder
from chef.run.reading import is_there, read_json
from chef.stats.guide import Expected

_log = logger(__name__)
#: The file of a run folder with what earlier runs said about its samples.
ITEMS = "items.json"
_HINT = "ask some models all samples first, or name runs of the same benchmark: --from RUN ..."


def expected_of(
    path: Path, label: str, ids: Collection[str], earlier: Sequence[Path], results: Path
) -> Expected:
    """What earlier runs (none named: those of other models in ``results``) say of a run's samples.

    What a run in ``path`` began with stays. `ConfigError` where no run has scored any of the
    samples.
    """
    return kept(path) or expectations(label, ids, earlier, results, [path])


def begin_with(expected: Expected, folder: RunFolder) -> Expected:
    """What a run began with, which is ``expected`` where its folder holds nothing yet."""
    found = kept(folder.path)
    if found is None:
        keep(expected, folder)
    return found or expected


def kept(path: Path) -> Expected | None:
    """What a run folder holds of what earlier runs said; None where it holds nothing."""
    if not is_there(path / ITEMS):
        return None
    found = read_json(path / ITEMS)
    return Expected(found["scores"], found["differences"], found["runs"])


def keep(expected: Expected, folder: RunFolder) -> None:
    """Write what earlier runs say to a run folder."""
    data = {"scores": expected.scores, "differences": expected.differences, "runs": expected.runs}
    folder.write_json(ITEMS, data)


def expectations(
    label: str,
    ids: Collection[str],
    earlier: Sequence[Path],
    results: Path,
    own: Sequence[Path] = (),
) -> Expected:
    """As `expected_of`, of the runs that are there now, but for the folders ``own``."""
    # Reports are read only by a run that draws by earlier ones.
    from chef.report.items import items_of_runs, lines_below

    lines, mine = lines_below(earlier or [results]), {path.resolve() for path in own}
    if not earlier:
        models = {path.parents[1].name for path in mine}
        lines = [line for line in lines if line.label == label and line.model not in models]
    items = items_of_runs([line.path for line in lines if line.path.resolve() not in mine], ids)
    if items is None:
        where = ", ".join(map(str, earlier)) or str(results)
        raise ConfigError(
            f"no earlier run there has scored samples of {label}", where=where, hint=_HINT
        )
    _log.info("%s: the samples are drawn by what %d earlier runs say", label, items.runs)
    return items.expected
