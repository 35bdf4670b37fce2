"""The one place where chef speaks HTTP: models behind servers, judges, services and downloads.

The client under it is `httpx2`. What is added here: nothing is sent to another host than the one
that was named, whatever a server answers; a reply may be only so large, as it travels and as it is
unpacked, and may take only so long; cookies and logins of the environment are never sent. Every
request has a connection of its own: a server or gateway that sends a reply twice leaves the second
one on an open connection, where the next request would take it for its own.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING

from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.guard.bounds import (
    MOST_BYTES,
    MOST_HEADER_BYTES,
    MOST_HEADERS,
    HttpError,
    LoopThread,
    Trouble,
    Unpacker,
    too_large,
)

if TYPE_CHECKING:
    import ssl

    import httpx2

#: How often a request is passed on by redirects.
MOST_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
#: The redirects that keep the method and the body of a request.
_KEEPING = frozenset({307, 308})
_LONGEST_ADDRESS = 8000
#: The headers that go with a download to another host: which part of the file is wanted.
_OF_PARTS = frozenset({"range", "if-range", "accept-encoding", "connection", "user-agent"})
#: What the client calls a connection that was cut; its other errors of HTTP are of what came.
_CUT = re.compile(r"disconnected|closed|clos(e|ing) connection", re.IGNORECASE)
#: The headers of every request, unless it has its own.
_OWN = {"Accept": "*/*", "Connection": "close", "User-Agent": "chef"}
_ENVIRONMENT = "check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY, SSL_CERT_FILE and SSL_CERT_DIR"


class Reply(Frozen):
    """A reply, read completely and unpacked; headers in lower case, several of one name joined by
    commas.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class Incoming(Frozen):
    """A reply whose body is still to be read, once, in chunks as it travels."""

    status: int
    headers: Mapping[str, str]
    chunks: AsyncIterator[bytes]


class HttpClient:
    """Sends requests, once each, in one event loop, by the proxies of the environment.

    Args:
        silence: the most seconds without a byte; None for any number.
    """

    def __init__(self, silence: float | None = 60.0) -> None:
        self._silence = silence
        self._client: httpx2.AsyncClient | None = None

    async def exchange(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        content: bytes | None = None,
        *,
        seconds: float | None = None,
        most: int = MOST_BYTES,
    ) -> Reply:
        """Send a request, and read the reply completely, within so many seconds from connecting to
        its end.

        ``most`` bounds its bytes, packed and unpacked. HttpError: no readable reply; it was sent
        nowhere else. ConfigError: the environment names an unusable proxy or certificates.
        """
        try:
            async with (
                asyncio.timeout(seconds),
                self.opened(method, url, {"Accept-Encoding": "gzip", **headers}, content) as reply,
            ):
                body = await _read(reply, most)
        except TimeoutError:
            raise HttpError(
                f"no complete reply came within {seconds or 0:g} s", Trouble.TIMEOUT
            ) from None
        return Reply(reply.status, reply.headers, body)

    @asynccontextmanager
    async def opened(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        content: bytes | None = None,
        *,
        may_follow: Callable[[str], bool] | None = None,
    ) -> AsyncIterator[Incoming]:
        """Send a request, whose reply is read within the block; raises as `exchange`.

        Another host gets no header, and is asked only for downloads that ``may_follow`` lets go
        there.
        """
        client = self._loaded()
        for _ in range(MOST_REDIRECTS + 1):
            with _named(self._silence):
                response = await _sent(client, method, url, headers, content)
            try:
                status, values_of = response.status_code, _checked_headers(response)
                places = values_of.get("location", [])
                if status not in _REDIRECTS or not any(places):
                    chunks = _chunks(response, self._silence)
                    joined = {name: ", ".join(values) for name, values in values_of.items()}
                    yield Incoming(status, joined, chunks)
                    return
            finally:
                await response.aclose()
            allowed = None if method != "GET" or content else may_follow
            if len(places) > 1:
                raise _elsewhere(status, "several places")
            target = next_address(url, status, places[0], method, allowed)
            if not is_same_host(url, target):
                headers = {k: v for k, v in headers.items() if k.lower() in _OF_PARTS}
            url = target
        raise HttpError(f"it redirects more than {MOST_REDIRECTS} times", Trouble.ELSEWHERE)

    async def close(self) -> None:
        """Close the connections. The next request opens others."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    def load(self) -> None:
        """Load what requests need, so that it takes no time of the first one.

        Raises ConfigError.
        """
        self._loaded()

    def _loaded(self) -> httpx2.AsyncClient:
        if self._client is None:
            import httpx2

            try:
                self._client = httpx2.AsyncClient(
                    verify=_certificates(
                        os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
                    ),
                    cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
                    timeout=httpx2.Timeout(self._silence, pool=None),
                    limits=httpx2.Limits(max_connections=None, max_keepalive_connections=0),
                    follow_redirects=False,
                )
            except (ImportError, OSError, ValueError, httpx2.InvalidURL) as error:
                raise ConfigError(
                    f"no connection can be made with the settings of the environment: {error}",
                    hint=_ENVIRONMENT,
                ) from None
        return self._client


@lru_cache(maxsize=4)
def _certificates(file: str | None, folder: str | None) -> ssl.SSLContext:
    """The certificates of the system and the environment; reading them takes 0.1 s or more."""
    import httpx2

    del file, folder  # they are read by httpx2
    return httpx2.create_ssl_context()


@lru_cache(maxsize=64)
def _parsed(url: str) -> httpx2.URL:
    """An address in its parts, which takes some fifty calls to take apart."""
    import httpx2

    return httpx2.URL(url)


async def _sent(
    client: httpx2.AsyncClient,
    method: str,
    url: str,
    headers: Mapping[str, str],
    content: bytes | None,
) -> httpx2.Response:
    import httpx2

    try:
        headers = {**_OWN, **headers}
        request = httpx2.Request(method, _parsed(url), headers=headers, content=content)
        return await client.send(request, stream=True, auth=None)
    except (OSError, ValueError) as error:  # of addresses, names of hosts and headers
        raise HttpError(f"it cannot be sent: {error}", Trouble.CONNECTION) from None


async def _chunks(response: httpx2.Response, silence: float | None) -> AsyncIterator[bytes]:
    with _named(silence):
        async for chunk in response.aiter_raw():
            yield chunk


@contextmanager
def _named(silence: float | None) -> Iterator[None]:
    """Turn the failures of the client into those of this module."""
    import httpx2

    try:
        yield
    except httpx2.TimeoutException:
        waited = f" for {silence:g} s" if silence else ""
        raise HttpError(f"the server sent nothing{waited}", Trouble.TIMEOUT) from None
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        reason = _reason(error)
        is_nonsense = isinstance(error, httpx2.RemoteProtocolError) and not _CUT.search(reason)
        trouble = Trouble.BROKEN if is_nonsense else Trouble.CONNECTION
        what = "what came is no HTTP" if is_nonsense else "no reply"
        raise HttpError(f"{what}: {reason.rstrip('.')[:200]}", trouble) from None


def _reason(error: BaseException) -> str:
    """What happened, as the innermost cause says."""
    cause: BaseException = error
    for _ in range(10):
        if isinstance(cause, ConnectionError) and cause.errno:
            return os.strerror(cause.errno)
        if (inner := cause.__cause__ or cause.__context__) is None:
            break
        cause = inner
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error) or type(error).__name__


def get(url: str, *, seconds: float, most: int = MOST_BYTES) -> Reply:
    """Ask for an address without a header of one's own, and wait; see `HttpClient.exchange`."""
    client, loop = HttpClient(seconds), LoopThread()

    async def ask() -> Reply:
        try:
            return await client.exchange("GET", url, {}, seconds=seconds, most=most)
        finally:
            await client.close()

    future = loop.submit(ask())
    try:
        return future.result()
    finally:
        future.cancel()
        loop.close()


