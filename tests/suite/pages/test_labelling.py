"""The page of a person who labels: who is answered, and what is taken."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from runs_by_hand import make_own, outcomes, write_run

from chef.report.labels.scales import replies_of
from chef.suite.pages.served import Labelling, asking_of
from chef.suite.pages.server import LOOPBACK, PageServer


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = write_run(tmp_path / "results", outcomes("R" * 12 + "W" * 8), model="secretive")
    make_own(path)
    return path


@pytest.fixture
def server(run: Path, tmp_path: Path) -> Iterator[PageServer]:
    place = tmp_path / "place"
    place.mkdir()
    asking, views = asking_of(run, "anna", number=10, thumbnails=place)
    page = Labelling(asking, views, place)
    with PageServer(page, 0, page.take) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
    asking.close()


def ask(
    server: PageServer, path: str, content: bytes | None = None, **headers: str
) -> tuple[int, str]:
    """Status and content; with content it is sent, as the page does but for the headers."""
    connection = http.client.HTTPConnection(LOOPBACK, server.server_port, timeout=20)
    connection.putrequest("GET" if content is None else "POST", path, skip_host=True)
    given = {"Host": f"{LOOPBACK}:{server.server_port}"}
    if content is not None:
        given |= {"Content-Type": "application/json", "Content-Length": str(len(content))}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    for name, value in given.items():
        connection.putheader(name, value)
    connection.endheaders(content)
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply.status, text


def reply(name: str, key: str = "r") -> bytes:
    return json.dumps({"id": name, "key": key}).encode()


def first(server: PageServer) -> str:
    page = server.served
    assert isinstance(page, Labelling)
    return page._asking.ids[0]


def test_the_page_is_blind_and_stores_replies(server: PageServer, run: Path) -> None:
    status, page = ask(server, f"/{server.token}/")
    assert (status, '<body class="labels">' in page) == (200, True)
    for told in ("secretive", "ACC", '"is_chosen":true', str(run)):
        assert told not in page, told
    assert ask(server, f"/{server.token}/labels") == (200, "{}")
    name = first(server)
    assert ask(server, f"/{server.token}/labels", reply(name, "w")) == (200, "{}")
    assert replies_of(run, "right") == {"anna": {name: 0.0}}
    assert json.loads(ask(server, f"/{server.token}/labels")[1]) == {name: "w"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421), ({"Origin": "http://evil.example"}, 400),
        ({"Content_Type": "text/plain"}, 400), ({"Content_Length": "10001"}, 400),
        ({"Content_Length": "-1"}, 400), ({"Origin": "null"}, 400),
    ],
)  # fmt: skip
def test_other_pages_send_nothing(
    server: PageServer, run: Path, headers: dict[str, str], status: int
) -> None:
    sent = reply(first(server))
    assert ask(server, f"/{server.token}/labels", sent, **headers)[0] == status
    assert replies_of(run, "right") == {}


def test_nothing_is_stored_without_the_token_or_at_other_addresses(
    server: PageServer, run: Path
) -> None:
    sent = reply(first(server))
    for path in (
        "/labels",
        f"/{server.token[:-1]}/labels",
        f"/{server.token}/",
        f"/{server.token}/x",
    ):
        assert ask(server, path, sent)[0] == 404, path
    for content in (b"", b"[]", b"{", reply("zebra"), reply(first(server), "9"),
                    b'{"id":"q1","key":"r","more":1}'):  # fmt: skip
        assert ask(server, f"/{server.token}/labels", content)[0] == 500, content
    assert replies_of(run, "right") == {}
    for path in ("run/0/", "../labels_anna.jsonl", "state", "%2e%2e/x"):
        assert ask(server, f"/{server.token}/{path}")[0] == 404, path
