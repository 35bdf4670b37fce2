"""Drawn data of MMTrustEval, written once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mmtrusteval_data import write_mmtrusteval

from chef.scenario import SCENARIOS
from chef.scenario.mmtrusteval.scenario import MMTrustEval

Build = Callable[..., MMTrustEval]


@pytest.fixture(scope="session")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data root; tests that change something copy it."""
    root = tmp_path_factory.mktemp("mmtrusteval") / "data"
    write_mmtrusteval(root)
    return root


@pytest.fixture(autouse=True)
def no_data_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """The data root is the drawn one alone."""
    monkeypatch.delenv("CHEF_MMTRUST_DATA", raising=False)


@pytest.fixture
def build(drawn: Path) -> Build:
    """A data set of the drawn data, by its id."""

    def made(dataset_id: str, *, upstream: bool = False, **keys: Any) -> MMTrustEval:
        kind = SCENARIOS.get("MMTrustEval", upstream=upstream)
        keys.setdefault("data_root", str(drawn))
        if dataset_id.startswith("enron"):
            keys.setdefault("num_per_type", 1)
        return kind(dataset_id=dataset_id, **keys)  # type: ignore[call-arg, return-value]

    return made
