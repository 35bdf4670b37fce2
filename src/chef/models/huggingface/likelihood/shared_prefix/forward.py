"""One forward pass of the model over packs of a prefix tree.

The model is used as it is, through what its ``forward`` takes: token numbers, positions, a mask,
encoded images and a cache. Only two things are changed from outside, each by a hook that is removed
after the pass: a decoder with several kinds of attention gets one mask for each kind
(`_decoder_masks`), and the output layer computes logits only where they are read (`_only`).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from chef.frozen import Frozen
from chef.models.huggingface.likelihood.shared_prefix.images import Windows
from chef.models.huggingface.likelihood.shared_prefix.rows import TreeRow
from chef.models.huggingface.likelihood.shared_prefix.tree import Flat, Integers
from chef.models.huggingface.loading import Runtime, cache_argument

if TYPE_CHECKING:
    import torch
    from transformers.modeling_outputs import BaseModelOutputWithPooling


@dataclass(slots=True, eq=False)
class Past:
    """Keys and values of ``depth`` tokens of a trunk, from the root of the tree on.

    Of each layer [1, heads, depth, size]; or [packs, ...] of packs that are continued by no other.
    """

    depth: int = 0
    layers: list[tuple[torch.Tensor, torch.Tensor]] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        """The memory of all keys and values."""
        return sum(2 * keys.numel() * keys.element_size() for keys, _ in self.layers)

    def first(self, depth: int) -> Past:
        """Those of the first ``depth`` tokens, as views: they depend on no later ones."""
        return Past(depth, [(k[:, :, :depth], v[:, :, :depth]) for k, v in self.layers])


class TreeForward:
    """Runs packs through a model, whose layers attend as ``windows`` says."""

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
        """The logits after the ``wanted`` nodes of all packs, [nodes, vocabulary].

        Each of ``flats`` is a sequence of the batch, padded on the right, that continues from
        ``past``; with ``keep``, the keys and values of both are returned for each. ``listed``: the
        model takes its image features as a list of tensors.
        """
        import torch

        length = max(len(flat.row) for flat in flats)
        device = self.runtime.device
        batch = _Batch(rows, flats, length)
        cache = _cache(past, keep) if keep or past.depth else None
        options: dict[str, Any] = {"use_cache": cache is not None, cache_argument(): cache}
        features = self._features(rows, batch)
        if features is not None:
            options["mm_encoder_outputs"] = {"image": _encoder_output(features, listed)}
        masks = self._masks(batch, past.depth)
        # Places in the hidden states of the batch once its sequences are put end to end.
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
        """The embeddings of the placeholders in the batch's order, for the input and deeper layers.

        The model puts the first one in place of the first placeholder, and so on. None without
        images.
        """
        import torch

        units = {}
        for number in np.unique(batch.rows[batch.sources[0] >= 0]):
            units.update(rows[number].units)
        numbers, places = batch.sources[:, batch.sources[0] >= 0]
        if not len(numbers):
            return None
        # The units that occur, end to end; a placeholder's embedding is where its unit starts,
        # and as much further on as its place in the unit says.
        used = [units[number] for number in np.unique(numbers)]
        sizes = [len(unit.features[0]) for unit in used]
        starts = dict(zip((u.number for u in used), np.cumsum([0, *sizes]), strict=False))
        index = torch.tensor([starts[n] for n in numbers.tolist()]) + torch.from_numpy(places)
        index = index.to(self.runtime.device)
        layers = zip(*(unit.features for unit in used), strict=True)
        return [torch.cat(layer).index_select(0, index) for layer in layers]

    def _masks(self, batch: _Batch, past: int) -> dict[str, torch.Tensor]:
        """The mask of each kind of attention, to be added to its scores, after ``past`` tokens of a
        trunk.

        [packs, 1, length, past + length]: 0 where a node sees a token, else the smallest number of
        the type. Empty where the model's own causal mask is right already.
        """
        import torch

        sizes = self.windows.sizes
        if batch.is_causal and not past and all(size is None for size in sizes):
            return {}
        device = self.runtime.device
        last = torch.from_numpy(batch.last).to(device)
        depth = torch.from_numpy(batch.depths).to(device)
        block = torch.from_numpy(batch.blocks).to(device)
        place = torch.arange(last.shape[1], device=device)
        # Rows of a mask see, columns are seen. An ancestor is a node that comes before, and whose
        # descendants reach as far as the node that sees (the picture in `tree`).
        ancestor = (place <= place[:, None]) & (place[:, None] <= last[:, None, :])
        same_block = (block[:, None, :] == block[:, :, None]) & (block[:, None, :] >= 0)
        masks = {}
        for name, size in zip(self.windows.names, sizes, strict=True):
            if size is None:
                nodes = ancestor | same_block
                trunk = torch.ones(*depth.shape, past, dtype=torch.bool, device=device)
            else:
                # Distances are differences of depth: places in the sequence count siblings too.
                near = depth[:, :, None] - depth[:, None, :] < size
                if self.windows.blocks_inside:
                    nodes = (ancestor | same_block) & near
                else:
                    nodes = (ancestor & near) | same_block
                trunk = depth[:, :, None] - torch.arange(past, device=device) < size
            masks[name] = _additive(torch.cat([trunk, nodes], dim=2), self.runtime.model.dtype)
        return masks


class _Batch:
    """The arrays of some packs, each [packs, length], padded on the right, as in `Flat` and
    `TreeRow`.

    Padding sees only itself: where a row of a mask allows nothing, attention gives NaN. ``sources``
    is [2, packs, length]; ``positions`` may be [n, packs, length]. ``is_causal``: a single row
    without blocks and without padding, so that a node sees all that come before it.
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
        for i, flat in enumerate(flats):
            size = len(flat.row)
            self.rows[i, :size] = flat.row
            self.depths[i, :size] = flat.depth
            self.last[i, :size] = flat.last
            # Neighbouring nodes read from the same row stand next to each other there too, so
            # they are copied as one slice.
            edges = np.flatnonzero(np.diff(flat.row)) + 1
            for begin, end in zip([0, *edges], [*edges, size], strict=True):
                row, depth = rows[flat.row[begin]], int(flat.depth[begin])
                part = slice(depth, depth + int(end - begin))
                self.ids[i, begin:end] = row.ids[part]
                self.blocks[i, begin:end] = _unique_blocks(
                    row.blocks[part], int(flat.row[begin]), len(rows)
                )
                self.sources[:, i, begin:end] = row.sources[:, part]
                self.positions[..., i, begin:end] = row.positions[..., part]
        one_path = len(flats) == 1 and bool((self.last == length - 1).all())
        self.is_causal = one_path and not bool((self.blocks >= 0).any())


