"""The one place where chef speaks HTTP: models behind servers, judges, services and downloads.

The client under it is `httpx2`. What is added here: nothing is sent to another host than the one
that was named, whatever a server answers; a reply may be only so large, as it travels and as it is
unpacked, and may take only so long; cookies and logins of the environment are never sent.

A server or gateway that sends a reply twice leaves the second one on an open connection, where the
next request would take it for its own. So every request has a connection of its own, unless its
reply can be told to belong to it: each request has a number that cannot be guessed
(``X-Request-Id``), and connections are kept, for one request at a time, to a server whose replies
repeat it. A reply with another number, or none, on a kept connection is not read. The request has
failed then, and no connection to that server is kept any more.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING

from chef.errors import ConfigError
from chef.guard.bounds import (
    MOST_BYTES,
    MOST_HEADER_BYTES,
    MOST_HEADERS,
    HttpError,
    Trouble,
    Unpacker,
    too_large,
)
from chef.guard.loop import LoopThread
from chef.guard.redirects import elsewhere, is_same_host, next_address

if TYPE_CHECKING:
    import ssl

    import httpx2

#: How often a request is passed on by redirects.
MOST_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
#: The headers that go with a download to another host: which part of the file is wanted.
_OF_PARTS = frozenset({"range", "if-range", "accept-encoding", "connection", "user-agent"})
#: The header by which a reply can be told to belong to its request.
_NUMBER = "x-request-id"
#: What the client calls a connection that was cut; its other errors of HTTP are of what came.
_CUT = re.compile(r"disconnected|closed|clos(e|ing) connection", re.IGNORECASE)
_ENVIRONMENT = "check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY, SSL_CERT_FILE and SSL_CERT_DIR"


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply, read completely.

    Attributes:
        status: the status of HTTP, 200 to 999.
        headers: by names in lower case; of several with one name, joined by commas.
        body: its bytes, unpacked.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Incoming:
    """A reply whose body is still to be read.

    Attributes:
        status: the status of HTTP.
        headers: by names in lower case.
        chunks: the body as it travels, a piece at a time; to be read once.
    """

    status: int
    headers: Mapping[str, str]
    chunks: AsyncIterator[bytes]


class Client:
    """Sends requests, once each; to be used in one event loop.

    Proxies of the environment (``HTTPS_PROXY``, ``NO_PROXY``, ...) are used.

    Args:
        silence: the most seconds without a byte; None for any number.
    """

    def __init__(self, silence: float | None = 60.0) -> None:
        self._silence = silence
        #: The client without open connections, and the one that keeps them.
        self._clients: dict[bool, httpx2.AsyncClient] = {}
        #: Of each origin that was asked, whether connections to it are kept.
        self._is_kept: dict[str, bool] = {}

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
        """Send a request, and read the reply completely.

        Args:
            method: of HTTP.
            url: the address, with its parameters.
            headers: further headers.
            content: the body.
            seconds: the most that all of it may take, from connecting to the last byte.
            most: the most bytes of the reply, as it travels and as it is unpacked.

        Raises:
            HttpError: there is no reply that can be read; it was sent nowhere else.
            ConfigError: the environment names a proxy or certificates that cannot be used.
        """
        self.load()
        place, sent = "/".join(url.split("/", 3)[:3]), {"Accept-Encoding": "gzip", **headers}
        number = "" if any(name.lower() == _NUMBER for name in headers) else secrets.token_hex(16)
        if number:
            sent[_NUMBER] = number
        keeps = bool(number) and self._is_kept.get(place, False)
        try:
            async with (
                asyncio.timeout(seconds),
                self.opened(method, url, sent, content, number=number if keeps else "") as reply,
            ):
                body = await _read(reply, most)
        except HttpError:
            if keeps:  # perhaps of what came for an earlier request
                self._is_kept[place] = False
            raise
        except TimeoutError:
            raise HttpError(
                f"no complete reply came within {seconds or 0:g} s", Trouble.TIMEOUT
            ) from None
        if number and reply.headers.get(_NUMBER) == number:
            self._is_kept.setdefault(place, True)
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
        number: str = "",
    ) -> AsyncIterator[Incoming]:
        """Send a request; its reply is read within the ``with`` block.

        Args:
            method: of HTTP.
            url: the address, with its parameters.
            headers: further headers. To another host none of them is sent.
            content: the body.
            may_follow: of downloads: whether another host may be asked for the file.
            number: its ``X-Request-Id``, which every reply has to repeat: the connection may be
                that of an earlier request. Empty: it has a connection of its own.

        Raises:
            HttpError: see `exchange`.
            ConfigError: see `exchange`.
        """
        client = self._loaded(keeps=bool(number))
        for _ in range(MOST_REDIRECTS + 1):
            with _named(self._silence):
                response = await _sent(client, method, url, headers, content)
            try:
                _check_head(response, number)
                status, places = response.status_code, response.headers.get_list("location")
                if status not in _REDIRECTS or not any(places):
                    chunks = _chunks(response, self._silence)
                    yield Incoming(status, dict(response.headers), chunks)
                    return
            finally:
                await response.aclose()
            allowed = None if method != "GET" or content else may_follow
            if len(places) > 1:
                raise elsewhere(status, "several places")
            target = next_address(url, status, places[0], method, allowed)
            if not is_same_host(url, target):
                headers = {k: v for k, v in headers.items() if k.lower() in _OF_PARTS}
            url = target
        raise HttpError(f"it redirects more than {MOST_REDIRECTS} times", Trouble.ELSEWHERE)

    async def close(self) -> None:
        """Close the connections. The next request opens others."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.aclose()

    def load(self) -> None:
        """Load what requests need, so that it takes no time of the first one.

        Raises:
            ConfigError: see `exchange`.
        """
        self._loaded(keeps=False)

    def _loaded(self, *, keeps: bool) -> httpx2.AsyncClient:
        if keeps not in self._clients:
            import httpx2

            connection = "keep-alive" if keeps else "close"
            try:
                self._clients[keeps] = httpx2.AsyncClient(
                    headers={"User-Agent": "chef", "Connection": connection},
                    verify=_certificates(
                        os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
                    ),
                    cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
                    timeout=httpx2.Timeout(self._silence, pool=None),
                    limits=httpx2.Limits(
                        max_connections=None, max_keepalive_connections=None if keeps else 0
                    ),
                    follow_redirects=False,
                )
            except (ImportError, OSError, ValueError, httpx2.InvalidURL) as error:
                raise ConfigError(
                    f"no connection can be made with the settings of the environment: {error}",
                    hint=_ENVIRONMENT,
                ) from None
        return self._clients[keeps]


