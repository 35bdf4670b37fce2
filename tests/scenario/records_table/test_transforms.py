"""What becomes of a column before it is read: the same named transforms for every format."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, get_args

import pytest
from scenario.records_table.conftest import FORMATS, png, write

from chef.errors import ConfigError, SampleError
from chef.scenario.questions.values import TRANSFORMS, Transform, transformed
from chef.scenario.table.scenario import Records

PNG = base64.b64encode(png("red", 1)).decode()


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_has_them(tmp_path: Path, suffix: str) -> None:
    rows = [
        {"question": "2+2?", "options": "3, 4", "answer": "two and two\n#### 4", "image": PNG},
        {"question": "1+1?", "options": "2, 3", "answer": "no hashes", "image": PNG},
        {"question": "?", "options": "x,y", "answer": None, "image": None},
    ]
    scenario = Records(
        path=write(tmp_path / f"t.{suffix}", rows),
        transforms={"answer": "after_hashes", "options": "commas", "image": "base64"},
    )
    assert scenario.kind == "mcq"
    first = scenario[0]
    assert first.fields["choices"] == ["3", "4"]
    assert first.fields["gt_choice"] == 1
    assert first.images[0].size == (1, 1)
    with pytest.raises(SampleError, match="column 'answer': its answer has no answer after"):
        _ = scenario[1]
    assert scenario[2].answer is None  # what holds nothing stays as it is
    assert [one is not None for one in scenario.outlines()] == [True, False, True]


@pytest.mark.parametrize(
    ("name", "value", "becomes"),
    [
        ("as_is", 3, 3),
        ("text", "a ", "a "),
        ("known", 3, "3"),
        ("yes_no", "Maybe", "Maybe"),
        ("yes_no", "YES ", 1),
        ("verdict", "no", 0),
        ("first", ["a", "b"], "a"),
        ("list", "['a', \"b\"]", ["a", "b"]),
        ("list", ["a"], ["a"]),
        ("commas", "a, b,c", ["a", "b", "c"]),
        ("lines", "a\nb", ["a", "b"]),
        ("after_hashes", "a #### b #### c", "c"),
        ("stem", "cats/tom.1.png", "tom.1"),
        ("base64", base64.b64encode(b"abc").decode(), b"abc"),
    ],
)
def test_what_becomes_of_a_value(name: Transform, value: Any, becomes: Any) -> None:
    assert transformed(name, "x", value) == becomes


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("text", [7, " ", None, ["a"], True]),
        ("known", [" ", None]),
        ("verdict", ["maybe", 1, None, ""]),
        ("first", ["ab", [], None, {"a": 1}]),
        ("list", ["[1", "a", 7, {}]),
        ("commas", [7, "", ["a"]]),
        ("lines", [7, " "]),
        ("after_hashes", ["4", "#### ", 4]),
        ("stem", [7, ""]),
        ("base64", ["??", "\u00e4", "abc", 7]),
    ],
)
def test_what_does_not_fit_is_one_error_that_names_the_column(
    name: Transform, values: list[Any]
) -> None:
    for value in values:
        with pytest.raises(SampleError, match=r"^its col ") as refused:
            transformed(name, "col", value)
        assert refused.value.hint


def test_all_are_tested() -> None:
    assert set(TRANSFORMS) == set(get_args(Transform))


@pytest.mark.parametrize(
    ("transforms", "words"),
    [
        ({"hint": "text"}, "no whole column"),
        ({"nothing": "text"}, "no whole column"),
        ({"answer": "text"}, ""),
    ],
)
def test_a_role_without_a_column_is_refused(tmp_path: Path, transforms: Any, words: str) -> None:
    path = write(tmp_path / "t.jsonl", [{"question": "q", "answer": "a"}])
    if not words:
        assert Records(path=path, transforms=transforms)[0].answer == ["a"]
        return
    with pytest.raises(ConfigError, match=words) as refused:
        Records(path=path, transforms=transforms)
    assert refused.value.hint == "name one of these: question, answer"
