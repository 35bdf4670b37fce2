"""One pass of the model over packs of a prefix tree."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.models.huggingface.likelihood.shared_prefix.rows import TreeRow
from chef.models.huggingface.likelihood.shared_prefix.tree import Flat, Integers
from chef.models.huggingface.loading import Runtime

if TYPE_CHECKING:
    import torch


@dataclass(slots=True, eq=False)
class Past:
    """Keys and values of a trunk, from the root on: for each layer, [1, heads, depth, size]."""

    depth: int = 0
    layers: list[tuple[torch.Tensor, torch.Tensor]] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        return sum(2 * keys.numel() * keys.element_size() for keys, _ in self.layers)

    def first(self, depth: int) -> Past:
        """Of the first tokens only."""
        return Past(depth, [(k[:, :, :depth], v[:, :, :depth]) for k, v in self.layers])


@dataclass(frozen=True, slots=True)
class Windows:
    """Which tokens a layer's attention reaches.

    Attributes:
        names: kinds of attention, as the model names them.
        sizes: for each, how many tokens back it reaches, itself included; None for all.
        blocks_inside: whether tokens that see each other both ways do so within the window only.
    """

    names: tuple[str, ...]
    sizes: tuple[int | None, ...]
    blocks_inside: bool


class TreeForward:
    """Runs packs through a model.

    Args:
        runtime: the loaded model.
        windows: of its attention.
    """

    def __init__(self, runtime: Runtime, windows: Windows) -> None:
        self.runtime = runtime
        self.windows = windows
        self.decoder = runtime.model.get_decoder()
        self.head = runtime.model.get_output_embeddings()

    def run(
        self,
        rows: Sequence[TreeRow],
        flats: Sequence[Flat],
        wanted: Sequence[Integers],
        *,
        listed: bool,
        past: Past,
        keep: bool,
    ) -> tuple[torch.Tensor, Past | None]:
        """The logits after some nodes.

        Args:
            rows: all rows of the tree.
            flats: the packs, each one sequence of the batch, padded on the right.
            wanted: for each pack, the nodes whose logits are wanted.
            listed: whether the model takes its image features as a list of tensors.
            past: of the trunk that all packs go on from.
            keep: whether the keys and values are wanted too; then there is one pack.

        Returns:
            Logits, [wanted nodes of all packs, vocabulary], and the past with this pack at its end.
        """
        import torch

        length = max(len(flat.row) for flat in flats)
        device = self.runtime.device
        batch = _Batch(rows, flats, length)
        cache = _cache(past, keep) if keep or past.depth else None
        options: dict[str, Any] = {"use_cache": cache is not None, "past_key_values": cache}
        features = self._features(rows, batch)
        if features is not None:
            options["mm_encoder_outputs"] = {"image": _encoder_output(features, listed)}
        masks = self._masks(batch, past.depth)
        places = np.concatenate([nodes + i * length for i, nodes in enumerate(wanted)])
        with torch.inference_mode(), _decoder_masks(self.decoder, masks), _only(self.head, places):
            logits: torch.Tensor = self.runtime.model(
                input_ids=torch.from_numpy(batch.ids).to(device),
                attention_mask=next(iter(masks.values()), None),
                position_ids=torch.from_numpy(batch.positions).to(device),
                return_dict=True,
                **options,
            ).logits
        if not keep:
            return logits[0], None
        assert cache is not None
        kept = [layer.kept for layer in cache.layers]
        return logits[0], Past(past.depth + length, kept)

    def _features(self, rows: Sequence[TreeRow], batch: _Batch) -> list[torch.Tensor] | None:
        """The embeddings of the placeholders, in the order of the batch."""
        import torch

        units = {}
        for number in np.unique(batch.rows[batch.sources[0] >= 0]):
            units.update(rows[number].units)
        numbers, places = batch.sources[:, batch.sources[0] >= 0]
        if not len(numbers):
            return None
        used = [units[number] for number in np.unique(numbers)]
        sizes = [len(unit.features[0]) for unit in used]
        starts = dict(zip((u.number for u in used), np.cumsum([0, *sizes]), strict=False))
        index = torch.tensor([starts[n] for n in numbers.tolist()]) + torch.from_numpy(places)
        index = index.to(self.runtime.device)
        layers = zip(*(unit.features for unit in used), strict=True)
        return [torch.cat(layer).index_select(0, index) for layer in layers]

    def _masks(self, batch: _Batch, past: int) -> dict[str, torch.Tensor]:
        """What is added to the scores of each kind of attention.

        Each [packs, 1, length, past + length]. Empty where the model's own causal mask does.
        """
        import torch

        plain = not batch.branched and not past and not batch.blocks.max(initial=-1) >= 0
        if plain and all(size is None for size in self.windows.sizes):
            return {}
        device = self.runtime.device
        last = torch.from_numpy(batch.last).to(device)
        depth = torch.from_numpy(batch.depths).to(device)
        place = torch.arange(last.shape[1], device=device)
        seen = (place <= place[:, None]) & (place[:, None] <= last[:, None, :])
        block = torch.from_numpy(batch.blocks).to(device)
        both = (block[:, None, :] == block[:, :, None]) & (block[:, None, :] >= 0)
        before = torch.arange(past, device=device)
        masks = {}
        for name, size in zip(self.windows.names, self.windows.sizes, strict=True):
            own, old = seen, torch.ones(*depth.shape, past, dtype=torch.bool, device=device)
            if size is not None:
                near = depth[:, :, None] - depth[:, None, :] < size
                old = depth[:, :, None] - before < size
                own = (seen | both) & near if self.windows.blocks_inside else (seen & near) | both
            elif batch.blocks.max(initial=-1) >= 0:
                own = seen | both
            masks[name] = _additive(torch.cat([old, own], dim=2), self.runtime.model.dtype)
        return masks


class _Batch:
    """The arrays of some packs side by side, padded on the right.

    Padding sees itself only: a row of a mask that allows nothing would give NaN.
    """

    def __init__(self, rows: Sequence[TreeRow], flats: Sequence[Flat], length: int) -> None:
        shape = (len(flats), length)
        dimensions = rows[flats[0].rows[0]].positions.shape[:-1]
        self.ids = np.zeros(shape, dtype=np.int64)
        self.rows = np.zeros(shape, dtype=np.int64)
        self.depths = np.zeros(shape, dtype=np.int64)
        self.last = np.tile(np.arange(length), (len(flats), 1))
        self.blocks = np.full(shape, -1, dtype=np.int64)
        self.sources = np.full((2, *shape), -1, dtype=np.int64)
        self.positions = np.zeros((*dimensions, *shape), dtype=np.int64)
        self.branched = len(flats) > 1
        for i, flat in enumerate(flats):
            size = len(flat.row)
            self.branched |= bool((flat.last != size - 1).any())
            self.rows[i, :size] = flat.row
            self.depths[i, :size] = flat.depth
            self.last[i, :size] = flat.last
            # Runs of nodes of one row, so that each is a slice of that row.
            edges = np.flatnonzero(np.diff(flat.row)) + 1
            for begin, end in zip([0, *edges], [*edges, size], strict=True):
                row, depth = rows[flat.row[begin]], int(flat.depth[begin])
                part = slice(depth, depth + int(end - begin))
                self.ids[i, begin:end] = row.ids[part]
                # A block is never shared in part, so the row that brings it in tells it from
                # the blocks of others that have the same number there.
                own = row.blocks[part]
                self.blocks[i, begin:end] = np.where(
                    own < 0, own, own * len(rows) + flat.row[begin]
                )
                self.sources[:, i, begin:end] = row.sources[:, part]
                self.positions[..., i, begin:end] = row.positions[..., part]


def _additive(allowed: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    import torch

    mask = torch.zeros(allowed.shape, dtype=dtype, device=allowed.device)
    return mask.masked_fill_(~allowed, torch.finfo(dtype).min)[:, None]


def _encoder_output(features: list[torch.Tensor], listed: bool) -> SimpleNamespace:
    """As the model's own image encoder returns it."""
    pooled, *deeper = features
    return SimpleNamespace(
        pooler_output=[pooled] if listed else pooled[None],
        deepstack_features=[[each] for each in deeper],
    )


