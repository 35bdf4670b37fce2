"""Processes that train together, and what they say."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from pathlib import Path

import torch
from torch import nn


class Team:
    """One process a core, each with its own batches, averaging gradients after every step.

    One process with a thread for each core would wait at every operation for the slower core;
    these wait once a step, which matters as soon as anything else runs on the machine.
    """

    def __init__(self, rank: int, size: int, meeting: Path) -> None:
        self.rank, self.size = rank, size
        if size > 1:
            torch.distributed.init_process_group(
                "gloo", init_method=meeting.resolve().as_uri(), rank=rank, world_size=size
            )

    def rng(self, *names: object) -> random.Random:
        return random.Random(" ".join(map(str, (*names, self.rank))))

    def average(self, parameters: Iterable[nn.Parameter]) -> None:
        """Replace every gradient by its mean over the team."""
        if self.size == 1:
            return
        grads = [weight.grad for weight in parameters if weight.grad is not None]
        flat = torch.cat([grad.flatten() for grad in grads])
        torch.distributed.all_reduce(flat)
        flat /= self.size
        for grad, mean in zip(
            grads, torch.split(flat, [grad.numel() for grad in grads]), strict=True
        ):
            grad.copy_(mean.view_as(grad))


class Log:
    """Prints a line now and then: stage, step, smoothed loss, seconds a step."""

    def __init__(self, *, silent: bool = False, every: int = 100) -> None:
        self.silent, self.every, self.total, self.started = silent, every, 0.0, time.monotonic()

    def loss(self, stage: str, step: int, loss: torch.Tensor) -> None:
        self.total += loss.item()
        if (step + 1) % self.every == 0:
            now = time.monotonic()
            pace = (now - self.started) / self.every
            mean = self.total / self.every
            if not self.silent:
                print(f"{stage} {step + 1} loss {mean:.4f} {pace:.3f} s/step", flush=True)
            self.total, self.started = 0.0, now
