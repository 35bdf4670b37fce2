"""Download of one file: it is resumed, checked, and appears only when it is complete."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from tqdm import tqdm

from chef.common.digest import checksum
from chef.common.printing import shown
from chef.common.writing import write_atomically
from chef.errors import DataError
from chef.frozen import Frozen
from chef.guard.bounds import HttpError, LoopThread, Pace, Trouble
from chef.guard.folder import alone_in
from chef.guard.http import HttpClient, Incoming

#: The most seconds until the file begins to come, redirects included, and between two pieces of it.
SECONDS = 60.0
#: The number of attempts, and the first pause between them in seconds; each pause is doubled.
TRIES, PAUSE = 5, 1.0
#: What another attempt may help against.
_PASSING = frozenset({Trouble.CONNECTION, Trouble.TIMEOUT})
#: So many bytes of the disk are left free.
FREE = 2**30
#: How often that is looked at, in bytes.
_LOOK = 64 * 2**20
#: The hosts to which publishers send a download on, with all below them. They are asked for the
#: file by https, without the headers that the publisher was given, such as a token.
SENT_ON: Mapping[str, tuple[str, ...]] = {
    "huggingface.co": ("hf.co", "huggingface.co"),
    "github.com": ("githubusercontent.com",),
}


class Digest(Frozen):
    """The digest of a file as its publisher states it, in hex digits."""

    kind: Literal["md5", "sha256"]
    value: str


def download(
    url: str,
    target: Path,
    digest: Digest | None = None,
    headers: Mapping[str, str] | None = None,
    *,
    hosts: tuple[str, ...] = (),
) -> str:
    """Download a file by http or https and return its sha256; an interrupted download is continued.

    ``target`` appears when it is complete and has the ``digest``. ``headers`` go to no other host;
    ``hosts``, besides `SENT_ON`, may be asked where the server sends on. DataError where it fails.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    was_there = target.exists()
    with alone_in(target.parent):
        if was_there or not target.exists():  # else another process has downloaded it meanwhile
            _bring(url, part, target, headers or {}, _may_follow(url, hosts))
            if digest is not None:
                _check(url, part, digest)
            part.replace(target)
            _mark(part).unlink(missing_ok=True)
        return checksum(target, "sha256")


def _bring(
    url: str, part: Path, target: Path, headers: Mapping[str, str], follow: Callable[[str], bool]
) -> None:
    """Download what is missing, in several attempts."""
    for attempt in range(1, TRIES + 1):
        loop = LoopThread()
        future = loop.submit(_continue(url, part, headers, follow))
        try:
            future.result()
        except HttpError as error:
            if attempt == TRIES or error.trouble not in _PASSING:
                what, hint = f"cannot be downloaded: {error.what}", _remedy(error, part, target)
                raise DataError(what, where=url, hint=hint) from None
        except OSError as error:
            hint = f"make room, or put the file there as {target}"
            raise DataError(f"cannot be saved: {error}", where=url, hint=hint) from None
        else:
            return
        finally:
            future.cancel()
            loop.close()
        time.sleep(PAUSE * 2 ** (attempt - 1))


def _check(url: str, part: Path, digest: Digest) -> None:
    if (actual := checksum(part, digest.kind)) != digest.value:
        part.unlink()
        raise DataError(
            f"its {digest.kind} is {actual}, but the publisher states {digest.value}",
            where=url,
            hint="the file was removed; try again",
        )


def _may_follow(url: str, hosts: tuple[str, ...]) -> Callable[[str], bool]:
    """Whether a host may be asked for the file that the publisher sends on to it."""
    publisher = urlsplit(url).hostname or ""
    known = SENT_ON.get(publisher, ())

    def may_follow(host: str) -> bool:
        return host in hosts or any(host == name or host.endswith(f".{name}") for name in known)

    return may_follow


