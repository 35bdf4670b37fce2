"""Networks that classify texts: with an output layer of labels, or by the word they say.

They are loaded without running code of the checkpoint.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from chef.common.device import free_memory, pick_device
from chef.common.hub import check_files, no_library_report, unreachable
from chef.errors import ConfigError, RunError
from chef.frozen import Frozen
from chef.guard.files import read_bytes
from chef.models.huggingface.loading import (
    LoadingOptions,
    cached,
    check,
    explained,
    load_weights,
    no_hub,
)

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


_CONFIG = "config.json"
#: What `save_pretrained` calls weights that are plain tensors, in one file or several.
_WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
_CONVERT = (
    "chef reads no pickled weights: load them once with from_pretrained in a place that you trust, "
    "and give the folder that save_pretrained writes"
)


def check_checkpoint(source: LoadingOptions) -> None:
    """Check that a checkpoint is there, or on the hub, with plain tensors; else a ChefError."""
    check(source)
    if source.folder is not None:
        if not any(source.folder.glob("*.safetensors")):
            raise ConfigError(
                "the folder has no weights in safetensors files", where=source.path, hint=_CONVERT
            )
    elif not any(cached(source, name) for name in _WEIGHTS):
        reason = "HF_HUB_OFFLINE is set" if _is_offline() else unreachable()
        if reason is not None:
            raise no_hub(source, reason)


def settings(source: LoadingOptions) -> dict[str, Any] | None:
    """The content of its ``config.json``; None where it is not on this machine yet."""
    folder = source.folder
    path = cached(source, _CONFIG) if folder is None else folder / _CONFIG
    if path is None:
        return None
    try:
        found = json.loads(read_bytes(path))
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"its {_CONFIG} cannot be read ({error})", where=source.path, hint="fetch it again"
        ) from None
    return found if isinstance(found, dict) else {}


def labels_of(config: dict[str, Any]) -> Sequence[str]:
    """The labels of a sequence classifier, by its settings; without names they are numbered.

    >>> labels_of({"id2label": {"1": "no", "0": "yes"}}), labels_of({"num_labels": 2})
    (['yes', 'no'], ['LABEL_0', 'LABEL_1'])
    """
    names = config.get("id2label")
    if isinstance(names, dict) and names:
        return [str(names[key]) for key in sorted(names, key=int)]
    return [f"LABEL_{number}" for number in range(int(config.get("num_labels", 2)))]


def _is_offline() -> bool:
    from huggingface_hub import constants

    return bool(constants.HF_HUB_OFFLINE)


#: Tokens to spare where a text is cut: at its new end it may be spelt by others.
_SPARE = 4


class FirstWord(Loaded):
    """A causal language model that is asked for one token; a ChefError if it cannot be loaded."""

    def __init__(self, source: LoadingOptions) -> None:
        import transformers

        super().__init__(source, "AutoModelForCausalLM")
        network = self.network
        network.tokenizer.padding_side = "left"
        # Greedy, whatever the checkpoint suggests.
        network.model.generation_config = transformers.GenerationConfig(
            pad_token_id=network.tokenizer.pad_token_id,
            eos_token_id=network.tokenizer.eos_token_id,
        )

    def fitted(self, prompt_of: Callable[[str], str], text: str) -> tuple[str, bool]:
        """A prompt that the model can read, and whether the end of the text was cut for it."""
        network = self.network
        prompt = prompt_of(text)
        over = self._length(prompt) + 1 - network.limit  # one token is for the reply
        if over <= 0:
            return prompt, False
        ids = network.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
        kept = ids[: max(0, len(ids) - over - _SPARE)]
        return prompt_of(network.tokenizer.decode(kept, skip_special_tokens=True)), True

    def words(self, prompts: Sequence[str], batch_size: int) -> Iterator[tuple[int, str]]:
        """The position of each prompt with the first token of the reply, the longest first."""
        lengths = [self._length(prompt) for prompt in prompts]
        yield from InBatches(self._words, batch_size).results(prompts, lengths)

    def _words(self, prompts: list[str]) -> list[str]:
        network = self.network
        encoded: Any = network.tokenizer(prompts, padding=True, return_tensors="pt")
        encoded.pop("token_type_ids", None)
        written = network.model.generate(
            **encoded.to(network.device), max_new_tokens=1, do_sample=False
        )
        return [network.tokenizer.decode(row[-1:]) for row in written]

    def _length(self, prompt: str) -> int:
        return len(self.network.tokenizer(prompt, verbose=False)["input_ids"])


class SequenceClassifier(Loaded):
    """A network with an output layer of labels.

    Padding is masked, so a text has the same label in any batch, unless two labels have scores that
    differ in the last bits.
    """

    def __init__(self, source: LoadingOptions) -> None:
        super().__init__(source, "AutoModelForSequenceClassification")
        config = self.network.model.config
        self.labels = [str(config.id2label[number]) for number in range(config.num_labels)]

    @property
    def limit(self) -> int:
        """The longest text that it reads, in tokens; of a longer one it reads the beginning."""
        return self.network.limit

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """How long texts are, in tokens, with those that the tokenizer adds."""
        encoded = self.network.tokenizer(list(texts), verbose=False)
        return [len(ids) for ids in encoded["input_ids"]]

    def classify(
        self, texts: Sequence[str], lengths: Sequence[int], batch_size: int
    ) -> Iterator[tuple[int, str]]:
        """The position of each text with its label, the longest first, by what `lengths` gives."""
        yield from InBatches(self._labels, batch_size).results(texts, lengths)

    def _labels(self, texts: list[str]) -> list[str]:
        network = self.network
        encoded = network.tokenizer(
            texts, padding=True, truncation=True, max_length=network.limit, return_tensors="pt"
        )
        scores = network.model(**encoded.to(network.device)).logits
        return [self.labels[number] for number in scores.argmax(-1).tolist()]
