"""Tables as people bring them are asked as a person would ask them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scenario.records_table.blind_tables import BLIND, Blind
from scenario.records_table.conftest import failure, png

from chef.scenario.table.scenario import Records


@pytest.mark.parametrize("case", BLIND.values(), ids=BLIND)
def test_a_table_is_asked_as_a_person_would(tmp_path: Path, case: Blind) -> None:
    for color in ("red", "blue"):
        (tmp_path / f"{color}.png").write_bytes(png(color))
    path = tmp_path / case.file
    path.write_text(case.text, "utf-8")
    scenario = Records(path=str(path), **case.keys)
    assert (scenario.kind, len(scenario)) == (case.kind, len(case.rows))
    for number, row in enumerate(case.rows):
        if isinstance(row, str):
            assert row in failure(scenario, number)
            continue
        question, options, answer, images = row
        sample = scenario[number]
        assert question in sample.question
        choices = tuple(sample.fields.get("choices", ()))
        assert (choices, len(sample.images)) == (options, images)
        assert said(sample) == answer


def said(sample: Any) -> Any:
    """The reference as a person would say it: the text of the option, or the answers."""
    choices = sample.fields.get("choices")
    if choices and sample.fields.get("gt_choice") is not None:
        return choices[sample.fields["gt_choice"]]
    answer = sample.answer
    return answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
