"""An object store, through fsspec: objects are made once, so one driver alone can claim a shard."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from chef.common.writing import json_line
from chef.errors import ChefError, ConfigError, DependencyError, RunError, message_of

#: The protocols whose puts were seen to be conditional.
_CREATES = frozenset({"memory", "file", "local", "s3", "s3a"})


def is_url(name: object) -> bool:
    """Whether a name means an object store, and not a folder.

    >>> is_url("s3://bucket/runs"), is_url("results"), is_url("hf:owner/name")
    (True, False, False)
    """
    return "://" in str(name)


class Store:
    """The objects below an address that fsspec knows: ``s3://``, ``file://``, ``memory://``, ..."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        try:
            from fsspec.core import url_to_fs  # type: ignore[import-untyped]
            from fsspec.implementations.local import (  # type: ignore[import-untyped]
                LocalFileSystem,
            )
        except ImportError:
            raise DependencyError(
                "runs in an object store need fsspec",
                where=url,
                hint="pip install 'chef-eval[store]' (it has s3fs, for s3:// addresses)",
            ) from None
        try:
            with self._reached("", "reached"):
                self._files, root = url_to_fs(self.url)
        except ImportError as error:
            hint = "pip install 'chef-eval[store]'" if "s3" in url.partition("://")[0] else None
            raise DependencyError(
                f"such an address needs another package: {message_of(error)}", where=url, hint=hint
            ) from None
        except ValueError as error:
            raise ConfigError(
                f"no such address is known: {message_of(error)}",
                where=url,
                hint="give a folder, s3://BUCKET/PREFIX, file:///FOLDER or memory://NAME",
            ) from None
        self._root, self._is_local = root.rstrip("/"), isinstance(self._files, LocalFileSystem)
        if not {self._files.protocol, *self._files.protocol} & _CREATES:
            raise ConfigError(
                f"{type(self._files).__name__} is not known to make an object only where there is "
                "none, by which one driver of several owns a shard",
                where=url,
                hint="use s3:// (also of another service, by AWS_ENDPOINT_URL) or a folder",
            )

    @property
    def is_of_process(self) -> bool:
        """Whether its objects are in the memory of this process, so that no worker reaches them."""
        return self.url.startswith("memory:")

    def place(self, name: str) -> str:
        """The address of an object, for people."""
        return f"{self.url}/{name}"

    def create(self, name: str, data: bytes) -> bool:
        """Make an object whole or not at all; False where one with other content is there.

        This is the lock: on S3 a PUT with ``If-None-Match: *``, in a local folder a hard link to a
        finished file.
        """
        path = f"{self._root}/{name}"
        with self._reached(name, "written"):
            try:
                if self._is_local:
                    self._link(path, data)
                else:
                    self._files.pipe_file(path, data, mode="create")
            except FileExistsError:
                is_new = False
            else:
                is_new = True
        return is_new or self.read(name) == data

    def _link(self, path: str, data: bytes) -> None:
        """Make a file of the local file system; a process killed here leaves a hidden file."""
        folder, _, last = path.rpartition("/")
        self._files.makedirs(folder, exist_ok=True)
        part = f"{folder}/.{last}.{secrets.token_hex(8)}"
        try:
            self._files.pipe_file(part, data)
            os.link(part, path)
        finally:
            with suppress(FileNotFoundError):
                self._files.rm_file(part)

    def read(self, name: str, most: int | None = None) -> bytes | None:
        """The content of an object, or its first ``most`` bytes; None where there is none."""
        with self._reached(name, "read"):
            try:
                start = None if most is None else 0
                data: bytes = self._files.cat_file(f"{self._root}/{name}", start=start, end=most)
            except FileNotFoundError:
                return None
            return data

    def names(self, under: str) -> list[str]:
        """The names of the objects below a part of the address, sorted, as they are now."""
        with self._reached(under, "listed"):
            self._files.invalidate_cache()
            try:
                paths = self._files.find(f"{self._root}/{under}")
            except FileNotFoundError:
                return []
        names = [str(path)[len(self._root) :].lstrip("/") for path in paths]
        return sorted(name for name in names if not name.rpartition("/")[2].startswith("."))

    def remove(self, name: str) -> None:
        """Remove an object, if it is there."""
        with self._reached(name, "removed"), suppress(FileNotFoundError):
            self._files.rm_file(f"{self._root}/{name}")

    @contextmanager
    def _reached(self, name: str, what: str) -> Iterator[None]:
        """Name the object and the store where a library fails, each in its own way."""
        try:
            yield
        except (ChefError, ImportError, ValueError):
            raise
        except Exception as error:
            raise _unreachable(self.place(name), what, error) from error


def _unreachable(where: str, what: str, error: Any) -> RunError:
    return RunError(
        f"the object store cannot be {what} ({type(error).__name__}: {message_of(error)})",
        where=where,
        hint="check the address, the network and the credentials (for s3:// those of AWS: "
        "AWS_PROFILE, AWS_ACCESS_KEY_ID, AWS_ENDPOINT_URL); the same command goes on",
    )


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
