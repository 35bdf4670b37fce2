"""Text encoders of sentence-transformers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chef.common.hub import check_complete, no_library_report
from chef.embedding.encoders.base import EncoderBackend

if TYPE_CHECKING:
    import torch

#: Texts are padded to a multiple of this many tokens.
STEP = 16


def load_sentence_transformer(name: str, device: str) -> EncoderBackend[str]:
    """A model of the hub (``all-mpnet-base-v2``) or of a local folder.

    Longer texts are cut at the limit of the model. A model with a default prompt gets it before
    every text.
    """
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(name, device=device)  # never runs code of the checkpoint
    _check_complete(model, name)
    tokenizer, limit = model.tokenizer, int(model.max_seq_length or 512)
    prompt = model.prompts.get(model.default_prompt_name or "", "")

    def size(text: str) -> int:
        ids = tokenizer(prompt + text, truncation=True, max_length=limit)["input_ids"]
        return min(limit, -(-len(ids) // STEP) * STEP)

    def embed(texts: Sequence[str]) -> torch.Tensor:
        features = tokenizer(
            [prompt + text for text in texts],
            padding="max_length",
            truncation=True,
            max_length=size(texts[0]),
            return_tensors="pt",
        )
        vectors: torch.Tensor = model(dict(features.to(device)))["sentence_embedding"]
        return vectors

    settings = f"{model}\n{limit} {STEP} {prompt!r}\n{tokenizer.backend_tokenizer.to_str()}"
    return EncoderBackend(model, settings, size, embed)


def _check_complete(model: Any, name: str) -> None:
    """Refuse an encoder with missing weights, which sentence-transformers would make up.

    It does not pass the report of transformers on, so the network is loaded once more for it, less
    its pooler.
    """
    for module in model:
        network = getattr(module, "auto_model", None)
        if network is None:
            continue
        with no_library_report():
            _, report = type(network).from_pretrained(
                network.config._name_or_path,  # noqa: SLF001 (where it was loaded from)
                output_loading_info=True,
                ignore_mismatched_sizes=True,
            )
        check_complete(report, f"encoder '{name}'", unused=("pooler.",))
