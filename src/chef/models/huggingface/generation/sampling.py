"""The choice of the next token: the most likely, or one drawn from the row's random stream."""

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
        """Tokens, [rows], by logits in float32, [rows, vocabulary], of rows so numbered."""


def choice(requests: Sequence[Generate]) -> Choice:
    """The choice for the requests of one batch, which agree in temperature and nucleus."""
    return likeliest if requests[0].temperature == 0 else SeededSampling(requests)


def likeliest(scores: torch.Tensor, rows: Sequence[int]) -> torch.Tensor:  # noqa: ARG001
    """The most likely token of each row."""
    return scores.argmax(dim=-1)


class SeededSampling:
    """Draws each row's next token from its own random stream: other rows do not change its text."""

    def __init__(self, requests: Sequence[Generate]) -> None:
        self.streams = [random.Random(request.seed) for request in requests]
        self.temperature = requests[0].temperature
        self.top_p = requests[0].top_p

    def __call__(self, scores: torch.Tensor, rows: Sequence[int]) -> torch.Tensor:
        import torch

        draws = torch.tensor([[self.streams[row].random()] for row in rows], dtype=torch.float64)
        probs = torch.softmax(scores.float() / self.temperature, dim=-1).double()
        if self.top_p < 1:
            probs = torch.where(_nucleus(probs, self.top_p), probs, 0.0)
        # In the order of the vocabulary: in that of the probabilities, rounding, which differs from
        # batch to batch, would let two tokens of nearly equal probability change places.
        mass = probs.cumsum(dim=-1)
        total = mass[:, -1:]
        return ((mass <= draws.to(mass.device) * total) & (mass < total)).sum(dim=-1)


def _nucleus(probs: torch.Tensor, top_p: float) -> torch.Tensor:
    """The tokens with less than ``top_p`` of the mass before them, and always the likeliest."""
    import torch

    ordered, order = probs.sort(dim=-1, descending=True, stable=True)
    inside = (ordered.cumsum(dim=-1) - ordered) < top_p
    inside[:, 0] = True
    return torch.zeros_like(inside).scatter(1, order, inside)
