"""Options and reference answers, in the forms that tables have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenario.records_table.conftest import failure

from chef.scenario.table.answer_column import AnswerColumn
from chef.scenario.table.answers import QuestionOptions
from chef.scenario.table.scenario import Records

Make = Callable[..., Records]
PETS = ["cat", "dog", "owl"]


def mcq(records: Make, *answers: Any, options: Any = PETS, **keys: Any) -> Records:
    rows = [{"question": "q", "options": options, "answer": answer} for answer in answers]
    return records(rows, **keys)


def choices(scenario: Records) -> list[int | None]:
    return [scenario[n].fields.get("gt_choice") for n in range(len(scenario))]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["A", "c", "(B)", "b."], [0, 2, 1, 1]),
        (["dog", "Owl", "A"], [1, 2, 0]),
        ([0, 2, 1], [0, 2, 1]),
        (["0", "2", "1"], [0, 2, 1]),
        ([1, 3, 2], [0, 2, 1]),  # no 0 and a 3: counted from 1
        ([1.0, 0.0, None], [1, 0, None]),  # pandas makes floats of numbers beside a null
        ([["B"], "['owl']", [0]], [1, 2, None]),  # the last is no letter
        (["A", "", None], [0, None, None]),
    ],
)
def test_a_right_option_is_a_letter_a_text_or_a_position(
    records: Make, answers: list[Any], expected: list[int | None]
) -> None:
    scenario = mcq(records, *answers)
    found = []
    for index, answer in enumerate(answers):
        if answer == [0]:
            assert "is not among the options" in failure(scenario, index)
            found.append(None)
        else:
            found.append(scenario[index].fields.get("gt_choice"))
    assert found == expected


def test_numbers_that_are_options_are_texts(records: Make) -> None:
    assert choices(mcq(records, "4", "2", options=["2", "3", "4"])) == [2, 0]
    assert choices(mcq(records, 4, 6, options=[2, 4, 6])) == [1, 2]
    # Written as numbers, and all of them positions: positions.
    assert choices(mcq(records, 0, 1, options=["1", "0"])) == [0, 1]
    assert choices(mcq(records, 0, 1, options=["1", "0"], answers="text")) == [1, 0]


def test_the_recipe_says_what_answers_are(records: Make) -> None:
    assert choices(mcq(records, 1, 2)) == [1, 2]
    assert choices(mcq(records, 1, 2, answers="from 1")) == [0, 1]
    swapped = ["B", "A"]
    assert choices(mcq(records, "A", "B", options=swapped)) == [0, 1]
    assert choices(mcq(records, "A", "B", options=swapped, answers="text")) == [1, 0]
    scenario = mcq(records, "A", "dog", answers="letter")
    assert scenario[0].fields["gt_choice"] == 0
    assert "the answer 'dog' is not among the options A, B, C" in failure(scenario, 1)


def test_an_open_count_is_said(records: Make, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "chef"):
        mcq(records, 1, 2)
    assert "the answers are positions from 0; if they count from 1, write answers: from 1" in (
        caplog.text
    )
    caplog.clear()
    with caplog.at_level("INFO", "chef"):
        mcq(records, 0, 2)
        mcq(records, 1, 2, answers="from 0")
    assert "write answers" not in caplog.text


@given(st.lists(st.integers(2, 6), min_size=1, max_size=20), st.integers(0, 1), st.data())
def test_positions_are_counted_as_they_fit(
    sizes: Sequence[int], first: int, data: st.DataObject
) -> None:
    column = AnswerColumn()
    drawn = [data.draw(st.integers(first, size - 1 + first)) for size in sizes]
    for size, answer in zip(sizes, drawn, strict=True):
        column.add(answer, QuestionOptions({chr(65 + n): f"text {n}" for n in range(size)}))
    from_0 = all(answer < size for size, answer in zip(sizes, drawn, strict=True))
    from_1 = 0 not in drawn
    assert from_0 or from_1
    expected = "from 0" if from_0 else "from 1"
    assert column.reading() == expected
    assert column.is_open == (from_0 and from_1)


@pytest.mark.parametrize(
    ("answers", "index", "words"),
    [
        (["A", "E"], 1, "the answer 'E' is not among the options A, B, C"),
        (["A", "B", 7], 2, "the answer '7' is not among the options"),
        ([0, 1, 3, 2], 2, "the answer 3 is no position of an option, which are counted from 0"),
        ([0, 1, -1], 2, "the answer -1 is no position"),
        ([0, 1, "B"], 2, "the answer 'B' is no number"),
        ([0, 1, 1.5], 2, "the answer 1.5 is no number"),
        (["A", ["A", "B"]], 1, "the answer names 2 options"),
        (["A", {"a": 1}], 1, "not a text"),
    ],
)
def test_wrong_answers_are_one_error_with_the_column(
    records: Make, answers: list[Any], index: int, words: str
) -> None:
    message = failure(mcq(records, *answers), index)
    assert f"row {index + 1}: column 'answer': " in message
    assert words in message
    assert "\n  -> " in message


@pytest.mark.parametrize(
    ("options", "labels", "texts"),
    [
        (["a", "b"], "AB", ["a", "b"]),
        ('["a", "b"]', "AB", ["a", "b"]),
        ("['a', \"b\"]", "AB", ["a", "b"]),
        ([1, 2.5], "AB", ["1", "2.5"]),
        (["None", "NA", ""], "AB", ["None", "NA"]),
        (["a", None, "b"], "AC", ["a", "b"]),
        ({"A": "a", "B": "b"}, "AB", ["a", "b"]),
        ('{"A": "a", "B": "b"}', "AB", ["a", "b"]),
        ({"label": ["A", "B"], "text": ["a", "b"]}, "AB", ["a", "b"]),
    ],
)
def test_options_in_one_column(records: Make, options: Any, labels: str, texts: list[str]) -> None:
    sample = mcq(records, "A", options=options)[0]
    assert (sample.fields["labels"], sample.fields["choices"]) == (list(labels), texts)


def test_options_may_have_names_of_their_own(records: Make) -> None:
    options = {"label": ["1", "2", "3"], "text": PETS}
    assert choices(mcq(records, "owl", "A", options=options)) == [2, 0]
    assert choices(mcq(records, "2", "B", "B", options=options)) == [1, 1, 1]
    named = {"i": "cat", "ii": "dog"}
    assert choices(mcq(records, "ii", "i", options=named)) == [1, 0]


def test_options_in_several_columns(records: Make) -> None:
    rows = [
        {"question": "q", "first": "x", "second": "y", "third": None, "answer": "B"},
        {"question": "q", "first": "x", "second": "", "third": "z", "answer": "C"},
        {"question": "q", "first": None, "second": None, "third": None, "answer": "free"},
    ]
    scenario = records(rows, columns={"options": ["first", "second", "third"]})
    assert [scenario[n].fields.get("choices") for n in range(2)] == [["x", "y"], ["x", "z"]]
    assert [scenario[n].fields.get("gt_choice") for n in range(2)] == [1, 1]
    assert (scenario[2].options, scenario[2].answer) == ((), ["free"])
    assert scenario.random_accuracy == pytest.approx((1 / 2 + 1 / 2 + 0) / 3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("['a', 'b'", "the list in column 'options' cannot be read"),
        ("['a' 'b']", "the list in column 'options' cannot be read"),  # as NumPy prints it
        ("[open('x', 'w')]", "cannot be read"),
        ("a, b", "cannot be read"),
        (5, "'options' is 5, not a list of options"),
        ([["a"], "b"], "'options[0]' is ['a'], not a text"),
        ({"label": ["A"], "text": ["a", "b"]}, "has 1 labels and 2 texts"),
        (["a"], "only one option, A"),
    ],
)
def test_options_that_cannot_be_read(records: Make, options: Any, words: str) -> None:
    rows = [
        {"question": "q", "options": PETS, "answer": "A"},
        {"question": "q", "options": options, "answer": "A"},
    ]
    scenario = records(rows)
    assert scenario[0].fields["gt_choice"] == 0
    assert words in failure(scenario, 1)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["yes", "No", None], ["Yes", "No", None]),
        ([True, False], ["Yes", "No"]),
        (["true", "False"], ["Yes", "No"]),
    ],
)
def test_yes_and_no(records: Make, answers: list[Any], expected: list[str | None]) -> None:
    rows = [{"question": "Is it?", "answer": answer} for answer in answers]
    scenario = records(rows)
    assert (scenario.kind, scenario.wording, scenario.metric) == ("yesno", "POPE", "YesNo")
    assert [scenario[n].answer for n in range(len(rows))] == expected
    assert scenario[0].options == ("Yes", "No")


def test_numbers_are_yes_and_no_only_if_it_is_said(records: Make) -> None:
    rows = [{"question": "Is it?", "answer": answer} for answer in (1, 0, 2, "maybe")]
    assert records(rows).kind == "vqa"
    scenario = records(rows, kind="yesno")
    assert [scenario[n].answer for n in range(2)] == ["Yes", "No"]
    for index in (2, 3):
        assert "is neither yes nor no" in failure(scenario, index)


@pytest.mark.parametrize(
    ("answer", "references"),
    [
        ("red", ["red"]),
        (12, ["12"]),
        (2.5, ["2.5"]),
        (["red", "dark red", 5], ["red", "dark red", "5"]),
        ('["red", "dark red"]', ["red", "dark red"]),
        ([{"answer": "net", "answer_id": 1}, {"answer": "a net"}], ["net", "a net"]),  # VQA
        ("[0.1, 0.2]", ["[0.1, 0.2]"]),
        ("__import__('os')", ["__import__('os')"]),
        (None, None),
    ],
)
def test_free_answers(records: Make, answer: Any, references: list[str] | None) -> None:
    rows = [{"question": "q", "answer": answer}, {"question": "q", "answer": "other"}]
    scenario = records(rows)
    assert (scenario.kind, scenario.metric) == ("vqa", "Accuracy")
    assert scenario[0].answer == references


def test_a_broken_list_of_references_is_an_error(records: Make) -> None:
    rows = [{"question": "q", "answer": text} for text in ("['a', 'b'", "['a' 'b']", "ok")]
    scenario = records(rows)
    for index in (0, 1):
        assert "is a list that cannot be read" in failure(scenario, index)
    assert scenario[2].answer == ["ok"]


def test_captions_need_no_question(records: Make) -> None:
    rows = [{"note": "x", "captions": ["a cat", "one cat"]}]
    scenario = records(rows, kind="caption", columns={"answer": "captions"})
    assert (scenario.wording, scenario.metric) == ("caption", "Caption")
    assert (scenario[0].question, scenario[0].answer) == ("", ["a cat", "one cat"])


def test_the_classes_of_a_data_set_are_texts(tmp_path: Any) -> None:
    import datasets

    names = ["cat", "dog"]
    features = datasets.Features(
        {"label": datasets.ClassLabel(names=names), "text": datasets.Value("string")}
    )
    made = datasets.Dataset.from_dict({"label": [1, 0, -1], "text": ["x", "y", "z"]}, features)
    made.to_parquet(tmp_path / "a.parquet")
    scenario = Records(path=str(tmp_path / "a.parquet"), template="What is {text}?")
    assert [scenario[n].answer for n in range(3)] == [["dog"], ["cat"], None]
    assert len(Records(path=str(tmp_path / "a.parquet"), template="q", where={"label": "dog"})) == 1
