"""The choice of the next batch: a pure function of the pending requests."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass, field
from operator import attrgetter

from chef.types import Generate, Request


@dataclass(slots=True)
class Effort:
    """What the requests of one sample to a server took.

    Attributes:
        requests: HTTP requests, failed ones included.
        retries: how often a request was sent again after a failure.
        seconds: how long all of them took together, without the pauses between them.
        prompt_tokens, completion_tokens: as the server counts them; 0 where it does not say.
    """

    requests: int = 0
    retries: int = 0
    seconds: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def record(self) -> dict[str, float]:
        """For the journal, seconds to the millisecond; empty where nothing was sent."""
        return {**asdict(self), "seconds": round(self.seconds, 3)} if self.requests else {}


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """A request that waits for the model.

    Attributes:
        order: position of its sample in the run; breaks every tie.
        request: the request.
        images: digests of the images it shows, in order.
        cost: estimated tokens of one row, images included.
        rows: how many sequences the model runs for it.
        effort: counts what a server is sent for its sample.
        kind: what the requests of one batch have to agree in.
    """

    order: int
    request: Request
    images: tuple[str, ...]
    cost: int
    rows: int
    effort: Effort = field(default_factory=Effort, repr=False, compare=False)
    kind: Hashable = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        request = self.request
        kind: Hashable = "score"
        if isinstance(request, Generate):
            sampling = (request.temperature, request.top_p)
            kind = ("generate", request.max_new_tokens, request.stop, *sampling)
        object.__setattr__(self, "kind", kind)


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a batch may be.

    Attributes:
        requests: the most requests, if their number is fixed.
        tokens: the most tokens (rows times the longest row), if it is not.
    """

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
        return sum(item.rows for item in batch) * max(item.cost for item in batch) / self.tokens


_ORDER = attrgetter("order")


def next_batch(waiting: Sequence[PendingRequest], limits: Limits) -> list[PendingRequest]:
    """The batch around the request of the earliest sample.

    Args:
        waiting: at least one request, in any order.
        limits: how large the batch may be.

    Returns:
        Requests of one kind that are adjacent in `ordered`, among them the earliest of all.
    """
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
    """Requests sorted so that those about the same images are adjacent.

    The groups of equal images are sorted by their longest request.
    """
    longest: dict[tuple[str, ...], int] = {}
    for item in requests:
        longest[item.images] = max(longest.get(item.images, 0), item.cost)
    return sorted(
        requests, key=lambda item: (longest[item.images], item.images, item.cost, item.order)
    )
