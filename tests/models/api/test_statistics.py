"""What is told of the requests of a run."""

from __future__ import annotations

import random

import numpy as np
import pytest

from chef.models.api.failures import Failure
from chef.models.api.traffic import TokenCounts, Traffic, TrafficStatistics, summary
from chef.run.session import speed

PRICED = Traffic(price_input=1.0, price_output=4.0)


def made(seconds: list[float]) -> TrafficStatistics:
    found = TrafficStatistics()
    for value in seconds:
        found.add(1, TokenCounts(100, 10), value)
    return found


@pytest.mark.parametrize("number", [1, 2, 3, 20, 101])
def test_latency_has_the_quantiles_of_numpy(number: int) -> None:
    chance = random.Random(number)
    seconds = [chance.expovariate(1.0) for _ in range(number)]
    record = made(seconds).record(Traffic())
    assert record["latency_median"] == pytest.approx(np.median(seconds), abs=1e-6)
    assert record["latency_p95"] == pytest.approx(np.percentile(seconds, 95), abs=1e-6)


def test_a_record_holds_tokens_cost_and_repeats_by_failure() -> None:
    found = made([0.5, 1.5])
    found.requests += 3
    found.repeated.update([Failure.TIMEOUT, Failure.SERVER, Failure.TIMEOUT])
    record = found.record(PRICED)
    assert (record["requests"], record["prompt_tokens"], record["completion_tokens"]) == (
        5,
        200,
        20,
    )
    assert record["cost"] == pytest.approx(280e-6)
    assert record["repeated"] == {"server": 1, "timeout": 2}
    assert found.record(Traffic())["cost"] is None


def test_nothing_answered_is_told_too() -> None:
    record = TrafficStatistics().record(PRICED)
    assert record["latency_median"] is record["latency_p95"] is None
    assert summary(record) == "0 requests, 0 tokens in, 0 out, cost 0.00"


def test_the_line_after_a_run() -> None:
    record = {**made([0.8] * 3).record(PRICED), "repeated": {"timeout": 12}, "requests": 1234}
    session = {"asked": 20, "seconds": 4.0, "generated_tokens": 30, "server": record}
    assert speed(session) == (
        "20 samples in 4.0 s: 5.0 samples/s; 1,234 requests (12 repeated), 300 tokens in, 30 out, "
        "cost 0.00042, latency median 0.8 s, p95 0.8 s"
    )


def test_replies_whose_tokens_are_not_told_are_counted() -> None:
    found = TrafficStatistics()
    found.add(1, TokenCounts(10, 2), 0.5)
    found.add(1, TokenCounts(), 0.5)
    record = found.record(Traffic())
    assert record["uncounted"] == 1
    assert "10 tokens in, 2 out (the server does not tell those of 1 reply)" in summary(record)
