"""What a sample costs, counted as `benchmarks/costs.py` does: noise moves none of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# Not for longer than the import: `benchmarks/workers.py` would hide `tests/workers`.
sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
import costs

sys.path.pop(0)

from chef.run.folder import RunFolder
from chef.types import Prediction


@pytest.mark.parametrize("inferencer", ["PPL", "Direct"])
def test_a_sample_costs_no_more_than_its_budget(inferencer: str) -> None:
    counted, budget = costs.counted(inferencer), costs.budgets()["a sample"][inferencer]
    assert counted.keys() == budget.keys()
    above = {name: count for name, count in counted.items() if count > budget[name]}
    assert not above


def test_a_call_more_for_each_sample_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    before, append = costs.calls("PPL")["journal"], RunFolder.append

    def nothing() -> None:
        pass

    def slower(folder: RunFolder, prediction: Prediction) -> Prediction:
        for _ in range(20):
            nothing()
        return append(folder, prediction)

    monkeypatch.setattr(RunFolder, "append", slower)
    assert costs.calls("PPL")["journal"] == pytest.approx(before + 21, abs=0.5)
