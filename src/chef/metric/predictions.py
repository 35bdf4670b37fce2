"""The predictions of a run as a metric takes them: a list, or where they are by id already."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence

from chef.types import Prediction


class Keyed(Sequence[Prediction]):
    """Predictions of different samples that can be had by id, without a list of all of them."""

    @abstractmethod
    def by_id(self) -> Mapping[str, Prediction]:
        """The same by the id of the sample."""


def latest_of(predictions: Iterable[Prediction]) -> Mapping[str, Prediction]:
    """The last prediction of each sample, by id."""
    if isinstance(predictions, Keyed):
        return predictions.by_id()
    return {prediction.sample_id: prediction for prediction in predictions}
