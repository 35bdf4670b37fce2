"""Batches are a pure function of the waiting requests."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chef.engine.executor_base import Limits, PendingRequest, next_batch, ordered
from chef.types import Generate, Score, Text, Turn

TURN = (Turn("user", (Text("?"),)),)


def asked(order: int, cost: int, rows: int, image: str, kind: int) -> PendingRequest:
    request = Score(TURN, ("a",) * rows) if kind == 0 else Generate(TURN, max_new_tokens=kind)
    return PendingRequest(order, request, (image,), cost, rows)


requests = st.lists(
    st.tuples(
        st.integers(1, 50), st.integers(1, 5), st.sampled_from("xyz"), st.sampled_from([0, 8, 16])
    ),
    min_size=1,
    max_size=40,
).map(lambda items: [asked(order, *item) for order, item in enumerate(items)])
limits = st.one_of(
    st.builds(Limits, requests=st.integers(1, 8), tokens=st.just(1)),
    st.builds(Limits, requests=st.none(), tokens=st.integers(1, 400)),
)


@given(requests, limits)
def test_a_batch_holds_the_oldest_is_of_one_kind_and_fits(
    waiting: list[PendingRequest], limit: Limits
) -> None:
    batch = next_batch(waiting, limit)
    assert min(waiting, key=lambda item: item.order) in batch
    assert len({item.kind for item in batch}) == 1
    rows, longest = sum(item.rows for item in batch), max(item.cost for item in batch)
    assert limit.fits(len(batch), rows, longest)


@given(requests, limits)
def test_a_batch_is_as_large_as_its_neighbourhood_allows(
    waiting: list[PendingRequest], limit: Limits
) -> None:
    batch = next_batch(waiting, limit)
    line = ordered([item for item in waiting if item.kind == batch[0].kind])
    left, right = line.index(batch[0]), line.index(batch[-1])
    assert line[left : right + 1] == batch
    for neighbour in [*line[max(left - 1, 0) : left], *line[right + 1 : right + 2]]:
        grown = [*batch, neighbour]
        rows, longest = sum(item.rows for item in grown), max(item.cost for item in grown)
        assert not limit.fits(len(grown), rows, longest)


@given(requests, limits, st.randoms())
def test_the_order_of_waiting_does_not_matter(waiting, limit, random) -> None:
    expected = next_batch(waiting, limit)
    shuffled = list(waiting)
    random.shuffle(shuffled)
    assert next_batch(shuffled, limit) == expected


def test_requests_about_one_image_are_neighbours() -> None:
    line = ordered([asked(n, 10 + n, 1, "xy"[n % 2], 0) for n in range(6)])
    assert [item.images for item in line] == [("x",)] * 3 + [("y",)] * 3


def test_a_batch_holds_all_requests_about_its_image_before_others() -> None:
    """They share what the model computes of it, wherever the oldest stands among them."""
    costs = {"x": [30, 10, 20, 25], "y": [35, 40], "z": [12]}
    items = [(cost, 1, image, 8) for image, each in costs.items() for cost in each]
    waiting = [asked(order, *item) for order, item in enumerate(items)]
    batch = next_batch(waiting[2:] + waiting[1:2], Limits(3, 1))
    assert [item.cost for item in batch] == [10, 20, 25]
    batch = next_batch(waiting, Limits(5, 1))  # and then longer ones
    assert [item.images for item in batch] == [("x",)] * 4 + [("y",)]


def test_limits_below_what_did_not_fit() -> None:
    failed = [asked(n, 20, 2, "x", 0) for n in range(4)]
    free, fixed = Limits(None, 10_000), Limits(16, 10_000)
    assert free.below(failed) == Limits(None, 4 * 2 * 20 // 2)
    assert fixed.below(failed).requests == 2
