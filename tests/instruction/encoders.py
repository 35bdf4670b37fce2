"""Encoders for tests: hand-made ones that can be followed, and tiny real networks."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from chef.embedding.encoders import Encoder
from chef.embedding.encoders.base import EncoderBackend
from chef.image import Image
from chef.types import Sample


def picture(*color: int, form: str = "PNG", size: int = 4) -> bytes:
    from PIL import Image as Pillow

    stream = io.BytesIO()
    Pillow.new("RGB", (size, size), color).save(stream, form)
    return stream.getvalue()


def sample(
    name: str, *images: bytes | Path, question: str | None = None, group: str | None = None
) -> Sample:
    fields = {"circular_group": group} if group else {}
    asked = f"{name}?" if question is None else question
    shown = tuple(map(Image, images))
    return Sample(name, shown, asked, answer=f"answer {name}", fields=fields)


def encoder_of(
    vector: Callable[[Any], Sequence[float]], *, batch_size: int = 4, weight: float = 0.0
) -> Encoder[Any]:
    """An encoder that computes ``vector`` and counts: ``encoder.asked`` lists its items."""
    import torch

    asked: list[Any] = []

    def embed(items: Sequence[Any]) -> torch.Tensor:
        asked.extend(items)
        return torch.tensor([vector(item) for item in items], dtype=torch.float32)

    def load(device: str) -> EncoderBackend[Any]:
        network = torch.nn.Linear(1, 1)
        torch.nn.init.constant_(network.weight, weight)
        torch.nn.init.zeros_(network.bias)
        return EncoderBackend(network, "by hand", lambda _: 0, embed)

    encoder = Encoder("by hand", load, batch_size=batch_size, device="cpu")
    encoder.asked = asked  # type: ignore[attr-defined]
    return encoder


def mean_color(image: Image) -> tuple[float, ...]:
    import numpy as np

    return tuple(np.asarray(image.load(), float).mean((0, 1)) + 1)


#: A CLIP that fits anywhere; its texts are spelled with open_clip's own tokenizer.
CLIP = {
    "embed_dim": 16,
    "vision_cfg": {"image_size": 24, "patch_size": 12, "layers": 1, "width": 32, "head_width": 16},
    "text_cfg": {"context_length": 16, "vocab_size": 49408, "width": 16, "heads": 2, "layers": 1},
}


def save_clip(folder: Path) -> Path:
    """A folder of open_clip with random weights."""
    import open_clip
    import torch
    from safetensors.torch import save_file

    torch.manual_seed(0)
    model = open_clip.CLIP(**CLIP)
    folder.mkdir()
    preprocess = {"mean": [0.5] * 3, "std": [0.5] * 3, "interpolation": "bicubic"}
    config = {"model_cfg": CLIP, "preprocess_cfg": preprocess}
    (folder / "open_clip_config.json").write_text(json.dumps(config))
    weights = {name: weight.contiguous() for name, weight in model.state_dict().items()}
    save_file(weights, folder / "open_clip_model.safetensors")
    return folder


def save_vit(folder: Path) -> Path:
    """A vision transformer of transformers with random weights."""
    import torch
    from transformers import ViTConfig, ViTImageProcessor, ViTModel

    torch.manual_seed(0)
    config = ViTConfig(
        hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        image_size=24, patch_size=12,
    )  # fmt: skip
    ViTModel(config).save_pretrained(folder)
    ViTImageProcessor(size={"height": 24, "width": 24}).save_pretrained(folder)
    return folder
