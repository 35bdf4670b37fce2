"""What the tests of VLMEvalKit's own rules share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from chef.metric import METRICS
from chef.metric.base import Report
from chef.types import Prediction

Scored = Callable[..., Report]


@pytest.fixture(scope="session")
def scored() -> Scored:
    """``scored("VQA", predictions)``: the report by VLMEvalKit's rules; no answer is an error."""

    def evaluate(name: str, predictions: Sequence[Prediction], dataset: str = "", **options: Any):
        metric = METRICS.get(name, compat="vlmevalkit")(dataset, **options)
        report = metric.evaluate(predictions)
        assert report.coverage.errors == 0, report.samples
        return report

    return evaluate
