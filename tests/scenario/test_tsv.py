"""Questions, options and reference answers of TSV rows; bad rows."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import PIL.Image
import pytest

from chef.errors import DataError, SampleError
from chef.metric import METRICS
from chef.scenario import SCENARIOS
from chef.scenario.tsv.scenario import Tsv
from chef.types import Prediction, Sample, Status

Write = Callable[..., str]
MCQ = {"index": "1", "question": "What is it?", "A": "cat", "B": "dog", "C": "", "answer": "B"}


def row(**changes: str) -> dict[str, str]:
    return {**MCQ, **changes}


def failure(scenario: Tsv, index: int) -> str:
    with pytest.raises(SampleError) as caught:
        scenario[index]
    return str(caught.value)


# -- multiple choice --------------------------------------------------------------------------


def test_a_lettered_question_with_hint_and_groups(write_tsv: Write) -> None:
    extra = {"hint": "It barks.", "category": "pets", "l2-category": "animals", "split": "dev"}
    scenario = Tsv(path=write_tsv([row(**extra)], "pets.tsv"))
    assert scenario[0] == Sample(
        id="1",
        question="Hint: It barks.\nQuestion: What is it?\nOptions:\n(A) cat\n(B) dog",
        options=("(A", "(B"),
        answer="(B)",
        fields={
            "choices": ["cat", "dog"],
            "labels": ["A", "B"],
            "gt_choice": 1,
            "category": "pets",
            "l2-category": "animals",
            "split": "dev",
        },
    )
    assert (scenario.name, scenario.wording, scenario.metric) == ("pets", "VQA", "Accuracy")
    assert (len(scenario), scenario.sample_id(0), scenario.random_accuracy) == (1, "1", 0.5)
    assert SCENARIOS.get("Tsv") is Tsv


def test_hint_and_option_content_are_choices_of_the_recipe(write_tsv: Write) -> None:
    path = write_tsv([row(hint="It barks.")])
    sample = Tsv(path=path, hint=False, option_content=True, name="other")[0]
    assert "barks" not in sample.question
    assert (sample.options, sample.answer) == (("cat", "dog"), "dog")
    assert Tsv(path=path, name="other").name == "other"


@pytest.mark.parametrize("text", ["None", "NA", "nan", "null", "N/A", " "])
def test_only_the_empty_cell_is_a_missing_option(write_tsv: Write, text: str) -> None:
    sample = Tsv(path=write_tsv([row(B="", C=text, Z="last", answer=text)]))[0]
    assert sample.fields["choices"] == ["cat", text, "last"]
    assert sample.options == ("(A", "(C", "(Z")
    if text.strip():
        assert (sample.fields["gt_choice"], sample.answer) == (1, "(C)")


@pytest.mark.parametrize(
    ("answer", "options", "choice"),
    [
        ("B", ("cat", "dog"), 1),
        ("dog", ("cat", "dog"), 1),
        ("Dog ", ("cat", " dog"), 1),
        ("(B)", ("cat", "dog"), 1),
        ("b.", ("cat", "dog"), 1),
        ("A", ("B", "A"), 0),  # a label before a text
        ("b", ("b", "a"), 0),  # a text before a label in disguise
        ("no", ("No", "no"), 1),  # the very text before its other spelling
    ],
)
def test_an_answer_is_a_label_or_a_text(
    write_tsv: Write, answer: str, options: tuple[str, str], choice: int
) -> None:
    sample = Tsv(path=write_tsv([row(A=options[0], B=options[1], answer=answer)]))[0]
    assert sample.fields["gt_choice"] == choice
    assert sample.answer == f"({'AB'[choice]})"


def test_an_unknown_answer_is_predicted_only(write_tsv: Write) -> None:
    sample = Tsv(path=write_tsv([row(answer="")]))[0]
    assert sample.answer is None
    assert "gt_choice" not in sample.fields
    assert sample.to_record()["gt_answers"] is None
    without_column = {key: text for key, text in MCQ.items() if key != "answer"}
    assert Tsv(path=write_tsv([without_column]))[0].answer is None


def test_a_row_without_options_is_an_open_question(write_tsv: Write) -> None:
    scenario = Tsv(path=write_tsv([MCQ, row(index="2", A="", B="", answer="['4', 'four']")]))
    sample = scenario[1]
    assert (sample.question, sample.options, sample.answer) == ("What is it?", (), ["4", "four"])
    assert Tsv(path=write_tsv([MCQ]), kind="vqa").random_accuracy is None


def test_chance_is_that_of_all_rows_that_are_scored(write_tsv: Write) -> None:
    four = row(index="2", C="bird", D="fish")
    rows = [{"D": "", **item} for item in (MCQ, four, row(index="3", A="", B="", answer="blue"))]
    guesses = (1 / 2, 1 / 4, 0)  # no guess answers an open question
    assert Tsv(path=write_tsv(rows)).random_accuracy == pytest.approx(sum(guesses) / 3)
    rows += [
        {"D": "", **row(index="4", answer="")},  # recorded, not scored
        {"D": "", **row(index="5", B="")},  # one option: an error
    ]
    assert Tsv(path=write_tsv(rows)).random_accuracy == pytest.approx(sum(guesses) / 3)
    hidden = [{**item, "answer": ""} for item in rows[:2]]
    assert Tsv(path=write_tsv(hidden)).random_accuracy == pytest.approx(3 / 8)


# -- other kinds ------------------------------------------------------------------------------


def test_yes_no_is_told_by_the_answers(write_tsv: Write) -> None:
    rows = [{"index": str(n), "question": "Is it?", "answer": a} for n, a in enumerate(["no", ""])]
    scenario = Tsv(path=write_tsv(rows))
    assert (scenario.kind, scenario.wording, scenario.metric) == ("yesno", "POPE", "YesNo")
    assert scenario.random_accuracy == 0.5
    assert (scenario[0].options, scenario[0].answer) == (("Yes", "No"), "No")
    assert scenario[0].fields == {"choices": ["Yes", "No"], "gt_choice": 1}
    assert scenario[1].answer is None
    rows.append({"index": "9", "question": "Is it?", "answer": "perhaps"})
    assert Tsv(path=write_tsv(rows)).kind == "vqa"
    assert "neither yes nor no" in failure(Tsv(path=write_tsv(rows), kind="yesno"), 2)


@pytest.mark.parametrize(
    ("answer", "references"),
    [
        ("red", ["red"]),
        ("['red', \"dark red\"]", ["red", "dark red"]),
        ('["red"]', ["red"]),
        ("[0.1, 0.2]", ["[0.1, 0.2]"]),  # a box is one answer
        ("[red", ["[red"]),
        ("[" * 5000, ["[" * 5000]),
        ("__import__('os')", ["__import__('os')"]),
        ("", None),
        ('["five", 5]', ["five", "5"]),
    ],
)
def test_open_questions_have_references(
    write_tsv: Write, answer: str, references: list[str] | None
) -> None:
    rows = [{"index": "1", "question": "Color?", "hint": "Look.", "answer": answer}]
    scenario = Tsv(path=write_tsv(rows), kind="vqa")
    assert (scenario.wording, scenario.metric) == ("VQA", "Accuracy")
    assert (scenario[0].question, scenario[0].answer) == ("Hint: Look.\nColor?", references)
    assert scenario.random_accuracy is None


@pytest.mark.parametrize(
    "answer", ["[]", '["red", null]', '["", "red"]', '["red", NaN]', '["a", []]']
)
def test_references_that_no_answer_can_equal(write_tsv: Write, answer: str) -> None:
    rows = [{"index": "1", "question": "Color?", "answer": answer}]
    assert "no list of texts" in failure(Tsv(path=write_tsv(rows), kind="vqa"), 0)


def test_captions_need_no_question(write_tsv: Write) -> None:
    path = write_tsv([{"index": "1", "answer": "['a cat', 'one cat']"}])
    scenario = Tsv(path=path, kind="caption")
    assert (scenario.wording, scenario.metric) == ("caption", "Caption")
    assert (scenario[0].question, scenario[0].answer) == ("", ["a cat", "one cat"])
    with pytest.raises(DataError, match=r"no column 'question'(.|\n)*kind: caption"):
        Tsv(path=path)


# -- rows -------------------------------------------------------------------------------------


def test_an_index_stays_as_it_is_written(write_tsv: Write) -> None:
    scenario = Tsv(path=write_tsv([row(index=text) for text in ["007", "7", "a b", "True"]]))
    assert [scenario[n].id for n in range(4)] == ["007", "7", "a b", "True"]


def test_bad_rows_are_errors_with_their_number_and_the_rest_runs(tmp_path: Path) -> None:
    path = tmp_path / "bad.tsv"
    path.write_bytes(
        b"index\tquestion\tA\tB\tanswer\n"
        b"1\tQ\tcat\tdog\tA\n"
        b"2\tQ\tcat\n"  # row 2: too few cells
        b"\n"  # not a row
        b"1\tQ\tcat\tdog\tA\n"  # row 3: the index of row 1
        b"\tQ\tcat\tdog\tA\n"  # row 4: no index
        b"5\tcaf\xe9\tcat\tdog\tA\n"  # row 5: Latin-1
        b"6\t\tcat\tdog\tA\n"  # row 6: no question
        b"7\tQ\tcat\tdog\tD\n"  # row 7: no such option
        b"8\tQ\tcat\t\tA\n"  # row 8: a lone option
        b"9\tQ\tcat\tCat\tCAT\n"  # row 9: two options with that text
        b"row 2\tQ\tcat\tdog\tB\n"
    )
    scenario = Tsv(path=str(path))
    assert (scenario[0].answer, scenario[9].answer) == ("(A)", "(B)")
    for index, what in {
        1: "row 2: 3 cells, but the header names 5 columns",
        2: "row 3: column 'index': the id '1' is that of row 1",
        3: "row 4: column 'index': the id is missing",
        4: "row 5: not UTF-8: byte 0xe9",
        5: "row 6 (index '6'): the question is missing",
        6: "row 7 (index '7'): the answer 'D' is not among the options A, B",
        7: "row 8 (index '8'): only one option, A",
        8: "row 9 (index '9'): the answer 'CAT' is the text of options A and B",
    }.items():
        assert failure(scenario, index).startswith(f"{path}: {what}")
    ids = [scenario.sample_id(n) for n in range(len(scenario))]
    assert ids == ["1", "row 2'", "1 (row 3)", "row 4", "row 5", "6", "7", "8", "9", "row 2"]


def test_split_and_category_select_rows_and_keep_bad_ones(tmp_path: Path) -> None:
    path = tmp_path / "s.tsv"
    path.write_text(
        "index\tquestion\tsplit\tcategory\n1\tQ\tdev\tx\n2\tQ\ttest\tx\n3\n4\tQ\ttest\ty\n"
    )
    scenario = Tsv(path=str(path), split="test")
    assert [scenario.sample_id(n) for n in range(len(scenario))] == ["2", "row 3", "4"]
    assert scenario[0].fields == {"split": "test", "category": "x"}
    assert len(Tsv(path=str(path), split="test", category="y")) == 2
    with pytest.raises(DataError, match=r"no row with split 'tets'(.|\n)*did you mean 'test'"):
        Tsv(path=str(path), split="tets")
    with pytest.raises(DataError, match="no row with category 'y'"):
        Tsv(path=str(path), split="dev", category="y")
    path.write_text("index\tquestion\n1\tQ\n")
    with pytest.raises(DataError, match="has no column 'split'"):
        Tsv(path=str(path), split="dev")


def test_rotations_of_a_question_share_a_group(write_tsv: Write) -> None:
    def groups(rows: list[dict[str, str]]) -> list[Any]:
        scenario = Tsv(path=write_tsv(rows))
        found = [scenario[n].fields.get("circular_group") for n in range(len(rows))]
        assert found == [scenario.group(n) for n in range(len(rows))]
        return found

    plain = [row(index="3"), row(index="x")]
    assert groups(plain) == [None, None]
    assert groups([*plain, row(index="1000003"), row(index="2000003")]) == ["3", None, "3", "3"]
    assert groups([row(index="0"), row(index="1000000")]) == ["0", "0"]
    assert groups([row(index="3", g_index="g"), row(index="4", g_index="g")]) == ["g", "g"]


def test_each_rotation_says_how_many_there_are(write_tsv: Write) -> None:
    def sizes(rows: list[dict[str, str]], **keys: Any) -> list[Any]:
        scenario = Tsv(path=write_tsv(rows), **keys)
        return [scenario[n].fields.get("circular_size") for n in range(len(scenario))]

    assert sizes([row(index="3"), row(index="4")]) == [None, None]
    rotated = [row(index="3"), row(index="4"), row(index="1000003"), row(index="2000003")]
    assert sizes(rotated) == [3, 1, 3, 3]
    # Rotation 1 is missing, so two of three rows are there.
    assert sizes([row(index="3"), row(index="2000003")]) == [3, 3]
    assert sizes([row(index="a", g_index="g"), row(index="b", g_index="g")]) == [2, 2]
    split = [{**row, "split": "x" if n else "y"} for n, row in enumerate(rotated)]
    assert sizes(split, split="x") == [1, 3, 3]
    # The last two of four rotations are missing, as the number of options tells.
    four = {"C": "ox", "D": "emu"}
    assert sizes([row(index="3", **four), row(index="1000003", **four)]) == [4, 4]
    # Numbered by ten million, because another index is beyond a million.
    far = [row(index=str(number * 10_000_000 + 3), g_index="3") for number in range(3)]
    assert sizes(far) == [3, 3, 3]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([row(index="3"), row(index="1000003"), row(index="4")], "1 of 2 questions"),
        ([row(index="3", g_index="3"), row(index="5", g_index="3"), row()], "1 of 2 questions"),
        ([row(index="3", g_index="3"), row(index="5", g_index="5")], None),
        # Indices beyond a million are no rotations of questions that are not there.
        ([row(index="3"), row(index="1000004"), row(index="2000005")], None),
    ],
)
def test_rotations_are_scored_together_and_that_is_told(rows, told, write_tsv, caplog) -> None:
    with caplog.at_level(logging.INFO, logger="chef"):
        scenario = Tsv(path=write_tsv(rows))
    assert scenario.metric == ("MMBenchVQA" if told else "Accuracy")
    assert len(caplog.records) == (1 if told else 0)
    assert told is None or f"scored circularly, as {told}" in caplog.text
    assert Tsv(path=write_tsv(rows), kind="vqa").metric == "Accuracy"


def test_a_rotation_without_an_answer_leaves_its_question_out(write_tsv: Write) -> None:
    scenario = Tsv(path=write_tsv([row(index="3"), row(index="1000003"), row(index="4")]))
    answers = [
        Prediction(sample.id, Status.OK, sample.answer, sample=sample.to_record())
        for sample in (scenario[0], scenario[2])
    ]
    metrics = METRICS.get("MMBenchVQA")().evaluate(answers).metrics
    assert (metrics["circular_acc"].n, metrics["incomplete_groups"].value) == (1, 1)


def test_questions_about_one_image_are_scored_together(tmp_path: Path) -> None:
    """MME's figure of images needs to know which two questions are about one."""
    lines = ["index\tquestion\tanswer\tcategory\timage_path"]
    lines += [f"{n}\tIs it?\t{'Yes' if n % 2 else 'No'}\tcount\t{n // 2}.png" for n in range(4)]
    path = tmp_path / "MME.tsv"
    path.write_text("\n".join(lines) + "\n")
    scenario = Tsv(path=str(path), image_root=str(tmp_path))
    for place in range(2):
        PIL.Image.new("RGB", (2, 2)).save(tmp_path / f"{place}.png")
    samples = [scenario[place] for place in range(4)]
    answers = ["no", "yes", "no", "no"]
    rows = [
        Prediction(sample.id, Status.OK, answer=answer, sample=sample.to_record())
        for sample, answer in zip(samples, answers, strict=True)
    ]
    ours = METRICS.get("MMEVQA")().evaluate(rows).metrics
    assert (ours["overall"].value, ours["overall_plus"].value, ours["overall_plus"].n) == (
        75,
        50,
        2,
    )
    assert (ours["count"].value, ours["count_plus"].value) == (75, 50)
    theirs = METRICS.get("MMEVQA", compat="vlmevalkit")().evaluate(rows).metrics
    assert theirs["count"].value == 75 + 50


def test_the_kind_of_a_split_without_answers_is_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "s.tsv"
    rows = ["index\tquestion\tsplit\tanswer", "1\tIs it?\tdev\tYes", "2\tIs it?\ttest\t"]
    path.write_text("\n".join(rows) + "\n")
    assert [Tsv(path=str(path), split=split).kind for split in ("dev", "test")] == ["yesno"] * 2
