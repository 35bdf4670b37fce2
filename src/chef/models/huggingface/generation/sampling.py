"""Which token comes next: the likeliest, or one drawn from the row's own random stream."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from chef.types import Generate

if TYPE_CHECKING:
    import torch


class Choice(Protocol):
    """Chooses the next token of each row."""

    def __call__(self, scores: torch.Tensor, rows: Sequence[int]) -> torch.Tensor:
        """Tokens, [len(rows)].

        Args:
            scores: next-token logits in float32, [len(rows), vocabulary].
            rows: the numbers, in the whole batch, of the rows that are left.
        """


def choice(requests: Sequence[Generate]) -> Choice:
    """As the requests of one batch, alike in temperature and nucleus, ask for it."""
    return likeliest if requests[0].temperature == 0 else SeededSampling(requests)


def likeliest(scores: torch.Tensor, rows: Sequence[int]) -> torch.Tensor:  # noqa: ARG001
    return scores.argmax(dim=-1)


class SeededSampling:
    """Draws each row's next token from that row's own random stream.

    So a row's text depends on its seed alone, never on the rows beside it.
    """

    def __init__(self, requests: Sequence[Generate]) -> None:
        self.streams = [random.Random(request.seed) for request in requests]
        self.temperature = requests[0].temperature
        self.top_p = requests[0].top_p

    def __call__(self, scores: torch.Tensor, rows: Sequence[int]) -> torch.Tensor:
        import torch

        draws = torch.tensor([[self.streams[row].random()] for row in rows], dtype=torch.float64)
        probs = torch.softmax(scores.float() / self.temperature, dim=-1)
        sorted_probs, order = probs.sort(dim=-1, descending=True, stable=True)
        mass = sorted_probs.double().cumsum(dim=-1)
        # The nucleus: tokens until the mass before them reaches top_p; the first always.
        inside = (mass - sorted_probs) < self.top_p
        inside[:, 0] = True
        kept = torch.where(inside, sorted_probs.double(), 0.0).cumsum(dim=-1)
        place = (kept <= draws.to(kept.device) * kept[:, -1:]).sum(dim=-1, keepdim=True)
        return order.gather(1, place.clamp(max=order.shape[1] - 1)).squeeze(1)
