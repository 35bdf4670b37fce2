"""A malformed cell is one error with its row and column, the same one in every format."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from scenario.records_table.conftest import FORMATS, failure, png, write

from chef.scenario.table.scenario import Records
from chef.scenario.table.session import with_data

IMAGE = base64.b64encode(png()).decode()
PLACES = (*FORMATS, "saved", "list", "frame", "dataset")
GOOD: dict[str, dict[str, str]] = {
    "mcq": {"question": "q", "image": IMAGE, "options": '["cat", "dog"]', "answer": "A"},
    "yesno": {"question": "q", "image": IMAGE, "answer": "yes"},
    "vqa": {"question": "q", "image": IMAGE, "answer": "red"},
}
#: The kind of questions, the column, its cell, and what the error says. Cells are texts, which
#: every format has.
KINDS = [
    ("vqa", "id", " ", "the id is missing"),
    ("vqa", "id", "first", "the id 'first' is that of row 1"),
    ("vqa", "question", "", "the question is missing"),
    ("vqa", "question", " \n", "the question is missing"),
    ("vqa", "answer", "['a', 'b'", "is a list that cannot be read"),
    ("vqa", "answer", "['a' 'b']", "is a list that cannot be read"),
    ("vqa", "answer", '["a", ""]', "is no list of texts"),
    ("vqa", "answer", '["a", null]', "is a list that cannot be read|is no list of texts"),
    ("vqa", "answer", '["a", {"b": 1}]', "is no list of texts"),
    ("yesno", "answer", "maybe", "the answer 'maybe' is neither yes nor no"),
    ("yesno", "answer", "yes and no", "neither yes nor no"),
    ("mcq", "answer", "E", "the answer 'E' is not among the options A, B"),
    ("mcq", "answer", "cat or dog", "is not among the options"),
    ("mcq", "answer", "['A', 'B']", "the answer names 2 options"),
    ("mcq", "options", "['a', 'b'", "the list in column 'options' cannot be read"),
    ("mcq", "options", "['a' 'b']", "the list in column 'options' cannot be read"),
    ("mcq", "options", "[open('x', 'w')]", "cannot be read"),
    ("mcq", "options", "cat, dog", "cannot be read"),
    ("mcq", "options", '{"A": "cat"', "cannot be read"),
    ("mcq", "options", '["cat"]', "only one option, A"),
    ("mcq", "options", '[["cat"], "dog"]', "is ['cat'], not a text"),
    ("mcq", "options", '{"label": ["A"], "text": ["a", "b"]}', "has 1 labels and 2 texts"),
    ("vqa", "image", "none.png", "image file not found: "),
    ("vqa", "image", "x" * 300, "File name too long"),
    ("vqa", "image", "/dev/zero", "is a device, not a file"),
    ("vqa", "image", ".", "is a folder, not a file"),
    ("vqa", "image", "ftp://example.org/a.png", "only http and https addresses are read"),
    ("vqa", "image", "{'bytes': b'...'}", "a mapping as text"),
    ("vqa", "image", "['a.png", "the list in column 'image' cannot be read"),
    ("vqa", "image", "[__import__('os')]", "cannot be read"),
    ("vqa", "image", "data:image/png;base64,???", "the image is not base64"),
    ("vqa", "image", "x?" * 1000, "the image is not base64"),
    ("vqa", "image", IMAGE[:100] + "?" + IMAGE[101:], "the image is not base64|not found"),
]


def scenario_of(place: str, rows: list[Mapping[str, str]], folder: Path, kind: Any) -> Records:
    """The rows as a scenario: in a file of a format, saved by `datasets`, or of the session."""
    if place in FORMATS:
        return Records(path=write(folder / f"a.{place}", rows), kind=kind)
    if place == "list":
        given: Any = rows
    elif place == "frame":
        import pandas as pd

        given = pd.DataFrame(rows)
    else:
        import datasets

        given = datasets.Dataset.from_list(rows)
    if place == "saved":
        given.save_to_disk(folder / "saved")
        return Records(path=str(folder / "saved"), kind=kind)
    section = with_data(given)["scenario_cfg"]
    return Records(**{key: value for key, value in section.items() if key != "dataset_name"},
                   kind=kind)  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", GOOD)
def test_good_rows_are_the_same_everywhere(place: str, kind: str, tmp_path: Path) -> None:
    rows = [{"id": name, **GOOD[kind]} for name in ("first", "second")]
    scenario = scenario_of(place, rows, tmp_path, kind)
    assert [scenario.sample_id(n) for n in range(2)] == ["first", "second"]
    assert scenario[1].images[0].size == (8, 8)
    assert scenario[1].answer == {"mcq": "(A)", "yesno": "Yes", "vqa": ["red"]}[kind]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("kind", "column", "cell", "words"), KINDS, ids=[f"{one[1]}-{n}" for n, one in enumerate(KINDS)]
)
def test_a_malformed_cell_is_one_error_everywhere(
    place: str, kind: str, column: str, cell: str, words: str, tmp_path: Path
) -> None:
    rows = [{"id": name, **GOOD[kind]} for name in ("first", "second", "third")]
    rows[1][column] = cell
    scenario = scenario_of(place, rows, tmp_path, kind)
    message = failure(scenario, 1)
    assert any(word in message for word in words.split("|"))
    assert "row 2" in message
    assert "\n  -> " in message
    assert [scenario[n].id for n in (0, 2)] == ["first", "third"]
    assert len({scenario.sample_id(n) for n in range(3)}) == 3
