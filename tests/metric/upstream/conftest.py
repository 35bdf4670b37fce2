"""What the tests of ChEF's own rules share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from small_lexicon import SmallLexicon

from chef.metric.base import Metric, Report
from chef.metric.upstream import wordnet
from chef.types import Prediction


@pytest.fixture
def lexicon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordnet, "lexicon", SmallLexicon)


Values = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def values() -> Values:
    """``values(metric, *predictions)``: the value of each metric; no answer may be an error."""

    def evaluate(metric: Metric, *predictions: Prediction) -> dict[str, Any]:
        report: Report = metric.evaluate(predictions)
        assert report.coverage.errors == 0, report.samples
        return {name: item.value for name, item in report.metrics.items()}

    return evaluate