@lru_cache(maxsize=4)
def _certificates(file: str | None, folder: str | None) -> ssl.SSLContext:
    """The certificates of the system and the environment; reading them takes 0.1 s or more."""
    import httpx2

    del file, folder  # they are read by httpx2
    return httpx2.create_ssl_context()


async def _sent(
    client: httpx2.AsyncClient,
    method: str,
    url: str,
    headers: Mapping[str, str],
    content: bytes | None,
) -> httpx2.Response:
    try:
        request = client.build_request(method, url, headers=headers, content=content)
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
        said = _reason(error)
        is_nonsense = isinstance(error, httpx2.RemoteProtocolError) and not _CUT.search(said)
        trouble = Trouble.BROKEN if is_nonsense else Trouble.CONNECTION
        what = "what came is no HTTP" if is_nonsense else "no reply"
        raise HttpError(f"{what}: {said.rstrip('.')[:200]}", trouble) from None


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
    """Ask for an address without any header of one's own, and wait for the reply.

    Args:
        url: the address.
        seconds: see `Client.exchange`.
        most: see `Client.exchange`.

    Raises:
        HttpError: see `Client.exchange`.
        ConfigError: see `Client.exchange`.
    """
    client, loop = Client(seconds), LoopThread()

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


def _check_head(response: httpx2.Response, number: str) -> None:
    """Check status and headers.

    Raises:
        HttpError: there are too many headers, it is no reply, or none to the request that has this
            number.
    """
    if number and response.headers.get(_NUMBER) != number:
        raise HttpError("what came is no reply to this request", Trouble.CONNECTION)
    raw = response.headers.raw
    size = sum(len(name) + len(value) for name, value in raw)
    if len(raw) > MOST_HEADERS or size > MOST_HEADER_BYTES:
        what = f"the reply has {len(raw):,} headers of {size:,} bytes"
        raise HttpError(f"{what}: more than anybody needs", Trouble.BROKEN)
    if response.status_code < 200:
        raise HttpError(f"status {response.status_code} is no reply", Trouble.BROKEN)


async def _read(reply: Incoming, most: int) -> bytes:
    """The body of a reply, unpacked.

    Raises:
        HttpError: it is too large, or packed in a way that cannot be read.
    """
    unpacker = Unpacker(reply.headers.get("content-encoding", ""), most)
    pieces, size = list[bytes](), 0
    async for chunk in reply.chunks:
        size += len(chunk)
        if size > most:
            raise too_large(most)
        pieces.append(unpacker.unpack(chunk))
    unpacker.check_end()
    return b"".join(pieces)