def origin(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port of an address, as the client connects to it."""
    import httpx2

    parts = httpx2.URL(url)
    return parts.scheme, parts.host, parts.port


def is_same_host(url: str, target: str) -> bool:
    """Whether a redirect stays where it was: the same origin, or its host by https at last."""
    before, after = origin(url), origin(target)
    return before == after or (before, after) == (
        ("http", after[1], None),
        ("https", before[1], None),
    )


def next_address(
    url: str,
    status: int,
    location: str,
    method: str,
    may_follow: Callable[[str], bool] | None = None,
) -> str:
    """Where a redirect leads, if it is followed; else HttpError, which names the host.

    It is followed to the same host and port, and from http to https there; a request with a body
    only where method and body are kept (307, 308). A download is also followed to another host, by
    https, where ``may_follow`` says so of its name.
    """
    import httpx2

    try:
        target = httpx2.URL(url).join(location[:_LONGEST_ADDRESS])
        place = f"{target.scheme[:20]}://{target.host[:100]}"
        place += "" if target.port is None else f":{target.port}"
    except (httpx2.InvalidURL, ValueError, TypeError):
        raise _elsewhere(status, "an address that is none") from None
    if len(location) > _LONGEST_ADDRESS or target.userinfo:
        raise _elsewhere(status, f"{place} with an address that is too long or has a user name")
    if is_same_host(url, str(target)):
        if method != "GET" and status not in _KEEPING:
            raise _elsewhere(status, "another path, without what was asked")
    elif target.scheme != "https" or may_follow is None or not may_follow(target.host):
        raise _elsewhere(status, place)
    return str(target)


def _elsewhere(status: int, place: str) -> HttpError:
    return HttpError(
        f"status {status} sends the request on to {place}, and nothing is sent there",
        Trouble.ELSEWHERE,
        "if that is the right place, name its address instead",
    )


def _checked_headers(response: httpx2.Response) -> dict[str, list[str]]:
    """The headers, in lower case; HttpError for too many, or what is no reply."""
    raw, size, headers = response.headers.raw, 0, dict[str, list[str]]()
    for name, value in raw:
        size += len(name) + len(value)
        headers.setdefault(_text(name).lower(), []).append(_text(value))
    if len(raw) > MOST_HEADERS or size > MOST_HEADER_BYTES:
        what = f"the reply has {len(raw):,} headers of {size:,} bytes"
        raise HttpError(f"{what}: more than anybody needs", Trouble.BROKEN)
    if response.status_code < 200:
        raise HttpError(f"status {response.status_code} is no reply", Trouble.BROKEN)
    return headers


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


async def _read(reply: Incoming, most: int) -> bytes:
    """The body of a reply, unpacked. HttpError: it is too large, or cannot be unpacked."""
    unpacker = Unpacker(reply.headers.get("content-encoding", ""), most)
    pieces, size = list[bytes](), 0
    async for chunk in reply.chunks:
        size += len(chunk)
        if size > most:
            raise too_large(most)
        pieces.append(unpacker.unpack(chunk))
    unpacker.check_end()
    return b"".join(pieces)
