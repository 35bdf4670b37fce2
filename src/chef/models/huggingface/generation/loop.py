"""The decoding loop: one token per row and step, and rows that have ended leave the batch.

The next token is the most likely one, or drawn from the row's random stream. ``generate`` of
transformers prepares a batch (masks, positions, cache) and calls this loop instead of its own,
which would compute every row until the last one ends. Key-value caches grow in place and drop rows
that have ended. This module imports transformers, so only code that runs a model imports it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from transformers.cache_utils import DynamicCache, DynamicLayer, DynamicSlidingWindowLayer

from chef.errors import ReplyError
from chef.models.hooks.chef import cut_at_stop
from chef.models.huggingface.likelihood.shared_prefix.forward import Prefill, fill
from chef.models.huggingface.loading import Runtime, cache_argument
from chef.types import Generate

if TYPE_CHECKING:
    import torch


class Choice(Protocol):
    """Chooses the next token of each row."""

    def __call__(self, scores: torch.Tensor, rows: Sequence[int]) -> torch.Tensor:
        """Tokens, [rows], by logits in float32, [rows, vocabulary], of rows so numbered."""


def choice(requests: Sequence[Generate]) -> Choice:
    """The choice for the requests of one batch, which agree in temperature and nucleus."""
    return likeliest if requests[0].temperature == 0 else SeededSampling(requests)


def likeliest(scores: torch.Tensor, rows: Sequence[int]) -> torch.Tensor:  # noqa: ARG001
    """The most likely token of each row."""
    return scores.argmax(dim=-1)


class SeededSampling:
    """Draws each row's next token from its own random stream: other rows do not change its text."""

    def __init__(self, requests: Sequence[Generate]) -> None:
        self.streams = [random.Random(request.seed) for request in requests]
        self.temperature = requests[0].temperature
        self.top_p = requests[0].top_p

    def __call__(self, scores: torch.Tensor, rows: Sequence[int]) -> torch.Tensor:
        import torch

        draws = torch.tensor([[self.streams[row].random()] for row in rows], dtype=torch.float64)
        probs = torch.softmax(scores.float() / self.temperature, dim=-1).double()
        if self.top_p < 1:
            probs = torch.where(_nucleus(probs, self.top_p), probs, 0.0)
        # In the order of the vocabulary: in that of the probabilities, rounding, which differs from
        # batch to batch, would let two tokens of nearly equal probability change places.
        mass = probs.cumsum(dim=-1)
        total = mass[:, -1:]
        return ((mass <= draws.to(mass.device) * total) & (mass < total)).sum(dim=-1)


def _nucleus(probs: torch.Tensor, top_p: float) -> torch.Tensor:
    """The tokens with less than ``top_p`` of the mass before them, and always the likeliest."""
    import torch

    ordered, order = probs.sort(dim=-1, descending=True, stable=True)
    inside = (ordered.cumsum(dim=-1) - ordered) < top_p
    inside[:, 0] = True
    return torch.zeros_like(inside).scatter(1, order, inside)


class StopRule:
    """Decides by end tokens and stop strings whether a row has ended, whatever others do."""

    def __init__(self, tokenizer: Any, ends: set[int], stop: Sequence[str]) -> None:
        self.tokenizer = tokenizer
        self.ends = ends
        self.stop = [word for word in stop if word]
        # A character is at most four byte tokens, so this many tokens cover any stop string.
        self.window = 4 * max((len(word) for word in self.stop), default=0) + 4

    def ended(self, tokens: Sequence[int]) -> bool:
        """Whether the last of the new tokens of a row ends it."""
        if tokens[-1] in self.ends:
            return True
        if not self.stop:
            return False
        text = self.tokenizer.decode(tokens[-self.window :], skip_special_tokens=True)
        return any(word in text for word in self.stop)


def trimmed(text: str, request: Generate) -> str:
    """A reply up to its stop string, without white space around it."""
    text = cut_at_stop(text, request.stop).rstrip()
    # The space after the header of the turn is the template's; after a prefix there is none.
    return text if request.answer_prefix else text.lstrip()


#: The inputs of each step that have one entry for each row, and their dimension of rows, counted
#: from the end.
BY_ROW = {
    "attention_mask": 2,
    "position_ids": 2,  # [rows, length], or [3 or 4, rows, length] for M-RoPE
    "token_type_ids": 2,
    "mm_token_type_ids": 2,
}
#: In place of the next token of a row whose logits are not finite.
NO_TOKEN = -1
#: Inputs that only the first step reads.
OF_IMAGES = ("pixel_values", "pixel_attention_mask", "image_sizes", "image_grid_thw")


#: How many positions are reserved at a time. The layer of transformers copies everything it holds
#: for every new token.
SPARE = 64


class UnrepeatableError(Exception):
    """What a model keeps of its prompts cannot be filled in, or repeated for several replies."""


def decode(
    runtime: Runtime,
    inputs: dict[str, Any],
    choose: Choice,
    rule: StopRule,
    limit: int,
    *,
    prompts: Sequence[int] | None = None,
    prefills: Sequence[Prefill] | None = None,
) -> list[list[int]]:
    """The new tokens of each row, with the one that ends it: from 1 to ``limit``.

    ``inputs`` are those of each prompt, once, on the model's device; ``prompts`` has of each row
    the number of its prompt, where several share one; of ``prefills`` only the last token is open.

    A ReplyError if the logits of a row are not finite; an UnrepeatableError if prompts are shared
    and the model has a state that is not known here.
    """
    import torch

    each = range(len(inputs["input_ids"])) if prompts is None else prompts
    loop = _Loop(each, choose, rule, limit, prefills)
    with torch.inference_mode():
        runtime.model.generate(
            **inputs, max_new_tokens=limit, do_sample=False, custom_generate=loop
        )
    return loop.new


