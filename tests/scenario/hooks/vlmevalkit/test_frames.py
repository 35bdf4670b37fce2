"""Rows that a class loads itself, references between rows, conversations, and literals."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from scenario.hooks.vlmevalkit.conftest import Put, Run, choice_row

from chef.errors import ChefError, DataError, SampleError
from chef.instruction.pools import load_pool
from chef.scenario.hooks.vlmevalkit.base import ImageBaseDataset
from chef.scenario.hooks.vlmevalkit.files import dump, load, read_frame, with_images
from chef.scenario.hooks.vlmevalkit.helpers import istype, toliststr
from chef.scenario.hooks.vlmevalkit.prompts import OPEN, POOLS, prompt_of

FRAME = """\
from vlmeval.dataset import ImageBaseDataset
from vlmeval.smp import *

class Mine(ImageBaseDataset):
    TYPE = "Y/N"

    @classmethod
    def supported_datasets(cls):
        return ["Mine_A", "Mine_B"]

    def load_data(self, dataset):
        table = load(osp.join(LMUDataRoot(), "Source.tsv"))
        table["question"] = "Is it a " + table["A"] + "?"
        table["answer"] = ["yes" if item == "A" else "no" for item in table["answer"]]
        return table

    def post_build(self, dataset):
        if dataset == "Mine_B":
            self.data = self.data.iloc[:2]
"""


def test_rows_that_a_class_loads_and_changes(put: Put, run: Run) -> None:
    put("Source", [choice_row(number) for number in range(4)])
    report = run(FRAME, "Mine_B")
    assert report.metrics["Accuracy"].n == 2
    line = json.loads((report.folder / "predictions.jsonl").read_text().splitlines()[0])
    row = choice_row(int(line["id"]))
    assert line["sample"]["question"] == f"Is it a {row['A']}?"
    assert line["sample"]["gt_answers"] == ("Yes" if row["answer"] == "A" else "No")
    assert run(FRAME, "Mine_A").metrics["Accuracy"].n == 4


def test_a_row_that_was_corrected_is_asked_again(put: Put, run: Run) -> None:
    rows = [choice_row(number) for number in range(4)]
    put("Source", rows)
    folder = run(FRAME, "Mine_A").folder
    put("Source", [rows[0], {**rows[1], "A": "unicorn"}, *rows[2:]])
    assert run(FRAME, "Mine_A").folder == folder
    asked = [json.loads(line) for line in (folder / "predictions.jsonl").read_text().splitlines()]
    assert sorted(line["id"] for line in asked[4:]) == ["1", "1"]  # that it has changed; the answer
    assert "unicorn" in asked[-1]["trace"]["query"]


TALK = """\
from vlmeval.dataset.image_mt import ImageMTDataset
from vlmeval.smp import *

class Talk(ImageMTDataset):
    DATASET_URL = {"Talk": ""}

    def evaluate(self, eval_file, **judge_kwargs):
        data = load(eval_file)
        return pd.DataFrame([{"turn": f"turn {n}", "said": sum(len(toliststr(p)) > n
                              for p in data["prediction"])} for n in range(3)])
