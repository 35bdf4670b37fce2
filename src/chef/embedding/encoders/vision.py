"""Any vision model of transformers as an image encoder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from chef.common.hub import check_complete, no_library_report
from chef.embedding.encoders.base import EncoderBackend
from chef.errors import RunError
from chef.image import Image

if TYPE_CHECKING:
    import torch

#: ``cls``: the first token of the last layer; ``pooled``: the pooled output of the model.
Features: TypeAlias = Literal["cls", "pooled"]


def load_vision_encoder(name: str, features: Features, device: str) -> EncoderBackend[Image]:
    """A model of the hub (``google/vit-base-patch16-224-in21k``) or of a local folder.

    Of a model of images and texts (CLIP, SigLIP), only the vision encoder is used.
    """
    import torch
    from transformers import AutoImageProcessor, AutoModel

    folder = Path(name).expanduser()
    path = str(folder) if folder.is_dir() else name
    processor = AutoImageProcessor.from_pretrained(path)
    with no_library_report():
        whole: Any
        whole, report = AutoModel.from_pretrained(
            path, dtype=torch.float32, output_loading_info=True, ignore_mismatched_sizes=True
        )
    whole.to(device)
    model = getattr(whole, "vision_model", whole)
    check_complete(
        report,
        f"encoder '{name}'",
        used="" if model is whole else "vision_model.",
        unused=("pooler.",) if features == "cls" else (),
    )

    def embed(images: Sequence[Image]) -> torch.Tensor:
        pixels = processor(images=[image.view() for image in images], return_tensors="pt")
        output = model(pixel_values=pixels["pixel_values"].to(device))
        if features == "cls":
            vectors: torch.Tensor = output.last_hidden_state[:, 0]
            return vectors
        pooled: torch.Tensor | None = getattr(output, "pooler_output", None)
        if pooled is None:
            raise RunError(
                "the model has no pooled output",
                where=f"encoder '{name}'",
                hint="set features: cls",
            )
        return pooled.flatten(1)

    settings = f"{features}\n{processor.to_json_string()}"
    return EncoderBackend(model, settings, lambda _: 0, embed)
