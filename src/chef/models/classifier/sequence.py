"""Sequence classifiers of transformers: the label of each text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chef.models.classifier.network import InBatches, Loaded
from chef.models.huggingface.loading import LoadingOptions


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
