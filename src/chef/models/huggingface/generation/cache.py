"""Key-value caches that grow in place and drop rows that have ended.

This module imports transformers, so only code that runs a model imports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transformers.cache_utils import DynamicCache, DynamicLayer, DynamicSlidingWindowLayer

if TYPE_CHECKING:
    import torch

#: How many positions are reserved at a time. The layer of transformers copies everything it holds
#: for every new token.
SPARE = 64


class _Buffer:
    """A tensor [rows, heads, positions, features] with space reserved for more positions."""

    def __init__(self) -> None:
        self.held: torch.Tensor | None = None
        self.length = 0

    def append(self, new: torch.Tensor) -> torch.Tensor:
        """Everything so far and ``new``, as a view."""
        length = self.length + new.shape[-2]
        if self.held is None or length > self.held.shape[-2]:
            rows, heads, _, features = new.shape
            larger = new.new_empty(rows, heads, length + SPARE, features)
            if self.held is not None:
                larger[:, :, : self.length] = self.held[:, :, : self.length]
            self.held = larger
        self.held[:, :, self.length : length] = new
        self.length = length
        return self.held[:, :, :length]

    def select(self, rows: torch.Tensor) -> torch.Tensor:
        """Only these rows, as a view."""
        assert self.held is not None
        self.held = self.held[rows]
        return self.held[:, :, : self.length]


class PreallocatedLayer(DynamicLayer):  # type: ignore[misc]
    """A layer of a `DynamicCache` that grows in place; it can only append, and drop rows."""

    def __init__(self) -> None:
        super().__init__()
        self._keys, self._values = _Buffer(), _Buffer()

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *_: Any, **__: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        self.keys, self.values = self._keys.append(key_states), self._values.append(value_states)
        return self.keys, self.values

    def batch_select_indices(self, indices: torch.Tensor) -> None:
        if self.get_seq_length() > 0:
            self.keys, self.values = self._keys.select(indices), self._values.select(indices)


def preallocate(cache: Any) -> None:
    """Replace the layers of a cache that is still empty by `PreallocatedLayer`.

    Layers that keep only part of the past (sliding windows) stay as they are.
    """
    if type(cache) is DynamicCache:
        cache.layers = [
            PreallocatedLayer() if type(layer) is DynamicLayer else layer for layer in cache.layers
        ]


def can_select(cache: Any) -> bool:
    """Whether rows can be dropped from a cache, because it holds only keys and values."""
    kinds = (PreallocatedLayer, DynamicLayer, DynamicSlidingWindowLayer)
    return type(cache) is DynamicCache and all(type(layer) in kinds for layer in cache.layers)
