"""Calls with a time limit: ended, given up, and what happens to the calls after them."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from chef.common.user_code import contained
from chef.engine import executor
from chef.engine.executor import Deadline, StuckError


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What ends a call has as long for it as a busy machine may take."""
    monkeypatch.setattr(executor, "GRACE", 1000)


def spin(times: int = 10**12) -> str:
    for _ in range(times):
        pass
    return "late"


def test_without_a_limit_the_call_is_made_directly() -> None:
    here = threading.get_ident()
    assert Deadline[int](None).call(threading.get_ident) == here


def test_calls_in_time_share_a_thread_and_give_what_they_give() -> None:
    limited: Deadline[int] = Deadline(100)
    threads = {limited.call(threading.get_ident) for _ in range(3)}
    assert len(threads) == 1
    assert threads != {threading.get_ident()}
    with pytest.raises(ZeroDivisionError):
        limited.call(lambda: 1 // 0)
    with pytest.raises(SystemExit):
        limited.call(lambda: exec("raise SystemExit(0)"))  # type: ignore[arg-type,func-returns-value]
    limited.close()
    limited.close()


def test_python_code_is_ended_and_the_next_call_is_made() -> None:
    limited: Deadline[str] = Deadline(0.1)
    with pytest.raises(TimeoutError, match=r"no reply within 0\.1 s") as caught:
        limited.call(spin)  # of hours
    assert not isinstance(caught.value, StuckError)
    assert limited.call(lambda: "next") == "next"


def test_code_that_catches_exceptions_is_ended_too() -> None:
    def stubborn() -> str:
        for _ in range(100):
            try:
                spin(10**8)
            except Exception:
                continue
        return "late"

    with pytest.raises(TimeoutError):
        Deadline[str](0.1).call(stubborn)


def test_a_call_that_waits_outside_of_python_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "GRACE", 0.05)
    limited: Deadline[str] = Deadline(0.05)
    go_on = threading.Event()
    with pytest.raises(StuckError) as caught:
        limited.call(lambda: str(go_on.wait(60)))
    assert not caught.value.earlier
    with pytest.raises(StuckError, match="an earlier call") as caught:
        limited.call(lambda: "not asked")
    assert caught.value.earlier
    go_on.set()
    for _ in range(3000):
        time.sleep(0.02)
        try:
            assert limited.call(lambda: "it has ended") == "it has ended"
        except StuckError:
            continue
        return
    pytest.fail("the model is never asked again")


def test_a_stuck_call_does_not_hold_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "GRACE", 0.0)
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    let_go = threading.Event()

    def stuck() -> str:
        with contained("the model"):
            let_go.wait(100)
        return "late"

    monkeypatch.chdir(first)
    limited: Deadline[str] = Deadline(0.1)
    with pytest.raises(StuckError):
        limited.call(stuck)
    monkeypatch.chdir(second)  # as a notebook does between two evaluations
    with contained("the scenario"):
        pass
    assert Path.cwd() == second
    let_go.set()
