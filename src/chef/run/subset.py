"""Choose the samples of a scenario that a run asks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.common.digest import digest
from chef.common.logs import logger
from chef.errors import ConfigError, similar
from chef.run.ids import safe_id
from chef.run.reading import read_json
from chef.scenario import Scenario

_log = logger(__name__)
#: The file of a run folder with the ids of a run that asks only named samples.
IDS = "ids.json"


def draw_indices(
    length: int,
    sample_len: int | None,
    seed: int,
    group: Callable[[int], str | None] = lambda _: None,
) -> Sequence[int]:
    """Return the indices to ask: all, or ``sample_len`` drawn without replacement.

    The random numbers are those of ChEF (NumPy's legacy generator), so seed 0 gives the same
    subset in the same order as ChEF. If samples belong to groups, whole groups are drawn: as many
    as fit, but at least one.

    >>> draw_indices(3, None, 0)
    range(0, 3)
    >>> draw_indices(4, 2, 0, lambda index: f"{index // 2}")
    [2, 3]
    """
    if sample_len is None or sample_len >= length:
        return range(length)
    indices: list[int] = []
    for members in drawn_groups(length, seed, group):
        if indices and len(indices) + len(members) > sample_len:
            break
        indices += members
    return indices


def drawn_groups(
    length: int, seed: int, group: Callable[[int], str | None] = lambda _: None
) -> list[list[int]]:
    """Return all groups of samples in the order in which a seed draws them.

    A sample without a group is one of its own. The subset of any size is a prefix of this.

    >>> drawn_groups(4, 0, lambda index: f"{index // 2}")
    [[2, 3], [0, 1]]
    """
    import numpy as np

    members: dict[str | int, list[int]] = {}
    for index in range(length):
        name = group(index)
        members.setdefault(index if name is None else name, []).append(index)
    groups = list(members.values())
    return [groups[place] for place in np.random.RandomState(seed).permutation(len(groups))]


def chosen_ids(ids: Sequence[str | int]) -> tuple[str, ...]:
    """The ids of the samples to ask, each once; of rows they may be whole numbers.

    ConfigError: there are none, or one is neither.
    """
    where = "ids (--ids)"
    if isinstance(ids, str) or any(map(_is_no_id, ids)):
        raise ConfigError(
            f"{ids!r} is no list of ids", where=where, hint='give texts: ids=["mcq-1", "mcq-2"]'
        )
    if not ids:
        raise ConfigError("there are no ids", where=where, hint="name a sample, or leave it out")
    return tuple(dict.fromkeys(map(str, ids)))


def _is_no_id(name: object) -> bool:
    is_number = hasattr(name, "__index__") and not isinstance(name, bool)  # also NumPy's
    return not isinstance(name, str) and not is_number


def indices_of(scenario: Scenario, ids: Collection[str]) -> list[int]:
    """The indices of samples with these ids, in the scenario's order.

    ConfigError has the nearest id.
    """
    known: dict[str, int] = {}
    for index in range(len(scenario)):
        known.setdefault(safe_id(scenario.sample_id(index)), index)
    wanted = [safe_id(name) for name in ids]
    if unknown := [name for name in wanted if name not in known]:
        first, more = unknown[0], len(unknown) - 1
        nearest = similar(first, known)
        some = ", ".join([*known][:3])
        raise ConfigError(
            f"{scenario.name} has no sample '{first}'" + (f", nor {more} others" if more else ""),
            where="ids (--ids)",
            hint=f"did you mean '{nearest}'?" if nearest else f"its ids are {some}, ...",
        )
    indices = sorted({known[name] for name in wanted})
    _warn_of_torn_groups(scenario, {*indices})
    return indices


def _warn_of_torn_groups(scenario: Scenario, chosen: Collection[int]) -> None:
    """Say that samples are left out of a group that is scored as one."""
    groups: dict[str, set[int]] = {}
    for index in range(len(scenario)):
        if (name := scenario.group(index)) is not None:
            groups.setdefault(name, set()).add(index)
    if torn := [
        name for name, group in groups.items() if 0 < len(group.intersection(chosen)) < len(group)
    ]:
        _log.warning(
            "%s: %d group(s) of samples, such as %s, belong together and are not asked as a whole",
            scenario.name, len(torn), torn[0],
        )  # fmt: skip


def ids_digest(ids: Collection[str]) -> str:
    """What config.yaml has in place of ids, whatever their order."""
    return digest(sorted(ids))


def stored_ids(folder: Path, config: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The ids of a run that asked only these samples; None for others. ConfigError: unreadable."""
    run = config.get("run")
    if not isinstance(run, Mapping) or "ids" not in run:
        return None
    ids = read_json(folder / IDS).get("ids")
    return tuple(map(str, ids)) if isinstance(ids, list) and ids else None
