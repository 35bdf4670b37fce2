"""The door that every run folder passes: what it names is not used unless the user says so.

A run folder may come from somebody else. Its config.yaml and environment.json name servers,
variables with keys, models, Python files, data and services, and scoring or judging would use them:
a variable of the reader's would go to a server of the writer's. So a part of a folder that names
something outside of it is used only if the folder is the user's own, or the command says
``--trust``. A part that names nothing needs no trust.

What a user's own folders name is signed, with a key that none of them has: 32 random bytes in the
state folder of the user (``$XDG_STATE_HOME/chef`` or ``~/.local/state/chef``), readable by the user
alone. A run folder has ``.seal``: of each part that names things outside of the folder, such as
config.yaml, an HMAC-SHA256 under that key. The part signed is the content, not the place, so that a
folder can be moved, copied and renamed; one whose content was edited, or was written by somebody
else or on another machine, does not verify.

Where no key can be kept (no home, a read-only one), no folder is signed, and none verifies.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from chef.errors import ConfigError
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


#: How many of the things that a folder names are told.
_TOLD = 6
#: ``${oc.env:NAME}``; any other interpolation may lead to one, and is named as it stands.
_VARIABLE = re.compile(r"\$\{\s*oc\.env\s*:\s*([^},\s]+)")
_ADDRESS = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*://")
#: Texts that can be a path, or the name of a model of the hub.
_PATH = re.compile(r"\S*[/\\]\S*|~\S*|\S+\.[A-Za-z]\w{0,9}")
#: Keys by what their values name; the first that fits counts.
_KINDS = (
    ("the server", re.compile(r"(^|_)(url|uri|host|endpoint|server|api_base|proxy)$")),
    ("the variable", re.compile(r"(^|_)env(ironment)?$")),
    ("the Python file", re.compile(r"^plugins?$")),
    ("the model", re.compile(r"(^|_)(model|model_name|model_path|model_id|model_cfg|judge|encoder|"
                             r"tokenizer|checkpoint|weights|repo|repo_id|revision|hub)$")),
    ("the file", re.compile(r"(^|_)(path|paths|file|files|dir|dirs|folder|root|pool|against|"
                            r"source|data|images)$")),
    ("the method", re.compile(r"^method_id$")),
)  # fmt: skip
#: Retrievers that choose examples without an encoder.
_RETRIEVERS = {"random", "fixed"}
OPTION = "--trust"


class UntrustedError(ConfigError):
    """A run folder names what is outside of it, and no command said that it may be used."""


def refuse(names: list[str], where: str, file: str) -> None:
    """UntrustedError, with the option that allows it, where a run folder's file names anything."""
    if not names:
        return
    more = f" and {len(names) - _TOLD} more" if len(names) > _TOLD else ""
    raise UntrustedError(
        f"{file} names {', '.join(names[:_TOLD])}{more}: not used without {OPTION}",
        where=where,
        hint=f"if you know who made the folder, {OPTION} uses what it names (Python: trust=True); "
        "a run that you made on this machine needs no option, as long as nothing edits its files",
    )


def names_in(content: Any) -> list[str]:
    """What plain data of a run folder names outside of it, each once.

    >>> names_in({"model_name": "OpenAI", "base_url": "http://evil:80/v1", "api_key_env": "KEY"})
    ['the model OpenAI', 'the server evil:80', 'the variable KEY']
    >>> names_in({"metric_type": "Accuracy", "wording": "Answer yes or no."})
    []
    """
    return list(dict.fromkeys(_named("", content)))


def _named(key: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _named(str(name), item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _named(key, item)
    elif isinstance(value, str) and value:
        yield from _text(key.lower(), value)


def _text(key: str, value: str) -> Iterator[str]:
    if variables := _VARIABLE.findall(value):
        yield from (f"the variable {name}" for name in variables)
    elif "${" in value:
        yield f"the value {_short(value)}"
    elif key == "retriever_type" and value not in _RETRIEVERS:
        yield f"the encoder of {_short(value)}"
    elif _ADDRESS.match(value):
        yield f"the server {_host(value)}"
    elif (
        kind := next((kind for kind, pattern in _KINDS if pattern.search(key)), None)
    ) is not None:
        yield f"{kind} {_host(value) if kind == 'the server' else _short(value)}"
    elif _PATH.fullmatch(value):
        yield f"the file {_short(value)}"


def _host(address: str) -> str:
    """Host and port of an address, without the user and the password in it."""
    try:
        place = urlsplit(address if _ADDRESS.match(address) else f"//{address}").netloc
    except ValueError:
        return _short(address)
    return _short(place.rpartition("@")[2] or address)


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
