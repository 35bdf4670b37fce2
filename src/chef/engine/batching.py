"""The choice of the next batch: a pure function of the pending requests."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import attrgetter

import msgspec

from chef.frozen import Frozen
from chef.models.api.traffic import Effort
from chef.types import Generate, Request


class PendingRequest(Frozen, eq=False):
    """A request that waits: ``rows`` sequences of about ``cost`` tokens each, images included.

    Requests of one batch agree in ``kind``; ``images`` are digests, in order, of images with so
    many ``pixels``, each counted once.
    """

    order: int
    request: Request
    images: tuple[str, ...]
    cost: int
    rows: int
    effort: Effort = msgspec.field(default_factory=Effort)
    pixels: int = 0
    kind: Hashable = "score"

    def __post_init__(self) -> None:
        request = self.request
        if isinstance(request, Generate):
            sampling = (request.temperature, request.top_p)
            kind = ("generate", request.max_new_tokens, request.stop, *sampling)
            msgspec.structs.force_setattr(self, "kind", kind)


class Limits(Frozen):
    """How large a batch may be: so many requests or, if None, tokens (rows x the longest)."""

    requests: int | None
    tokens: int

    def fits(self, requests: int, rows: int, longest: int) -> bool:
        """Whether a batch of this size is allowed; a single request always is."""
        if requests <= 1:
            return True
        if self.requests is not None:
            return requests <= self.requests
        return rows * longest <= self.tokens

    def below(self, failed: Sequence[PendingRequest]) -> Limits:
        """Limits of half the size of a batch that did not fit in memory."""
        requests = self.requests
        if requests is not None:
            requests = max(1, min(requests, len(failed) // 2))
        padded = sum(item.rows for item in failed) * max(item.cost for item in failed)
        return Limits(requests, max(1, min(self.tokens, padded // 2)))

    def filled(self, batch: Sequence[PendingRequest]) -> float:
        """The tokens of a batch as a share of the tokens allowed."""
        rows = sum([item.rows for item in batch])
        return rows * max([item.cost for item in batch]) / self.tokens


_ORDER = attrgetter("order")


def next_batch(waiting: Sequence[PendingRequest], limits: Limits) -> list[PendingRequest]:
    """The batch around the earliest sample: requests of one kind that are adjacent in `ordered`."""
    oldest = min(waiting, key=_ORDER)
    if limits.requests == 1:
        return [oldest]
    line = ordered([item for item in waiting if item.kind == oldest.kind])
    left = right = line.index(oldest)
    rows, longest = oldest.rows, oldest.cost
    alike = [place for place, item in enumerate(line) if item.images == oldest.images]
    # Grow to the right (longer requests), then to the left, as far as the limits allow; but first
    # by the requests about the same images, which share what the model computes of them.
    for step, end in ((1, alike[-1]), (-1, alike[0]), (1, len(line) - 1), (-1, 0)):
        while (right if step == 1 else left) != end:
            item = line[(right if step == 1 else left) + step]
            grown = rows + item.rows, max(longest, item.cost)
            if not limits.fits(right - left + 2, *grown):
                break
            rows, longest = grown
            left, right = (left, right + 1) if step == 1 else (left - 1, right)
    return line[left : right + 1]


def ordered(requests: Sequence[PendingRequest]) -> list[PendingRequest]:
    """Requests with equal images side by side, these groups sorted by their longest request."""
    longest: dict[tuple[str, ...], int] = {}
    for item in requests:
        longest[item.images] = max(longest.get(item.images, 0), item.cost)
    return sorted(
        requests, key=lambda item: (longest[item.images], item.images, item.cost, item.order)
    )
