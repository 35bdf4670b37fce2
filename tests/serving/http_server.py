"""A small HTTP/1.1 server in a thread, whose replies may be broken in any way."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request, read completely; the names of headers are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> dict[str, Any]:
        return json.loads(self.body)


class HttpServer:
    """Listens on a free port of this machine from ``with`` on, until its end.

    Connections stay open between requests, as with real servers. A subclass gives `respond`.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=512)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._has_started = threading.Event()
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        return int(self._listening.getsockname()[1])

    @property
    def base_url(self) -> str:
        """What a model file gives as ``base_url``."""
        return f"http://127.0.0.1:{self.port}/v1"

    @abstractmethod
    async def respond(self, request: HttpRequest, client: asyncio.StreamWriter) -> None:
        """Answer a request; a connection that is closed here is not used again."""

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._has_started.wait(100)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(100)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        starting = asyncio.start_server(self._connected, sock=self._listening)
        server = self._loop.run_until_complete(starting)
        self._has_started.set()
        try:
            self._loop.run_forever()
        finally:
            server.close()
            for task in self._connections:
                task.cancel()
            ends = asyncio.gather(*self._connections, return_exceptions=True)
            self._loop.run_until_complete(ends)
            self._loop.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while not writer.is_closing() and (request := await read_request(reader)):
                await self.respond(request, writer)
                if request.headers.get("connection", "").lower() == "close":
                    break
        except (ConnectionError, asyncio.CancelledError):
            pass  # the client has gone, or the server ends
        finally:
            self._connections.discard(task)
            writer.close()


async def read_request(reader: asyncio.StreamReader) -> HttpRequest | None:
    """The next request of a connection; None at its end."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines if line)
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
    except asyncio.IncompleteReadError:
        return None
    method, path, _ = first.split(" ", 2)
    return HttpRequest(method, path, headers, body)


def response(
    status: int,
    body: object,
    headers: Mapping[str, str] | None = None,
    kind: str = "application/json",
) -> bytes:
    """A whole response: what is no text is written as JSON."""
    data = (body if isinstance(body, str) else json.dumps(body)).encode()
    lines = {"content-type": kind, "content-length": str(len(data)), **(headers or {})}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status} Told\r\n{head}\r\n".encode() + data


async def send(client: asyncio.StreamWriter, data: bytes) -> None:
    """Write, and wait until the client has room for more."""
    client.write(data)
    await client.drain()
