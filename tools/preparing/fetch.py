"""One file from the web: resumed where it stopped, checked, and there whole or not at all."""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

from tqdm import tqdm

from chef.common.digest import checksum
from chef.errors import DataError
from chef.run.folder import write_json

CHUNK = 1 << 20
TIMEOUT = 60.0
#: How often a broken connection is taken up again, and the first pause in seconds; it doubles.
TRIES, PAUSE = 5, 1.0
LOCK = "sources.lock.json"


@dataclass(frozen=True, slots=True)
class Digest:
    """What a publisher says of a file: ``md5`` or ``sha256``, and the hex digits."""

    kind: Literal["md5", "sha256"]
    value: str


class Lock:
    """What has been fetched, with the digest it had when it came first.

    A file that is fetched again has to be the same.

    Args:
        root: the data root; the lock is ``sources.lock.json`` in it.
    """

    def __init__(self, root: Path) -> None:
        self._file = root / LOCK
        try:
            content = json.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            content = {}
        except ValueError as error:
            raise DataError(f"unreadable ({error})", where=str(self._file)) from None
        self.entries: dict[str, dict[str, Any]] = content

    def check(self, name: str, digest: str) -> None:
        """Compare a file with what it was when it came first.

        Raises:
            DataError: it has changed.
        """
        before = self.entries.get(name, {}).get("sha256", digest)
        if before != digest:
            raise DataError(
                f"is another file than the first time: sha256 {digest}, and it was {before}",
                where=name,
                mend=f"if the publisher has changed it on purpose, remove its entry from "
                f"{self._file}",
            )

    def record(self, name: str, entry: Mapping[str, Any]) -> None:
        self.entries[name] = {**self.entries.get(name, {}), **entry}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        write_json(self._file, dict(sorted(self.entries.items())))


def fetch(
    url: str, target: Path, digest: Digest | None = None, headers: Mapping[str, str] | None = None
) -> str:
    """Download a file; what a broken download left is continued.

    Args:
        url: http or https.
        target: where it goes; it appears there when it is whole and right.
        digest: what it has to be, if the publisher says.
        headers: of the request; they are not sent on when another host is named instead.

    Returns:
        The sha256 digest.

    Raises:
        DataError: no answer, a broken connection, no room, or another content.
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
                    f"cannot be fetched: {error}", where=url,
                    mend=f"the same command goes on from {part}",
                ) from None  # fmt: skip
            time.sleep(PAUSE * 2 ** (attempt - 1))
    if digest is not None and (found := checksum(part, digest.kind)) != digest.value:
        part.unlink()
        raise DataError(
            f"its {digest.kind} is {found}, and the publisher says {digest.value}",
            where=url,
            mend="what was fetched is removed; try again",
        )
    sha256 = checksum(part, "sha256")
    part.replace(target)
    _mark(part).unlink(missing_ok=True)
    return sha256


def _continue(url: str, part: Path, headers: Mapping[str, str]) -> None:
    """Append what is missing; begin anew if the server's file is another one by now."""
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
                return  # it was whole already
            part.unlink()
            raise ConnectionError("what was fetched before is of no use") from None
        raise
    with response:
        resumed = response.status == http.HTTPStatus.PARTIAL_CONTENT
        _mark(part).write_text(_validator(response.headers))
        rest = response.headers.get("Content-Length")
        total = int(rest) + have * resumed if rest else None
        with part.open("ab" if resumed else "wb") as file:
            _copy(response, file, part, total, have if resumed else 0)
    size = part.stat().st_size
    if total is not None and size < total:
        raise ConnectionError(f"the connection broke after {size:,} of {total:,} bytes")


def _copy(source: Any, file: IO[bytes], part: Path, total: int | None, have: int) -> None:
    name = part.name.removesuffix(".part")
    with tqdm(desc=name, total=total, initial=have, unit="B", unit_scale=True) as bar:
        while chunk := source.read(CHUNK):
            file.write(chunk)
            bar.update(len(chunk))
        file.flush()
        os.fsync(file.fileno())


def _mark(part: Path) -> Path:
    """Beside the half of a file: which version of it that is half of."""
    return part.with_name(part.name + ".version")


def _validator(headers: Any) -> str:
    """What `If-Range` accepts: a strong entity tag, or a date."""
    tag: str = headers.get("ETag", "")
    return tag if tag and not tag.startswith("W/") else headers.get("Last-Modified", "")


def _refused(url: str, error: urllib.error.HTTPError) -> DataError:
    mend = "try again later, or look for the file at its publisher's"
    if error.code in (401, 403):
        mend = (
            "the publisher asks for consent: accept the terms on the data set's page, then set "
            "HF_TOKEN to an access token of that account"
        )
    return DataError(f"the server answers {error.code} {error.reason}", where=url, mend=mend)