async def _continue(
    url: str, part: Path, headers: Mapping[str, str], may_follow: Callable[[str], bool]
) -> None:
    """Append the missing part; start again if the file on the server has changed."""
    have = part.stat().st_size if part.exists() else 0
    mark = _mark(part).read_text() if have and _mark(part).exists() else ""
    wanted = {"Range": f"bytes={have}-", "If-Range": mark} if mark else {}
    sent = {"Accept-Encoding": "identity", **headers, **wanted}
    client = HttpClient(SECONDS)
    client.load()
    try:
        async with (
            asyncio.timeout(SECONDS) as limit,
            client.opened("GET", url, sent, may_follow=may_follow) as reply,
        ):
            limit.reschedule(None)
            if reply.status == 416 and wanted:
                if reply.headers.get("content-range", "").endswith(f"/{have}"):
                    return  # it was complete already
                part.unlink()
                raise HttpError("the partial file cannot be continued", Trouble.CONNECTION)
            is_resumed = reply.status == 206 and bool(wanted)
            if reply.status != 200 and not is_resumed:
                raise _refused(url, reply.status)
            if is_resumed and not reply.headers.get("content-range", "").startswith(
                f"bytes {have}-"
            ):
                part.unlink()
                raise HttpError("another part came than the one that was asked for",
                                Trouble.CONNECTION)  # fmt: skip
            await _save(reply, part, have if is_resumed else 0)
    except TimeoutError:
        raise HttpError(f"no file came within {SECONDS:g} s", Trouble.TIMEOUT) from None
    finally:
        await client.close()


async def _save(reply: Incoming, part: Path, have: int) -> None:
    """Write the body of a reply to the end of what is there already."""
    write_atomically(_mark(part), _validator(reply.headers))
    rest = _length(reply.headers.get("content-length"))
    total = None if rest is None else rest + have
    pace, looked_at = Pace(), -_LOOK
    name = shown(part.name.removesuffix(".part"))
    with (
        part.open("ab" if have else "wb") as file,
        tqdm(desc=name, total=total, initial=have, unit="B", unit_scale=True) as bar,
    ):
        try:
            _check_room(part, rest or 0)
            async for chunk in reply.chunks:
                pace.came(len(chunk))
                if file.tell() - looked_at >= _LOOK:
                    looked_at = file.tell()
                    _check_room(part, 0)
                file.write(chunk)
                bar.update(len(chunk))
        except HttpError as error:
            if error.trouble is not Trouble.CONNECTION or total is None:
                raise
            what = f"the connection broke after {file.tell():,} of {total:,} bytes"
            raise HttpError(what, Trouble.CONNECTION) from None
        finally:
            file.flush()
            os.fsync(file.fileno())


def _check_room(part: Path, size: int) -> None:
    """HttpError where the disk has no room for so many bytes."""
    free = shutil.disk_usage(part.parent).free
    if size + FREE > free:
        what = f"the disk has {free:,} bytes left, and the file "
        what += f"needs {size:,} more" if size else "is longer than that"
        raise HttpError(what, Trouble.BROKEN)


def _remedy(error: HttpError, part: Path, target: Path) -> str:
    """What to do after a download that failed for good."""
    if error.trouble is Trouble.ELSEWHERE:
        return (
            "if you trust that host: chef prepare NAME --allow-host HOST; or download the file "
            f"elsewhere, and put it there as {target}"
        )
    if part.exists():
        return f"run the same command again; it continues from {part}"
    return f"check the network; or download it elsewhere, and put it there as {target}"


def _length(text: str | None) -> int | None:
    """The value of a header Content-Length; None if it is missing or no number."""
    stated = (text or "").strip()
    return int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 19 else None


def _mark(part: Path) -> Path:
    """The file next to a partial download that names the version it is a part of."""
    return part.with_name(part.name + ".version")


def _validator(headers: Mapping[str, str]) -> str:
    """A value that `If-Range` accepts: a strong entity tag or a date."""
    tag = headers.get("etag", "")
    return tag if tag and not tag.startswith("W/") else headers.get("last-modified", "")


def _refused(url: str, status: int) -> DataError:
    hint = "try again later, or look for the file on its publisher's site"
    if status in (401, 403):
        hint = (
            "the publisher asks for consent: accept the terms on the data set's page, then set "
            "HF_TOKEN to an access token of that account"
        )
    return DataError(f"the server answers {status}", where=url, hint=hint)
