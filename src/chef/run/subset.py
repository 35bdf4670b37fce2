"""Which samples of a scenario a run asks: their ids, as the journal has them, and the subset."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
from msgspec import field

from chef.common.digest import digest
from chef.common.logs import logger
from chef.common.redaction import redact
from chef.common.text import REPLACED, count_replaced, encodable, encodable_data
from chef.errors import ConfigError, DataError, SampleError, similar
from chef.frozen import Frozen
from chef.run.reading import read_json
from chef.scenario import Scenario
from chef.types import Sample, TurnSpec

T = TypeVar("T")


def safe_id(name: T) -> T:
    """The id of a sample as the journal has it, by which it is found: no secret, no lone
    surrogates.
    """
    return cast("T", redact(encodable(name))) if isinstance(name, str) else name


def safe_sample(sample: Sample, name: str) -> Sample:
    """The sample without lone surrogates, which says how many were replaced; and with a safe id,
    unless it is ``name``, by which the run knows it.
    """
    name = name if sample.id == name else safe_id(sample.id)
    texts = (sample.question, sample.options, sample.answer, sample.fields, sample.shown_answer)
    turns = [(it.prefix, it.options, it.truth) for it in sample.turns] if sample.turns else ()
    number = 0 if _is_encodable((texts, turns)) else count_replaced([texts, turns])
    if not number:
        return sample if name == sample.id else replace(sample, id=name)
    return replace(
        sample,
        id=name,
        question=encodable(sample.question),
        options=encodable_data(sample.options),
        answer=encodable_data(sample.answer),
        fields={**encodable_data(sample.fields), REPLACED: number},
        turns=tuple(map(_turn, sample.turns)),
        shown_answer=encodable_data(sample.shown_answer),
    )


def _is_encodable(data: Any) -> bool:
    """Whether no text has a lone surrogate; False also where that takes a closer look."""
    try:
        _ENCODER.encode(data)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False
    return True


_ENCODER = msgspec.json.Encoder(enc_hook=lambda _: None)


def _turn(turn: TurnSpec) -> TurnSpec:
    return replace(
        turn,
        prefix=encodable(turn.prefix),
        options=encodable_data(turn.options),
        truth=encodable_data(turn.truth),
    )


class SampleIds(Frozen):
    """The samples of a run by id, in the order of the scenario.

    Answers are journaled by id, so of several samples with one id only the first keeps it; the
    others get an id made of their position, and are errors, in ``repeated``.
    """

    positions: Mapping[str, int]
    repeated: Mapping[str, SampleError] = field(default_factory=dict)

    @classmethod
    def of(cls, scenario: Scenario, drawn: Sequence[int]) -> SampleIds:
        """The ids of the drawn positions; all are read, so that an id does not depend on what is
        drawn.

        DataError: there are no samples, or an id is no text.
        """
        where = f"scenario {scenario.name}"
        if not drawn:
            hint = "choose another split or size"
            raise DataError("there are no samples", where=where, hint=hint)
        first: dict[str, int] = {}
        repeated: dict[int, str] = {}
        for index in range(len(scenario)):
            name: object = scenario.sample_id(index)  # of a user's class, whatever it gives
            if not isinstance(name, str):
                hint = "return str(...) from sample_id"
                raise DataError("sample ids must be text", where=where, hint=hint)
            name = sys.intern(str(safe_id(name)))
            if first.setdefault(name, index) != index:
                repeated[index] = name
        spare = {index: _spare(name, index, first) for index, name in repeated.items()}
        ids = {index: name for name, index in first.items()} | spare
        errors = {
            spare[index]: SampleError(
                f"sample {index + 1} has the id '{name}' of sample {first[name] + 1}",
                where=where,
                hint="give each sample an id of its own; answers are journaled by id",
            )
            for index, name in repeated.items()
        }
        positions = {ids[index]: index for index in sorted(drawn)}
        return cls(positions, {name: errors[name] for name in positions if name in errors})


def _spare(name: str, index: int, taken: Mapping[str, int]) -> str:
    spare = f"{name} (sample {index + 1})"
    while spare in taken:
        spare += "'"
    return spare


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
        first_answers = (name for name in known if name.startswith(f"{first}#"))  # its first answer
        nearest = next(first_answers, None) or similar(first, known)
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
