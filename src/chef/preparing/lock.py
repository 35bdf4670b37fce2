"""The digests of all downloaded files: the lock file of a data root."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from chef.common.writing import write_json
from chef.errors import DataError
from chef.guard.files import read_bytes

LOCK = "sources.lock.json"


class Lock:
    """The digests of all downloaded files, from their first download.

    A file that is downloaded again must have the same digest. Most publishers state none, so the
    lock file is meant to be committed to the user's repository: then all who use it have the same
    data.

    Args:
        file: the lock file, ``sources.lock.json`` in the data root unless ``--lock`` names another.

    Attributes:
        added: how many digests this call has added.

    Raises:
        DataError: the file cannot be read, or is no lock file.
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
        """Compare the digest of a file with that of the first download.

        Raises:
            DataError: they differ.
        """
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
