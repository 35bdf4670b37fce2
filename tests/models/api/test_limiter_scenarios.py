"""What additive increase with multiplicative decrease must do, stated by its rules alone.

Each scenario is a story of a server, and what a client that keeps to the rules does: it never sends
more than `most`, it halves at most once for one burst of refusals, it sends nothing before the time
that the server names, and it comes back to the full rate when the server does.
"""

from __future__ import annotations

import pytest

from chef.models.api.failures import Failure
from chef.models.api.gate import Limiter


def fill(state: Limiter, now: float) -> Limiter:
    while state.may_send(now):
        state = state.sent()
    return state


def good(state: Limiter, now: float, rounds: int) -> Limiter:
    """So many round trips in which every reply is good, and each is followed by a new request."""
    for _ in range(rounds):
        state = fill(state, now)
        for _ in range(state.in_flight):
            state = fill(state.succeeded(), now)
    return state


def drained(state: Limiter) -> Limiter:
    while state.in_flight:
        state = state.ended()
    return state


def opened(most: int = 64) -> Limiter:
    return good(Limiter(most), 0.0, 12)


def test_a_healthy_server_gets_the_most_that_is_allowed() -> None:
    assert fill(opened(), 0.0).in_flight == 64


def test_a_ceiling_of_one_is_never_passed() -> None:
    state = good(Limiter(1), 0.0, 20)
    assert fill(state, 0.0).in_flight == 1


def test_a_burst_of_refusals_halves_once() -> None:
    state = fill(opened(), 0.0)
    for _ in range(30):  # all sent before the first refusal came back
        state = state.failed(Failure.RATE_LIMITED, sent_at=0.0, now=1.0)
    assert state.limit == 32


def test_refusals_in_later_round_trips_halve_again() -> None:
    state, limits = fill(opened(), 0.0), []
    for step in range(1, 6):
        state = state.failed(Failure.OVERLOADED, sent_at=step - 0.5, now=float(step))
        limits.append(state.limit)
    assert limits == [32, 16, 8, 4, 2]


def test_it_never_falls_below_one_and_still_sends() -> None:
    state = fill(opened(), 0.0)
    for step in range(1, 40):
        state = state.failed(Failure.TIMEOUT, sent_at=step * 100 - 1.0, now=step * 100.0)
        state = fill(state, step * 100.0 + 90)
        assert state.limit >= 1
    assert drained(state).may_send(1e6)


def test_after_a_decrease_the_way_back_is_one_in_a_round_trip() -> None:
    state = drained(fill(opened(), 0.0).failed(Failure.RATE_LIMITED, 0.5, 1.0))
    before = state.limit
    state = good(state, 2.0, 5)
    assert before + 4 <= state.limit <= before + 6


def test_nothing_is_sent_before_the_time_that_the_server_names() -> None:
    state = fill(opened(), 0.0).failed(Failure.RATE_LIMITED, 0.5, 10.0, retry_after=7.0)
    state = drained(state)
    assert [state.may_send(now) for now in (10.0, 16.9, 17.0)] == [False, False, True]


def test_of_two_times_the_later_one_holds() -> None:
    state = fill(opened(), 0.0).failed(Failure.RATE_LIMITED, 0.5, 10.0, retry_after=20.0)
    state = drained(state.failed(Failure.RATE_LIMITED, 0.5, 11.0, retry_after=1.0))
    assert not state.may_send(29.9)
    assert state.may_send(30.0)


@pytest.mark.parametrize("wait", [-5.0, 0.0])
def test_a_time_in_the_past_does_not_pause(wait: float) -> None:
    state = drained(fill(opened(), 0.0).failed(Failure.RATE_LIMITED, 0.5, 10.0, retry_after=wait))
    assert state.may_send(10.0)


def test_single_lost_connections_keep_the_rate() -> None:
    state = fill(opened(), 0.0)
    for step in range(10):
        state = state.failed(Failure.CONNECTION, sent_at=float(step), now=step + 0.5).sent()
        state = state.failed(Failure.SERVER, sent_at=float(step), now=step + 0.5).sent()
    assert state.limit == 64
    assert not state.is_out


def test_a_server_that_is_gone_is_looked_for_by_one_request() -> None:
    state = fill(opened(), 0.0)
    for _ in range(64):  # all that were in flight are lost at once
        state = state.failed(Failure.CONNECTION, sent_at=0.0, now=10.0)
    assert state.is_out
    assert (state.limit, state.in_flight, state.paused_until) == (1, 0, 11.0)
    waited, now = [], 11.0
    while not state.has_given_up:
        assert state.may_send(now)
        assert not state.sent().may_send(now)
        state = state.sent().failed(Failure.CONNECTION, sent_at=now, now=now + 0.1)
        waited.append(round(state.paused_until - now - 0.1, 6))
        now = state.paused_until
    assert waited == [2, 4, 8, 16, 30, 30, 30, 30, 30, 30]


def test_a_server_that_is_back_gets_the_full_rate_soon() -> None:
    state = fill(opened(), 0.0)
    for _ in range(64):
        state = state.failed(Failure.CONNECTION, sent_at=0.0, now=10.0)
    assert good(state, 11.0, 7).limit == 64
    assert not good(state, 11.0, 1).is_out


def test_a_server_that_refuses_is_not_gone() -> None:
    state = fill(opened(), 0.0)
    for _ in range(5):
        state = state.failed(Failure.CONNECTION, sent_at=0.0, now=10.0)
    assert not state.failed(Failure.OVERLOADED, sent_at=0.0, now=10.0).is_out


@pytest.mark.parametrize("failure", [Failure.BAD_REQUEST, Failure.SERVER, Failure.BROKEN_BODY])
def test_what_is_no_congestion_keeps_the_rate(failure: Failure) -> None:
    state = fill(opened(), 0.0)
    for step in range(10):
        state = state.failed(failure, sent_at=float(step), now=step + 0.5)
    assert state.limit == 64


def test_old_good_replies_do_not_undo_a_decrease() -> None:
    state = fill(opened(), 0.0).failed(Failure.RATE_LIMITED, 0.0, 1.0)
    for _ in range(20):  # replies to requests that were sent before
        state = state.succeeded()
    assert state.limit <= 33
