"""Contrastive training on pictures with their captions, and on questions with paraphrases."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import nn

from tiny_clip.data import ClipBatch
from tiny_clip.model import MEAN, STD

WARMUP = 50
#: The largest distortion of a digit: rotation (radians), scale, shear, shift (half widths).
TURN, SCALE, SLANT, SHIFT = 0.2, 0.12, 0.2, 0.12


class Trainer:
    """Trains one step at a time.

    Args:
        model: a model of open_clip.
        tokenizer: its tokenizer.
        steps: how many steps there will be; the learning rate falls to zero at the last.
        rate: the highest learning rate.
    """

    def __init__(self, model: Any, tokenizer: Any, *, steps: int, rate: float) -> None:
        self.model, self.tokenizer, self.steps, self.rate = model, tokenizer, steps, rate
        self.done = 0
        weights = list(model.parameters())
        groups = [
            {"params": [weight for weight in weights if weight.ndim > 1], "weight_decay": 0.05},
            {"params": [weight for weight in weights if weight.ndim <= 1], "weight_decay": 0.0},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98))
        model.train()

    def step(self, batch: ClipBatch) -> float:
        """Train on one batch; returns the loss in nats."""
        warm, left = (self.done + 1) / WARMUP, self.done / self.steps
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * min(1.0, warm) * 0.5 * (1 + math.cos(math.pi * left))
        loss = self._loss(batch)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        with torch.no_grad():
            self.model.logit_scale.clamp_(0, math.log(100))
        self.done += 1
        return float(loss.detach())

    def _loss(self, batch: ClipBatch) -> torch.Tensor:
        pixels = prepared(batch)
        number = len(batch.captions)
        texts = self._tokens([*batch.captions, *batch.questions, *batch.paraphrases])
        with torch.autocast("cpu", torch.bfloat16):
            images = self.model.encode_image(pixels, normalize=True)
            encoded_texts = self.model.encode_text(texts, normalize=True)
        images, encoded_texts = images.float(), encoded_texts.float()
        questions, others = encoded_texts[number:].chunk(2)
        scale = self.model.logit_scale.exp()
        loss = contrast(scale * images @ encoded_texts[:number].T, same(batch.meanings))
        return loss + contrast(scale * questions @ others.T, same(batch.intents))

    def _tokens(self, texts: list[str]) -> torch.Tensor:
        limit = self.tokenizer.model_max_length
        encoded = self.tokenizer(
            texts, padding="max_length", truncation=True, max_length=limit, return_tensors="pt"
        )
        ids: torch.Tensor = encoded["input_ids"]
        return ids


def contrast(logits: torch.Tensor, positive: torch.Tensor) -> torch.Tensor:
    """Cross entropy with equal targets for all positives, in both directions; ``[n, n]`` each."""
    rows = positive / positive.sum(1, keepdim=True)
    columns = positive / positive.sum(0, keepdim=True)
    there = -(rows * logits.log_softmax(1)).sum(1).mean()
    back = -(columns * logits.log_softmax(0)).sum(0).mean()
    return (there + back) / 2


def same(meanings: list[str]) -> torch.Tensor:
    """The positives, ``[n, n]``: 1 where two texts are equal."""
    return torch.tensor([[float(a == b) for b in meanings] for a in meanings])


def prepared(batch: ClipBatch) -> torch.Tensor:
    """The pixels ``[n, 3, side, side]``, normalised.

    Digits are distorted, since the model would memorise a thousand scans.
    """
    pixels = torch.tensor(batch.pictures).permute(0, 3, 1, 2).float() / 255
    pages = pixels[batch.scenes :]
    if len(pages):
        generator = torch.Generator().manual_seed(batch.seed)
        pixels[batch.scenes :] = distort(pages, generator)
    mean, std = (torch.tensor(values).view(1, 3, 1, 1) for values in (MEAN, STD))
    return (pixels - mean) / std


def distort(pixels: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Rotate, scale, shear and shift three quarters of the pictures a little."""
    number = len(pixels)

    def within(limit: float) -> torch.Tensor:
        return (2 * torch.rand(number, generator=generator) - 1) * limit

    turn, slant = within(TURN), within(SLANT)
    wide, high = 1 + within(SCALE), 1 + within(SCALE)
    rows = torch.stack(
        [
            torch.stack([wide * turn.cos(), slant - turn.sin(), within(SHIFT)], 1),
            torch.stack([turn.sin(), high * turn.cos(), within(SHIFT)], 1),
        ],
        1,
    )
    grid = nn.functional.affine_grid(rows, list(pixels.shape), align_corners=False)
    moved = nn.functional.grid_sample(pixels, grid, align_corners=False)
    keep = torch.rand(number, generator=generator) < 0.25
    return torch.where(keep.view(-1, 1, 1, 1), pixels, moved)
