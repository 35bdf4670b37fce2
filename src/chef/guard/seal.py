"""Which run folders are the user's own: what they name is signed, with a key that none of them has.

The key, 32 random bytes, is in the state folder of the user (``$XDG_STATE_HOME/chef`` or
``~/.local/state/chef``), readable by the user alone. A run folder has ``.seal``: of each part that
names things outside of the folder, such as config.yaml, an HMAC-SHA256 under that key. The part
signed is the content, not the place, so that a folder can be moved, copied and renamed; one whose
content was edited, or was written by somebody else or on another machine, does not verify.

Where no key can be kept (no home, a read-only one), no folder is signed, and none verifies.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

from chef.guard.folder import read_bytes, replaced

SEAL = ".seal"
_BYTES = 32
#: The most bytes of a file of signatures.
_LARGEST = 10_000


def seal(folder: Path, part: str, content: Any) -> None:
    """Sign a part (``config``) of a locked run folder: plain data of the user's own command."""
    key = _key(make=True)
    signatures = _signatures(folder)
    if key is None or signatures.get(part) == (signature := _signature(key, part, content)):
        return
    data = json.dumps({**signatures, part: signature}, indent=2).encode() + b"\n"
    with suppress(OSError), replaced(folder / SEAL) as stream:  # unsigned, it is asked for --trust
        stream.write(data)


def is_sealed(folder: Path, part: str, content: Any) -> bool:
    """Whether this user signed a part of a run folder with this content, on this machine."""
    signature = _signatures(folder).get(part)
    key = _key(make=False) if signature is not None else None
    if signature is None or key is None:
        return False
    return hmac.compare_digest(signature.encode(), _signature(key, part, content).encode())


def _signature(key: bytes, part: str, content: Any) -> str:
    text = json.dumps([part, content], sort_keys=True, default=str)
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _signatures(folder: Path) -> dict[str, str]:
    """The signatures of a run folder by part; none where there is no file that chef writes."""
    try:
        known = json.loads(read_bytes(folder / SEAL, _LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    items = known.items() if isinstance(known, dict) else ()
    return {part: value for part, value in items if isinstance(value, str)}


def key_file() -> Path | None:
    """The file of the user's key; None where the user has no home."""
    given = os.environ.get("XDG_STATE_HOME", "")
    try:
        state = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state"
    except RuntimeError:
        return None
    return state / "chef" / "key"


def _key(*, make: bool) -> bytes | None:
    """The user's key, made if need be; None where there is none that can be trusted."""
    file = key_file()
    if file is None:
        return None
    with suppress(OSError):
        if make and not file.exists():
            _make(file)
        state = file.lstat()
        is_own = stat.S_ISREG(state.st_mode) and state.st_uid == os.geteuid()
        if is_own and not state.st_mode & 0o077:
            key = read_bytes(file, _BYTES)
            return key if len(key) == _BYTES else None
    return None


def _make(file: Path) -> None:
    """Make the key; of two processes at once, one key counts for both. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    import secrets  # which loads random

    part = file.with_name(f"key.{secrets.token_hex(8)}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, secrets.token_bytes(_BYTES))
        os.fsync(descriptor)
        with suppress(FileExistsError):  # unlike a renamed file, a hard link replaces none
            os.link(part, file)
    finally:
        os.close(descriptor)
        part.unlink()
