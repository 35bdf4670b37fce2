"""Every request has a connection of its own, so that no reply answers another request."""

from __future__ import annotations

import asyncio
import json

from serving.http_server import HttpRequest, HttpServer, response

from chef.guard.http import HttpClient


class Echoing(HttpServer):
    """Tells the path of a request; counts requests by connection."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[int, int] = {}

    async def respond(self, request: HttpRequest, client: asyncio.StreamWriter) -> None:
        place = client.get_extra_info("peername")[1]
        self.counts[place] = self.counts.get(place, 0) + 1
        client.write(response(200, {"path": request.path}))
        await client.drain()


async def asked(client: HttpClient, server: HttpServer, path: str) -> str:
    reply = await client.exchange("POST", f"{server.base_url}/{path}", {}, b"{}", seconds=100)
    told: str = json.loads(reply.body)["path"].removeprefix("/v1/")
    return told


def test_256_requests_are_in_flight_and_each_has_its_reply() -> None:
    async def together(server: HttpServer) -> list[str]:
        client = HttpClient()
        words = await asyncio.gather(*(asked(client, server, f"{n}") for n in range(256)))
        await client.close()
        return words

    with Echoing() as server:
        assert asyncio.run(together(server)) == list(map(str, range(256)))
        assert list(server.counts.values()) == [1] * 256
