"""Runs whose answers evaluators are asked about."""

from __future__ import annotations

from pathlib import Path

import pytest
from metric.mmtrusteval.speaking import Bench
from tiny_classifiers import tiny_classifier


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


# -- classifiers ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_classifier(tmp_path_factory.mktemp("classifier"))
