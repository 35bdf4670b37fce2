"""What the fast scorer has to know of a model's architecture, and what it cannot work with."""

from __future__ import annotations

import inspect

from chef.frozen import Frozen
from chef.models.huggingface.likelihood.shared_prefix.images import UnsupportedError
from chef.models.huggingface.loading import Runtime


class Windows(Frozen):
    """The kinds of attention of a model's layers.

    Attributes:
        sizes: for each kind, how many tokens back a token sees, itself included; None for all.
        blocks_inside: whether tokens of a block see each other within the layer's window only.
    """

    names: tuple[str, ...]
    sizes: tuple[int | None, ...]
    blocks_inside: bool


def windows(runtime: Runtime) -> Windows:
    """The kinds of attention of the layers; an UnsupportedError if one is of another kind."""
    config = runtime.model.config.get_text_config()
    size = getattr(config, "sliding_window", None)
    default = "full_attention" if size is None else "sliding_attention"
    kinds = sorted(set(getattr(config, "layer_types", None) or [default]))
    for kind in kinds:
        if kind not in ("full_attention", "sliding_attention"):
            raise UnsupportedError(f"it has layers of the kind '{kind}'")
    sizes = [size if kind == "sliding_attention" else None for kind in kinds]
    return Windows(tuple(kinds), tuple(sizes), runtime.quirk.image_blocks)


def check_supported(runtime: Runtime) -> None:
    """Refuse a model that is known not to work, before anything is tried (UnsupportedError)."""
    model = runtime.model
    forward = inspect.signature(model.forward).parameters
    if "mm_encoder_outputs" not in forward or not hasattr(model.model, "get_image_features"):
        raise UnsupportedError("it does not take images that are encoded already")
    if "position_ids" not in inspect.signature(model.get_decoder().forward).parameters:
        raise UnsupportedError("its decoder does not take the positions of tokens")
    if model.get_output_embeddings() is None:
        raise UnsupportedError("it has no separate output layer")
    attention = model.config.get_text_config()._attn_implementation  # noqa: SLF001
    if attention not in ("sdpa", "eager"):
        raise UnsupportedError(f"its attention '{attention}' does not take a custom mask")
    if not runtime.tokenizer.is_fast:
        raise UnsupportedError("its tokenizer does not report which characters a token covers")
