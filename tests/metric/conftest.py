"""Predictions for metrics, made by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from chef.types import Prediction, Status

Make = Callable[..., Prediction]


@pytest.fixture(scope="session")
def make() -> Make:
    """``make("7", answer="B", gt_choice=1)``; ``choice=`` and other scores go where they belong."""

    def build(
        sample_id: str, answer: Any = None, status: Status = Status.OK, **fields: Any
    ) -> Prediction:
        scores = {key: fields.pop(key) for key in ("choice", "probs", "ties") if key in fields}
        sample = {"id": sample_id, **fields}
        return Prediction(sample_id, status, answer=answer, scores=scores, sample=sample)

    return build