@contextmanager
def _decoder_masks(decoder: Any, masks: dict[str, torch.Tensor]) -> Iterator[None]:
    """Hand the decoder a mask for each kind of attention.

    Models take one mask and derive those of other layers from it; PaliGemma has no way to take two.
    """
    if len(masks) < 2:
        yield
        return

    def give(module: Any, args: Any, kwargs: dict[str, Any]) -> Any:  # noqa: ARG001
        return args, {**kwargs, "attention_mask": masks}

    handle = decoder.register_forward_pre_hook(give, with_kwargs=True)
    try:
        yield
    finally:
        handle.remove()


@contextmanager
def _only(head: Any, places: Integers) -> Iterator[None]:
    """Let the output layer see the hidden states of some places only, [1, places, size].

    Whatever the model does to its logits afterwards (soft caps, scales) is still done.
    """
    import torch

    def select(module: Any, args: tuple[torch.Tensor, ...]) -> Any:  # noqa: ARG001
        index = torch.from_numpy(places).to(args[0].device)
        return (args[0].flatten(0, 1).index_select(0, index)[None], *args[1:])

    handle = head.register_forward_pre_hook(select)
    try:
        yield
    finally:
        handle.remove()


def _cache(past: Past, keep: bool) -> Any:
    cache_kind, layer_kind = _cache_kinds()
    layers = [layer_kind(pair, keep) for pair in past.layers]
    if layers:
        return cache_kind(layers=layers)
    return cache_kind(layer_class_to_replicate=functools.partial(layer_kind, None, keep))


@functools.cache
def _cache_kinds() -> tuple[Any, Any]:
    """A cache that shows every sequence of a batch the same past, without storing copies of it."""
    import torch
    from transformers.cache_utils import Cache, DynamicLayer

    class SharedLayer(DynamicLayer):  # type: ignore[misc]
        def __init__(self, past: tuple[torch.Tensor, torch.Tensor] | None, keep: bool) -> None:
            super().__init__()
            self.keep = keep
            self.kept: tuple[torch.Tensor, torch.Tensor] | None = None
            if past is not None:
                self.keys, self.values = past
                self.is_initialized = True

        def update(
            self, key_states: torch.Tensor, value_states: torch.Tensor, *_: Any, **__: Any
        ) -> tuple[torch.Tensor, torch.Tensor]:
            if self.keys is not None:
                size = (len(key_states), -1, -1, -1)
                key_states = torch.cat([self.keys.expand(size), key_states], dim=2)
                value_states = torch.cat([self.values.expand(size), value_states], dim=2)
            if self.keep:
                self.kept = (key_states, value_states)
            return key_states, value_states

    return Cache, SharedLayer
