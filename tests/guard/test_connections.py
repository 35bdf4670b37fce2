"""Which connections are kept, and that no reply answers another request than its own."""

from __future__ import annotations

import asyncio
import json

import pytest
from serving.http_server import HttpRequest, HttpServer, response

from chef.guard.bounds import HttpError, Trouble
from chef.guard.http import Client


class Echoing(HttpServer):
    """Tells the path of a request, and repeats its number; counts requests by connection.

    Args:
        repeats: whether replies have the number of their request.
        twice: whether the last reply is sent again when the next request has come.
        follow: the path to which a request for ``/v1/old`` is sent on.
    """

    def __init__(self, *, repeats: bool = True, twice: bool = False) -> None:
        super().__init__()
        self._repeats, self._twice = repeats, twice
        self.counts: dict[int, int] = {}
        self._last: dict[int, bytes] = {}

    async def respond(self, request: HttpRequest, client: asyncio.StreamWriter) -> None:
        place = client.get_extra_info("peername")[1]
        self.counts[place] = self.counts.get(place, 0) + 1
        if self._twice and place in self._last:
            client.write(self._last[place])
        number = request.headers.get("x-request-id", "")
        headers = {"X-Request-Id": number} if self._repeats else {}
        status = 200
        if request.path.endswith("/old"):
            status, headers = 307, {**headers, "Location": "/v1/new"}
        self._last[place] = response(status, {"path": request.path}, headers)
        client.write(self._last[place])
        await client.drain()


async def asked(client: Client, server: HttpServer, path: str, **headers: str) -> str:
    url = f"{server.base_url}/{path}"
    reply = await client.exchange("POST", url, headers, b"{}", seconds=10)
    told: str = json.loads(reply.body)["path"].removeprefix("/v1/")
    return told


async def all_asked(server: HttpServer, *paths: str, **headers: str) -> list[str | Trouble]:
    """What is told to each, one after another; the trouble where there is no reply."""
    client, told = Client(), list[str | Trouble]()
    for path in paths:
        try:
            told.append(await asked(client, server, path, **headers))
        except HttpError as error:
            told.append(error.trouble)
    await client.close()
    return told


def test_connections_are_kept_to_a_server_that_repeats_the_number() -> None:
    with Echoing() as server:
        assert asyncio.run(all_asked(server, *"abcdef")) == list("abcdef")
        assert sorted(server.counts.values()) == [1, 5]  # the first shows that it does


@pytest.mark.parametrize("headers", [{}, {"X-Request-ID": "mine"}])
def test_others_get_a_connection_for_each_request(headers: dict[str, str]) -> None:
    with Echoing(repeats=bool(headers)) as server:
        assert asyncio.run(all_asked(server, *"abcd", **headers)) == list("abcd")
        assert list(server.counts.values()) == [1] * 4


def test_a_reply_that_comes_again_answers_no_other_request() -> None:
    with Echoing(twice=True) as server:
        told = asyncio.run(all_asked(server, *"abcdef"))
        assert told == ["a", "b", Trouble.CONNECTION, "d", "e", "f"]
        assert sorted(server.counts.values()) == [1, 1, 1, 1, 2]


def test_what_a_redirect_leaves_behind_answers_no_other_request() -> None:
    with Echoing(twice=True) as server:
        told = asyncio.run(all_asked(server, "a", "old", "c", "d"))
        assert told == ["a", "new", Trouble.CONNECTION, "d"]


def test_256_requests_are_in_flight_and_each_has_its_reply() -> None:
    async def together(server: HttpServer) -> list[str]:
        client, words = Client(), []
        for _ in range(2):  # the second time on the connections of the first
            words = await asyncio.gather(*(asked(client, server, f"{n}") for n in range(256)))
        await client.close()
        return words

    with Echoing() as server:
        assert asyncio.run(together(server)) == list(map(str, range(256)))
