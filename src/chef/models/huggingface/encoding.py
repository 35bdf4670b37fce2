"""Encode rendered rows as the tensors of a batch, and locate the scored tokens in them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chef.errors import DependencyError, RunError, SampleError
from chef.models.huggingface.loading import Processing, Runtime
from chef.models.huggingface.rendering import Rendered

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image as Pixels


def encode(runtime: Runtime, rows: Sequence[Rendered], **options: Any) -> dict[str, Any]:
    """The processor's output on the CPU for rows that all have images or all have none
    (`by_images`).

    ``input_ids`` and ``attention_mask`` are [rows, length], padded on the left. A SampleError if
    the processor refuses a row, or one is longer than the model's context.
    """
    if rows[0].suffix is not None:
        options["suffix"] = [row.suffix for row in rows]
    if has_bos(runtime, rows[0].text):
        options["add_special_tokens"] = False
    images = [row.images for row in rows] if rows[0].images else None
    encoded = process(runtime, runtime.processor, [row.text for row in rows], images, **options)
    encoded.pop("labels", None)  # made for training
    if rows[0].suffix is not None and not rows[0].scored:
        # The processor ends a suffix with EOS, which a reply that is to be continued cannot have.
        for key in ("input_ids", "attention_mask", "token_type_ids"):
            encoded[key] = encoded[key][:, :-1]
    check_length(runtime, int(encoded["attention_mask"].sum(dim=1).max()))
    return encoded


def process(
    runtime: Runtime,
    processor: Any,
    texts: Sequence[str],
    images: Sequence[Sequence[Pixels]] | None,
    **options: Any,
) -> dict[str, Any]:
    """Call a processor, padding on the left; a SampleError if it refuses its input."""
    arguments: dict[str, Any] = {"text": list(texts), **options}
    if images is not None:
        arguments["images"] = [list(each) for each in images]
        if runtime.image_options:
            arguments["images_kwargs"] = dict(runtime.image_options)
    try:
        return dict(processor(**arguments, padding=True, padding_side="left", return_tensors="pt"))
    except ImportError as error:
        raise DependencyError(str(error), hint="install the package with pip") from error
    except (ValueError, TypeError, IndexError, KeyError, AttributeError) as error:
        raise SampleError(
            f"{type(processor).__name__} refuses the prompt ({type(error).__name__}: {error})",
            hint="check that the model takes this many images, and images of this size",
        ) from error


def has_bos(processing: Processing, text: str) -> bool:
    """Whether the template wrote the beginning-of-sequence token, so that none is added."""
    bos = processing.tokenizer.bos_token
    return bool(bos) and text.startswith(bos)


def check_length(runtime: Runtime, longest: int) -> None:
    """Check that the longest row, in tokens, fits in the model's context; else a SampleError."""
    if runtime.context is not None and longest > runtime.context:
        raise SampleError(
            f"the prompt has {longest} tokens, and the model's context is {runtime.context}",
            hint="use fewer in-context examples, or smaller images (processor_options)",
        )


def to_device(runtime: Runtime, encoded: dict[str, Any]) -> dict[str, Any]:
    """The inputs on the model's device, pixels in the model's floating-point type."""
    import torch

    moved = {}
    for key, value in encoded.items():
        if isinstance(value, torch.Tensor):
            dtype = runtime.model.dtype if value.is_floating_point() else value.dtype
            moved[key] = value.to(runtime.device, dtype)
        else:
            moved[key] = value
    return moved


def encode_scored(
    runtime: Runtime, rows: Sequence[Rendered]
) -> tuple[dict[str, Any], list[list[int]]]:
    """`encode`, with the positions of each row's scored tokens in its padded sequence.

    A token is scored if its characters, by the tokenizer's offsets, reach into the candidate. So
    one that spans the boundary counts, and the candidate is never tokenised without its context.
    """
    if not runtime.tokenizer.is_fast:
        raise RunError(
            f"{type(runtime.tokenizer).__name__} does not report which characters a token covers",
            hint="use a checkpoint with a tokenizer.json",
        )
    encoded = encode(runtime, rows, return_offsets_mapping=True)
    offsets = encoded.pop("offset_mapping").tolist()
    # Offsets in a suffix count from its own beginning, and the EOS at its end is not scored.
    parts = encoded["attention_mask"]
    if rows[0].suffix is not None:
        parts = parts * encoded["token_type_ids"]
    taken = parts.bool().tolist()
    return encoded, [scored_span(*each) for each in zip(rows, offsets, taken, strict=True)]


def scored_span(row: Rendered, offsets: list[list[int]], taken: list[bool]) -> list[int]:
    """The positions of the tokens that reach into the last ``row.scored`` characters.

    Counted from the end, as image marks were expanded earlier; offsets may leave out a leading
    space.
    """
    ends = [end for (_, end), use in zip(offsets, taken, strict=True) if use]
    total = max(ends) if row.suffix is None else len(row.suffix)
    first = total - row.scored
    span = [
        position
        for position, ((start, end), use) in enumerate(zip(offsets, taken, strict=True))
        if use and end > first and (row.suffix is None or start < total)
    ]
    if not span or span != list(range(span[0], span[0] + len(span))):
        raise SampleError("the tokens of an option cannot be told from those of its prompt")
    return span


def by_images(rows: Sequence[Rendered]) -> list[list[int]]:
    """The numbers of the rows with images, and of those without: few processors mix them."""
    groups = [[i for i, row in enumerate(rows) if bool(row.images) is has] for has in (True, False)]
    return [group for group in groups if group]


def forward_options(runtime: Runtime, mask: torch.Tensor) -> dict[str, Any]:
    """The arguments of a forward pass over a left-padded batch, besides the encoded tensors.

    Positions count real tokens only; models with several dimensions (M-RoPE) compute them
    themselves.
    """
    accepted = inspect.signature(runtime.model.forward).parameters
    options: dict[str, Any] = {"use_cache": False, "return_dict": True}
    whole, inner = runtime.model, getattr(runtime.model, "model", None)
    several = hasattr(whole, "get_rope_index") or hasattr(inner, "get_rope_index")
    if "position_ids" in accepted and not several:
        options["position_ids"] = (mask.cumsum(dim=1) - 1).clamp(min=0)
    return options
