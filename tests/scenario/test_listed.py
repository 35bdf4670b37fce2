"""Data sets listed in JSON: reading, and errors for bad files and records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chef.errors import DataError, ImageError, SampleError
from chef.scenario.lamm import CIFAR10, LABELS
from chef.scenario.records.files import Record, read_records
from chef.scenario.records.listed import Listed
from chef.scenario.seedbench import SEEDBench
from chef.scenario.winoground import Winoground, WinogroundCap
from chef.types import Sample


def write(root: Path, content: object) -> Path:
    file = root / "meta_file" / "Classification_CIFAR10.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return file


def test_a_record_becomes_a_sample(tmp_path: Path) -> None:
    write(tmp_path, [{"id": 7, "image": "a/b.png", "label": "frog"}])
    scenario = CIFAR10(base_data_path=str(tmp_path), ppl=True)
    sample = scenario[0]
    assert sample.id == scenario.sample_id(0) == "7"
    assert sample.options == LABELS
    assert sample.options[sample.fields["gt_choice"]] == sample.answer == "frog"
    with pytest.raises(ImageError, match="not found"):
        sample.images[0].load()


def test_without_an_id_the_position_is_the_id(tmp_path: Path) -> None:
    write(tmp_path, [{"image": "a.png", "label": "cat"}] * 3)
    scenario = CIFAR10(base_data_path=str(tmp_path))
    assert [scenario.sample_id(i) for i in range(len(scenario))] == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("record", "words"),
    [({"image": "a.png"}, "'label'"), ({"image": "a.png", "label": "lemur"}, "'label' is 'lemur'")],
)
def test_a_bad_record_is_one_error_that_names_its_place(
    record: dict[str, str], words: str, tmp_path: Path
) -> None:
    write(tmp_path, [{"image": "a.png", "label": "cat"}, record])
    scenario = CIFAR10(base_data_path=str(tmp_path))
    assert scenario[0].answer == "cat"
    with pytest.raises(SampleError, match=words) as caught:
        _ = scenario[1]
    assert "record 1" in str(caught.value)


def test_json_lines_and_nested_lists(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text('{"a": 1}\n{"a": 2}\n\n')
    assert read_records(file) == [{"a": 1}, {"a": 2}]
    file.write_text('{"a": 1}\n')
    assert read_records(file) == [{"a": 1}]
    file.write_text('{"items": [{"a": 1}]}')
    assert read_records(file, "items") == [{"a": 1}]


@pytest.mark.parametrize("content", ["{", "[1, 2]", '{"other": []}', "7"])
def test_what_is_no_list_is_refused(content: str, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(content)
    with pytest.raises(DataError):
        read_records(file, "items")


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="base_data_path"):
        len(CIFAR10(base_data_path=str(tmp_path)))


def test_the_fingerprint_follows_the_list(tmp_path: Path) -> None:
    write(tmp_path, [{"image": "a.png", "label": "cat"}])
    before = CIFAR10(base_data_path=str(tmp_path)).fingerprint()
    write(tmp_path, [{"image": "a.png", "label": "dog"}])
    assert CIFAR10(base_data_path=str(tmp_path)).fingerprint() != before


def test_a_record_that_cannot_be_expanded_costs_itself_only(tmp_path: Path) -> None:
    good = {"id": 0, "caption_0": "a", "caption_1": "b", "image_0": "x", "image_1": "y"}
    lines = [json.dumps(good), '{"caption_0": "no id"}', json.dumps({**good, "id": 2})]
    (tmp_path / "examples.jsonl").write_text("\n".join(lines))
    scenario = WinogroundCap(base_data_path=str(tmp_path))
    assert [scenario.sample_id(index) for index in range(3)] == ["0", "1", "2"]
    whole = tmp_path / "whole"
    whole.mkdir()
    (whole / "examples.jsonl").write_text("\n".join([lines[0], lines[0], lines[2]]))
    # The third example is shuffled as it is when the second one is good.
    assert scenario[2].fields == WinogroundCap(base_data_path=str(whole))[2].fields
    with pytest.raises(SampleError, match="record 1: malformed: the record has no key 'id'"):
        _ = scenario[1]
    assert len(Winoground(base_data_path=str(tmp_path))) == 4 + 1 + 4
    question = {"question_id": "2", "data_type": "image", "question": "?", "answer": "A"}
    choices = {f"choice_{letter}": letter for letter in "abcd"}
    content = {"questions": [{"question_id": "1"}, {**question, **choices, "data_id": "x"}]}
    (tmp_path / "SEED-Bench.json").write_text(json.dumps(content))
    seed = SEEDBench(base_data_path=str(tmp_path))
    with pytest.raises(SampleError, match="no key 'data_type'"):
        _ = seed[0]
    assert seed[1].id == "2"


def test_records_and_lines_that_are_no_mappings_cost_themselves_only(tmp_path: Path) -> None:
    good = {"image": "a.png", "label": "cat"}
    write(tmp_path, [good, 7, None, [good], good])
    scenario = CIFAR10(base_data_path=str(tmp_path))
    assert [index for index in range(5) if makes(scenario, index)] == [0, 4]
    deep = "[" * 100_000
    write(tmp_path, "\n".join([json.dumps(good), "{", json.dumps(good), deep, json.dumps(good)]))
    scenario = CIFAR10(base_data_path=str(tmp_path))
    assert [index for index in range(5) if makes(scenario, index)] == [0, 2, 4]
    for nonsense in (deep, "{" * 3, "7", '["a", 1]', "not\njson\nat all"):
        with pytest.raises(DataError):
            read_records(write(tmp_path, nonsense))


def makes(scenario: Listed, index: int) -> bool:
    try:
        return scenario[index].answer == "cat"
    except SampleError:
        return False


@pytest.mark.parametrize("wrong", [-1, 4, "x", 1.5, [0, 9]])
def test_a_right_option_that_does_not_exist_is_an_error(wrong: object) -> None:
    with pytest.raises(SampleError, match="the right option is"):
        Sample("1", options=tuple("abcd"), fields={"gt_choice": wrong})
    with pytest.raises(SampleError, match="the right option is"):
        Sample("1", fields={"gt_choice": wrong, "choices": list("abcd")})


@pytest.mark.parametrize("right", [0, 3, "2", 3.0, [1, 2], None])
def test_a_right_option_that_exists_is_accepted(right: object) -> None:
    Sample("1", options=tuple("abcd"), fields={"gt_choice": right})


class Positions(Listed):
    """Equal records, told apart by their positions."""

    name, task, metric = "Positions", "VQA", "Accuracy"

    def sample(self, index: int, record: Record) -> Sample:
        return Sample(id=self.sample_id(index), answer=f"{record['label']} {index}")


class OtherParameters(Positions):
    def sample(self, name: str, record: Record) -> Sample:  # type: ignore[override]
        return Sample(id=name, answer=record["label"])


def test_a_subclass_gets_the_position_of_the_record(tmp_path: Path) -> None:
    write(tmp_path, [{"label": "cat"}] * 2)
    scenario = Positions(str(tmp_path), "meta_file/Classification_CIFAR10.json")
    assert [scenario[index].answer for index in range(2)] == ["cat 0", "cat 1"]


def test_a_sample_method_with_other_parameters_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, [{"label": "cat"}])
    scenario = OtherParameters(str(tmp_path), "meta_file/Classification_CIFAR10.json")
    with pytest.raises(SampleError, match="index"):
        _ = scenario[0]
