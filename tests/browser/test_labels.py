"""Labelling in a real browser, by keyboard: resumed after a kill, two at once, hostile answers."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from runs_by_hand import make_own, outcomes, prediction, write_run

from chef.report.labels.scales import replies_of
from chef.types import Prediction, Status

HOSTILE = (
    '</script><script>document.title="evil"</script><img src=x onerror=\'document.title="evil"\'>'
)
SHOWN = "return document.querySelector('#labels')?.dataset.sample ?? null"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    record = prediction("hostile", "R").sample
    evil = Prediction("hostile", Status.OK, HOSTILE, sample={**record, "question": HOSTILE})
    path = write_run(tmp_path, outcomes("R" * 7 + "W" * 4), also=[evil])
    make_own(path)
    return path


@contextmanager
def labelling(run: Path, person: str, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command in a process of its own, and the address of its page."""
    command = [sys.executable, "-u", "-m", "chef", "score", str(run), "--label", "--by", person]
    process = subprocess.Popen([*command, *words], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        address = next(line.strip() for line in process.stdout if line.startswith("http://"))
        yield process, address
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def open_page(browser: Any, address: str) -> str:
    """Load the page; the id of the sample that it shows."""
    browser.driver.get("about:blank")
    browser.driver.get(address)
    browser.until("return document.documentElement.dataset.ready === 'true'")
    return str(browser.run(SHOWN))


def press(browser: Any, key: str) -> str:
    """Press a key, and wait for another answer; its id, empty after the last one."""
    before = browser.run(SHOWN)
    browser.press(key)
    browser.until(f"return (() => {{ {SHOWN} }})() !== arguments[0]", before)
    return str(browser.run(SHOWN))


def test_by_keyboard_killed_and_resumed(browser: Any, run: Path) -> None:
    browser.complaints()
    order = []
    with labelling(run, "anna") as (_, address):
        order.append(open_page(browser, address))
        assert browser.text("h1") == "Is this answer right?"
        assert browser.run("return document.activeElement.id") == "labels-title"
        order += [press(browser, key) for key in "rws"]
        assert browser.text("#progress") == "3 of 12 answers labelled"
        assert press(browser, "b") == order[2]
        pressed = browser.run("return document.querySelector('[aria-pressed=true]').dataset.key")
        assert pressed == "s"
        press(browser, "w")  # said again
        assert browser.complaints() == []
    # The process is killed: a reply is not stored, and the page says so.
    browser.press("r")
    browser.until("return document.querySelector('#labels-problem')?.hidden === false")
    assert "not stored" in browser.text("#labels-problem")
    assert browser.run(SHOWN) == order[3]
    said = replies_of(run, "right")["anna"]
    assert said == {order[0]: 1.0, order[1]: 0.0, order[2]: 0.0}
    assert len((run / "labels_anna.jsonl").read_text().splitlines()) == 4
    browser.driver.get("about:blank")
    browser.complaints()
    with labelling(run, "anna") as (_, address):
        assert open_page(browser, address) == order[3]
        for _ in range(9):
            press(browser, "r")
        assert "That was the last one" in browser.text("#labels")
        browser.driver.get("about:blank")
        assert browser.complaints() == []
    assert len(replies_of(run, "right")["anna"]) == 12


def test_hostile_answers_are_text(browser: Any, run: Path) -> None:
    browser.complaints()
    with labelling(run, "anna") as (_, address):
        name = open_page(browser, address)
        while name != "hostile":
            name = press(browser, "n")
        assert HOSTILE in browser.text("#labels .answer-text")
        assert browser.run("return document.title") == "Is this answer right?"
        assert (
            browser.run("return document.querySelectorAll('#labels img, #labels script').length")
            == 0
        )
        assert "read as" not in browser.text("#labels")
        browser.driver.get("about:blank")
        assert browser.complaints() == []


def test_two_people_at_once(browser: Any, run: Path) -> None:
    first = browser.driver.current_window_handle
    with labelling(run, "anna") as (_, one), labelling(run, "ben") as (_, two):
        begun = open_page(browser, one)
        browser.driver.switch_to.new_window("tab")
        second = browser.driver.current_window_handle
        assert open_page(browser, two) == begun  # the same answers, in the same order
        for _ in range(3):
            press(browser, "w")
            browser.driver.switch_to.window(first)
            press(browser, "r")
            browser.driver.switch_to.window(second)
        browser.driver.close()
        browser.driver.switch_to.window(first)
        browser.driver.get("about:blank")
    said = replies_of(run, "right")
    assert list(said["anna"].values()) == [1.0] * 3
    assert list(said["ben"].values()) == [0.0] * 3
