"""Which requests share a batch: a pure function of the requests."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from chef.types import Generate, Request


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """A request that waits for the model.

    Attributes:
        order: of its sample in the run; breaks every tie.
        request: what is asked.
        images: digests of the images it shows, in order.
        cost: estimated tokens of one row, images included.
        rows: sequences the model runs for it.
    """

    order: int
    request: Request
    images: tuple[str, ...]
    cost: int
    rows: int

    @property
    def kind(self) -> Hashable:
        """Requests of one call agree in this."""
        request = self.request
        if isinstance(request, Generate):
            sampling = (request.temperature, request.top_p)
            return ("generate", request.max_new_tokens, request.stop, *sampling)
        return "score"


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a batch may be.

    Attributes:
        requests: at most so many, if fixed.
        tokens: rows times the longest row, at most, when the number is not fixed.
    """

    requests: int | None
    tokens: int

    def fits(self, requests: int, rows: int, longest: int) -> bool:
        """Whether a batch of that size is allowed; a single request always is."""
        if requests <= 1:
            return True
        if self.requests is not None:
            return requests <= self.requests
        return rows * longest <= self.tokens

    def below(self, failed: Sequence[PendingRequest]) -> Limits:
        """Limits of half the size of a batch that was too large for the memory."""
        requests = self.requests
        if requests is not None:
            requests = max(1, min(requests, len(failed) // 2))
        padded = sum(item.rows for item in failed) * max(item.cost for item in failed)
        return Limits(requests, max(1, min(self.tokens, padded // 2)))

    def filled(self, batch: Sequence[PendingRequest]) -> float:
        """How much of the tokens allowed a batch takes; 1 is all."""
        return sum(item.rows for item in batch) * max(item.cost for item in batch) / self.tokens


def next_batch(waiting: Sequence[PendingRequest], limits: Limits) -> list[PendingRequest]:
    """The batch around the request that has waited longest.

    Args:
        waiting: at least one request, in any order.
        limits: what fits.

    Returns:
        Requests of one kind, neighbours in `ordered`, the oldest of all among them.
    """
    oldest = min(waiting, key=lambda item: item.order)
    line = ordered([item for item in waiting if item.kind == oldest.kind])
    left = right = line.index(oldest)
    rows, longest = oldest.rows, oldest.cost
    # Grow to the right (longer neighbours), then to the left, as far as the limits go.
    for step, end in ((1, len(line) - 1), (-1, 0)):
        while (right if step == 1 else left) != end:
            item = line[(right if step == 1 else left) + step]
            grown = rows + item.rows, max(longest, item.cost)
            if not limits.fits(right - left + 2, *grown):
                break
            rows, longest = grown
            left, right = (left, right + 1) if step == 1 else (left - 1, right)
    return line[left : right + 1]


def ordered(requests: Sequence[PendingRequest]) -> list[PendingRequest]:
    """Requests about the same images side by side, and those groups by their longest request."""
    longest: dict[tuple[str, ...], int] = {}
    for item in requests:
        longest[item.images] = max(longest.get(item.images, 0), item.cost)
    return sorted(
        requests, key=lambda item: (longest[item.images], item.images, item.cost, item.order)
    )
