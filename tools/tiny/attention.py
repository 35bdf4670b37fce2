"""Attention of the training: plain, masked to trees and branches, and guided a little."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from tiny.packing import Batch

if TYPE_CHECKING:
    from transformers import LlavaForConditionalGeneration

#: The layers, counted from 0, whose first head is shown to look at the token before.
GUIDED = (1, 2)
#: Log-probabilities of looking at the token before, ``[rows, ROW - 1]`` for each guided layer, of
#: the last forward pass.
_looks: dict[int, torch.Tensor] = {}


def plain_attention(  # noqa: PLR0917
    module: nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float,
    **_: object,
) -> tuple[torch.Tensor, None]:
    """Attention by the book, ``[n, heads, length, width]``, the mask added.

    Guided heads leave what `guidance` reads. At these sizes the backward pass of PyTorch's fused
    bfloat16 kernel takes twice as long.
    """
    scores = (query * scaling) @ key.transpose(-1, -2)
    if attention_mask is not None:
        scores = scores + attention_mask
    layer = getattr(module, "layer_idx", None)  # the eye's layers have none
    if layer in GUIDED and module.training:
        _looks[layer] = scores[:, 0].float().log_softmax(-1).diagonal(-1, 1, 2)
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


def guidance(batch: Batch) -> torch.Tensor:
    """How far the guided heads are from looking at the token before; 0 when they do nothing else.

    Mean negative log-probability in the forward pass just made. To look up what followed a word
    the last time takes such heads (Olsson et al. 2022, "In-context Learning and Induction Heads"),
    and a model of this size is slow to find them by itself.
    """
    positions = torch.from_numpy(batch.positions)
    follows = positions[:, 1:] == positions[:, :-1] + 1
    looks = torch.stack([_looks.pop(layer)[follows].mean() for layer in sorted(_looks)])
    return -looks.mean()
