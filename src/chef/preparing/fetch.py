"""Download of one file: it is resumed, checked, and appears only when it is complete."""

from __future__ import annotations

import http.client
import os
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

import msgspec
from tqdm import tqdm

from chef.common.digest import checksum
from chef.common.printing import shown
from chef.common.writing import write_atomically, write_json
from chef.errors import DataError
from chef.guard.files import read_bytes

CHUNK = 1 << 20
TIMEOUT = 60.0
#: The number of attempts, and the first pause between them in seconds; each pause is doubled.
TRIES, PAUSE = 5, 1.0
LOCK = "sources.lock.json"


@dataclass(frozen=True, slots=True)
class Digest:
    """The digest of a file as its publisher states it, in hex digits."""

    kind: Literal["md5", "sha256"]
    value: str


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


def fetch(
    url: str, target: Path, digest: Digest | None = None, headers: Mapping[str, str] | None = None
) -> str:
    """Download a file; an interrupted download is continued.

    Args:
        url: an address with http or https.
        target: the path of the file, which appears when it is complete and checked.
        digest: the digest that it must have, if the publisher states one.
        headers: the headers of the request; they are not sent to another host after a redirection.

    Returns:
        The sha256 digest.

    Raises:
        DataError: the server does not answer, the connection breaks, the disk is full, or the
            digest differs.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    for attempt in range(1, TRIES + 1):
        try:
            _continue(url, part, headers or {})
            break
        except urllib.error.HTTPError as error:
            raise _refused(url, error) from None
        except (OSError, http.client.HTTPException) as error:
            if attempt == TRIES or isinstance(error, PermissionError):
                raise DataError(
                    f"cannot be downloaded: {getattr(error, 'reason', error)}", where=url,
                    hint=_remedy(part, target),
                ) from None  # fmt: skip
            time.sleep(PAUSE * 2 ** (attempt - 1))
    if digest is not None and (found := checksum(part, digest.kind)) != digest.value:
        part.unlink()
        raise DataError(
            f"its {digest.kind} is {found}, but the publisher states {digest.value}",
            where=url,
            hint="the file was removed; try again",
        )
    sha256 = checksum(part, "sha256")
    part.replace(target)
    _mark(part).unlink(missing_ok=True)
    return sha256


def _continue(url: str, part: Path, headers: Mapping[str, str]) -> None:
    """Append the missing part; start again if the file on the server has changed."""
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url)  # noqa: S310 (the table has web addresses only)
    for name, value in headers.items():
        request.add_unredirected_header(name, value)
    mark = _mark(part).read_text() if have and _mark(part).exists() else ""
    if have and mark:
        request.add_header("Range", f"bytes={have}-")
        request.add_header("If-Range", mark)
    try:
        response = urllib.request.urlopen(request, timeout=TIMEOUT)  # noqa: S310
    except urllib.error.HTTPError as error:
        if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            if error.headers.get("Content-Range", "").endswith(f"/{have}"):
                return  # it was complete already
            part.unlink()
            raise ConnectionError("the partial file cannot be continued") from None
        raise
    with response:
        resumed = response.status == http.HTTPStatus.PARTIAL_CONTENT
        write_atomically(_mark(part), _validator(response.headers))
        rest = _length(response.headers.get("Content-Length"))
        total = None if rest is None else rest + have * resumed
        with part.open("ab" if resumed else "wb") as file:
            _copy(response, file, part, total, have if resumed else 0)
    size = part.stat().st_size
    if total is not None and size < total:
        raise ConnectionError(f"the connection broke after {size:,} of {total:,} bytes")


def _remedy(part: Path, target: Path) -> str:
    """What to do after a download that failed for good."""
    if part.exists():
        return f"run the same command again; it continues from {part}"
    return f"check the network; or download it elsewhere, and put it there as {target}"


def _copy(source: Any, file: IO[bytes], part: Path, total: int | None, have: int) -> None:
    name = part.name.removesuffix(".part")
    with tqdm(desc=shown(name), total=total, initial=have, unit="B", unit_scale=True) as bar:
        while chunk := source.read(CHUNK):
            file.write(chunk)
            bar.update(len(chunk))
        file.flush()
        os.fsync(file.fileno())


def _length(text: str | None) -> int | None:
    """The value of a header Content-Length; None if it is missing or no number."""
    stated = (text or "").strip()
    return int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 19 else None


def _mark(part: Path) -> Path:
    """The file next to a partial download that names the version it is a part of."""
    return part.with_name(part.name + ".version")


def _validator(headers: Any) -> str:
    """A value that `If-Range` accepts: a strong entity tag or a date."""
    tag: str = headers.get("ETag", "")
    return tag if tag and not tag.startswith("W/") else headers.get("Last-Modified", "")


def _refused(url: str, error: urllib.error.HTTPError) -> DataError:
    hint = "try again later, or look for the file on its publisher's site"
    if error.code in (401, 403):
        hint = (
            "the publisher asks for consent: accept the terms on the data set's page, then set "
            "HF_TOKEN to an access token of that account"
        )
    return DataError(f"the server answers {error.code} {error.reason}", where=url, hint=hint)
