"""SEED-Bench, POPE and MME: samples from their files, and errors for bad files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chef.errors import DataError, SampleError
from chef.scenario.seedbench import SEEDBench, SEEDBench2
from chef.scenario.upstream.chef import MME as UpstreamMME
from chef.scenario.yes_no import MME, PopeRandom

QUESTION = {
    "answer": "C",
    "choice_a": 1,
    "choice_b": "two ",
    "choice_c": "three",
    "choice_d": "four",
    "data_id": "12_34",
    "data_type": "image",
    "question": "How many?",
    "question_id": "101",
    "question_type_id": 5,
}


def seed(root: Path, *questions: dict[str, Any], **keys: Any) -> SEEDBench:
    (root / "SEED-Bench.json").write_text(json.dumps({"questions": questions}))
    return SEEDBench(base_data_path=str(root), **keys)


def seed2(root: Path, **changes: Any) -> SEEDBench2:
    question = {**QUESTION, "data_type": "Single Image", "data_source": "cc3m", **changes}
    file = root / "SEED-Bench_v2_level1_2_3.json"
    file.write_text(json.dumps({"questions": [question]}))
    return SEEDBench2(base_data_path=str(root))


def test_seedbench(tmp_path: Path) -> None:
    scenario = seed(tmp_path, {**QUESTION, "data_type": "video", "question_id": "0"}, QUESTION)
    assert len(scenario) == 1
    sample = scenario[0]
    assert sample.id == scenario.sample_id(0) == "101"
    assert sample.question == "Question: How many?\nAnswer:"
    assert sample.options == ("1", "two", "three", "four")
    assert (sample.answer, sample.fields["gt_choice"]) == ("three", 2)
    assert sample.images[0].name == str(tmp_path / "SEED-Bench-image" / "12_34")


@pytest.mark.parametrize("ppl_cfg", [False, None, {}])
def test_seedbench_without_options(ppl_cfg: Any, tmp_path: Path) -> None:
    sample = seed(tmp_path, QUESTION, ppl_cfg=ppl_cfg)[0]
    assert sample.options == ()
    assert sample.fields["choices"] == ["1", "two", "three", "four"]


def test_seedbench2_drops_empty_options_and_counts_anew(tmp_path: Path) -> None:
    sample = seed2(tmp_path, choice_a="", choice_d=" ")[0]
    assert sample.options == ("two", "three")
    assert (sample.answer, sample.fields["gt_choice"]) == ("three", 1)
    assert sample.fields["source"] == "cc3m"
    assert sample.images[0].name == str(tmp_path / "image" / "cc3m-image" / "12_34")


def test_seedbench2_with_several_images(tmp_path: Path) -> None:
    scenario = seed2(
        tmp_path, data_type="Video", data_source="SEED-Bench v2", data_id=["a.png", "b.png"]
    )
    folder = tmp_path / "image" / "SEED-Bench-2-image"
    assert [image.name for image in scenario[0].images] == [
        str(folder / "a.png"),
        str(folder / "b.png"),
    ]
    assert len(seed2(tmp_path, data_type="Text Generation")) == 0


def test_seedbench2_from_an_unknown_source(tmp_path: Path) -> None:
    with pytest.raises(SampleError, match="'Charades'"):
        _ = seed2(tmp_path, data_source="Charades")[0]


@pytest.mark.parametrize("answer", ["E", "A"])
def test_an_answer_that_is_no_option(answer: str, tmp_path: Path) -> None:
    with pytest.raises(SampleError):
        _ = seed2(tmp_path, answer=answer, choice_a="")[0]


def test_pope(tmp_path: Path) -> None:
    line = {"question_id": 3, "image": "x.jpg", "text": "Is there a dog?", "label": "no"}
    lines = [line, {**line, "question_id": 4, "label": "maybe"}]
    file = tmp_path / "coco_pope_random.json"
    file.write_text("".join(json.dumps(item) + "\n" for item in lines))
    scenario = PopeRandom(base_data_path=str(tmp_path))
    sample = scenario[0]
    assert (sample.id, sample.question) == ("3", "Is there a dog?")
    assert sample.options == ("Yes", "No")
    assert (sample.answer, sample.fields["gt_choice"]) == ("no", 1)
    assert sample.images[0].name == str(tmp_path / "val2014" / "x.jpg")
    with pytest.raises(SampleError, match="'maybe'"):
        _ = scenario[1]


# -- MME ----------------------------------------------------------------------------------------


def mme(root: Path, text: str, *, subtask: str = "color", nested: bool = False) -> None:
    folder = root / subtask
    texts = folder / "questions_answers_YN" if nested else folder
    images = folder / "images" if nested else folder
    for made in (texts, images):
        made.mkdir(parents=True, exist_ok=True)
    (texts / "1.txt").write_text(text)
    (images / "1.PNG").write_bytes(b"")


QUESTIONS = "Is it red? Please answer yes or no.\tYes\n\nIs it blue? Please answer yes or no.\tNo\n"


@pytest.mark.parametrize("nested", [False, True])
def test_mme_in_both_layouts(nested: bool, tmp_path: Path) -> None:
    mme(tmp_path, QUESTIONS, nested=nested)
    scenario = MME(base_data_path=str(tmp_path))
    assert [scenario.sample_id(n) for n in range(len(scenario))] == ["color/1-1", "color/1-3"]
    first, second = scenario[0], scenario[1]
    assert first.question == "Is it red? Please answer yes or no."
    assert (first.answer, second.answer) == ("Yes", "No")
    assert first.options == ("Yes", "No")
    assert first.fields["task_type"] == "color"
    middle = "images/" * nested
    assert first.fields["image_path"] == second.fields["image_path"] == f"color/{middle}1.PNG"
    assert scenario.group(0) == scenario.group(1) == "color/1"
    assert UpstreamMME(base_data_path=str(tmp_path)).group(0) is None


def test_mme_generative_leaves_out_the_form(tmp_path: Path) -> None:
    mme(tmp_path, QUESTIONS)
    assert MME(base_data_path=str(tmp_path), generative=True)[0].question == "Is it red?"
    assert MME(base_data_path=str(tmp_path), ppl_cfg={})[0].options == ()


def test_mme_keeps_a_question_that_is_all_form(tmp_path: Path) -> None:
    mme(tmp_path, "Is this photo taken indoors, yes or no?\tYes\n")
    question = MME(base_data_path=str(tmp_path), generative=True)[0].question
    assert question == "Is this photo taken indoors, yes or no?"


def test_mme_takes_each_image_by_its_own_suffix(tmp_path: Path) -> None:
    mme(tmp_path, QUESTIONS)
    (tmp_path / "color" / "2.txt").write_text("Is it green?\tYes\n")
    (tmp_path / "color" / "2.jpg").write_bytes(b"")
    scenario = MME(base_data_path=str(tmp_path))
    assert scenario[2].fields["image_path"] == "color/2.jpg"


def test_mme_names_bad_lines(tmp_path: Path) -> None:
    mme(tmp_path, "no tab here\nIs it?\tMaybe\n")
    (tmp_path / "color" / "3.txt").write_text("Is it green?\tYes\n")
    scenario = MME(base_data_path=str(tmp_path))
    for index, words in ((0, "1.txt: line 1"), (1, "1.txt: line 2"), (2, "no image")):
        with pytest.raises(SampleError, match=words):
            _ = scenario[index]


def test_mme_somewhere_else(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no subtask of MME"):
        len(MME(base_data_path=str(tmp_path)))


def test_the_fingerprint_of_mme_follows_its_questions(tmp_path: Path) -> None:
    mme(tmp_path, QUESTIONS)
    before = MME(base_data_path=str(tmp_path)).fingerprint()
    mme(tmp_path, QUESTIONS.replace("red", "pink"))
    assert MME(base_data_path=str(tmp_path)).fingerprint() != before
