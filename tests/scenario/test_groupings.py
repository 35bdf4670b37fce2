"""The fields by which the samples of each scenario are grouped, on the drawn data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chef.scenario import SCENARIOS
from chef.scenario.base import Scenario


def of(name: str, **keys: Any) -> dict[str, set[str]]:
    """The values of each grouping of a scenario that its samples have."""
    scenario = SCENARIOS.get(name)(**keys)
    records = [scenario[place].to_record() for place in range(len(scenario))]
    values = {
        group: {str(record[field]) for record in records if record.get(field)}
        for group, field in scenario.grouped_by().items()
    }
    return {group: found for group, found in values.items() if found}


def test_shapes() -> None:
    assert of("Shapes", size=60) == {"category": {"color", "shape", "count", "object"}}


@pytest.mark.parametrize(
    ("name", "path", "expected"),
    [
        ("SEEDBench", "SEED-Bench", {"category": {"Scene Understanding"}}),
        ("MME", "MME", {"category": {"color", "existence"}}),
    ],
)
def test_benchmarks(drawn_data: Path, name: str, path: str, expected: dict[str, set[str]]) -> None:
    found = of(name, base_data_path=str(drawn_data / "data" / path))
    assert found.keys() == expected.keys()
    assert expected["category"] & found["category"]


def test_mmbench_and_mmmu(drawn_data: Path) -> None:
    data = drawn_data / "data"
    assert "category" in of("MMBench", base_data_path=str(data / "MMBench"))
    found = of("MMMU", base_data_path=str(data / "MMMU"))
    assert found["subject"] == {"Accounting", "Art_Theory", "Math"}


def test_a_scenario_of_ones_own() -> None:
    class Plain(Scenario):
        groupings = ("difficulty",)

    class Named(Scenario):
        groupings = {"kind": "question_type"}  # noqa: RUF012 (as a user writes it)

    assert Scenario.grouped_by() == {name: name for name in ("category", "l2-category", "split")}
    assert Plain.grouped_by() == {"difficulty": "difficulty"}
    assert Named.grouped_by() == {"kind": "question_type"}
