"""Stages 2 and 3: teach the whole model to converse, level by level of the curriculum.

Every batch is a function of seed, stage, step and process, and the learning rate stays constant
until its final decay. So a run can be resumed, shortened or lengthened, and is the same run up to
that point.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from tiny.attention import attention_mask, guidance
from tiny.curriculum import TreeSampler
from tiny.data_parallel import DataParallel, Log
from tiny.packing import Batch, pack
from tiny.subjects import DigitSource
from tiny.vision_encoder import pixels

if TYPE_CHECKING:
    from transformers import LlavaForConditionalGeneration, PreTrainedTokenizerFast


@dataclass(frozen=True, slots=True)
class Stage:
    """The schedule of one stage.

    Attributes:
        name: names the stage in the log, its random streams and the file of its progress.
        steps: how many steps the stage has.
        levels: pairs (first step, level of the curriculum), in order.
        rate: the highest learning rate of the language model. The vision encoder, which has been
            trained before, learns at a third of it.
        decay: over how many steps, at the end, the learning rate falls to zero.
        warmup: over how many steps, at the beginning, it rises.
        rows: rows of the batch of one process.
        guidance: weight of the loss of `guidance`, relative to that of the answers.
        seed: seed of all random streams.
    """

    name: str
    steps: int
    levels: tuple[tuple[int, int], ...]
    rate: float
    decay: int
    warmup: int = 200
    rows: int = 6
    guidance: float = 0.0
    seed: int = 0

    def factor(self, step: int) -> float:
        """What the learning rate is multiplied by at a step, in 0..1."""
        rising = (step + 1) / self.warmup
        falling = (self.steps - step) / self.decay
        return max(0.0, min(1.0, rising, falling))

    def level(self, step: int) -> int:
        """The level of the curriculum at a step."""
        return max(level for start, level in self.levels if step >= start)


#: Stage 2: questions about pictures.
TALK = Stage(
    "talk",
    steps=7250,
    levels=((0, 0), (1500, 1), (2250, 2), (3250, 3), (4250, 4), (5000, 5), (5750, 6)),
    rate=1.5e-3,
    decay=1750,
)
#: Stage 3: learning from in-context examples.
EXAMPLES = Stage(
    "examples",
    steps=8500,
    levels=((0, 7), (800, 8), (3500, 9)),
    rate=1.5e-3,
    decay=3000,
    guidance=0.3,
)


def batch_loss(model: LlavaForConditionalGeneration, batch: Batch) -> torch.Tensor:
    """Weighted mean cross-entropy of the tokens to learn."""
    ids, weights = torch.from_numpy(batch.ids), torch.from_numpy(batch.weights)
    with torch.autocast("cpu", torch.bfloat16):
        hidden = model.model(
            input_ids=ids,
            pixel_values=pixels(batch.images),
            attention_mask=attention_mask(batch),
            position_ids=torch.from_numpy(batch.positions),
            use_cache=False,
        ).last_hidden_state
        # A token is predicted from the one before it in the row. For the first token of a branch
        # that is the wrong one, and it never has a loss.
        learnt = weights[:, 1:] > 0
        logits = model.lm_head(hidden[:, :-1][learnt])
    losses = nn.functional.cross_entropy(logits.float(), ids[:, 1:][learnt], reduction="none")
    wanted = weights[:, 1:][learnt]
    return (losses * wanted).sum() / wanted.sum()


def parameter_groups(model: LlavaForConditionalGeneration, rate: float) -> list[dict[str, Any]]:
    """The vision encoder has a lower learning rate; vectors (norms, biases) have no decay."""
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, weight in model.named_parameters():
        key = (rate / 3 if "vision_tower" in name else rate, 0.05 if weight.ndim > 1 else 0.0)
        groups.setdefault(key, []).append(weight)
    return [
        {"params": weights, "lr": lr, "base": lr, "weight_decay": decay}
        for (lr, decay), weights in groups.items()
    ]


class StageTrainer:
    """Runs stage 2 or 3, and can resume it.

    Args:
        model: the model, trained by the stages before.
        tokenizer: its tokenizer.
        stage: the schedule.
        parallel: the processes that train together.
        folder: where the file of progress is kept; the stage resumes from it if it exists.
    """

    def __init__(
        self,
        model: LlavaForConditionalGeneration,
        tokenizer: PreTrainedTokenizerFast,
        stage: Stage,
        parallel: DataParallel,
        folder: Path,
    ) -> None:
        self.model, self.stage, self.step = model, stage, 0
        self.state = folder / f"{stage.name}.pt"
        self.parallel, self.tokenizer = parallel, tokenizer
        self.source = DigitSource()
        self.optimizer = torch.optim.AdamW(
            parameter_groups(model, stage.rate), betas=(0.9, 0.98), fused=True
        )
        if self.state.exists():
            saved = torch.load(self.state, weights_only=True)
            model.load_state_dict(saved["model"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.step = saved["step"]

    def save(self) -> None:
        """Write the file of progress."""
        fresh = self.state.with_suffix(".new")
        parts = {"model": self.model, "optimizer": self.optimizer}
        saved = {name: part.state_dict() for name, part in parts.items()}
        torch.save({**saved, "step": self.step}, fresh)
        fresh.replace(self.state)

    def run(self, until: int, log: Log) -> None:
        """Train up to step ``until``."""
        self.model.train()
        tokens = self.tokenizer.backend_tokenizer
        while self.step < until:
            rng = self.parallel.rng(self.stage.seed, self.stage.name, self.step)
            level = self.stage.level(self.step)
            batch = pack(TreeSampler(tokens, self.source, rng, level=level), self.stage.rows)
            for group in self.optimizer.param_groups:
                group["lr"] = group["base"] * self.stage.factor(self.step)
            loss = batch_loss(self.model, batch)
            guided = self.stage.guidance * guidance(batch) if self.stage.guidance else 0.0
            (loss + guided).backward()  # type: ignore[no-untyped-call]
            self.parallel.average(self.model.parameters())
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.optimizer.zero_grad()
            log.loss(self.stage.name, self.step, loss)
            self.step += 1
