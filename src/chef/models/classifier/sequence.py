"""Sequence classifiers of transformers: the label of each text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chef.common.device import free_memory
from chef.errors import RunError
from chef.models.classifier.network import InBatches, Network, load_network
from chef.models.huggingface.loading import LoadingOptions


class SequenceClassifier:
    """A network with an output layer of labels.

    Padding is masked, so a text has the same label in any batch, unless two labels have scores that
    differ in the last bits.
    """

    def __init__(self, source: LoadingOptions) -> None:
        self._network: Network | None = load_network(source, "AutoModelForSequenceClassification")
        config = self._network.model.config
        self.labels = [str(config.id2label[number]) for number in range(config.num_labels)]

    @property
    def limit(self) -> int:
        """The longest text that it reads, in tokens; of a longer one it reads the beginning."""
        return self._loaded().limit

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """How long texts are, in tokens, with those that the tokenizer adds."""
        encoded = self._loaded().tokenizer(list(texts), verbose=False)
        return [len(ids) for ids in encoded["input_ids"]]

    def classify(
        self, texts: Sequence[str], lengths: Sequence[int], batch_size: int
    ) -> Iterator[tuple[int, str]]:
        """The position of each text with its label, the longest first, by what `lengths` gives."""
        yield from InBatches(self._labels, batch_size).results(texts, lengths)

    def _labels(self, texts: list[str]) -> list[str]:
        network = self._loaded()
        encoded = network.tokenizer(
            texts, padding=True, truncation=True, max_length=network.limit, return_tensors="pt"
        )
        scores = network.model(**encoded.to(network.device)).logits
        return [self.labels[number] for number in scores.argmax(-1).tolist()]

    def _loaded(self) -> Network:
        if self._network is None:
            raise RunError("the classifier was released")
        return self._network

    def close(self) -> None:
        """Release its memory."""
        self._network = None
        free_memory()