class _Loop:
    """Replaces ``generate``'s loop: ``rows`` are computed still, ``running`` have not ended."""

    def __init__(
        self,
        prompts: Sequence[int],
        choose: Choice,
        rule: StopRule,
        limit: int,
        prefills: Sequence[Prefill] | None,
    ) -> None:
        self.new: list[list[int]] = [[] for _ in prompts]
        self.rows = list(range(len(prompts)))
        self.prompts = list(prompts)
        self.running = set(self.rows)
        self.choose, self.rule, self.limit, self.prefills = choose, rule, limit, prefills

    def __call__(  # the arguments with which generate calls a loop
        self,
        model: Any,
        input_ids: torch.Tensor,
        logits_processor: Any,
        stopping_criteria: object,  # noqa: ARG002 (StopRule decides)
        generation_config: object,  # noqa: ARG002
        **state: Any,
    ) -> torch.Tensor:
        import torch

        preallocate(state.get(cache_argument()))
        if self.prefills is None:
            start: dict[str, Any] = {"is_first_iteration": True}
        elif _can_select(state):
            fill(state, self.prefills)
            start, self.prefills = {"next_sequence_length": 1}, None
        else:
            raise UnrepeatableError
        prepared = model.prepare_inputs_for_generation(input_ids, **start, **state)
        while True:
            output = model(**prepared, return_dict=True)
            state = model._update_model_kwargs_for_generation(  # noqa: SLF001
                output, state, is_encoder_decoder=False
            )
            # A copy, since a view would keep the logits of the whole prompt.
            logits = output.logits[:, -1].to(copy=True, dtype=torch.float32)
            del output
            if self.prompts != self.rows:
                input_ids, logits, state = self._repeated(input_ids, logits, state)
            # The largest logit is NaN if any is, and infinite where all or one of them are. Such
            # a row has no next token; the mark comes with the tokens, so that no step waits twice.
            is_finite = logits.amax(dim=-1).isfinite()
            tokens = self.choose(logits_processor(input_ids, logits), self.rows)
            tokens = torch.where(is_finite, tokens, NO_TOKEN)
            self._take(tokens.tolist())
            input_ids = torch.cat([input_ids, tokens[:, None]], dim=-1)
            if not self.running:
                return input_ids
            input_ids, state = self._drop_ended(input_ids, state)
            prepared = model.prepare_inputs_for_generation(
                input_ids, next_sequence_length=1, **state
            )

    def _repeated(
        self, input_ids: torch.Tensor, logits: torch.Tensor, state: dict[str, Any]
    ) -> tuple[torch.Tensor, torch.Tensor, dict[str, Any]]:
        """After the pass of the prompts: each as often as it has rows."""
        import torch

        if not _can_select(state):
            raise UnrepeatableError
        index = torch.tensor(self.prompts, device=input_ids.device)
        self.prompts = self.rows
        return input_ids[index], logits[index], _selected(state, index)

    def _take(self, tokens: list[int]) -> None:
        """Append one token to each running row; a ReplyError if a row has none."""
        for row, token in zip(self.rows, tokens, strict=True):
            if row in self.running:
                if token == NO_TOKEN:
                    raise ReplyError(
                        "the model gave logits that are not finite (NaN or infinite)",
                        hint="try --dtype float32; half precision overflows in some models",
                    )
                self.new[row].append(token)
                if len(self.new[row]) == self.limit or self.rule.ended(self.new[row]):
                    self.running.remove(row)

    def _drop_ended(
        self, input_ids: torch.Tensor, state: dict[str, Any]
    ) -> tuple[torch.Tensor, dict[str, Any]]:
        """Drop the rows that have ended, unless the model has a state that is not known here."""
        import torch

        if len(self.running) == len(self.rows) or not _can_select(state):
            return input_ids, state
        left = [place for place, row in enumerate(self.rows) if row in self.running]
        index = torch.tensor(left, device=input_ids.device)
        self.rows = self.prompts = [self.rows[place] for place in left]
        return input_ids[index], _selected(state, index)


def _selected(state: dict[str, Any], index: torch.Tensor) -> dict[str, Any]:
    """The state of these rows, any of which may occur several times."""
    state[cache_argument()].batch_select_indices(index)
    return {
        key: value.index_select(value.ndim - BY_ROW[key], index)
        if key in BY_ROW and value is not None
        else value
        for key, value in state.items()
    }


def _can_select(state: dict[str, Any]) -> bool:
    """Whether everything with one entry for each row is known, so that rows can be dropped."""
    import torch

    tensors = {key for key, value in state.items() if isinstance(value, torch.Tensor)}
    known = tensors <= {*BY_ROW, *OF_IMAGES}
    # A model that is given no positions may keep its own (M-RoPE).
    return known and "position_ids" in tensors and can_select(state.get(cache_argument()))


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
    """Replace the layers of an empty cache by `PreallocatedLayer`, but those of sliding windows."""
    if type(cache) is DynamicCache:
        cache.layers = [
            PreallocatedLayer() if type(layer) is DynamicLayer else layer for layer in cache.layers
        ]


def can_select(cache: Any) -> bool:
    """Whether rows can be dropped from a cache, because it holds only keys and values."""
    kinds = (PreallocatedLayer, DynamicLayer, DynamicSlidingWindowLayer)
    return type(cache) is DynamicCache and all(type(layer) in kinds for layer in cache.layers)
