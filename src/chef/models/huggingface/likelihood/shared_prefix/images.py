"""Images as a model sees them: preprocessed and encoded once, however often they are shown.

The images of a call go through the vision encoder in a few large batches. Their embeddings are
kept for later calls, up to a number of bytes, as the questions about one image often come in more
than one call.
"""

from __future__ import annotations

import copy
import inspect
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from chef.frozen import Frozen
from chef.image import Image
from chef.models.huggingface.loading import Runtime
from chef.models.huggingface.rendering import process, to_device

if TYPE_CHECKING:
    import torch

#: The most bytes of encoded images that are kept.
KEPT_BYTES = 512 * 2**20
#: The most image tokens that go through the vision encoder at once.
ENCODER_TOKENS = 8192
#: Stands for the words around an image: what the processor writes for the image itself does not
#: depend on them.
SLOT = "<<words>>"


class UnsupportedError(Exception):
    """Prefixes cannot be shared with this model or its processor; the message is the reason."""


class ImageUnit(Frozen, eq=False):
    """What processor and vision encoder make of one image, or of all images of a row together.

    Attributes:
        number: its own; no other unit of the model has it.
        texts: what the processor writes before, between and after the slots for words, with each
            run of placeholders shortened to one; ``runs``: how many each of those runs has.
        features: the embedding of each placeholder, then what is added to it in deeper layers
            (DeepStack); each [placeholders, hidden size].
        grid: patches in time, height and width of each image, [images, 3], for some models.
    """

    number: int
    texts: tuple[str, ...]
    runs: tuple[int, ...]
    features: tuple[torch.Tensor, ...]
    grid: torch.Tensor | None

    @property
    def bytes(self) -> int:
        """The memory of the features."""
        return sum(each.numel() * each.element_size() for each in self.features)


class ImageRequest(Frozen):
    """Images to encode together, and the text to process them in."""

    images: tuple[Image, ...]
    text: str

    @property
    def key(self) -> tuple[str, ...]:
        """The name of the request in a cache: digests of the images, and the text."""
        return (*(image.digest for image in self.images), self.text)


