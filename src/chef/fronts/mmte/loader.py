"""The questions of a data set as messages, one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from chef.common.mmtrusteval import TrustSample, content_of
from chef.scenario.hooks.mmtrusteval.base import BaseDataset


def collate_fn(batch_data: Sequence[TrustSample]) -> list[dict[str, Any]]:
    """What a model is asked about each sample: ``message`` (one user turn), ``target``, ``extra``.

    >>> from chef.common.mmtrusteval import TxtSample
    >>> collate_fn([TxtSample("Is it?", 1)])
    [{'message': [{'role': 'user', 'content': 'Is it?'}], 'target': 1, 'extra': None}]
    """
    return [
        {
            "message": [{"role": "user", "content": content_of(item)}],
            "target": item.target,
            "extra": item.extra,
        }
        for item in batch_data
    ]


class Loader:
    """Batches of one sample, in the order of the data set."""

    def __init__(self, dataset: BaseDataset) -> None:
        self.dataset = dataset

    def __len__(self) -> int:
        return len(self.dataset)

    def __iter__(self) -> Iterator[list[dict[str, Any]]]:
        return (collate_fn([self.dataset[index]]) for index in range(len(self)))
