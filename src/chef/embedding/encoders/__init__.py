"""Encoders of texts and images, by name."""

from __future__ import annotations

from functools import lru_cache, partial

from chef.embedding.encoders.base import (
    Encoder,
    EncoderBackend,
    Features,
    is_clip,
    load_clip_images,
    load_clip_texts,
    load_sentence_transformer,
    load_vision_encoder,
)
from chef.guard.files import user_path
from chef.image import Image

# Recipes of one call that use the same encoder share it.


@lru_cache(8)
def text_encoder(
    name: str, *, batch_size: int = 32, device: str = "auto", unit: bool = True
) -> Encoder[str]:
    """The encoder of texts called ``name``.

    Args:
        name: ``embedded``; a model of sentence-transformers by hub name or local folder; a local
            folder of open_clip.
        batch_size: texts per batch.
        device: ``auto``, ``cpu``, ``cuda``, ``cuda:1``, ...
        unit: scale vectors to length 1.
    """

    def load(where: str) -> EncoderBackend[str]:
        folder = user_path(name)
        if name == "embedded" or (folder.is_dir() and is_clip(name)):
            return load_clip_texts(name, where)
        return load_sentence_transformer(str(folder) if folder.is_dir() else name, where)

    return Encoder(name, load, batch_size=batch_size, device=device, unit=unit)


@lru_cache(8)
def image_encoder(
    name: str,
    *,
    features: Features = "cls",
    batch_size: int = 32,
    device: str = "auto",
    unit: bool = True,
) -> Encoder[Image]:
    """The encoder of images called ``name``.

    Args:
        name: ``embedded``; ``model/pretrained`` or ``hf-hub:owner/name`` of open_clip; a vision
            model of transformers by hub name; a local folder of either.
        features: which output of a model of transformers is used.
        batch_size: images per batch.
        device: ``auto``, ``cpu``, ``cuda``, ``cuda:1``, ...
        unit: scale vectors to length 1.
    """

    def load(where: str) -> EncoderBackend[Image]:
        vision = partial(load_vision_encoder, name, features)
        return load_clip_images(name, where) if is_clip(name) else vision(where)

    return Encoder(name, load, batch_size=batch_size, device=device, unit=unit)


__all__ = ["Encoder", "Features", "image_encoder", "text_encoder"]
