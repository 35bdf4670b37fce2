"""The limiter, without a clock: sequences computed by hand, and what holds for all of them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.models.api.failures import Failure
from chef.models.api.gate import LONGEST_PAUSE, MAX_RETRY_AFTER, START, Limiter

CONGESTION = [Failure.RATE_LIMITED, Failure.OVERLOADED, Failure.TIMEOUT]


def filled(state: Limiter, now: float = 0.0) -> Limiter:
    """As many requests in flight as may be."""
    while state.may_send(now):
        state = state.sent()
    return state


def rounds(state: Limiter, number: int) -> list[int]:
    """The limits after round trips in which every request succeeds."""
    limits = []
    for _ in range(number):
        state = filled(state)
        for _ in range(state.in_flight):
            state = state.succeeded()
        limits.append(state.limit)
    return limits


def test_one_request_is_alone_until_the_first_good_reply() -> None:
    state = filled(Limiter(64))
    assert state.in_flight == 1
    state = filled(state.failed(Failure.BAD_REQUEST, 0, 1))
    assert state.in_flight == 1
    state = filled(state.succeeded())
    assert state.in_flight == START == 4


def test_the_limit_doubles_until_the_first_congestion() -> None:
    # While replies come, in flight falls; only those in the upper half count as use of the limit.
    limits = rounds(Limiter(64), 5)
    assert limits[0] == 4
    assert all(one < other <= 2 * one for one, other in itertools.pairwise(limits))
    state = filled(Limiter(64)._replace(has_opened=True, limit=4))
    for _ in range(4):  # every reply is followed by a new request
        state = filled(state.succeeded())
    assert state.limit == 8


def test_after_a_congestion_the_limit_grows_by_one_in_a_round_trip() -> None:
    state = filled(Limiter(64)._replace(has_opened=True, limit=16))
    state = state.failed(Failure.RATE_LIMITED, sent_at=1, now=2)
    assert state.limit == 8
    state = state._replace(in_flight=7)
    grown = []
    for _ in range(8 + 9):
        state = filled(state.succeeded(), now=3)
        grown.append(state.limit)
    assert grown == [8] * 7 + [9] * 9 + [10]


@pytest.mark.parametrize("failure", CONGESTION)
def test_one_decrease_in_a_round_trip(failure: Failure) -> None:
    state = filled(Limiter(64)._replace(has_opened=True, limit=32))
    state = state.failed(failure, sent_at=1, now=5)
    assert state.limit == 16
    for sent_at in (2.0, 4.9, 5.0):  # they were sent before it was known
        state = state.failed(failure, sent_at, now=6)
    assert (state.limit, state.in_flight) == (16, 28)
    assert not state.may_send(now=6)
    assert state.failed(failure, sent_at=5.1, now=7).limit == 8


@pytest.mark.parametrize("failure", [item for item in Failure if item not in CONGESTION])
def test_other_failures_say_nothing_about_the_limit(failure: Failure) -> None:
    state = filled(Limiter(64)._replace(has_opened=True, limit=32))
    lost = int(failure is Failure.CONNECTION)
    assert state.failed(failure, 1, 5) == state._replace(in_flight=31, lost=lost)


def test_retry_after_pauses_all_sending_for_a_bounded_time() -> None:
    state = Limiter(64)._replace(has_opened=True, limit=8, in_flight=1)
    paused = state.failed(Failure.RATE_LIMITED, 1, 10, retry_after=7)
    assert not paused.may_send(16.9)
    assert paused.may_send(17)
    shorter = paused._replace(in_flight=1).failed(Failure.OVERLOADED, 2, 11, retry_after=1)
    assert not shorter.may_send(16.9)
    forever = state.failed(Failure.RATE_LIMITED, 1, 10, retry_after=1e9)
    assert forever.paused_until == 10 + MAX_RETRY_AFTER == 310
    assert state.failed(Failure.SERVER, 1, 10, retry_after=-5).may_send(10)


def test_where_one_request_is_too_much_sending_pauses_longer_and_longer() -> None:
    state, now, pauses = Limiter(64)._replace(has_opened=True), 0.0, []
    for _ in range(9):
        state = state.sent().failed(Failure.RATE_LIMITED, now, now + 0.5)
        pauses.append(state.paused_until - now - 0.5)
        assert not state.may_send(now + 0.5)
        now = state.paused_until
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert LONGEST_PAUSE == 60
    state = state.sent().succeeded()
    state = state.sent().failed(Failure.TIMEOUT, now, now + 1)
    assert (state.limit, state.may_send(now + 1)) == (1, True)
    state = state.sent().failed(Failure.TIMEOUT, now + 2, now + 3)
    assert state.paused_until == now + 3 + 1  # a good reply came: the pauses begin anew


events = st.lists(
    st.tuples(
        st.sampled_from(["send", "good", "end", *Failure]),
        st.floats(0, 100),
        st.one_of(st.none(), st.floats(-1, 1e4)),
    ),
    max_size=200,
)


@given(most=st.integers(1, 50), happened=events)
def test_whatever_happens_the_limits_hold(most: int, happened: list[tuple]) -> None:
    state, now, sent = Limiter(most), 0.0, list[float]()
    for event, seconds, retry_after in happened:
        now += seconds
        before = state
        if event == "send":
            if state.may_send(now):
                state = state.sent()
                sent.append(now)
                assert state.in_flight <= state.limit
                assert now >= state.paused_until
        elif sent:
            at = sent.pop(0)
            if event == "good":
                state = state.succeeded()
                assert state.limit >= before.limit or not before.has_opened
            elif event == "end":
                state = state.ended()
                assert state.limit == before.limit
            else:
                state = state.failed(event, at, now, retry_after)
                assert state.limit >= before.limit // 2 or state.is_out
                assert state.paused_until <= max(before.paused_until, now + MAX_RETRY_AFTER)
        assert 1 <= state.limit <= most
        assert state.in_flight == len(sent) <= most
        if not state.has_opened:
            assert state.in_flight <= 1


@given(most=st.integers(1, 50), happened=events)
def test_a_run_never_stands_still(most: int, happened: list[tuple]) -> None:
    state = Limiter(most)
    for event, _, retry_after in happened:
        if event in ("send", "good", "end"):
            continue
        if state.may_send(0):
            state = state.sent().failed(event, 1.0, 2.0, retry_after)
    assert state.may_send(2.0 + MAX_RETRY_AFTER)
