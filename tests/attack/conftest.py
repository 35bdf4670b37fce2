"""Nothing in here may hang: each test is interrupted after some seconds."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

#: The first run in a process imports PyTorch, which takes several seconds of them.
SECONDS = 30


@pytest.fixture(autouse=True)
def no_hang() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"still running after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
