"""Data-parallel training in several processes, and its log."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from pathlib import Path

import torch
from torch import nn


class DataParallel:
    """One process for each core, with batches of its own; gradients are averaged after each step.

    A single process with one thread for each core would wait for the slower core at every
    operation. Separate processes wait once a step, which matters as soon as anything else runs on
    the machine.

    Args:
        rank: the number of this process, from 0.
        size: how many processes there are.
        rendezvous: a file through which the processes find each other; it may not exist before.
    """

    def __init__(self, rank: int, size: int, rendezvous: Path) -> None:
        self.rank, self.size = rank, size
        if size > 1:
            torch.distributed.init_process_group(
                "gloo", init_method=rendezvous.resolve().as_uri(), rank=rank, world_size=size
            )

    def rng(self, *names: object) -> random.Random:
        """A random stream named by ``names`` and the number of this process."""
        return random.Random(" ".join(map(str, (*names, self.rank))))

    def average(self, parameters: Iterable[nn.Parameter]) -> None:
        """Replace every gradient by its mean over the processes."""
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
    """Prints a line every ``every`` steps: stage, step, mean loss, seconds per step."""

    def __init__(self, *, silent: bool = False, every: int = 100) -> None:
        self.silent, self.every, self.total, self.started = silent, every, 0.0, time.monotonic()

    def loss(self, stage: str, step: int, loss: torch.Tensor) -> None:
        """Note the loss of one step."""
        self.total += loss.item()
        if (step + 1) % self.every == 0:
            now = time.monotonic()
            pace = (now - self.started) / self.every
            mean = self.total / self.every
            if not self.silent:
                print(f"{stage} {step + 1} loss {mean:.4f} {pace:.3f} s/step", flush=True)
            self.total, self.started = 0.0, now
