"""Against a hostile server: no crash, no hang, nothing sent elsewhere, and honest errors.

Models, judges, both services and the downloader are asked by the same table (`hostile_replies`);
every second request gets a good reply, which has to count.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from attack.hostile_replies import COMMON, MODES, Mode
from attack.hostile_server import FILE, HostileServer, Recording
from conftest import ROOT
from serving.runs import wait_shortly

import chef
from chef.errors import ConfigError, DataError, RunError
from chef.models.api.client import Client
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.gate import Waits
from chef.models.api.service import Moderation, Perspective
from chef.models.api.traffic import Traffic
from chef.scenario import download

PLUGIN = str(ROOT / "tests" / "judge" / "scripted.py")
#: Seconds for one attempt; there are two.
SECONDS = 1.5
KEY = "key-of-the-user-7f31c9"
KINDS = {"error": {"error"}, "sent on": {"error"}, "answer": {"ok", "refused", "truncated"}}


@pytest.fixture(scope="module", autouse=True)
def warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What the first run of a process loads takes no time of a test."""
    chef.evaluate("tiny", "Shapes/direct", limit=1, save_dir=tmp_path_factory.mktemp("warm"))


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    wait_shortly(monkeypatch)
    monkeypatch.setenv("KEY_OF_SERVER", KEY)


@pytest.fixture(autouse=True)
def other() -> Iterator[Recording]:
    with Recording() as server:
        yield server
        assert server.asked == []


@pytest.fixture
def server(other: Recording) -> Iterator[HostileServer]:
    with HostileServer(MODES, other.port) as server:
        yield server


def model(server: HostileServer) -> dict[str, Any]:
    return {
        "model_name": "OpenAI", "model": "m", "base_url": server.base_url, "max_attempts": 2,
        "api_key_env": "KEY_OF_SERVER", "request_timeout": SECONDS, "max_in_flight": 12,
    }  # fmt: skip


def recipe(folder: Path, judge: Mapping[str, Any] | None = None) -> str:
    content: dict[str, Any] = {
        "plugins": [PLUGIN],
        "scenario_cfg": {"dataset_name": "Colours", "size": 2 * len(MODES)},
        "eval_cfg": {
            "inferencer_cfg": {"inferencer_type": "Direct"},
            "metric_cfg": {"metric_type": "JudgedShare"},
            **({"judge_cfg": judge} if judge else {}),
        },
    }
    (folder / "r.yaml").write_text(json.dumps(content))
    return str(folder / "r.yaml")


