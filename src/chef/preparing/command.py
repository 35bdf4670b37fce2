"""The ``prepare`` command: download the data of scenarios and arrange it as ChEF does.

It first shows what it would download, from where and under which terms.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from chef.common.digest import checksum
from chef.common.printing import say
from chef.common.writing import write_json
from chef.errors import DataError
from chef.guard.files import read_bytes
from chef.preparing import convert
from chef.preparing.convert import unpack
from chef.preparing.sources import (
    File,
    Source,
    benchmark_sources,
    how_to_run,
    read_sources,
    source_of,
)
from chef.scenario.download import Digest, download

LOCK = "sources.lock.json"


class Lock:
    """The digests of all downloaded files, from their first download; ``added`` counts this call's.

    A file that is downloaded again must have the same digest. Most publishers state none, so the
    lock file is meant to be committed to the user's repository: then all who use it have the same
    data. DataError where it cannot be read, or is no lock file.
    """

    def __init__(self, file: Path) -> None:
        self.file, self.added = file, 0
        try:
            self.entries = msgspec.json.decode(read_bytes(file), type=dict[str, dict[str, Any]])
        except FileNotFoundError:
            self.entries = {}
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            hint = "restore it, or remove it: the digests are then those of the next download"
            raise DataError(f"unreadable ({error})", where=str(file), hint=hint) from None

    def check(self, name: str, digest: str) -> None:
        """DataError where the digest of a file is not that of the first download."""
        before = self.entries.get(name, {}).get("sha256", digest)
        if before != digest:
            raise DataError(
                f"differs from the first download: its sha256 is {digest}, and it was {before}",
                where=name,
                hint=f"if the publisher has changed the file, remove its entry from {self.file}",
            )

    def record(self, name: str, entry: Mapping[str, Any]) -> None:
        """Add a file, or replace its entry, and write the lock file."""
        self.added += name not in self.entries
        self.entries[name] = {**self.entries.get(name, {}), **entry}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        write_json(self.file, dict(sorted(self.entries.items())))


def prepare(given: argparse.Namespace) -> int:
    """Run the command; 0 if all data is complete, 1 if something has to be done by hand."""
    table = {**benchmark_sources(), **read_sources()}
    if given.list:
        say("\n".join(table))
        return 0
    sources = {name: source_of(name, table) for name in given.scenario}
    roots = {name: Path(given.root or source.root) for name, source in sources.items()}
    _check_roots(roots.values())
    files = {root: Path(given.lock) if given.lock else root / LOCK for root in roots.values()}
    kept = {file: Lock(file) for file in files.values()}
    locks = {root: kept[file] for root, file in files.items()}
    for name, source in sources.items():
        _show(name, source, roots[name], locks[roots[name]])
    if given.dry_run:
        return 0
    is_there = all((roots[name] / file.to).exists() for name, source in sources.items()
                   for file in source.files)  # fmt: skip
    if not given.yes and not is_there and not _agreed():
        return 1
    codes = []
    for name, source in sources.items():
        codes.append(_prepare(source, roots[name], locks[roots[name]], given))
        if not codes[-1]:
            say(f"{name}: complete{how_to_run(name, given.root)}")
    for lock in kept.values():
        if lock.added:
            say(
                f"The digests of {lock.added} new files are in {lock.file}. Commit that file to "
                "your repository: all who prepare the data with it get the same files, or an error."
            )
    return max(codes, default=0)


def _check_roots(roots: Iterable[Path]) -> None:
    """DataError where a file stands in the place of a folder."""
    if file := next((root for root in roots if root.is_file()), None):
        hint = "name a folder: --root DIR"
        raise DataError("is a file, not a folder", where=str(file), hint=hint)


def _prepare(source: Source, root: Path, lock: Lock, given: argparse.Namespace) -> int:
    for file in source.files:
        _bring(file, root, lock, given)
    if source.convert:
        getattr(convert, source.convert)(root)
    if given.export_images and source.exports:
        getattr(convert, source.exports)(root)
    missing = [name for name in source.needs if not (root / name).exists()]
    for name in missing:
        say(f"missing: {root / name}")
    if missing and source.by_hand:
        say(source.by_hand)
    return 1 if missing else 0


def _bring(file: File, root: Path, lock: Lock, given: argparse.Namespace) -> None:
    """Download one file unless it exists, and unpack it if it is an archive."""
    target = root / file.to
    if target.exists():
        if file.digest is not None:
            _check_stated(target, file.digest)
        if given.verify and not file.unpack:
            lock.check(file.to, checksum(target, "sha256"))
        return
    archive = file.to.replace("/", "_") + "".join(Path(file.address).suffixes[-2:])
    fetched = root / "downloads" / archive if file.unpack else target
    if fetched.exists():
        digest = checksum(fetched, "sha256")
    else:
        hosts = tuple(given.allow_host)
        digest = download(file.address, fetched, file.digest, file.headers(), hosts=hosts)
    try:
        lock.check(file.to, digest)
    except DataError:
        fetched.unlink()
        raise
    entry = {"url": file.address, "sha256": digest, "bytes": fetched.stat().st_size}
    lock.record(file.to, entry)
    if file.unpack:
        unpack(fetched, target, file.within)
        if not given.keep:
            fetched.unlink()


def _check_stated(target: Path, stated: Digest) -> None:
    """DataError where a file that is there has not the digest that its publisher states."""
    if target.is_file() and (found := checksum(target, stated.kind)) != stated.value:
        raise DataError(
            f"its {stated.kind} is {found}, but the publisher states {stated.value}",
            where=str(target),
            hint="it is incomplete or of another version: remove it, and run the command again",
        )


def _show(name: str, source: Source, root: Path, lock: Lock) -> None:
    say(f"{name}\n  terms: {source.licence}")
    for file in source.files:
        there = "exists" if (root / file.to).exists() else file.size and f"about {file.size}"
        known = "" if file.digest or file.to in lock.entries else ", no digest known yet"
        say(f"  {file.address}\n    -> {root / file.to} ({there or 'unknown size'}{known})")
    if source.convert:
        say(f"  then: {source.convert}")
    if source.by_hand:
        say("  by hand:\n    " + source.by_hand.strip().replace("\n", "\n    "))


def _agreed() -> bool:
    if not sys.stdin.isatty():
        raise DataError(
            "cannot ask for confirmation without a terminal",
            hint="give --yes to download what is shown",
        )
    return input("download this? [y/N] ").strip().lower() in {"y", "yes"}
