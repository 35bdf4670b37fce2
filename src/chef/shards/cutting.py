"""Shards: the samples of a run, cut by a hash of their ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil

from chef.common.digest import fraction
from chef.errors import ConfigError
from chef.frozen import Frozen

#: How many samples a shard has, about; and the most, so that sums of its scores stay exact.
SIZE, MOST = 10_000, 2**20


class Shard(Frozen):
    """A part of the samples of a run: ``00003-of-00012``, and the sorted ids."""

    name: str
    ids: tuple[str, ...]


def cut(
    ids: Iterable[str], size: int = SIZE, group: Callable[[str], str | None] = lambda _: None
) -> list[Shard]:
    """Cut the samples of a run into shards of about ``size`` (1 to 2^20 / 2) samples, by name.

    There are ``k = ceil(samples / size)``. A sample is in shard ``floor(k h / 2^32)``, where h is
    the first 32 bits of BLAKE2b (4 bytes long) of its key in UTF-8: its group, which is scored as
    one and never torn, else its id. Neither order nor machine decides it.

    >>> [(shard.name, len(shard.ids)) for shard in cut(map(str, range(1000)), 400)]
    [('00000-of-00003', 324), ('00001-of-00003', 330), ('00002-of-00003', 346)]
    """
    if not 1 <= size <= MOST // 2:
        raise ConfigError(
            f"{size} is no number of samples from 1 to {MOST // 2}",
            where="--shard-size",
            hint=f"leave it out for {SIZE}",
        )
    names = sorted(ids)
    count = max(1, ceil(len(names) / size))
    members: dict[int, list[str]] = {}
    for name in names:
        members.setdefault(int(fraction(group(name) or name) * count), []).append(name)
    return [
        Shard(f"{number:05d}-of-{count:05d}", tuple(of)) for number, of in sorted(members.items())
    ]
