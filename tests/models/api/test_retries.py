"""When a request is sent again, and when it is given up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.models.api.failures import Failure
from chef.models.api.gate import FIRST_DELAY, LONGEST_DELAY, seconds_to_wait

RETRIED = [
    Failure.CONNECTION, Failure.TIMEOUT, Failure.RATE_LIMITED, Failure.OVERLOADED,
    Failure.CONFLICT, Failure.SERVER, Failure.BROKEN_BODY,
]  # fmt: skip


@pytest.mark.parametrize("failure", list(Failure))
def test_only_what_may_pass_is_tried_again_and_not_for_ever(failure: Failure) -> None:
    tries = [seconds_to_wait(failure, attempts, 4, chance=0.5) for attempts in range(1, 7)]
    if failure in RETRIED:
        assert [item is None for item in tries] == [False] * 3 + [True] * 3
        assert failure in FIRST_DELAY
    else:
        assert tries == [None] * 6


def test_delays_double_up_to_a_bound() -> None:
    delays = [seconds_to_wait(Failure.RATE_LIMITED, n, 100, chance=1) for n in range(1, 9)]
    assert delays == [2, 4, 8, 16, 32, 60, 60, 60]
    assert seconds_to_wait(Failure.RATE_LIMITED, 10**6, 10**7, chance=1) == LONGEST_DELAY


def test_the_jitter_is_full() -> None:
    delays = [seconds_to_wait(Failure.SERVER, 3, 9, chance=part) for part in (0, 0.25, 0.5, 1)]
    assert delays == [0, 1, 2, 4]


def test_the_server_is_waited_for() -> None:
    given = {"chance": 0.5, "retry_after": 20}
    assert seconds_to_wait(Failure.RATE_LIMITED, 1, 9, **given) == 21
    assert seconds_to_wait(Failure.RATE_LIMITED, 1, 1, **given) is None
    assert seconds_to_wait(Failure.RATE_LIMITED, 1, 9, chance=0, retry_after=1e9) == 300


@given(
    failure=st.sampled_from(RETRIED),
    attempts=st.integers(1, 50),
    chance=st.floats(0, 1),
    retry_after=st.one_of(st.none(), st.floats(-10, 1e6)),
)
def test_a_delay_is_bounded(
    failure: Failure, attempts: int, chance: float, retry_after: float | None
) -> None:
    delay = seconds_to_wait(failure, attempts, 99, chance=chance, retry_after=retry_after)
    assert delay is not None
    assert min(300, retry_after or 0) <= delay <= 302 or delay <= 60
    assert delay >= 0
