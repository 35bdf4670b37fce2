"""Stage 1: teach the vision encoder to recognise what is where.

Its features, after the projector, are trained to resemble the word embeddings of what they show.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import nn

from chef.scenario import digits
from chef.scenario.shapes.drawing import CELL, COLORS, GRID, SHAPES, SIZE, Scene, draw_scene, render
from chef.scenario.shapes.questions import plural
from tiny.data_parallel import DataParallel, Log
from tiny.model import PATCH
from tiny.subjects import DigitSource, distort

if TYPE_CHECKING:
    import numpy as np
    from transformers import LlavaForConditionalGeneration, PreTrainedTokenizerFast

#: Names the random stream of the batches, so another name would give other batches.
STREAM = "eye"


def pixels(images: np.ndarray) -> torch.Tensor:
    """``[n, side, side, 3]`` uint8 to ``[n, 3, side, side]`` in -1..1, as the processor does."""
    return torch.tensor(images).permute(0, 3, 1, 2).float().div(127.5).sub(1).contiguous()


class WordTokens:
    """Token ids of the words for what an image token shows; for each spelling, ``[classes]``."""

    def __init__(self, tokenizer: PreTrainedTokenizerFast) -> None:
        def ids(words: Iterable[str]) -> torch.Tensor | None:
            encoded = [tokenizer.encode(word, add_special_tokens=False) for word in words]
            whole = all(len(tokens) == 1 for tokens in encoded)
            return torch.tensor([tokens[0] for tokens in encoded]) if whole else None

        def spellings(*groups: Iterable[str]) -> list[torch.Tensor]:
            return [found for group in groups if (found := ids(group)) is not None]

        self.colors = spellings(COLORS, [f" {color}" for color in COLORS])
        plurals = [f" {plural(shape)}" for shape in SHAPES]
        self.shapes = spellings(SHAPES, [f" {shape}" for shape in SHAPES], plurals)
        self.digits = spellings([str(digit) for digit in range(10)])


class VisionHeads(nn.Module):
    """The losses of stage 1: colour and shape of each cell of a scene, and the digit of a page.

    Each is predicted twice: by linear heads from the features of the vision encoder, and by the
    word embeddings from the output of the projector, which the language model reads. An image token
    then resembles the words for what it shows, so that attention from the word "star" finds the
    star by similarity, which language models learn to use first.
    """

    def __init__(self, model: LlavaForConditionalGeneration, words: WordTokens) -> None:
        super().__init__()
        width = model.config.vision_config.hidden_size
        self.color = nn.Linear(width, len(COLORS) + 1)
        self.shape = nn.Linear(width, len(SHAPES) + 1)
        self.digit = nn.Linear(width, 10)
        self.projector = model.model.multi_modal_projector
        self.embedding = model.get_input_embeddings()
        self.words = words

    def forward(self, tokens: torch.Tensor, seen: VisionBatch) -> torch.Tensor:
        """The summed loss.

        Args:
            tokens: features of the vision encoder, ``[scenes + digits, patches, width]``.
            seen: what they show.
        """
        count = len(seen.color)
        scenes, pages = tokens[:count].flatten(0, 1), tokens[count:]
        color, shape = seen.color.flatten(), seen.shape.flatten()
        loss = cross_entropy(self.color(scenes), color) + cross_entropy(self.shape(scenes), shape)
        loss = loss + cross_entropy(self.digit(pages.mean(1)), seen.digit)
        there = color > 0
        projected = self.projector(scenes[there])
        loss = loss + self._word_loss(projected, self.words.colors, color[there] - 1)
        loss = loss + self._word_loss(projected, self.words.shapes, shape[there] - 1)
        return loss + self._word_loss(self.projector(pages).mean(1), self.words.digits, seen.digit)

    def _word_loss(
        self, projected: torch.Tensor, spellings: list[torch.Tensor], truth: torch.Tensor
    ) -> torch.Tensor:
        """The mean over all spellings of the loss against the embeddings of their words."""
        losses = [cross_entropy(projected @ self.embedding(ids).T, truth) for ids in spellings]
        return torch.stack(losses).mean()


def cross_entropy(logits: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    return nn.functional.cross_entropy(logits.float(), truth)


@dataclass(frozen=True, slots=True)
class VisionBatch:
    """Images ``[n, 3, side, side]``, scenes first; per-patch labels ``[scenes, patches]``."""

    images: torch.Tensor
    color: torch.Tensor
    shape: torch.Tensor
    digit: torch.Tensor


def patch_labels(scene: Scene) -> tuple[list[int], list[int]]:
    """Colour and shape in the cell of each patch, 0 where it is empty."""
    side, per_cell = SIZE // PATCH, CELL // PATCH
    known = {thing.cell: thing for thing in scene.things}
    cells = [(i // side // per_cell) * GRID + i % side // per_cell for i in range(side * side)]
    found = [known.get(cell) for cell in cells]
    colors = [list(COLORS).index(thing.color) + 1 if thing else 0 for thing in found]
    return colors, [SHAPES.index(thing.shape) + 1 if thing else 0 for thing in found]


def vision_batch(rng: random.Random, source: DigitSource, scenes: int, pages: int) -> VisionBatch:
    """A batch of drawn scenes and of pages with one scanned digit each."""
    import numpy as np

    drawn = [draw_scene(rng, "train") for _ in range(scenes)]
    scans = [rng.choice(source.scans) for _ in range(pages)]
    pictures = [render(scene) for scene in drawn]
    pictures += [distort(digits.render(scan), rng) for scan, _ in scans]
    labels = [patch_labels(scene) for scene in drawn]
    return VisionBatch(
        pixels(np.stack([np.asarray(picture) for picture in pictures])),
        torch.tensor([color for color, _ in labels]),
        torch.tensor([shape for _, shape in labels]),
        torch.tensor([label for _, label in scans]),
    )


def train_vision_encoder(
    model: LlavaForConditionalGeneration,
    words: WordTokens,
    *,
    steps: int,
    seed: int,
    parallel: DataParallel,
    log: Log,
) -> None:
    """Run stage 1, on the vision encoder, the projector and the word embeddings."""
    encoder, source, heads = model.model.vision_tower, DigitSource(), VisionHeads(model, words)
    weights = [*encoder.parameters(), *heads.parameters()]
    optimizer = torch.optim.AdamW(weights, lr=1e-3, weight_decay=0.05, fused=True)
    for step in range(steps):
        rate = min(1.0, (step + 1) / 100, 2 * (1 - step / steps))
        optimizer.param_groups[0]["lr"] = 1e-3 * rate
        seen = vision_batch(parallel.rng(seed, STREAM, step), source, 20, 12)
        with torch.autocast("cpu", torch.bfloat16):
            tokens = encoder(seen.images, output_hidden_states=True).hidden_states[-1]
            loss = heads(tokens, seen)
        loss.backward()
        parallel.average(weights)
        optimizer.step()
        optimizer.zero_grad()
        log.loss(STREAM, step, loss)
