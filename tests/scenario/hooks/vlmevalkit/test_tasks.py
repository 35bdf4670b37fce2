"""``track_progress_rich`` keeps what was computed, and begins nothing after a failure."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from chef.scenario.hooks.vlmevalkit.files import load
from chef.scenario.hooks.vlmevalkit.helpers import track_progress_rich


def test_tasks_run_at_once_and_come_in_order() -> None:
    meet = threading.Barrier(4, timeout=300)  # four calls that wait for each other

    def double(number: int) -> int:
        meet.wait()
        return 2 * number

    assert track_progress_rich(double, [(n,) for n in range(8)], nproc=4) == list(range(0, 16, 2))


def test_what_worked_is_kept_and_nothing_begins_after_a_failure(tmp_path: Path) -> None:
    begun: list[int] = []

    def careful(number: int) -> int:
        begun.append(number)
        if number == 3:
            raise ValueError("three")
        time.sleep(0.005)  # or the 50 would be done before the failure is seen
        return number

    file, tasks, keys = tmp_path / "kept.pkl", list(range(50)), [f"k{n}" for n in range(50)]
    with pytest.raises(ValueError, match="three"):
        track_progress_rich(careful, tasks, nproc=1, save=file, keys=keys)
    assert len(begun) < 50
    assert load(file) == {f"k{n}": n for n in begun if n != 3}
    before = len(begun)
    with pytest.raises(ValueError, match="three"):
        track_progress_rich(careful, tasks[:4], nproc=1, save=file, keys=keys[:4])
    assert begun[before:] == [3]  # the others are known
