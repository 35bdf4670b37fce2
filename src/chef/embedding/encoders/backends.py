"""The encoders of other libraries: open_clip, sentence-transformers, and transformers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from chef.common.weights import check_complete, no_library_report
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

    model, preprocess = _load_clip(name, device)

    def embed(images: Sequence[Image]) -> torch.Tensor:
        pixels = torch.stack([preprocess(image.view()) for image in images])
        vectors: torch.Tensor = model.encode_image(pixels.to(device))
        return vectors

    return EncoderBackend(model, f"open_clip image\n{preprocess}", lambda _: 0, embed)


def load_clip_texts(name: str, device: str) -> EncoderBackend[str]:
    """The text encoder; longer texts are cut at its limit."""
    import open_clip

    model, _ = _load_clip(name, device)
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


def _load_clip(name: str, device: str) -> tuple[Any, Any]:
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
