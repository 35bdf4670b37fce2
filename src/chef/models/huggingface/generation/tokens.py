"""The choice of the next token: the most likely, or one drawn from the row's random stream."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from chef.models.hooks.chef import cut_at_stop
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


class StopRule:
    """Decides by end tokens and stop strings whether a row has ended, whatever others do."""

    def __init__(self, tokenizer: Any, ends: set[int], stop: Sequence[str]) -> None:
        self.tokenizer = tokenizer
        self.ends = ends
        self.stop = [word for word in stop if word]
        # A character is at most four byte tokens, so this many tokens cover any stop string.
        self.window = 4 * max((len(word) for word in self.stop), default=0) + 4

    def ended(self, tokens: Sequence[int]) -> bool:
        """Whether the last of the new tokens of a row ends it."""
        if tokens[-1] in self.ends:
            return True
        if not self.stop:
            return False
        text = self.tokenizer.decode(tokens[-self.window :], skip_special_tokens=True)
        return any(word in text for word in self.stop)


def trimmed(text: str, request: Generate) -> str:
    """A reply up to its stop string, without white space around it."""
    text = cut_at_stop(text, request.stop).rstrip()
    # The space after the header of the turn is the template's; after a prefix there is none.
    return text if request.answer_prefix else text.lstrip()