def _unique_blocks(blocks: Integers, row: int, rows: int) -> Integers:
    """Numbers of a row's blocks that differ from those of all other rows, which count from 0 too.

    A block is never shared in part, so all its nodes are read from one row.
    """
    return np.where(blocks < 0, blocks, blocks * rows + row)


def _additive(allowed: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """A mask of booleans, [packs, length, n], as numbers to add, [packs, 1, length, n]."""
    import torch

    mask = torch.zeros(allowed.shape, dtype=dtype, device=allowed.device)
    return mask.masked_fill_(~allowed, torch.finfo(dtype).min)[:, None]


def _encoder_output(features: list[torch.Tensor], listed: bool) -> BaseModelOutputWithPooling:
    """Embeddings in the form in which the model's own image encoder returns them."""
    from transformers.modeling_outputs import BaseModelOutputWithPooling

    pooled, *deeper = features
    output = BaseModelOutputWithPooling(pooler_output=[pooled] if listed else pooled[None])
    # Read by the models whose deeper layers take features of the image too.
    output.deepstack_features = [[each] for each in deeper]
    return output


@contextmanager
def _decoder_masks(decoder: Any, masks: dict[str, torch.Tensor]) -> Iterator[None]:
    """Hand the decoder finished masks by kind of attention: ``forward`` takes one.

    It would derive a sliding one by distance in the sequence, which is wrong for a tree.
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
    """Let the output layer see only the hidden states of some places, [1, places, size].

    Logits of all nodes would take more memory than the model; soft caps and scales come after it.
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
    """A cache that begins with a trunk and, with ``keep``, holds what a pass adds to it."""
    cache_kind, layer_kind = _cache_kinds()
    layers = [layer_kind(pair, keep) for pair in past.layers]
    if layers:
        return cache_kind(layers=layers)
    # Nothing is known of the layers yet: the cache makes one when it is first asked for it.
    return cache_kind(layer_class_to_replicate=functools.partial(layer_kind, None, keep))


@functools.cache
def _cache_kinds() -> tuple[Any, Any]:
    """The classes of a cache and its layers, for packs on one trunk, which is stored once."""
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
            # The trunk's keys and values stay as they are, for the batches that come after. The
            # layer's own are returned and, unless they are to be kept, forgotten.
            if self.keys is not None:
                size = (len(key_states), -1, -1, -1)
                key_states = torch.cat([self.keys.expand(size), key_states], dim=2)
                value_states = torch.cat([self.values.expand(size), value_states], dim=2)
            if self.keep:
                self.kept = (key_states, value_states)
            return key_states, value_states

    return Cache, SharedLayer


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
