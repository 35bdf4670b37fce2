"""LAMM's benchmark: the question of the data, after a message on the task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chef.scenario.cifar10 import LABELS
from chef.scenario.lamm import Lamm, messages
from chef.scenario.lamm_cifar10 import CIFAR10Lamm
from chef.scenario.lamm_fsc147 import FSC147Lamm

CASES: list[tuple[type[Lamm], dict[str, Any], Any, dict[str, Any]]] = [
    (FSC147Lamm, {"num": 3}, 3, {}),
]


def make(kind: type[Lamm], root: Path, **record: Any) -> Lamm:
    file = root / "meta_file" / kind.meta_file
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps([{"image": "x/1.png", "query": "What?", **record}] * 2))
    return kind(base_data_path=str(root))


@pytest.mark.parametrize(("kind", "record", "answer", "fields"), CASES)
def test_a_record_becomes_a_sample(
    kind: type[Lamm],
    record: dict[str, Any],
    answer: Any,
    fields: dict[str, Any],
    tmp_path: Path,
) -> None:
    scenario = make(kind, tmp_path, **record)
    sample = scenario[0]
    assert (sample.question, sample.answer, dict(sample.fields)) == ("What?", answer, fields)
    assert sample.images[0].name.endswith("x/1.png")
    assert bool(scenario.system_message) == (kind is not FSC147Lamm)


def test_labels_are_listed_in_an_order_of_the_sample_s_own(tmp_path: Path) -> None:
    scenario = make(CIFAR10Lamm, tmp_path, label="frog")
    first, second = scenario[0].question, scenario[1].question
    assert first == scenario[0].question != second
    listed = first.removeprefix("What? The labels are: ").removesuffix(".").split(", ")
    assert sorted(listed) == sorted(LABELS)
    assert scenario[0].answer == scenario[0].fields["label"] == "frog"


def test_every_message_says_how_to_answer() -> None:
    for task, message in messages().items():
        assert "Answer" in message or "End with" in message, task
