"""The reference scorer: one row of prompt and candidate for every candidate."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from chef.models.huggingface.loading import Runtime
from chef.models.huggingface.rendering import (
    Rendered,
    Renderer,
    by_images,
    encode_scored,
    forward_options,
    to_device,
)
from chef.types import Score, Scored

if TYPE_CHECKING:
    import torch

#: The most rows of a forward pass, however short they are.
MAX_ROWS = 64


class NaiveScorer:
    """Runs prompt + candidate through the model once for every candidate: slow and simple.

    Args:
        cost: estimates the tokens of one row of a request.
        budget: the most tokens of a forward pass: the engine divides no request, so that is done
            here.
    """

    def __init__(
        self, runtime: Runtime, renderer: Renderer, cost: Callable[[Score], int], budget: int
    ) -> None:
        self.runtime = runtime
        self.renderer = renderer
        self.cost = cost
        self.budget = budget

    def score(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        """One `Scored` a candidate, in order: nats, from float32; NaN and infinities stay.

        Raises:
            SampleError: a candidate is empty, or the model cannot be sent a request.
        """
        # Equal candidates of a request share a row, so they get exactly equal scores.
        keys = list(
            dict.fromkeys(
                (index, candidate)
                for index, request in enumerate(requests)
                for candidate in request.candidates
            )
        )
        rows = [
            self.renderer.reply(
                requests[index].conversation, requests[index].answer_prefix, candidate
            )
            for index, candidate in keys
        ]
        costs = [self.cost(request) for request in requests]
        scored: dict[tuple[int, str], Scored] = {}
        for group in by_images(rows):
            for chunk in chunks(group, [costs[keys[row][0]] for row in group], self.budget):
                values = self._forward([rows[row] for row in chunk])
                scored.update(zip([keys[row] for row in chunk], values, strict=True))
        return [
            tuple(scored[index, candidate] for candidate in request.candidates)
            for index, request in enumerate(requests)
        ]

    def _forward(self, rows: list[Rendered]) -> list[Scored]:
        import torch

        encoded, spans = encode_scored(self.runtime, rows)
        inputs = to_device(self.runtime, encoded)
        with torch.inference_mode():
            logits = _tail_logits(self.runtime, inputs, first=min(span[0] for span in spans) - 1)
            return [
                _sum_logprobs(*row, inputs["input_ids"].shape[1])
                for row in zip(logits, inputs["input_ids"], spans, strict=True)
            ]


def chunks(rows: Sequence[int], costs: Sequence[int], budget: int) -> Iterator[list[int]]:
    """The rows in order, in chunks that each fit in one forward pass.

    >>> list(chunks([0, 1, 2, 3], [10, 10, 30, 10], budget=40))
    [[0, 1], [2], [3]]
    """
    chunk: list[int] = []
    longest = 0
    for row, cost in zip(rows, costs, strict=True):
        longest = max(longest, cost)
        if chunk and (len(chunk) >= MAX_ROWS or longest * (len(chunk) + 1) > budget):
            yield chunk
            chunk, longest = [], cost
        chunk.append(row)
    if chunk:
        yield chunk


def _tail_logits(runtime: Runtime, inputs: dict[str, Any], first: int) -> torch.Tensor:
    """The logits from position ``first`` on, [rows, length - first, vocabulary]."""
    options = forward_options(runtime, inputs["attention_mask"])
    keep = inputs["input_ids"].shape[1] - first
    if "logits_to_keep" in inspect.signature(runtime.model.forward).parameters:
        options["logits_to_keep"] = keep
    logits: torch.Tensor = runtime.model(**inputs, **options).logits
    return logits[:, -keep:]


def _sum_logprobs(logits: torch.Tensor, ids: torch.Tensor, span: list[int], length: int) -> Scored:
    """The log-probability of a span, by a row's last logits, [positions, vocabulary]."""
    import torch

    # The logits at a position predict the next token. One row at a time, since a float32 copy of
    # the logits of a batch over a large vocabulary can be larger than the model itself.
    first = span[0] - 1 - (length - logits.shape[0])
    predicting = logits[first : first + len(span)].float()
    wanted = ids[span[0] : span[-1] + 1].unsqueeze(1)
    logprobs = torch.log_softmax(predicting, dim=-1).gather(1, wanted)
    return Scored(logprob_sum=float(logprobs.double().sum()), tokens=len(span))
