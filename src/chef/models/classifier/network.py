"""A network and its tokenizer, loaded without running code of the checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from chef.common.device import free_memory, pick_device
from chef.common.hub import check_files, no_library_report
from chef.errors import RunError
from chef.frozen import Frozen
from chef.models.huggingface.loading import LoadingOptions, explained, load_weights

if TYPE_CHECKING:
    import torch

T = TypeVar("T")
#: Tokenizers that state no limit have one of this size and more.
_NO_LIMIT = 10**6


class Network(Frozen):
    """A network in evaluation mode, and the longest text that it reads, in tokens."""

    model: Any
    tokenizer: Any
    device: torch.device
    limit: int


def load_network(source: LoadingOptions, auto: str) -> Network:
    """Load a network by a class of transformers, from complete safetensors; else a ChefError."""
    import transformers

    device = pick_device(source.device)
    if source.folder is not None:
        check_files(source.folder, source.path)  # before the tokenizer reads there
    with explained(source), no_library_report():
        tokenizer = transformers.AutoTokenizer.from_pretrained(source.target, **source.options)
    model, _ = load_weights(source, device, auto, use_safetensors=True)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    if model.config.pad_token_id is None:
        model.config.pad_token_id = tokenizer.pad_token_id
    return Network(model, tokenizer, device, _limit(model, tokenizer))


def _limit(model: Any, tokenizer: Any) -> int:
    """The longest text in tokens; some keep the first positions for padding (512 of 514)."""
    limits = [int(tokenizer.model_max_length)]
    if (positions := getattr(model.config, "max_position_embeddings", None)) is not None:
        kept = [
            module.padding_idx + 1
            for name, module in model.named_modules()
            if name.endswith("position_embeddings")
            and getattr(module, "padding_idx", None) is not None
        ]
        limits.append(int(positions) - max(kept, default=0))
    return min(*limits, _NO_LIMIT)


class Loaded:
    """A network until it is closed; a ChefError if it cannot be loaded."""

    def __init__(self, source: LoadingOptions, auto: str) -> None:
        self._network: Network | None = load_network(source, auto)

    @property
    def network(self) -> Network:
        """The network; a RunError if it was released."""
        if self._network is None:
            raise RunError("the classifier was released")
        return self._network

    def close(self) -> None:
        """Release its memory."""
        self._network = None
        free_memory()


class InBatches(Generic[T]):
    """Texts in batches, the longest first: what does not fit into memory shows at once."""

    def __init__(self, compute: Callable[[list[str]], Sequence[T]], batch_size: int) -> None:
        self._compute, self._size = compute, batch_size

    def results(self, texts: Sequence[str], lengths: Sequence[int]) -> Iterator[tuple[int, T]]:
        """The position of each text with its result; ``lengths`` are in tokens."""
        left = sorted(range(len(texts)), key=lambda place: -lengths[place])
        while left:
            batch = left[: self._size]
            found = self._tried([texts[place] for place in batch])
            if found is not None:
                left = left[len(batch) :]
                yield from zip(batch, found, strict=True)

    def _tried(self, texts: list[str]) -> Sequence[T] | None:
        """The results; None where memory ran out, and batches are smaller from now on."""
        import torch

        try:
            with torch.inference_mode():
                return self._compute(texts)
        except torch.OutOfMemoryError:
            if len(texts) == 1:
                raise
        self._size = len(texts) // 2
        free_memory()
        return None
