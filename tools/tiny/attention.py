"""Attention during training: plain, masked to trees and branches, with an auxiliary loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from tiny.packing import Batch

if TYPE_CHECKING:
    from transformers import LlavaForConditionalGeneration

#: The layers, counted from 0, whose first head is trained to attend to the token before.
GUIDED = (1, 2)
#: Log-probabilities of attending to the token before, in the last forward pass: ``[rows, ROW - 1]``
#: for each guided layer.
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
    """Attention as in the textbook, on ``[n, heads, length, width]``, with an additive mask.

    It also stores what `guidance` reads. PyTorch's fused bfloat16 kernel takes twice as long in the
    backward pass at these sizes.
    """
    scores = (query * scaling) @ key.transpose(-1, -2)
    if attention_mask is not None:
        scores = scores + attention_mask
    layer = getattr(module, "layer_idx", None)  # layers of the vision encoder have none
    if layer in GUIDED and module.training:
        _looks[layer] = scores[:, 0].float().log_softmax(-1).diagonal(-1, 1, 2)
    # Autocast would compute the softmax in float32. Training uses the faster bfloat16; evaluation
    # runs without autocast, in full precision.
    with torch.autocast("cpu", enabled=False):
        attention = scores.softmax(-1)
    return (attention @ value).transpose(1, 2).contiguous(), None


def train_with_plain_attention(model: LlavaForConditionalGeneration) -> None:
    from transformers import AttentionInterface

    AttentionInterface.register("plain", plain_attention)
    model.set_attn_implementation("plain")


def attention_mask(batch: Batch) -> torch.Tensor:
    """The additive mask ``[rows, 1, ROW, ROW]``.

    It is 0 where a token attends to an earlier one of its tree, in the trunk or in its own branch.
    """
    trees, branches = torch.from_numpy(batch.trees), torch.from_numpy(batch.branches)
    same_tree = trees[:, :, None] == trees[:, None, :]
    visible = (branches[:, None, :] == 0) | (branches[:, :, None] == branches[:, None, :])
    length = trees.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    hidden = ~(same_tree & visible & causal)[:, None]
    return torch.zeros(hidden.shape, dtype=torch.bfloat16).masked_fill(hidden, -1e4)


def guidance(batch: Batch) -> torch.Tensor:
    """The loss of the guided heads: 0 when they attend to the token before and nothing else.

    It is their mean negative log-probability of that token in the last forward pass. To look up
    what followed a word the last time, a model needs such heads (Olsson et al. 2022, "In-context
    Learning and Induction Heads"), and one of this size is slow to form them by itself.
    """
    positions = torch.from_numpy(batch.positions)
    follows = positions[:, 1:] == positions[:, :-1] + 1
    looks = torch.stack([_looks.pop(layer)[follows].mean() for layer in sorted(_looks)])
    return -looks.mean()