class RecordingTokenizer:
    """Records its last call: a processor does not return the text with marks replaced."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.texts: list[str] = []
        self.options: dict[str, Any] = {}

    def __call__(self, text: list[str], **options: Any) -> Any:
        self.texts, self.options = list(text), options
        return self.tokenizer(text, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tokenizer, name)


class ImageUnits:
    """Encodes images, and keeps the recent ones; an UnsupportedError if it has no mark."""

    def __init__(self, runtime: Runtime, cost: Callable[[Image], int]) -> None:
        self.runtime = runtime
        self.cost = cost
        self.recorder = RecordingTokenizer(runtime.tokenizer)
        # A copy, so that only calls made here are recorded.
        self.processor = copy.copy(runtime.processor)
        self.processor.tokenizer = self.recorder
        self.mark = placeholder_mark(runtime)
        self.placeholder = image_token_id(runtime)
        token = re.escape(runtime.tokenizer.convert_ids_to_tokens(self.placeholder))
        self._run = re.compile(f"(?:{token})+")
        self._token = runtime.tokenizer.convert_ids_to_tokens(self.placeholder)
        #: Whether the model's image encoder returns its features as a list of tensors, and so
        #: expects them as one; known after the first image.
        self.listed = True
        self._kept: OrderedDict[tuple[str, ...], ImageUnit] = OrderedDict()
        self._count = 0

    def load(self, wanted: Iterable[ImageRequest]) -> dict[tuple[str, ...], ImageUnit]:
        """The units by key, encoded where they were not kept."""
        by_key = {each.key: each for each in wanted}
        found = {}
        # What is used now becomes the most recent, and so is discarded last.
        for key in by_key.keys() & self._kept.keys():
            self._kept.move_to_end(key)
            found[key] = self._kept[key]
        missing = [each for key, each in by_key.items() if key not in found]
        for chunk in self._chunks(missing):
            for each, unit in zip(chunk, self._encode(chunk), strict=True):
                found[each.key] = self._kept[each.key] = unit
        total = sum(unit.bytes for unit in self._kept.values())
        while self._kept and total > KEPT_BYTES:
            total -= self._kept.popitem(last=False)[1].bytes
        return found

    def tokenizer_options(self) -> dict[str, Any]:
        """The options with which the processor calls its tokenizer for rows without images."""
        process(self.runtime, self.processor, [SLOT], None, return_offsets_mapping=True)
        return self.recorder.options

    def _chunks(self, wanted: Sequence[ImageRequest]) -> Iterable[list[ImageRequest]]:
        """The requests in order, as many at a time as may go through the encoder at once."""
        chunk: list[ImageRequest] = []
        tokens = 0
        for each in wanted:
            cost = sum(self.cost(image) for image in each.images)
            if chunk and tokens + cost > ENCODER_TOKENS:
                yield chunk
                chunk, tokens = [], 0
            chunk.append(each)
            tokens += cost
        if chunk:
            yield chunk

    def _encode(self, wanted: list[ImageRequest]) -> list[ImageUnit]:
        """One unit for each request; an UnsupportedError if features do not fit placeholders."""
        import torch

        encoded = process(
            self.runtime,
            self.processor,
            [each.text for each in wanted],
            [[image.view() for image in each.images] for each in wanted],
            return_offsets_mapping=True,
        )
        texts = self.recorder.texts
        grids = self._grids(encoded.get("image_grid_thw"), wanted)
        features = self._features(encoded)
        # The features come as one tensor for all images of the call. The placeholders written for
        # each request say how many of them are its own.
        runs = [tuple(len(run) // len(self._token) for run in self._run.findall(t)) for t in texts]
        lengths = [sum(each) for each in runs]
        if any(len(each) != sum(lengths) for each in features):
            raise UnsupportedError("its image features do not match its image tokens one to one")
        parts = [torch.split(each, lengths) for each in features]
        units = []
        for i, text in enumerate(texts):
            collapsed = tuple(self._run.sub(lambda _: self._token, text).split(SLOT))
            # Clones, since a view of a part would keep the tensor of the whole call in memory.
            mine = tuple(part[i].clone() for part in parts)
            units.append(ImageUnit(self._count, collapsed, runs[i], mine, grids[i]))
            self._count += 1
        return units

    def _features(self, encoded: dict[str, Any]) -> list[torch.Tensor]:
        """The embeddings of all placeholders, then of deeper layers, each [places, size]."""
        import torch

        encode = self.runtime.model.model.get_image_features
        parameters = inspect.signature(encode).parameters
        inputs = {key: value for key, value in encoded.items() if key in parameters}
        with torch.inference_mode():
            output = encode(**to_device(self.runtime, inputs), return_dict=True)
        pooled = output.pooler_output
        self.listed = not isinstance(pooled, torch.Tensor)
        return [
            _flat(each) for each in (pooled, *(getattr(output, "deepstack_features", ()) or ()))
        ]

    @staticmethod
    def _grids(grid: torch.Tensor | None, wanted: list[ImageRequest]) -> list[torch.Tensor | None]:
        """Each request's rows of the grid of all images; None for models without one."""
        import torch

        if grid is None:
            return [None] * len(wanted)
        return list(torch.split(grid, [len(each.images) for each in wanted]))


def _flat(features: Any) -> torch.Tensor:
    """[placeholders, hidden size], of one tensor of any shape or a list of them."""
    import torch

    if isinstance(features, torch.Tensor):
        return features.reshape(-1, features.shape[-1])
    return torch.cat([each.reshape(-1, each.shape[-1]) for each in features])


def placeholder_mark(runtime: Runtime) -> str:
    """The mark of an image in a rendered text; an UnsupportedError if the processor names none."""
    mark = getattr(runtime.processor, "image_token", None)
    if runtime.quirk.prefix_lm:
        mark = runtime.quirk.image_mark
    if not isinstance(mark, str):
        raise UnsupportedError("its processor does not say how it marks an image")
    return mark


def image_token_id(runtime: Runtime) -> int:
    """The placeholder token, which the embeddings of an image replace; else an UnsupportedError."""
    config = runtime.model.config
    for name in ("image_token_id", "image_token_index"):
        value = getattr(config, name, None)
        if isinstance(value, int):
            return value
    raise UnsupportedError("its configuration names no image token")


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
