"""A proxy that spoils some of the replies of a server, in every way that a network knows."""

from __future__ import annotations

import asyncio
import hashlib
import random
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from serving.http_server import HttpRequest, HttpServer, response, send

#: Everything that can go wrong; the comment says what the client gets.
FAULTS = (
    "429",  # too many requests, without a time to wait
    "429 with Retry-After",
    "500",
    "502",  # with a page of HTML
    "503",
    "no answer",  # nothing, on an open connection
    "cut before",  # the connection ends before the reply
    "cut within",  # the connection ends in the middle of the reply
    "half a JSON",  # status 200 and the right length of half the text
    "no choices",  # status 200 and an empty list of choices
    "slow drip",  # a byte every 50 ms
    "body twice",  # status 200 and the text of the reply twice in one reply
    "reply twice",  # two whole replies, so that the second one waits for the next request
    "asked twice",  # the right reply, of a server that was asked twice
)
#: Faults that leave the client with a good reply.
HARMLESS = frozenset({"reply twice", "asked twice"})
PAGE = "<html><head><title>502 Bad Gateway</title></head><body>(A) nginx</body></html>"


@dataclass(frozen=True, slots=True)
class Passed:
    """One request that has come: a digest of its body, and what was done to its reply."""

    digest: str
    fault: str | None


def digest(body: bytes) -> str:
    """A digest of the body of a request."""
    return hashlib.blake2b(body, digest_size=16).hexdigest()


class FaultyProxy(HttpServer):
    """Passes requests on to a server, and spoils a share of the replies.

    The faults of a request depend on its body and on how often it has come, not on what is under
    way at the same time: the same requests meet the same faults in every run.

    Args:
        upstream: the ``base_url`` of the server.
        rate: the share of spoilt replies, 0..1.
        seed: of the stream that chooses.
        faults: those to choose from.
        wait: seconds of ``Retry-After``; as text, because a server sends text.
    """

    def __init__(
        self,
        upstream: str,
        *,
        rate: float = 0.3,
        seed: int = 0,
        faults: Sequence[str] = FAULTS,
        wait: str = "0.05",
    ) -> None:
        super().__init__()
        self._host, self._port = urlsplit(upstream).hostname, urlsplit(upstream).port
        self._rate, self._seed, self._faults, self._wait = rate, seed, faults, wait
        self._lock = threading.Lock()
        #: Of each digest, the body.
        self.bodies: dict[str, bytes] = {}
        #: All requests for replies, in the order in which they came.
        self.passed: list[Passed] = []
        self.in_flight = self.most_in_flight = 0

    def counts(self) -> Counter[str]:
        """How often each body has come, by its digest."""
        with self._lock:
            return Counter(item.digest for item in self.passed)

    def faults(self) -> Counter[str]:
        """How often each fault was done."""
        with self._lock:
            return Counter(item.fault for item in self.passed if item.fault)

    async def respond(self, request: HttpRequest, client: asyncio.StreamWriter) -> None:
        if request.method == "GET":
            await send(client, await self._forward(request))
            return
        fault = self._choose(request)
        self.in_flight += 1
        self.most_in_flight = max(self.in_flight, self.most_in_flight)
        try:
            await self._spoil(fault, request, client)
        finally:
            self.in_flight -= 1

    def _choose(self, request: HttpRequest) -> str | None:
        name = digest(request.body)
        with self._lock:
            self.bodies[name] = request.body
            times = sum(item.digest == name for item in self.passed)
            stream = random.Random(f"{self._seed} {name} {times}")
            fault = stream.choice(self._faults) if stream.random() < self._rate else None
            self.passed.append(Passed(name, fault))
        return fault

    async def _forward(self, request: HttpRequest) -> bytes:
        """The reply of the server, as it is."""
        reader, writer = await asyncio.open_connection(self._host, self._port)
        try:
            headers = {
                name: value
                for name, value in request.headers.items()
                if name not in {"host", "connection", "content-length", "accept-encoding"}
            }
            headers |= {
                "host": f"{self._host}:{self._port}",
                "content-length": str(len(request.body)),
                "connection": "close",
            }
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            head = f"{request.method} {request.path} HTTP/1.1\r\n{lines}\r\n"
            await send(writer, head.encode() + request.body)
            told, _, body = (await reader.read()).partition(b"\r\n\r\n")
        finally:
            writer.close()
        kept = [line for line in told.split(b"\r\n") if not line.lower().startswith(b"connection")]
        return b"\r\n".join(kept) + b"\r\n\r\n" + body

    async def _spoil(
        self, fault: str | None, request: HttpRequest, client: asyncio.StreamWriter
    ) -> None:
        if (told := self._refusal(fault)) is not None:
            await send(client, told)
        elif fault == "no answer":
            await asyncio.sleep(3600)
        elif fault == "cut before":
            client.close()
        else:
            if fault == "asked twice":
                await self._forward(request)
            await self._damage(fault, await self._forward(request), client)

    def _refusal(self, fault: str | None) -> bytes | None:
        """The reply where the server is not asked at all."""
        busy = {"error": {"message": "(A) is what a reader of errors would find", "type": "busy"}}
        if fault == "429 with Retry-After":
            return response(429, busy, {"retry-after": self._wait})
        if fault in {"429", "500", "503"}:
            return response(int(fault), busy)
        if fault == "502":
            return response(502, PAGE, kind="text/html")
        if fault == "no choices":
            return response(200, {"id": "x", "object": "chat.completion", "choices": []})
        return None

    async def _damage(self, fault: str | None, good: bytes, client: asyncio.StreamWriter) -> None:
        """Send a good reply, with a fault."""
        body = good.partition(b"\r\n\r\n")[2].decode()
        if fault == "cut within":
            await send(client, good[: -len(body) // 2])
            client.close()
        elif fault == "half a JSON":
            await send(client, response(200, body[: len(body) // 2]))
        elif fault == "body twice":
            await send(client, response(200, body * 2))
        elif fault == "reply twice":
            await send(client, good * 2)
        elif fault == "slow drip":
            for place in range(len(good)):
                await send(client, good[place : place + 1])
                await asyncio.sleep(0.05)
        else:
            await send(client, good)
