"""The same options for all rows: texts of the recipe, or the different answers of the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scenario.records_table.conftest import png, write

from chef.errors import ConfigError
from chef.scenario.table.scenario import Records

ASKED = {"template": "What is it?"}


def folder_of(tmp_path: Path, *names: str) -> str:
    """A folder of images, in a folder for each class."""
    for name in names:
        (tmp_path / "classes" / name).mkdir(parents=True)
        (tmp_path / "classes" / name / "1.png").write_bytes(png(name))
    return str(tmp_path / "classes")


def test_the_folders_of_images_are_the_options(tmp_path: Path) -> None:
    scenario = Records(path=folder_of(tmp_path, "red", "blue"), options="answers", **ASKED)
    records = [sample.to_record() for sample in scenario]
    assert [record["choices"] for record in records] == [["blue", "red"]] * 2
    assert [record["gt_choice"] for record in records] == [0, 1]
    assert scenario.random_accuracy == 0.5


def test_texts_of_the_recipe_stay_in_their_order(tmp_path: Path) -> None:
    path = folder_of(tmp_path, "red", "blue")
    scenario = Records(path=path, options=["red", "green", "blue"], option_content=True, **ASKED)
    assert [sample.to_record()["options"] for sample in scenario] == [["red", "green", "blue"]] * 2
    assert [sample.to_record()["gt_choice"] for sample in scenario] == [2, 0]


def test_numbers_are_classes_and_no_positions(tmp_path: Path) -> None:
    rows = [{"question": "How many?", "answer": answer} for answer in (3, 10, 2, 3, None)]
    scenario = Records(path=write(tmp_path / "t.jsonl", rows), options="answers")
    records = [sample.to_record() for sample in scenario]
    assert records[0]["choices"] == ["10", "2", "3"]
    assert [record.get("gt_choice") for record in records] == [2, 0, 1, 2, None]


def test_another_class_changes_what_all_rows_ask(tmp_path: Path) -> None:
    path = folder_of(tmp_path, "red", "blue")
    before = Records(path=path, options="answers", **ASKED).row_digests()
    (Path(path) / "white").mkdir()
    (Path(path) / "white" / "1.png").write_bytes(png("white"))
    after = Records(path=path, options="answers", **ASKED).row_digests()
    assert len(before) == 2
    assert all(after[name] != digest for name, digest in before.items())


@pytest.mark.parametrize(
    ("rows", "keys", "said"),
    [
        ([{"question": "q", "answer": "a"}], {"options": ["a", "a "]}, "two different texts"),
        ([{"question": "q", "answer": "a"}], {"options": ["a", " "]}, "two different texts"),
        ([{"question": "q", "answer": "a"}], {"options": "answers"}, "two different texts"),
        ([{"question": "q"}], {"options": "answers"}, "no column has the answers"),
        ([{"question": "q", "A": "x", "B": "y"}], {"options": ["x", "y"]}, "options in its col"),
        (
            [{"question": "q", "answer": "a"}],
            {"columns": {"options": ["a", "b"]}},
            "no columns 'a', 'b'",
        ),
    ],
)
def test_what_cannot_be_options(
    tmp_path: Path, rows: list[dict[str, Any]], keys: dict[str, Any], said: str
) -> None:
    path = write(tmp_path / "t.jsonl", rows)
    with pytest.raises(ConfigError) as error:
        Records(path=path, **keys)
    assert said in error.value.what
    assert "options" in f"{error.value.hint}"


def test_an_answer_that_is_none_of_them_costs_its_row(tmp_path: Path) -> None:
    rows = [{"question": "q", "answer": answer} for answer in ("cat", "dog", "cow")]
    scenario = Records(path=write(tmp_path / "t.csv", rows), options=["cat", "dog"])
    found = list(scenario.outlines())
    assert [sample is None for sample in found] == [False, False, True]
