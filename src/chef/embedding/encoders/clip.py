"""The image and text encoders of open_clip models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.embedding.encoders.base import EncoderBackend
from chef.errors import ConfigError, RunError
from chef.image import Image

if TYPE_CHECKING:
    import torch

#: The file by which a folder of open_clip is recognised.
CONFIG = "open_clip_config.json"
#: The encoder that comes with chef.
EMBEDDED = Path(__file__).parents[2] / "assets" / "clip"


def load_clip_images(name: str, device: str) -> EncoderBackend[Image]:
    """The image encoder: projected features, which open_clip compares with texts."""
    import torch

    model, preprocess = _load(name, device)

    def embed(images: Sequence[Image]) -> torch.Tensor:
        pixels = torch.stack([preprocess(image.view()) for image in images])
        vectors: torch.Tensor = model.encode_image(pixels.to(device))
        return vectors

    return EncoderBackend(model, f"open_clip image\n{preprocess}", lambda _: 0, embed)


def load_clip_texts(name: str, device: str) -> EncoderBackend[str]:
    """The text encoder; longer texts are cut at its limit."""
    import open_clip

    model, _ = _load(name, device)
    tokenizer = open_clip.get_tokenizer(_location(name)[0])

    def embed(texts: Sequence[str]) -> torch.Tensor:
        vectors: torch.Tensor = model.encode_text(tokenizer(list(texts)).to(device))
        return vectors

    # Every text is padded to the length of the context.
    return EncoderBackend(model, f"open_clip text {_vocabulary(tokenizer)}", lambda _: 0, embed)


def is_clip(name: str) -> bool:
    """Whether ``name`` is a model of open_clip, which is imported only for names of the hub."""
    if name == "embedded" or name.startswith("hf-hub:"):
        return True
    folder = Path(name).expanduser()
    if folder.is_dir():
        return (folder / CONFIG).is_file()
    import open_clip

    model, _, tag = name.partition("/")
    return bool(tag) and tag in open_clip.list_pretrained_tags_by_model(model)


def _load(name: str, device: str) -> tuple[Any, Any]:
    """Model (float32) and preprocessing; weights are read as data, no code is run."""
    import open_clip

    model_name, pretrained = _location(name)
    made = open_clip.create_model_from_pretrained(
        model_name, pretrained=pretrained, device=device, weights_only=True
    )
    model, preprocess = made
    return model, preprocess


def _location(name: str) -> tuple[str, str | None]:
    """``model_name`` and ``pretrained`` of open_clip."""
    if name == "embedded":
        if not (EMBEDDED / CONFIG).is_file():
            raise RunError(
                "the embedded encoder is missing",
                where=str(EMBEDDED),
                hint="reinstall chef, or train it: python tools/train_clip.py",
            )
        return f"local-dir:{EMBEDDED}", None
    folder = Path(name).expanduser()
    if folder.is_dir():
        return f"local-dir:{folder}", None
    if name.startswith("hf-hub:"):
        return name, None
    model, _, tag = name.partition("/")
    if not tag:
        raise ConfigError(
            f"open_clip has no encoder '{name}'",
            hint="write model/pretrained, for example ViT-B-32/laion2b_s34b_b79k, or a folder",
        )
    return model, tag


def _vocabulary(tokenizer: Any) -> str:
    """What identifies a tokenizer: its whole content if available, else its class and length."""
    backend = getattr(getattr(tokenizer, "tokenizer", None), "backend_tokenizer", None)
    content = backend.to_str() if backend is not None else type(tokenizer).__name__
    return f"{tokenizer.context_length} {content}"
