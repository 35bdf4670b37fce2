"""Prompts whose keys and values are computed, up to their last token: what generation begins with.

The last token of each prompt is left to the first step of generation, whose logits choose the first
token of the reply.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.frozen import Frozen
from chef.models.huggingface.likelihood.shared_prefix.forward import Past
from chef.models.huggingface.likelihood.shared_prefix.rows import TreeRow
from chef.models.huggingface.likelihood.shared_prefix.tree import Integers
from chef.models.huggingface.loading import cache_argument

if TYPE_CHECKING:
    import torch


class Prefill(Frozen, eq=False):
    """One prompt, and where its keys and values stand among those of its tree.

    Attributes:
        row: its tokens but the last one, which is its last target.
        pack: the number of its pack in ``past``.
        places: where the tokens of ``row`` stand in that pack, [length].
    """

    row: TreeRow
    past: Past
    pack: int
    places: Integers

    @property
    def ids(self) -> Integers:
        """All its tokens, [length + 1]."""
        return np.append(self.row.ids, self.row.targets[-1])

    @property
    def positions(self) -> Integers:
        """The positions of all its tokens, [length + 1] or [n, length + 1]; the last: a word."""
        positions = self.row.positions
        after = np.full((*positions.shape[:-1], 1), positions.max() + 1)
        return np.concatenate([positions, after], axis=-1)


def inputs_of(prompts: Sequence[Prefill], pad: int) -> dict[str, torch.Tensor]:
    """``input_ids`` and ``attention_mask`` of prompts, padded on the left, [prompts, longest]."""
    import torch

    longest = max(len(prompt.ids) for prompt in prompts)
    ids = torch.full((len(prompts), longest), pad)
    mask = torch.zeros_like(ids)
    for place, prompt in enumerate(prompts):
        ids[place, longest - len(prompt.ids) :] = torch.from_numpy(prompt.ids)
        mask[place, longest - len(prompt.ids) :] = 1
    return {"input_ids": ids, "attention_mask": mask}


def fill(state: dict[str, Any], prompts: Sequence[Prefill]) -> None:
    """Put keys, values and positions of prompts into the state of ``generate``, in its order."""
    import torch

    for place, prompt in enumerate(prompts):
        if prompt.positions.ndim > 1:
            new = torch.from_numpy(prompt.positions).to(state["position_ids"].device)
            state["position_ids"][-len(new) :, place, -new.shape[1] :] = new
    for layer in range(len(prompts[0].past.layers)):
        state[cache_argument()].update(
            _padded(prompts, layer, 0), _padded(prompts, layer, 1), layer
        )


def _padded(prompts: Sequence[Prefill], layer: int, which: int) -> torch.Tensor:
    """Keys (0) or values (1) of one layer, padded on the left, [prompts, heads, longest, size]."""
    import torch

    _, heads, _, size = prompts[0].past.layers[layer][which].shape
    longest = max(len(prompt.places) for prompt in prompts)
    padded = prompts[0].past.layers[layer][which].new_zeros(len(prompts), heads, longest, size)
    for place, prompt in enumerate(prompts):
        index = torch.from_numpy(prompt.places).to(padded.device)
        states = prompt.past.layers[layer][which][prompt.pack].index_select(1, index)
        padded[place, :, longest - len(index) :] = states
    return padded