def check(statuses: Mapping[int, str], kinds: Mapping[str, set[str]], what: str) -> None:
    """Each mode has the outcome that the table says, and each good reply counts."""
    assert len(statuses) == 2 * len(MODES)
    wrong = {
        MODES[number // 2].name: status
        for number, status in statuses.items()
        if number % 2 and status not in kinds[MODES[number // 2].outcome]
    }
    assert wrong == {}
    good = Counter(status for number, status in statuses.items() if number % 2 == 0)
    assert good == {"ok": len(MODES)}
    bad = Counter(status for number, status in statuses.items() if number % 2)
    print(f"{what}: {len(MODES)} modes: {dict(bad)}; of {len(MODES)} good replies: {dict(good)}")


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_the_table_is_long() -> None:
    names = Counter(mode.name for mode in MODES)
    assert [name for name, count in names.items() if count > 1] == []
    assert len(MODES) >= 150


def test_models(server: HostileServer, tmp_path: Path) -> None:
    run = chef.evaluate(model(server), recipe(tmp_path), save_dir=tmp_path / "results")
    found = {line["id"]: line for line in lines(run.folder / "predictions.jsonl")}
    for line in found.values():
        assert (line["status"] == "error") == (line["answer"] is None)
        assert "this is a bug" not in json.dumps(line)
    check({int(name[1:]): line["status"] for name, line in found.items()}, KINDS, "models")
    assert {headers.get("authorization") for headers in server.headers} == {f"Bearer {KEY}"}
    assert not any("cookie" in headers for headers in server.headers)


def test_judges(server: HostileServer, tmp_path: Path) -> None:
    judge = {"model_cfg": model(server), "when": "always"}
    talker = {"plugins": [PLUGIN], "model_name": "Talker"}
    run = chef.evaluate(talker, recipe(tmp_path, judge), save_dir=tmp_path / "results")
    found = lines(run.folder / "judgements.jsonl")
    kinds = {**KINDS, "answer": {"ok", "unparsed"}}
    statuses = {int(line["id"][1:]): line["status"] for line in found}
    check(statuses, kinds, "judges")


def asked(service: Any, modes: list[int]) -> dict[int, str]:
    """What becomes of texts that are asked between good ones; ``sent on`` ends a service."""
    texts = [f"number {number}?" for mode in modes for number in (2 * mode, 2 * mode + 1)]
    items = [[text] for text in texts] if isinstance(service, Moderation) else texts
    outcomes = {}
    try:
        for place, outcome in service.results(items):
            outcomes[place] = "error" if isinstance(outcome, RequestFailedError) else "answer"
    except RunError:
        assert len(modes) == 1
        outcomes[1] = "sent on"
    assert {outcomes[place] for place in range(0, len(texts), 2)} == {"answer"}
    return {mode: outcomes[2 * place + 1] for place, mode in enumerate(modes)}


@pytest.mark.parametrize("kind", [Perspective, Moderation])
def test_services(kind: type[Any], server: HostileServer) -> None:
    traffic = Traffic(max_attempts=2, request_timeout=SECONDS, max_in_flight=12)
    service = kind(server.base_url, "KEY_OF_SERVER", traffic, waits=Waits(chance=lambda: 0.0))
    together = [n for n, mode in enumerate(COMMON) if mode.outcome != "sent on"]
    outcomes = asked(service, together)
    for number in set(range(len(COMMON))) - set(together):
        outcomes |= asked(service, [number])
    wrong = {COMMON[n].name: found for n, found in outcomes.items() if found != COMMON[n].outcome}
    assert wrong == {}
    assert len(outcomes) == len(COMMON)
    print(f"{service.title}: {len(COMMON)} modes: {dict(Counter(outcomes.values()))}")


def disk(folder: Path) -> SimpleNamespace:
    """A small disk, which the files of a folder fill."""
    used = sum(file.stat().st_size for file in folder.iterdir())
    return SimpleNamespace(free=100 * 2**20 - used)


def test_downloads(server: HostileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "TRIES", 1)
    monkeypatch.setattr(download, "SECONDS", SECONDS)
    monkeypatch.setattr("chef.guard.bounds.SLOWEST_SECONDS", 0.5)
    place = server.base_url.removesuffix("/v1")
    monkeypatch.setattr(download, "FREE", 0)
    monkeypatch.setattr(download.shutil, "disk_usage", disk)

    def is_file(number: int) -> bool:
        """Whether a mode gives a file; those that hang do so beside each other."""
        target = tmp_path / f"{number}" / "file"
        target.parent.mkdir()
        with suppress(DataError):
            download.download(f"{place}/file/{2 * number + 1}", target, None, {"X-Token": KEY})
        there = target.exists()
        shutil.rmtree(target.parent)
        return there

    with ThreadPoolExecutor(6) as threads:
        found = dict(zip(COMMON, threads.map(is_file, range(len(COMMON))), strict=True))
    assert {mode.name: there for mode, there in found.items() if there != mode.is_file} == {}
    download.download(f"{place}/file/0", tmp_path / "good")
    assert (tmp_path / "good").read_bytes() == FILE
    print(f"downloads: {len(found)} modes: {Counter(found.values())}")


def large(mode: Mode) -> bool:
    return any(word in mode.name for word in ("gzip", "MB", "endless", "headers", "trailers"))


def test_large_replies_take_little_memory(server: HostileServer) -> None:
    async def ask(number: int) -> None:
        client = Client(server.base_url, None, timeout=5)
        body = {"messages": [{"role": "user", "content": f"number {number}?"}]}
        with suppress(RequestFailedError):
            await client.post("chat/completions", body)
        await client.close()

    numbers = [2 * place + 1 for place, mode in enumerate(COMMON) if large(mode)]
    assert len(numbers) > 12
    peaks = {}
    for number in numbers:
        tracemalloc.start()
        asyncio.run(ask(number))
        peaks[COMMON[number // 2].name] = tracemalloc.get_traced_memory()[1] >> 20
        tracemalloc.stop()
    assert {name: peak for name, peak in peaks.items() if peak > 120} == {}
    print(f"the most memory of {len(peaks)} large replies: {max(peaks.values())} MB")


@pytest.mark.parametrize(
    ("name", "value"), [("ALL_PROXY", "socks9://x:1"), ("SSL_CERT_FILE", "/nowhere")]
)
def test_an_environment_that_cannot_be_used_is_named(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError, match="the settings of the environment") as error:
        Client("http://127.0.0.1:1/v1", None).load()
    assert name in str(error.value)


def test_a_redirect_names_the_host_and_what_to_do(server: HostileServer, other: Recording) -> None:
    (number,) = (place for place, mode in enumerate(MODES) if mode.name == "307 to another port")
    body = {"messages": [{"role": "user", "content": f"number {2 * number + 1}?"}]}
    with pytest.raises(RequestFailedError) as error:
        asyncio.run(Client(server.base_url, KEY).post("chat/completions", body))
    assert error.value.failure is Failure.NOT_FOUND
    assert str(error.value) == (
        f"{server.base_url}: status 307 sends the request on to http://127.0.0.1:{other.port}, and "
        "nothing is sent there\n"
        "  -> if that is the right server, write its address as base_url"
    )
