"""Winoground's swaps, Ch3Ef's lists, and the multiple choice of LAMM."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from chef.errors import SampleError
from chef.scenario.ch3ef import Ch3Ef
from chef.scenario.lamm import AI2D, ScienceQALamm
from chef.scenario.upstream.chef import Winoground as UpstreamWinoground
from chef.scenario.winoground import Winoground, WinogroundCap


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    lines = [
        {
            "id": number,
            "image_0": f"ex_{number}_img_0",
            "image_1": f"ex_{number}_img_1",
            "caption_0": f"first {number}",
            "caption_1": f"second {number}",
        }
        for number in range(12)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "examples.jsonl").write_text(text)
    return tmp_path


def test_four_questions_an_example(examples: Path) -> None:
    scenario = Winoground(base_data_path=str(examples))
    assert len(scenario) == 48
    assert [scenario.sample_id(n) for n in (0, 3, 4, 47)] == ["0", "3", "4", "47"]
    assert [scenario[n].fields["type"] for n in range(4)] == ["c0i0", "c0i1", "c1i0", "c1i1"]
    assert [scenario.group(n) for n in (0, 3, 4)] == ["0", "0", "1"]
    assert UpstreamWinoground(base_data_path=str(examples)).group(0) is None
    assert scenario[1].question.endswith("\nDoes caption 1 match image 2?")


def test_one_side_is_always_swapped_and_the_truth_follows(examples: Path) -> None:
    scenario = Winoground(base_data_path=str(examples))
    draws = random.Random(2023)
    for number in range(12):
        shuffle = draws.randint(1, 2)
        for place in range(4):
            sample = scenario[4 * number + place]
            assert sample.fields["shuffle"] == shuffle
            lines = sample.question.splitlines()
            captions = [line.partition(": ")[2].split()[0] for line in lines[:2]]
            images = [int(image.name[-5]) for image in sample.images]
            caption, image = int(sample.fields["type"][1]), int(sample.fields["type"][3])
            matches = (captions[caption] == "second") == (images[image] == 1)
            assert sample.answer == ("Yes" if matches else "No")
            assert sample.options[sample.fields["gt_choice"]] == sample.answer


def test_one_question_with_four_statements(examples: Path) -> None:
    scenario = WinogroundCap(base_data_path=str(examples))
    assert len(scenario) == 12
    sample = scenario[0]
    assert sample.id == "0"
    assert sample.options == (
        "Caption 1 matches image 1.",
        "Caption 1 matches image 2.",
        "Caption 2 matches image 1.",
        "Caption 2 matches image 2.",
    )
    assert sample.fields["gt_choice"] == [1, 2]
    assert sample.fields["shuffle"] == Winoground(base_data_path=str(examples))[0].fields["shuffle"]


# -- Ch3Ef ------------------------------------------------------------------------------------


@pytest.fixture
def ch3ef(tmp_path: Path) -> Path:
    (tmp_path / "meta_file").mkdir()
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "b.png").write_bytes(b"")
    record = {"id": 4, "image": ["images/a.png", "b.png"], "query": "What?", "source": "s"}
    items = [{**record, "options": ["right", "wrong"]}, {**record, "id": 5, "options": []}]
    (tmp_path / "meta_file" / "Honest.json").write_text(json.dumps({"items": items}))
    return tmp_path


def test_ch3ef(ch3ef: Path) -> None:
    sample = Ch3Ef(base_data_path=str(ch3ef), dimension="Honest", ppl=True)[0]
    assert (sample.id, sample.question, sample.answer) == ("4", "What?", "right")
    assert sample.options == ("right", "wrong")
    assert sample.fields["gt_choice"] == 0
    folder = ch3ef / "images"
    assert [image.name for image in sample.images] == [str(folder / "a.png"), str(folder / "b.png")]
    assert Ch3Ef(base_data_path=str(ch3ef), dimension="Honest")[0].options == ()


def test_a_question_without_options_is_an_error_of_its_own(ch3ef: Path) -> None:
    with pytest.raises(SampleError, match="record 1"):
        _ = Ch3Ef(base_data_path=str(ch3ef), dimension="Honest")[1]


# -- LAMM ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [AI2D, ScienceQALamm])
def test_the_question_is_the_files_own(kind: type[AI2D], tmp_path: Path) -> None:
    (tmp_path / "meta_file").mkdir()
    query = "Which?\nContext: There is more.\nOptions: (A) x (B) y"
    record = {"image": "a.png", "query": query, "gt_choice": 1, "gt_choices": ["x", "y"]}
    for name in ("AI2D", "ScienceQA"):
        (tmp_path / "meta_file" / f"VQA_{name}.json").write_text(json.dumps([record]))
    scenario = kind(base_data_path=str(tmp_path))
    sample = scenario[0]
    assert sample.question == query
    assert sample.id == "0"
    assert (sample.answer, sample.options) == ("(B)", ("(A", "(B"))
    assert sample.fields["choices"] == sample.fields["gt_choices"] == ["x", "y"]
    assert "The answer is" in scenario.system_message
