"""Pages that are served: who is answered, what stands at which address, and that it is live."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from runs_by_hand import outcomes, prediction, write_run

from chef.errors import ConfigError
from chef.run.answers import encode
from chef.suite.pages.served import Served
from chef.suite.pages.server import LOOPBACK, PageServer


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Two models with the same questions, and a folder that is no run."""
    folder = tmp_path / "results"
    write_run(folder, outcomes("RRWWRR"))
    write_run(folder, outcomes("RRRRRW"), model="two")
    (folder / "secret.txt").write_text("not of a run")
    return folder


@pytest.fixture
def server(results: Path, tmp_path: Path) -> Iterator[PageServer]:
    (tmp_path / "place").mkdir()
    with PageServer(Served([results], tmp_path / "place")) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def ask(
    server: PageServer, path: str, method: str = "GET", host: str | None = None
) -> tuple[int, str, dict[str, str]]:
    """Status, content and headers of what a browser would get; ``path`` as it is sent."""
    connection = http.client.HTTPConnection(LOOPBACK, server.server_port, timeout=20)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"{LOOPBACK}:{server.server_port}")
    connection.endheaders()
    reply = connection.getresponse()
    content = reply.read().decode()
    connection.close()
    return reply.status, content, dict(reply.getheaders())


def index_of(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="index">(.*?)</script>', page, re.DOTALL)
    assert found
    index: dict[str, object] = json.loads(found[1])
    return index


def test_only_the_whole_address_is_answered(server: PageServer) -> None:
    assert server.address == f"http://127.0.0.1:{server.server_port}/{server.token}/"
    assert server.server_address[0] == "127.0.0.1"
    status, page, headers = ask(server, f"/{server.token}/")
    assert status == 200
    assert "Models and recipes" in page
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "connect-src &#39;self&#39;" in page
    for path in ("/", f"/{server.token[:-1]}/", f"/{server.token}x/", "/x/"):
        status, told, _ = ask(server, path)
        assert (status, server.token in told) == (404, False), path
    assert ask(server, f"/{server.token}/", host="evil.example")[0] == 421
    assert ask(server, f"/{server.token}/", host=f"localhost:{server.server_port}")[0] == 200
    status, nothing, headers = ask(server, f"/{server.token}/", "HEAD")
    assert (status, nothing, int(headers["Content-Length"]) > 1000) == (200, "", True)
    assert ask(server, f"/{server.token}/", "POST")[0] == 501


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt", "secret.txt", "..%2fsecret.txt", "run/../../secret.txt", "run/0/",
        "run/%2e%2e/state", "compare/0/0/", "sweep/0/", "run//", "%00", "state/", "run/",
        "report_files/../report.html", "place/report.html", "/etc/passwd", "%2fetc%2fpasswd",
    ],
)  # fmt: skip
def test_no_address_leads_out_of_the_runs(server: PageServer, path: str) -> None:
    status, told, _ = ask(server, f"/{server.token}/{path}")
    assert (status, told) == (404, "There is no such page.")


def test_pages_are_those_of_files_and_nothing_is_written_to_the_runs(
    server: PageServer, results: Path
) -> None:
    before = {path: path.stat().st_mtime_ns for path in results.rglob("*")}
    index = index_of(ask(server, f"/{server.token}/")[1])
    links = [str(link) for link in list(index["links"])]  # type: ignore[call-overload]
    assert len(links) == 2
    for link in links:
        status, page, _ = ask(server, f"/{server.token}/{link}")
        assert status == 200
        assert '<body class="run">' in page
        assert len(list(index_of(page)["rows"])) == 6  # type: ignore[call-overload]
    keys = [link.split("/")[1] for link in links]
    status, page, _ = ask(server, f"/{server.token}/compare/{keys[0]}/{keys[1]}/")
    assert status == 200
    assert '<body class="comparison">' in page
    assert {path: path.stat().st_mtime_ns for path in results.rglob("*")} == before


def test_a_page_follows_its_run(server: PageServer, results: Path) -> None:
    index = index_of(ask(server, f"/{server.token}/")[1])
    states = {
        link: ask(server, f"/{server.token}/{link}state")[1]
        for link in ("", *map(str, list(index["links"])))  # type: ignore[call-overload]
    }
    assert states[""] == index["live"]
    run = next(path.parent for path in results.rglob("config.yaml") if "two" in str(path))
    with (run / "predictions.jsonl").open("ab") as journal:
        journal.write(encode(prediction("q6", "R")))
    now = {link: ask(server, f"/{server.token}/{link}state")[1] for link in states}
    assert sum(now[link] != state for link, state in states.items()) == 2  # the run, the overview
    changed = next(link for link in states if link and now[link] != states[link])
    assert len(list(index_of(ask(server, f"/{server.token}/{changed}")[1])["rows"])) == 7  # type: ignore[call-overload]


def test_a_damaged_run_and_a_new_one_are_listed(server: PageServer, results: Path) -> None:
    run = next(path.parent for path in results.rglob("config.yaml") if "two" in str(path))
    (run / "results.json").write_text("{")
    write_run(results, outcomes("RW"), model="three")
    status, page, _ = ask(server, f"/{server.token}/")
    assert status == 200
    assert "damaged" in page
    assert index_of(page)["runs"] == ["one", "three"]


def test_a_port_that_is_taken_is_said(server: PageServer) -> None:
    with pytest.raises(ConfigError, match="no page can be served at port"):
        PageServer(server.served, server.server_port)
