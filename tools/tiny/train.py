"""Stage 2: teach the whole model to converse, lesson by lesson.

Every batch is a function of (seed, step), and the learning rate stays constant until its final
decay: a run can be resumed, shortened or lengthened and is the same run up to that point.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from tiny.eye import pixels
from tiny.growing import Grower
from tiny.packing import Batch, pack
from tiny.subjects import DigitSource
from tiny.team import Log, Team

if TYPE_CHECKING:
    from transformers import LlavaForConditionalGeneration, PreTrainedTokenizerFast


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast.

    Attributes:
        eye_steps: of stage 1.
        lessons: the steps of stage 2 where its later lessons begin: what builds on
            seeing which colour belongs to which shape is not learnt before that is.
        steps: of stage 2.
        decay: how many of them, at the end, bring the learning rate down to zero.
        rows: of a process's batch in stage 2.
        rate: the learning rate of the language model; the eye's, once taught, is a third of it.
        seed: of everything.
    """

    eye_steps: int = 2000
    lessons: tuple[int, ...] = (1500, 2250, 3250, 4250, 5000, 5750)
    steps: int = 7250
    decay: int = 1750
    warmup: int = 200
    rows: int = 6
    rate: float = 1.5e-3
    seed: int = 0

    def factor(self, step: int) -> float:
        """Of the learning rate, at a step of stage 2."""
        rising = (step + 1) / self.warmup
        falling = (self.steps - step) / self.decay
        return max(0.0, min(1.0, rising, falling))


def plain_attention(  # noqa: PLR0917
    module: nn.Module,  # noqa: ARG001
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float,
    **_: object,
) -> tuple[torch.Tensor, None]:
    """Attention by the book, ``[n, heads, length, width]``, the mask added.

    At these sizes the backward pass of PyTorch's fused bfloat16 kernel takes twice as long.
    """
    scores = (query * scaling) @ key.transpose(-1, -2)
    if attention_mask is not None:
        scores = scores + attention_mask
    # Autocast would widen the softmax; the model is taught with what is fast, and is evaluated
    # with what is exact.
    with torch.autocast("cpu", enabled=False):
        attention = scores.softmax(-1)
    return (attention @ value).transpose(1, 2).contiguous(), None


def train_with_plain_attention(model: LlavaForConditionalGeneration) -> None:
    from transformers import AttentionInterface

    AttentionInterface.register("plain", plain_attention)
    model.set_attn_implementation("plain")


def attention_mask(batch: Batch) -> torch.Tensor:
    """``[rows, 1, ROW, ROW]``, 0 for what is seen: earlier, same tree, in trunk or own branch."""
    trees, branches = torch.from_numpy(batch.trees), torch.from_numpy(batch.branches)
    same_tree = trees[:, :, None] == trees[:, None, :]
    visible = (branches[:, None, :] == 0) | (branches[:, :, None] == branches[:, None, :])
    length = trees.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    hidden = ~(same_tree & visible & causal)[:, None]
    return torch.zeros(hidden.shape, dtype=torch.bfloat16).masked_fill(hidden, -1e4)


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
        # A token is predicted from the one before it, except a branch's first, never learnt.
        learnt = weights[:, 1:] > 0
        logits = model.lm_head(hidden[:, :-1][learnt])
    losses = nn.functional.cross_entropy(logits.float(), ids[:, 1:][learnt], reduction="none")
    wanted = weights[:, 1:][learnt]
    return (losses * wanted).sum() / wanted.sum()


def parameter_groups(model: LlavaForConditionalGeneration, rate: float) -> list[dict[str, Any]]:
    """The eye learns slower; vectors (norms, biases) do not decay."""
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, weight in model.named_parameters():
        key = (rate / 3 if "vision_tower" in name else rate, 0.05 if weight.ndim > 1 else 0.0)
        groups.setdefault(key, []).append(weight)
    return [
        {"params": weights, "lr": lr, "base": lr, "weight_decay": decay}
        for (lr, decay), weights in groups.items()
    ]


class Conversing:
    """Stage 2, resumable.

    Args:
        state: the file of its progress; read when it exists, else written.
    """

    def __init__(
        self,
        model: LlavaForConditionalGeneration,
        tokenizer: PreTrainedTokenizerFast,
        plan: Plan,
        team: Team,
        state: Path,
    ) -> None:
        self.model, self.plan, self.state, self.step = model, plan, state, 0
        self.team, self.tokens = team, tokenizer.backend_tokenizer
        self.source = DigitSource()
        self.optimizer = torch.optim.AdamW(
            parameter_groups(model, plan.rate), betas=(0.9, 0.98), fused=True
        )
        if state.exists():
            saved = torch.load(state, weights_only=True)
            model.load_state_dict(saved["model"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.step = saved["step"]

    def save(self) -> None:
        fresh = self.state.with_suffix(".new")
        parts = {"model": self.model, "optimizer": self.optimizer}
        saved = {name: part.state_dict() for name, part in parts.items()}
        torch.save({**saved, "step": self.step}, fresh)
        fresh.replace(self.state)

    def run(self, until: int, log: Log) -> None:
        """Train up to step ``until``."""
        self.model.train()
        while self.step < until:
            rng = self.team.rng(self.plan.seed, "talk", self.step)
            lesson = sum(self.step >= start for start in self.plan.lessons)
            grower = Grower(self.tokens, self.source, rng, lesson=lesson)
            batch = pack(grower, self.plan.rows)
            for group in self.optimizer.param_groups:
                group["lr"] = group["base"] * self.plan.factor(self.step)
            loss = batch_loss(self.model, batch)
            loss.backward()  # type: ignore[no-untyped-call]
            self.team.average(self.model.parameters())
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.optimizer.zero_grad()
            log.loss("talk", self.step, loss)
            self.step += 1
