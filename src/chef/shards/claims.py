"""Claims: which driver asks a shard, told by objects that only one can make."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import msgspec

from chef.common.writing import json_line
from chef.shards.store import Store

#: The objects of claims, and of parts.
CLAIMS, PARTS = "claims", "parts"


def part_name(shard: str) -> str:
    """The name of the object that holds a shard."""
    return f"{PARTS}/{shard}.jsonl.gz"


class Driver(msgspec.Struct, frozen=True):
    """A process that drives a run: its machine since boot, and its start in ticks of the clock."""

    token: str
    host: str
    pid: int
    began: str

    @classmethod
    def here(cls) -> Driver:
        """A driver in this process."""
        return cls(secrets.token_hex(8), _host(), os.getpid(), _began(os.getpid()))

    @property
    def is_dead(self) -> bool:
        """Whether its process has surely ended; False of one on another machine."""
        return self.host == _host() and _began(self.pid) != self.began


def _host() -> str:
    boot = Path("/proc/sys/kernel/random/boot_id")
    place = Path("/proc/self/ns/pid")
    try:
        return f"{os.uname().nodename} {boot.read_text().strip()} {place.readlink()}"
    except OSError:  # no Linux: whether a process lives is then never told
        return f"{os.uname().nodename} {secrets.token_hex(8)}"


def _began(pid: int) -> str:
    """When a process began; empty where there is none."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    state, *fields = text.rpartition(")")[2].split()
    return "" if state == "Z" else fields[18]


class Claims:
    """The claims of the shards of one run.

    A claim is an object that is made only where there is none. That of a process on this machine
    that has ended is followed by one of the next number, which again one driver alone can make.
    """

    def __init__(self, store: Store, driver: Driver) -> None:
        self._store, self._driver = store, driver

    def take(self, shard: str) -> str:
        """Claim a shard: empty where it is this driver's, else the claim of one that may live."""
        earlier = self._of(shard)
        if earlier and (holder := self._holder(earlier[-1])) is not None and not holder.is_dead:
            return "" if holder == self._driver else earlier[-1]
        number = int(earlier[-1].rpartition(".")[0].rpartition(".")[2]) + 1 if earlier else 0
        name = f"{CLAIMS}/{shard}.{number:06d}.json"
        return "" if self._store.create(name, json_line(self._driver)) else name

    def drop(self, shard: str = "") -> None:
        """Remove the claims of a shard whose part is there; without a name, of all shards."""
        for name in self._of(shard) if shard else self._store.names(CLAIMS):
            self._store.remove(name)

    def _of(self, shard: str) -> list[str]:
        start = f"{CLAIMS}/{shard}."
        return [name for name in self._store.names(CLAIMS) if name.startswith(start)]

    def _holder(self, name: str) -> Driver | None:
        """Who made a claim; None where it was removed meanwhile, as its part is there."""
        data = self._store.read(name)
        try:
            return None if data is None else msgspec.json.decode(data, type=Driver)
        except msgspec.DecodeError:  # another version's: it may live
            return Driver("", "", 0, "")
