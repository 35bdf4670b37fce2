"""Fetch the data of a scenario and lay it out as ChEF does.

    python tools/prepare_data.py CIFAR10 ScienceQA --root data

What would be fetched, from where and under which terms is shown first.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from preparing import convert
from preparing.fetch import Lock, fetch
from preparing.sources import File, Source, read_sources, source_of
from preparing.unpack import unpack

from chef.common.digest import checksum
from chef.errors import ChefError, DataError


def main(arguments: Sequence[str]) -> int:
    """0: everything is there. 1: something is left to do by hand. 2: it failed."""
    given = _arguments(arguments)
    try:
        table = read_sources()
        if given.list:
            print("\n".join(table))
            return 0
        sources = {name: source_of(name, table) for name in given.scenario}
        root = Path(given.root)
        lock = Lock(root)
        for name, source in sources.items():
            _show(name, source, root, lock)
        if given.dry_run:
            return 0
        if not given.yes and not _agreed():
            return 1
        return max([_prepare(source, root, lock, given) for source in sources.values()], default=0)
    except ChefError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ninterrupted; the same command goes on from here", file=sys.stderr)
        return 2


def _prepare(source: Source, root: Path, lock: Lock, given: argparse.Namespace) -> int:
    for file in source.files:
        _bring(file, root, lock, verify=given.verify, keep=given.keep)
    if source.convert:
        getattr(convert, source.convert)(root)
    if given.export_images and source.exports:
        getattr(convert, source.exports)(root)
    missing = [name for name in source.needs if not (root / name).exists()]
    for name in missing:
        print(f"missing: {root / name}")
    if missing and source.by_hand:
        print(source.by_hand)
    return 1 if missing else 0


def _bring(file: File, root: Path, lock: Lock, *, verify: bool, keep: bool) -> None:
    """Fetch one file, unless it is there; unpack it if it is an archive."""
    target = root / file.to
    if target.exists():
        if verify and not file.unpack:
            lock.check(file.to, checksum(target, "sha256"))
        return
    archive = file.to.replace("/", "_") + "".join(Path(file.address).suffixes[-2:])
    fetched = root / "downloads" / archive if file.unpack else target
    if fetched.exists():
        digest = checksum(fetched, "sha256")
    else:
        digest = fetch(file.address, fetched, file.digest, file.headers())
    try:
        lock.check(file.to, digest)
    except DataError:
        fetched.unlink()
        raise
    entry = {"url": file.address, "sha256": digest, "bytes": fetched.stat().st_size}
    lock.record(file.to, entry)
    if file.unpack:
        unpack(fetched, target, file.within)
        if not keep:
            fetched.unlink()


def _show(name: str, source: Source, root: Path, lock: Lock) -> None:
    print(f"{name}\n  terms: {source.licence}")
    for file in source.files:
        there = "there already" if (root / file.to).exists() else file.size and f"about {file.size}"
        known = "" if file.digest or file.to in lock.entries else ", no digest known yet"
        print(f"  {file.address}\n    -> {root / file.to} ({there or 'size not known'}{known})")
    if source.convert:
        print(f"  then: {source.convert}")
    if source.by_hand:
        print("  by hand:\n    " + source.by_hand.strip().replace("\n", "\n    "))


def _agreed() -> bool:
    if not sys.stdin.isatty():
        raise DataError("nobody to ask", mend="give --yes to fetch what is shown")
    return input("fetch this? [y/N] ").strip().lower() in {"y", "yes"}


def _arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Fetch the data of scenarios and lay it out as ChEF does.",
        epilog="exit codes: 0 everything is there, 1 something is left to do by hand, 2 it failed",
    )
    parser.add_argument("scenario", nargs="*", metavar="SCENARIO", help="one or several")
    parser.add_argument("--list", action="store_true", help="the scenarios that are known")
    parser.add_argument("--root", default="data", metavar="DIR", help="data root (default: data)")
    parser.add_argument("--dry-run", action="store_true", help="show what would be fetched; stop")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--verify", action="store_true", help="check the digests of what is there")
    parser.add_argument("--keep", action="store_true", help="keep archives after unpacking")
    parser.add_argument(
        "--export-images",
        action="store_true",
        help="MMBench, MMMU: write their pictures as files, too",
    )
    given = parser.parse_args(arguments)
    if not given.scenario and not given.list:
        parser.error("name a scenario, or --list")
    return given


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
