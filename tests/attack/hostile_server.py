"""A server that answers request for request as the table `hostile_replies` says."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from typing import Any

from attack.hostile_replies import Mode, whole
from serving.http_server import HttpRequest, HttpServer

from chef.models.api.service import ATTRIBUTES, CATEGORIES

#: The number in a question, a text or a path: an odd one 2 n + 1 is answered by the mode n.
NUMBER = re.compile(r"number (\d+)\?|/file/(\d+)")
FILE = b"the content of a file " * 100


def good_body(request: HttpRequest) -> bytes:
    """What a server in order would answer."""
    if "/file/" in request.path:
        return FILE
    if request.method == "GET":
        return b'{"data": []}'
    if "comments:analyze" in request.path:
        value = {"summaryScore": {"value": 0.5}}
        return json.dumps({"attributeScores": dict.fromkeys(ATTRIBUTES, value)}).encode()
    if "moderations" in request.path:
        scores = {"category_scores": dict.fromkeys(CATEGORIES, 0.5)}
        return json.dumps({"results": [scores]}).encode()
    message = {"role": "assistant", "content": "blue\nVerdict: [[A]]"}
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": "stop"}
    return json.dumps({"choices": [choice]}).encode()


class Recording(HttpServer):
    """Another server, which should never be asked anything."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[HttpRequest] = []

    async def respond(self, request: HttpRequest, client: asyncio.StreamWriter) -> None:
        self.asked.append(request)
        client.write(whole(200, good_body(request)))


class HostileServer(HttpServer):
    """Answers by the modes of a table.

    Args:
        modes: the table.
        other: the port of another server.
    """

    def __init__(self, modes: Sequence[Mode], other: int) -> None:
        super().__init__()
        self._modes, self._other = modes, str(other)
        self.headers: list[dict[str, str]] = []

    async def respond(self, request: HttpRequest, client: asyncio.StreamWriter) -> None:
        self.headers.append(dict(request.headers))
        numbers = NUMBER.search(request.path) or NUMBER.search(request.body.decode())
        number = int(next(filter(None, numbers.groups()))) if numbers else 0
        good = good_body(request)
        if number % 2 == 0 or request.path.endswith("?done"):
            client.write(whole(200, good))
            await client.drain()
            return
        reply = self._modes[number // 2].write(good, self._other)
        if isinstance(reply, bytes):
            client.write(reply)
            await client.drain()
        else:
            async for piece in reply:
                client.write(piece)
                await client.drain()
        client.close()
