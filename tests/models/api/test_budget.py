"""Budgets: what is spent, what is reserved for requests in flight, and what is left."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chef.models.api.traffic import Spent, TokenCounts, Traffic, budget_error, lacking

EACH = TokenCounts(80, 20)


def test_what_is_in_flight_is_reserved() -> None:
    traffic = Traffic(max_tokens_total=300)
    spent = Spent().started(EACH).started(EACH)
    assert lacking(spent, traffic, EACH) is None
    spent = spent.started(EACH)
    assert lacking(spent, traffic, EACH) == "max_tokens_total"
    spent = spent.ended(EACH, TokenCounts(70, 5))  # 25 tokens fewer than expected
    assert lacking(spent, traffic, EACH) == "max_tokens_total"
    assert lacking(spent, traffic, TokenCounts(20, 5)) is None


def test_an_attempt_may_take_several_requests() -> None:
    traffic = Traffic(max_requests=9)
    spent = Spent().started(EACH).ended(EACH, requests=4)
    assert lacking(spent, traffic, EACH) is None
    assert lacking(spent.started(EACH), traffic, EACH) == "max_requests"


def test_cost_has_the_prices_of_a_million_tokens() -> None:
    traffic = Traffic(max_cost=1.0, price_input=2.0, price_output=10.0)
    spent = Spent(tokens=TokenCounts(250_000, 40_000))
    assert spent.cost(traffic) == 0.9
    assert lacking(spent, traffic, TokenCounts(0, 10_000)) is None
    assert lacking(spent, traffic, TokenCounts(1, 10_000)) == "max_cost"
    assert lacking(Spent(), Traffic(), TokenCounts(10**12, 10**12)) is None


def test_the_error_names_the_budget_what_is_spent_and_how_to_go_on() -> None:
    traffic = Traffic(max_cost=1.0, price_input=2.0, price_output=10.0)
    text = str(budget_error("max_cost", Spent(tokens=TokenCounts(250_000, 40_000)), traffic, EACH))
    assert "max_cost is 1.0, 0.9 was spent" in text
    assert "same command" in text
    text = str(budget_error("max_requests", Spent(1234), Traffic(max_requests=1234), EACH))
    assert "max_requests is 1234, 1,234 requests were sent" in text


@given(
    most=st.integers(1, 2000),
    happened=st.lists(st.tuples(st.booleans(), st.integers(0, 100), st.integers(0, 20))),
)
def test_what_ends_within_its_estimate_never_exceeds_a_budget(
    most: int, happened: list[tuple[bool, int, int]]
) -> None:
    traffic, spent, used = Traffic(max_tokens_total=most, max_requests=30), Spent(), 0
    for starts, prompt, completion in happened:
        if starts and lacking(spent, traffic, TokenCounts(100, 20)) is None:
            spent = spent.started(TokenCounts(100, 20))
        elif spent.in_flight:
            spent = spent.ended(TokenCounts(100, 20), TokenCounts(prompt, completion))
            used += prompt + completion
        assert spent.tokens.total == used
        assert used + 120 * spent.in_flight <= most
        assert spent.requests + spent.in_flight <= 30
    while spent.in_flight:
        spent = spent.ended(TokenCounts(100, 20))
    assert spent.reserved == TokenCounts()
