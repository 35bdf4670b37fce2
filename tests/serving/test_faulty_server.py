"""Of every ten requests three fail, in every way: nothing is lost, made up or asked too often."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import forked
import pytest
import yaml
from serving.faulty_proxy import FAULTS, HARMLESS, FaultyProxy
from serving.runs import COMMAND, SHAPES, Recording, lines, said, served, wait_shortly
from serving.shown import shown_by
from serving.stub_server import StubServer

import chef
from chef.image import Image

#: Enough for some 70 faults, several of each kind.
SAMPLES = 160
ATTEMPTS = 6
RECIPE = SHAPES / "direct.yaml"
#: Time limits for a server that answers at once.
QUICK = {"request_timeout": 0.5, "max_attempts": ATTEMPTS}


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    wait_shortly(monkeypatch)


@dataclass(frozen=True)
class Here:
    """What the embedded model says in this process."""

    lines: Mapping[str, Mapping[str, Any]]
    answers: Mapping[str, str]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Here:
    model = Recording()
    run = chef.evaluate(model, RECIPE, limit=SAMPLES, save_dir=tmp_path_factory.mktemp("here"))
    model.close()
    return Here(lines(run.folder), model.answers)


@pytest.fixture
def stub(here: Here) -> Iterator[StubServer]:
    """Says at once what the embedded model says."""
    with StubServer(lambda messages: here.answers[shown_by(messages)]) as server:
        yield server


@pytest.fixture
def proxy(stub: StubServer) -> Iterator[FaultyProxy]:
    with FaultyProxy(stub.base_url, rate=0.3, seed=1) as server:
        yield server


def bodies(proxy: FaultyProxy, here: Here) -> dict[str, str]:
    """The digest of the body that asks each sample, by the id of the sample."""
    found: dict[tuple[str, str], str] = {}
    for digest, body in proxy.bodies.items():
        (message,) = json.loads(body)["messages"]
        (text,) = (part["text"] for part in message["content"] if part["type"] == "text")
        (url,) = (part["image_url"]["url"] for part in message["content"] if "image_url" in part)
        found[Image(url).digest, text.strip()] = digest
    return {
        name: digest
        for name, line in here.lines.items()
        if (digest := found.get((line["images"][0]["digest"], _text(line)))) is not None
    }


def _text(line: Mapping[str, Any]) -> str:
    return str(line["trace"]["query"]).replace("<image>", "").strip()


def check_lines(run: Path, here: Here) -> Counter[str]:
    """Each sample has the answer of the model, or an error of the connection and no answer."""
    found = lines(run)
    assert found.keys() == here.lines.keys()
    for name, line in found.items():
        if line["status"] == "error":
            assert line["answer"] is None
            assert line["error"]["type"] == "RequestFailedError"
        else:
            assert said(line) == said(dict(here.lines[name]))
    return Counter(line["status"] for line in found.values())


def test_every_sample_is_answered_or_an_honest_error(
    here: Here, proxy: FaultyProxy, tmp_path: Path
) -> None:
    model = served(proxy.base_url, **QUICK)
    report = chef.evaluate(model, RECIPE, limit=SAMPLES, save_dir=tmp_path)
    statuses = check_lines(report.folder, here)

    assert statuses["error"] <= 5  # by chance 0.3 ** 6 of the samples, or 0.2
    assert report.metrics["ACC"].n == SAMPLES - statuses["error"]
    for line in map(json.loads, (report.folder / "scores.jsonl").read_text().splitlines()):
        assert (line.get("score") is None) == (line["status"] == "error")

    faults, counts = proxy.faults(), proxy.counts()
    assert faults.keys() == set(FAULTS)
    assert len(counts) == SAMPLES
    assert max(counts.values()) <= ATTEMPTS
    failures = sum(number for fault, number in faults.items() if fault not in HARMLESS)
    told = json.loads((report.folder / "environment.json").read_text())["sessions"][-1]["server"]
    # A busy machine may make a good reply late, or a request, which the proxy never reads then.
    late = told["repeated"].get("timeout", 0)
    assert 0 <= told["requests"] - len(proxy.passed) <= late
    assert told["requests"] == SAMPLES + (repeated := sum(told["repeated"].values()))
    # Every failure is followed by one more request, unless it was the last attempt.
    assert failures - statuses["error"] <= repeated <= failures + late
    print(f"{told['requests']} requests for {SAMPLES} samples, {failures} of them spoilt: {faults}")


def command(folder: Path) -> list[str]:
    return [
        sys.executable, "-c", COMMAND, "eval", "--model_cfg", str(folder / "model.yaml"),
        "--recipe_cfg", str(RECIPE), "--limit", str(SAMPLES),
        "--save_dir", str(folder / "results"), "--run_name", "killed",
    ]  # fmt: skip


def test_after_kill_9_no_answered_sample_is_asked_again(
    here: Here, proxy: FaultyProxy, tmp_path: Path
) -> None:
    (tmp_path / "model.yaml").write_text(yaml.safe_dump(served(proxy.base_url, **QUICK)))
    run = tmp_path / "results" / "tiny" / "Shapes" / "direct-killed"
    for wanted in (30, 100):
        process = forked.start(command(tmp_path))
        deadline = time.monotonic() + 300
        while len(lines(run)) < wanted:
            assert process.poll() is None, "the run has ended"
            assert time.monotonic() < deadline, "the run does not move"
            time.sleep(0.01)
        process.kill()
        time.sleep(0.3)  # until the proxy has read what was on its way
        answered = {name for name, line in lines(run).items() if line["status"] != "error"}
        before = proxy.counts()

    done = forked.run(command(tmp_path))
    statuses = check_lines(run, here)
    assert done.returncode == bool(statuses["error"]), done.stderr
    assert wanted <= len(answered) < SAMPLES
    asked, counts = bodies(proxy, here), proxy.counts()
    assert asked.keys() == here.lines.keys()
    assert {name for name in answered if counts[asked[name]] != before[asked[name]]} == set()
    assert max(counts.values()) <= 3 * ATTEMPTS  # three sessions
    told = json.loads((run / "environment.json").read_text())["sessions"][-1]["server"]
    late = told["repeated"].get("timeout", 0)  # what a busy machine sends too late is never read
    assert 0 <= told["requests"] - (counts - before).total() <= late
    assert f"{told['requests']:,} requests" in done.stdout + done.stderr


def test_through_a_faulty_proxy_to_the_real_server(
    here: Here, served_tiny: str, tmp_path: Path
) -> None:
    some = tmp_path / "some"
    with FaultyProxy(served_tiny, rate=0.3, seed=2) as proxy:
        model = served(proxy.base_url, request_timeout=5, max_attempts=ATTEMPTS, max_in_flight=8)
        report = chef.evaluate(model, RECIPE, limit=24, save_dir=some)
        found = lines(report.folder)
        assert len(found) == 24
        assert len(proxy.faults()) > 5
        assert proxy.most_in_flight <= 8
        assert max(proxy.counts().values()) <= ATTEMPTS
    alone = chef.evaluate("tiny", RECIPE, limit=24, save_dir=tmp_path / "alone")
    expected = lines(alone.folder)
    answered = {name: line for name, line in found.items() if line["status"] != "error"}
    assert len(answered) >= 22
    for name, line in answered.items():
        assert said(line) == said(expected[name])
