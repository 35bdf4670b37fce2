"""MMMU: Parquet files, images and the two kinds of question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")

from fixtures._draw import scene
from fixtures.mmmu import write

from chef.errors import DataError, SampleError
from chef.scenario.mmmu import IMAGES, LETTER_ONLY, MMMU, SHORT, accepted


def row(**cells: Any) -> dict[str, Any]:
    given = {
        "id": "validation_Art_Theory_1",
        "question": "<image 1> Which?",
        "options": "['a $5', \"it's\"]",
        **dict.fromkeys(IMAGES),
        "answer": "B",
        "question_type": "multiple-choice",
        "subfield": "Painting",
    }
    return {**given, **cells}


@pytest.fixture
def mmmu(tmp_path: Path):
    def make(*rows: dict[str, Any], **keys: Any) -> MMMU:
        write(tmp_path / "Art_Theory" / "validation-00000-of-00001.parquet", list(rows))
        return MMMU(base_data_path=str(tmp_path), **keys)

    return make


def test_multiple_choice(mmmu) -> None:
    sample = mmmu(row())[0]
    assert sample.id == "validation_Art_Theory_1"
    assert sample.question == f"<image 1> Which?\n(A) a $5\n(B) it's\n{LETTER_ONLY}"
    assert (sample.options, sample.answer) == ((), "(B)")
    assert sample.fields == {
        "question_type": "multiple-choice",
        "subject": "Art_Theory",
        "subfield": "Painting",
        "choices": ["a $5", "it's"],
        "labels": ["A", "B"],
        "gt_choice": 1,
    }
    assert mmmu(row(), ppl=True)[0].options == ("(A", "(B")


def test_open_questions(mmmu) -> None:
    sample = mmmu(row(question_type="open", options="[]", answer="['1/4', '0.25']"))[0]
    assert sample.question == f"<image 1> Which?\n{SHORT}"
    assert sample.answer == ["1/4", "0.25"]
    assert accepted("[unclosed") == ["[unclosed"]


def test_hidden_answers(mmmu) -> None:
    hidden = mmmu(
        row(answer="?"), row(id="validation_Art_Theory_2", answer="?", question_type="open")
    )
    assert hidden[0].answer is hidden[1].answer is None
    assert "gt_choice" not in hidden[0].fields


@pytest.mark.parametrize("options", ["__import__('os').getcwd()", "['one']", "", "{'a': 1}"])
def test_options_are_parsed_and_never_run(options: str, mmmu) -> None:
    with pytest.raises(SampleError, match=r"validation-00000.*row 0: 'options' is"):
        _ = mmmu(row(options=options))[0]


def test_images_inside_and_exported(mmmu, tmp_path: Path) -> None:
    pictures = [scene(number).images[0].load() for number in range(2)]
    files = []
    for place, picture in zip((0, 2), pictures, strict=True):
        files.append(tmp_path / f"validation_Art_Theory_1_{place}.png")
        picture.save(files[-1])
    stored = {"bytes": files[0].read_bytes(), "path": "x.png"}
    second = {"bytes": files[1].read_bytes(), "path": None}
    empty = {"bytes": None, "path": None}
    cells = {"image_1": stored, "image_2": empty, "image_3": second}
    inside = mmmu(row(**cells))[0].images
    assert [image.load().tobytes() for image in inside] == [item.tobytes() for item in pictures]
    exported = mmmu(row(**cells), img_folder=str(tmp_path))[0].images
    assert [image.name for image in exported] == [str(file) for file in files]
    elsewhere = mmmu(row(**cells), img_folder=str(tmp_path / "none"))[0].images
    assert [image.name for image in elsewhere] == [image.name for image in inside]


def test_a_missing_export_is_not_passed_over(mmmu, tmp_path: Path) -> None:
    (tmp_path / "export").mkdir()
    stored = {"bytes": b"", "path": "x.png"}
    sample = mmmu(row(image_1=stored), img_folder=str(tmp_path / "export"))[0]
    with pytest.raises(SampleError, match="not found"):
        sample.images[0].load()


def test_no_data(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no subject of MMMU"):
        len(MMMU(base_data_path=str(tmp_path)))
    (tmp_path / "Math").mkdir()
    (tmp_path / "Math" / "validation-00000-of-00001.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(DataError, match="cannot be read"):
        len(MMMU(base_data_path=str(tmp_path)))


def test_another_table(mmmu, tmp_path: Path) -> None:
    cells = row()
    cells.pop("options")
    with pytest.raises(DataError, match="no column options"):
        len(mmmu(cells))