"""


def test_a_conversation(put: Put, run: Run, desk: Path) -> None:
    questions = ["What is on <ImageHere>?", "Is it red?"]
    row = {"index": "a", "image": choice_row(0)["image"], "question": repr(questions)}
    put("Talk", [{**row, "answer": json.dumps(["a cross", "yes"])}])
    (desk / "mine.py").write_text(TALK)
    (desk / "talk.yaml").write_text(
        "plugins: [mine.py]\nscenario_cfg: {dataset_name: Talk}\neval_cfg:\n"
        "  instruction_cfg: {prompt_type: multiturn}\n"
        "  inferencer_cfg: {inferencer_type: Multi_Direct, conversational: true}\n"
    )
    import chef

    report = chef.evaluate("tiny", desk / "talk.yaml", save_dir=desk / "results")
    assert {name: item.value for name, item in report.metrics.items()} == {
        "turn 0/said": 1.0,
        "turn 1/said": 1.0,
        "turn 2/said": 0.0,
    }
    (line,) = map(json.loads, (report.folder / "predictions.jsonl").read_text().splitlines())
    said = line["answer"]
    shown = line["trace"]["query"]
    assert shown.index("What is on") < shown.index(said[0]) < shown.index("Is it red?")
    assert line["sample"]["gt_answers"] == ["a cross", "yes"]


def test_references_between_rows() -> None:
    long = "x" * 70
    other = "y" * 70
    given = {
        1: (long, long),
        2: ("1", long),  # before it
        3: ("4", long),  # after it, and over another one
        4: ("2", long),
        5: (f"['{long}', '{other}']", [long, other]),
        6: ("['1', ' 7']", [long, other]),  # in a list
        7: (f'["{other}"]', other),
        8: ("5", [long, other]),
        9: ("9", "form a circle: rows 9 -> 9"),
        10: ("11", "form a circle: rows 10 -> 11 -> 10"),
        11: ("10", "form a circle: rows 11 -> 10 -> 11"),
        12: ("99", "refers to the image of '99', but no valid row has that index"),
        13: ("a.png", "refers to the image of 'a.png', but no valid row has that index"),
        14: ("['5']", "a list names a row that has several images itself"),
        15: (f"['{long}', ", "the list in column 'image' cannot be read"),
    }
    cells = [cell for cell, _ in given.values()]
    frame = pd.DataFrame({"index": list(given), "image": cells})
    found = list(with_images(frame, skip_noimg=True, where="t")["image"])
    for row, (_, wanted) in zip(found, given.values(), strict=True):
        if isinstance(row, SampleError):
            assert str(wanted) in row.what
        else:
            assert row == wanted


def test_a_reference_to_a_row_without_an_image() -> None:
    frame = pd.DataFrame({"index": ["a", "b"], "image": ["b", None]})
    kept, _ = with_images(frame, skip_noimg=False, where="t")["image"]
    assert "row 'b', which has no image" in kept.what


@pytest.mark.parametrize(
    ("content", "wanted", "hint"),
    [
        ("", "is empty", "header"),
        ("index\tquestion\n", "has no rows", "add a row"),
        ("index,question\n1,a\n", "is no TSV", "not by commas"),
        ("index\tindex\n1\ta\n", "names the column 'index' twice", "rename"),
        ("index\tquestion\n1\n2\tb\n", "row 1: 1 cells, but the header names 2", "quote"),
        ("index\tquestion\n1\ta\tb\n", "row 1: 3 cells, but the header names 2", "quote"),
        ('index\tquestion\n1\t"a\n', "is no TSV: Error tokenizing", "quote"),
        ("<html>\n", "is a web page", "download the file itself"),
        ("index\timage\n1\t\n", "no row has an image", "skip_noimg: false"),
        ("index\tquestion\n1\tcaf\xe9\n", "is not UTF-8", "iconv"),
    ],
)
def test_tables_that_are_none(tmp_path: Path, content: str, wanted: str, hint: str) -> None:
    file = tmp_path / "t.tsv"
    file.write_bytes(content.encode("latin-1"))
    with pytest.raises(DataError) as raised:
        with_images(read_frame(file), skip_noimg=True, where=str(file))
    assert wanted in raised.value.what
    assert raised.value.where == str(file)
    assert hint in str(raised.value.hint)


@pytest.mark.parametrize(
    ("frame", "wanted"),
    [
        ([1, 2], "returned a list"),
        (pd.DataFrame({"id": [1]}), "no column 'index', but id"),
        (pd.DataFrame({"index": [1, 1]}), "two rows have the index '1'"),
        (pd.DataFrame({"index": [1, None]}), "row 2 has no index"),
    ],
)
def test_frames_that_are_none(frame: object, wanted: str) -> None:
    with pytest.raises(DataError, match=wanted):
        with_images(frame, skip_noimg=True, where="t")


def test_indices_are_numbers_only_if_all_are() -> None:
    def indices(*given: object) -> list[object]:
        frame = with_images(pd.DataFrame({"index": given}), skip_noimg=True, where="t")
        return list(frame["index"])

    assert indices("1", "20") == [1, 20]
    assert indices("1", "007") == ["1", "007"]
    assert indices("True", "2") == ["True", "2"]


def test_nothing_is_evaluated(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    code = f"[__import__('pathlib').Path({str(marker)!r}).touch()]"
    assert toliststr(code) == [code]
    assert not istype(code, list)
    frame = pd.DataFrame({"index": ["1"], "image": [code * 3]})
    with_images(frame, skip_noimg=True, where="t")
    assert not marker.exists()


def test_a_pickle_is_not_read(tmp_path: Path) -> None:
    import pickle

    file = tmp_path / "a.pkl"
    file.write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(DataError, match="is a pickle"):
        load(file)
    dump({3: "three", "x": [1.5, None]}, file)
    assert load(file) == {3: "three", "x": [1.5, None]}


@pytest.mark.parametrize("ending", ["xlsx", "tsv", "csv"])
def test_only_empty_cells_are_missing(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"t.{ending}"
    dump(pd.DataFrame({"index": [1, 2], "A": ["None", "NA"], "B": ["null", None]}), file)
    table = load(file)
    assert list(table["A"]) == ["None", "NA"]
    assert table["B"][0] == "null"
    assert pd.isna(table["B"][1])


def test_a_cell_that_a_workbook_would_cut(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="more than 32767 characters"):
        dump(pd.DataFrame({"a": ["x" * 32768]}), tmp_path / "t.xlsx")
    assert not (tmp_path / "t.xlsx").exists()


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        (None, "returned None"),
        ([{"type": "text"}], "no value"),
        ([{"type": "text", "value": "a", "role": "system"}], "turns of system"),
    ],
)
def test_messages_that_are_none(message: object, wanted: str) -> None:
    with pytest.raises(SampleError, match=wanted):
        prompt_of(message, "Mine.build_prompt")


def test_marks_of_images_are_in_no_text(tmp_path: Path) -> None:
    parts = [
        {"type": "text", "value": "Is <image 1> like"},
        {"type": "image", "value": str(tmp_path / "1.png")},
        {"type": "text", "value": "this?"},
    ]
    prompt = prompt_of(parts, "Mine.build_prompt")
    assert prompt.image_marks == ("<<image 1>>",)
    assert prompt.question.count("<<image 1>>") == 1


def test_the_first_prompts_are_those_of_the_pools() -> None:
    for pool, prompt in POOLS.values():
        assert load_pool(pool).prompts[0] == prompt
    assert load_pool("vlmevalkit_mcq").forms[OPEN[0]][0] == OPEN[1]


def test_an_option_that_is_a_missing_value_elsewhere_is_asked(put: Put, desk: Path) -> None:
    put("None", [choice_row(0, A="None", B="N/A")])

    class Mine(ImageBaseDataset):
        TYPE = "MCQ"
        DATASET_URL = {"None": ""}  # noqa: RUF012

    (_, text) = Mine().build_prompt(0)
    assert "\nA. None\nB. N/A\n" in text["value"]
    with pytest.raises(ChefError, match="there is no row 1"):
        Mine().build_prompt(1)
