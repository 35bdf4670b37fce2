"""The interface of every encoder, from items to vectors of unit length, and those of libraries:
open_clip, sentence-transformers, and transformers.

The vector of an item depends on that item only. Matrix products of different shapes differ in
their last bits, so every batch has the same number of rows (the last one is filled with
repetitions), and an item is padded to a length that depends only on the item. So the vectors, and
with them the nearest neighbours, are independent of which other items are encoded, in which order,
and on how many workers.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from chef.common.digest import stream_digest
from chef.common.hub import check_complete, no_library_report
from chef.errors import ChefError, ConfigError, DependencyError, RunError
from chef.frozen import Frozen
from chef.guard.files import user_path
from chef.image import Image

if TYPE_CHECKING:
    import numpy as np
    import torch

    #: ``[n, d]``, rows of unit length.
    Vectors: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]

Item = TypeVar("Item")


class EncoderBackend(Frozen, Generic[Item]):
    """A loaded network that computes vectors of items.

    Attributes:
        network: the network; its weights and ``settings`` give the fingerprint of the encoder.
        settings: everything else that decides a vector: preprocessing and readout.
        size: the length of an item after padding; only items of one size share a batch.
        embed: computes the vectors ``[n, d]``, of any length, of a batch of items of one size.
    """

    network: torch.nn.Module
    settings: str
    size: Callable[[Item], int]
    embed: Callable[[Sequence[Item]], torch.Tensor]


class Encoder(Generic[Item]):
    """An encoder that is loaded when it is first used.

    Args:
        name: the name in the recipe, for messages.
        load: loads the network on the device of the given name (``cpu``, ``cuda:0``).
        batch_size: items per batch; it affects speed and the last bits of the vectors.
        device: ``auto`` takes the GPU if there is one.
        unit: scale vectors to length 1, so that their inner product is the cosine.
    """

    def __init__(
        self,
        name: str,
        load: Callable[[str], EncoderBackend[Item]],
        *,
        batch_size: int,
        device: str,
        unit: bool = True,
    ) -> None:
        self.name, self.batch_size, self.unit = name, batch_size, unit
        self._load, self._device = load, device
        self._backend: EncoderBackend[Item] | None = None
        self._fingerprint: str | None = None
        # Several threads open samples, and each of them may need a vector.
        self._lock = threading.RLock()

    def encode(self, items: Sequence[Item]) -> Vectors:
        """The vectors, ``[n, d]`` float32: one row for each item, with ``unit`` of length 1.

        Raises:
            RunError: the encoder cannot be loaded, or a vector is not finite.
        """
        import numpy as np
        import torch

        with self._lock, torch.inference_mode():
            backend = self.backend()
            rows: dict[int, Any] = {}
            for chosen in _batches([backend.size(item) for item in items], self.batch_size):
                filled = [*chosen, *[chosen[-1]] * (self.batch_size - len(chosen))]
                found = backend.embed([items[index] for index in filled]).float()
                if self.unit:
                    found = torch.nn.functional.normalize(found, dim=-1)
                rows.update(zip(chosen, found.cpu().numpy(), strict=False))
        if not rows:
            return np.zeros((0, 0), np.float32)
        vectors: Vectors = np.stack([rows[index] for index in range(len(items))])
        if not np.isfinite(vectors).all():
            raise RunError(
                "the encoder gives vectors that are not finite",
                where=f"encoder '{self.name}'",
                hint="check the weights: they are damaged, or are not those of an encoder",
            )
        return vectors

    def fingerprint(self) -> str:
        """A digest of everything that decides a vector: weights, settings, batch size, device."""
        with self._lock:
            if self._fingerprint is None:
                backend = self.backend()
                device = next(backend.network.parameters()).device.type
                length = "" if self.unit else "\x1fany length"
                settings = f"{backend.settings}\x1f{self.batch_size}\x1f{device}{length}"
                weights = sorted(backend.network.state_dict().items())
                self._fingerprint = stream_digest(_described(settings, weights))
            return self._fingerprint

    def release(self) -> None:
        """Release its memory, for the model above all; the next use loads it again."""
        with self._lock:
            self._backend = None

    def backend(self) -> EncoderBackend[Item]:
        """The network, loaded if it is not yet.

        Raises:
            RunError: it cannot be loaded.
        """
        from chef.common.device import pick_device

        if self._backend is None:
            device = str(pick_device(self._device))
            try:
                self._backend = self._load(device)
            except ChefError:
                raise
            except ImportError as error:
                raise DependencyError(
                    f"the encoder needs a package that is not installed ({error})",
                    where=f"encoder '{self.name}'",
                    hint="pip install open_clip_torch sentence-transformers",
                ) from None
            except Exception as error:  # each library raises errors of its own
                raise RunError(
                    f"cannot be loaded ({type(error).__name__}: {_first_line(error)})",
                    where=f"encoder '{self.name}'",
                    hint="check the name; without a network give a local folder, or 'embedded'",
                ) from error
            self._backend.network.eval()
        return self._backend


def _batches(sizes: Sequence[int], batch_size: int) -> Iterator[list[int]]:
    """Batches of indices: items of one size, at most ``batch_size`` in each.

    >>> list(_batches([1, 2, 1, 1], 2))
    [[0, 2], [3], [1]]
    """
    alike: dict[int, list[int]] = defaultdict(list)
    for index, size in enumerate(sizes):
        alike[size].append(index)
    for _, indices in sorted(alike.items()):
        for start in range(0, len(indices), batch_size):
            yield indices[start : start + batch_size]


def _described(
    settings: str, weights: Iterable[tuple[str, torch.Tensor]]
) -> Iterator[str | memoryview]:
    yield settings
    for name, weight in weights:
        yield f"{name} {weight.dtype} {tuple(weight.shape)}"
        yield _bytes(weight)


def _bytes(weight: torch.Tensor) -> memoryview:
    import torch

    return weight.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else "no reason given"


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
    folder = user_path(name)
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
    folder = user_path(name)
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

    folder = user_path(name)
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
