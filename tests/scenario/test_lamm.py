"""LAMM's benchmark: the question of the record, after a message on the task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from chef.scenario.lamm import (
    LABELS,
    LAND_USES,
    SVT,
    CelebAHair,
    CelebASmile,
    CIFAR10Lamm,
    FSC147Lamm,
    Lamm,
    LocatingLSP,
    LocatingVOC2012,
    UCMerced,
    VOC2012Lamm,
    messages,
)
from chef.scenario.records.files import Record

BOX = {"label": "dog", "bbox": [0.1, 0.2, 0.3, 0.4]}
LAND = {"choices": list(LAND_USES)}
CASES: list[tuple[type[Lamm], dict[str, Any], Any, dict[str, Any]]] = [
    (FSC147Lamm, {"num": 3}, 3, {}),
    (SVT, {"word_list": ["Inn"]}, ["Inn"], {}),
    (CelebAHair, {"attr": "Black_Hair"}, "Black_Hair", {"gt": "Black_Hair"}),
    (CelebASmile, {"attr": -1}, "-1", {"gt": "-1"}),
    (UCMerced, {"label": "golfcourse"}, "golf course", {"label": "golfcourse", **LAND}),
    (UCMerced, {"label": "Parking_Lot"}, "parking lot", {"label": "Parking_Lot", **LAND}),
    (LocatingVOC2012, {"object": [BOX]}, [BOX], {}),
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
    assert (sample.question, sample.answer) == ("What?", answer)
    assert sample.fields == {"image_path": "x/1.png", **fields}
    assert sample.images[0].name.endswith("x/1.png")
    assert bool(scenario.system_message) == (kind is not FSC147Lamm)


def test_labels_are_listed_in_an_order_of_the_sample_s_own(tmp_path: Path) -> None:
    scenario = make(CIFAR10Lamm, tmp_path, label="frog")
    first, second = scenario[0].question, scenario[1].question
    assert first == scenario[0].question != second
    listed = first.removeprefix("What? The labels are: ").removesuffix(".").split(", ")
    assert sorted(listed) == sorted(LABELS)
    assert scenario[0].answer == scenario[0].fields["label"] == "frog"


def test_detection_leaves_the_wording_to_the_pool(tmp_path: Path) -> None:
    sample = make(VOC2012Lamm, tmp_path, object=[BOX])[0]
    assert (sample.question, sample.fields["query"], sample.answer) == ("", "What?", [BOX])


@pytest.mark.parametrize(
    "joints", [[[1, 2, 0], [3, 4, 1], [5, 6, 1], [7, 8, 1]], [[1, 3, 5, 7], [2, 4, 6, 8]]]
)
def test_joints_by_point_or_by_axis(joints: list[list[int]], tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    Image.new("RGB", (40, 30)).save(tmp_path / "x" / "1.png")
    sample = make(LocatingLSP, tmp_path, gt_joints=joints)[0]
    assert [joint[:2] for joint in sample.answer] == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert sample.fields["image_size"] == [40, 30]


def test_every_message_says_how_to_answer() -> None:
    for task, message in messages().items():
        assert "Answer" in message or "End with" in message, task


class Flowers(Lamm):
    """A data set that chef does not know."""

    name = "Flowers"
    task = "lamm_classification"
    metric = "FG_Classification"
    meta_file = "Classification_Flowers.json"
    message = "Fine-grained_Classification"

    def answer(self, record: Record) -> Any:
        return record["label"]


def test_a_new_data_set_is_a_class_of_a_few_lines(tmp_path: Path) -> None:
    scenario = make(Flowers, tmp_path, label="tulip", id=5)
    assert scenario.system_message == messages()["Fine-grained_Classification"]
    sample = scenario[1]
    assert (sample.id, sample.question, sample.answer) == ("5", "What?", "tulip")
    assert sample.fields == {"image_path": "x/1.png"}
    assert (sample.options, sample.turns) == ((), ())
