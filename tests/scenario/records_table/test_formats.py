"""The same rows in every format give the same samples."""

from __future__ import annotations

import json
import pickle
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scenario.records_table.conftest import FORMATS, failure, png, write

from chef.common.digest import content_digest
from chef.errors import DataError, DependencyError
from chef.scenario import SCENARIOS
from chef.scenario.table.opening import open_table
from chef.scenario.table.scenario import Records
from chef.scenario.tsv.scenario import Tsv

Make = Callable[..., Records]
COLORS = ("red", "blue", "green", "black", "white", "yellow", "gray")
ROWS = [
    {
        "id": f"q{n}",
        "question": f'What "color", {n}?\nLook.',
        "image": {"bytes": png(color), "path": None},
        "options": [color, "pink"],
        "answer": "A" if n % 2 else color,
        "category": "gray" if color in ("black", "white", "gray") else "hue",
    }
    for n, color in enumerate(COLORS)
]


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_gives_the_same_samples(records: Make, suffix: str) -> None:
    assert SCENARIOS.get("Records") is Records
    scenario = records(ROWS, f"colors.{suffix}")
    assert (scenario.name, scenario.kind, len(scenario)) == ("colors", "mcq", len(COLORS))
    assert (scenario.wording, scenario.metric, scenario.random_accuracy) == ("VQA", "Accuracy", 0.5)
    sample = scenario[1]
    assert sample.id == scenario.sample_id(1) == "q1"
    assert sample.question == 'Question: What "color", 1?\nLook.\nOptions:\n(A) blue\n(B) pink'
    assert (sample.options, sample.answer) == (("(A", "(B"), "(A)")
    assert sample.fields == {
        "choices": ["blue", "pink"], "labels": ["A", "B"], "gt_choice": 0, "category": "hue",
    }  # fmt: skip
    (image,) = sample.images
    assert image.load().getpixel((0, 0)) == (0, 0, 255)
    assert image.where == {"path": scenario._table.path, "row": 2, "image": 1}


@pytest.mark.parametrize("suffix", FORMATS)
def test_rows_are_read_in_any_order_and_in_other_processes(records: Make, suffix: str) -> None:
    scenario = records(ROWS, f"colors.{suffix}")
    for index in (6, 0, 3, 3, 1, 5):
        assert scenario[index].fields["choices"][0] == COLORS[index]
    copy = pickle.loads(pickle.dumps(scenario))
    assert copy[4].fields["choices"][0] == "white"
    assert [copy.sample_id(n) for n in range(7)] == [f"q{n}" for n in range(7)]


def test_the_shards_of_a_folder_are_one_table(tmp_path: Path) -> None:
    folder = tmp_path / "colors"
    (folder / "data").mkdir(parents=True)
    write(folder / "data" / "test-00000-of-00002.parquet", ROWS[:4])
    write(folder / "data" / "test-00001-of-00002.parquet", ROWS[4:])
    write(folder / "data" / "train-00000-of-00001.parquet", ROWS[:1])
    scenario = Records(path=str(folder), split="test")
    assert (scenario.name, len(scenario)) == ("colors", 7)
    assert scenario[5].fields["choices"][0] == "yellow"
    assert scenario[5].images[0].where["row"] == 2  # of the second file
    assert len(scenario.row_digests()) == 7
    with pytest.raises(DataError, match="has no column with the split"):
        Records(path=str(folder), split="dev")


def test_several_formats_in_a_folder_need_a_choice(tmp_path: Path) -> None:
    write(tmp_path / "a.csv", ROWS[:2])
    write(tmp_path / "b.jsonl", ROWS[:3])
    with pytest.raises(DataError, match=r"several formats: csv, jsonl(.|\n)*set format"):
        Records(path=str(tmp_path))
    assert len(Records(path=str(tmp_path), format="jsonl")) == 3


@pytest.mark.parametrize(
    ("name", "document", "keys", "ids"),
    [
        ("a.json", {"info": {"x": [1]}, "data": [{"question": "q"}]}, {}, ["1"]),
        ("a.json", {"a": [{"question": "q"}], "b": [{"question": "r"}]}, {"within": "b"}, ["1"]),
        ("a.json", {"x1": {"question": "q"}, "x\"2": {"question": "r"}}, {}, ["x1", "x\"2"]),
        ("a.jsonl", [{"question": "q"}, {"question": "r"}], {}, ["1", "2"]),  # misnamed
    ],
)  # fmt: skip
def test_forms_of_json_documents(
    records: Make, name: str, document: Any, keys: dict[str, Any], ids: list[str]
) -> None:
    scenario = records(json.dumps(document), name, **keys)
    assert [scenario.sample_id(n) for n in range(len(scenario))] == ids
    assert scenario[0].question == ("r" if keys else "q")


def test_json_lines_in_a_file_called_json(records: Make) -> None:
    scenario = records('{"question": "a {] \\" b"}\n\n{"question": "c"}\n', "a.json")
    assert [scenario[n].question for n in range(2)] == ['a {] " b', "c"]


def test_strings_that_look_like_structure(records: Make) -> None:
    texts = ['}],"', "\\", '\\"', "[[", '{"a":', "é" * 70_000, "x"]
    rows = [{"question": text, "meta": {"deep": [[text, {}], []]}} for text in texts]
    scenario = records(json.dumps(rows, indent=1), "a.json")
    assert [scenario[n].question for n in range(len(texts))] == texts


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators_of_csv(records: Make, separator: str) -> None:
    lines = ["\ufeffid{s}question{s}answer", '7{s}"a{s}b"{s}yes', "8{s}c{s}no", ""]
    scenario = records("\r\n".join(lines).replace("{s}", separator), "a.csv")
    assert (scenario[0].id, scenario[0].question) == ("7", f"a{separator}b")
    assert (scenario.kind, scenario.metric) == ("yesno", "YesNo")


def test_lines_of_separators_are_no_rows(records: Make) -> None:
    scenario = records('\n,,\nid,question,answer\n\n1,q,yes\n,"",\n2,q,no\n,,\n', "a.csv")
    assert [scenario[n].id for n in range(len(scenario))] == ["1", "2"]


def test_decimal_commas_where_semicolons_part_cells(records: Make) -> None:
    """As Excel writes tables in most of Europe; 1,500 may also be a number of thousands."""
    rows = ["id;question;answer", "1;q;1,5", "2;q;1,500", "3;q;red, blue", "4;q;-0,25"]
    scenario = records("\n".join(rows), "a.csv")
    answers = [scenario[n].to_record()["gt_answers"] for n in range(4)]
    assert answers == [["1,5", "1.5"], ["1,500"], ["red, blue"], ["-0,25", "-0.25"]]


@pytest.mark.parametrize(
    ("others", "is_decimal"),
    [
        (["3", "-0,25", "2,250"], True),
        (["here", "2,2"], False),  # a pair of numbers, perhaps
        (["2.5", "3"], False),
        (["1,500"], True),
    ],
)
def test_decimal_commas_where_all_answers_are_numbers_without_a_point(
    tmp_path: Path, others: list[str], is_decimal: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """In every format; of thousands, as in 1,500, nobody writes two digits behind the comma."""
    caplog.set_level("INFO")
    answers = ["1,5", *others]
    (tmp_path / "a.jsonl").write_text(
        "".join(json.dumps({"question": "q", "answer": answer}) + "\n" for answer in answers)
    )
    lines = ["index\tquestion\tanswer", *(f"{n}\tq\t{one}" for n, one in enumerate(answers))]
    (tmp_path / "b.tsv").write_text("\n".join(lines) + "\n")
    wanted = ["1,5", "1.5"] if is_decimal else ["1,5"]
    for scenario in (Records(path=str(tmp_path / "a.jsonl")), Tsv(path=str(tmp_path / "b.tsv"))):
        assert scenario[0].to_record()["gt_answers"] == wanted
    assert ("1,5 is 1.5" in caplog.text) is is_decimal


def test_thousands_alone_stay_thousands(records: Make) -> None:
    scenario = records('id,question,answer\n1,q,"1,500"\n2,q,"12,250"\n', "a.csv")
    assert scenario[0].to_record()["gt_answers"] == ["1,500"]


@pytest.mark.parametrize(
    "content",
    ['{"question": ["q", "r"], "answer": ["x", "y"]}',
     '{"columns": ["question", "answer"], "index": [0, 1], "data": [["q", "x"], ["r", "y"]]}'],
)  # fmt: skip
def test_the_command_of_the_hint_writes_the_rows_of_columns(
    records: Make, tmp_path: Path, content: str
) -> None:
    with pytest.raises(DataError) as caught:
        records(content, "a.json")
    command = re.search(r'python -c "(.*)"', caught.value.hint or "")
    assert command is not None
    exec(command[1])
    (written,) = tmp_path.rglob("a.jsonl")
    rows = Records(path=str(written))
    assert [(sample.question, sample.answer) for sample in map(rows.__getitem__, range(2))] == [
        ("q", ["x"]),
        ("r", ["y"]),
    ]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.jsonl", "", "has no row"),
        ("a.jsonl", "\n \n", "has no row"),
        ("a.json", "[]", "has no row"),
        ("a.json", "5", "no list of objects"),
        ("a.json", '{"a": "b"}', "a mapping with no list of objects"),
        ("a.json", '{"a": [{}], "b": [{}]}', r"several lists of objects(.|\n)*known: a, b"),
        ("a.json", '[{"question": "q"}, {"quest', "ends too early"),
        ("a.json", '[{"question": "q"} {"question": "r"}]', r"there is '\{' at byte 19"),
        ("a.json", '[{"question": "q"}] 7', "there is '7' at byte 20"),
        ("a.json", '{"0": {"0": "q"}}', "orient='records'"),
        ("a.json", '{"question": ["q"], "answer": ["r"]}', r"read_json\('\S*a.json'\).to_json"),
        ("a.json", '{"columns": ["question"], "data": [["q"]]}', "a.json', orient='split'"),
        ("a.csv", "", "is empty"),
        ("a.csv", "question,answer\n", "has no row"),
        ("a.csv", "question,question\nq,r\n", "the column 'question' twice"),
        ("a.csv", b"caf\xe9,question\n", "is not UTF-8"),
        ("a.csv", "question\n".encode("utf-16"), r"iconv -f utf-16 -t utf-8 \S*a.csv > NEW.csv"),
        ("a.csv", "question,id\n".encode("utf-16-le"), r"iconv -f utf-16le -t utf-8 \S*a.csv"),
        ("a.jsonl", '{"question": 1}'.encode("utf-16-be"), "iconv -f utf-16be -t utf-8"),
        ("a.csv", "question,A\rq,x\r", r"tr '\\r' '\\n' < \S*a.csv > NEW.csv"),
        ("a.csv", "\ufeffsep=;\nquestion;A\nq;x\n", r"tail -n \+2 \S*a.csv > NEW.csv"),
        ("a.tsv", "question,A\nq,x\n", r"no tab in its first line(.|\n)*format: csv"),
        ("a.csv", '{"question": "q"}', "is JSON, not csv"),
        ("a.csv", "<!DOCTYPE html>\n", "is a web page"),
        ("a.jsonl", "version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
        ("a.jsonl", b"PAR1", "set format: parquet"),
        ("a.jsonl.gz", b"\x1f\x8b", "unpack it"),
        ("a.xlsx", b"PK\x03\x04", "cannot be read as .xlsx"),
        ("a.xls", b"\xd0\xcf", "pandas.read_excel"),
        ("a.txt", "question\n", "set format in scenario_cfg"),
        ("a.parquet", b"PAR1 nothing", "cannot be read: .*(.|\n)*write it again"),
        ("a.arrow", b"ARROW1..", "cannot be read"),
        ("a.jsonl", "[1]\n2\n", r"no row can be used; the first: the row is"),
    ],
)
def test_files_that_are_no_table(
    records: Make, name: str, content: str | bytes, words: str
) -> None:
    with pytest.raises(Exception, match=words) as caught:
        records(content, name)
    assert name in str(caught.value)


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    import os

    for name in ("pipe.jsonl", "pipe.parquet", "pipe.arrow"):
        os.mkfifo(tmp_path / name)
        with pytest.raises(DataError, match="is a named pipe"):
            Records(path=str(tmp_path / name))
    with pytest.raises(DataError, match="source: hub"):
        Records(path="https://example.org/a.jsonl")
    (tmp_path / "there.jsonl").write_text("{}")
    with pytest.raises(DataError, match=r"did you mean 'there\.jsonl'"):
        Records(path=str(tmp_path / "theer.jsonl"))


def test_bad_rows_are_errors_with_their_number_and_the_rest_runs(records: Make) -> None:
    lines = [
        b'{"id": 1, "question": "q", "answer": "x"}',
        b"[1]",
        b'{"id": 2, "question": ',
        b"",
        b'{"id": 1, "question": "q", "answer": "x"}',
        b'{"question": "q", "answer": "x"}',
        b'{"id": 5, "question": "caf\xe9", "answer": "x"}',
        b'{"id": 6, "question": NaN, "answer": "x"}',
        b'{"id": 7, "question": ["q"], "answer": "x"}',
        b'{"id": 8, "question": "q", "answer": {"a": 1}}',
        b'{"id": 9, "question": "q", "answer": []}',
        b'{"id": 10, "question": "q", "answer": ["x", null]}',
        b'{"id": 11, "question": "q", "answer": Infinity}',
        b'{"id": [12], "question": "q", "answer": "x"}',
        b'{"id": 13, "question": "q", "answer": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        b'{"id": 14, "question": "q", "answer": NaN}',
    ]
    scenario = records(b"\xef\xbb\xbf" + b"\r\n".join(lines))
    path = scenario._table.path
    assert (scenario[0].answer, scenario[14].answer) == (["x"], None)
    for index, what in {
        1: "row 2: the row is a list, not an object",
        2: "row 3: it is not valid JSON",
        3: "row 4: column 'id': the id '1' is that of row 1",
        4: "row 5: column 'id': the id is missing",
        5: "row 6 (id '5'): not UTF-8: byte 0xe9",
        6: "row 7 (id '6'): the question is missing (column 'question')",
        7: "row 8 (id '7'): column 'question' holds a list, not a text",
        8: "row 9 (id '8'): column 'answer': 'answer' is {'a': 1}, not a text",
        9: "row 10 (id '9'): column 'answer': the list of answers is empty",
        10: "row 11 (id '10'): column 'answer': 'answer[1]' is None, not a text",
        11: "row 12 (id '11'): column 'answer': 'answer' is inf, not a text",
        12: "row 13: 'id' is [12], not a text",
        13: "row 14: it is nested too deeply",
    }.items():
        message = failure(scenario, index)
        assert message.startswith(f"{path}: {what}")
        assert "\n  -> " in message
    ids = [scenario.sample_id(n) for n in range(len(scenario))]
    assert len(set(ids)) == len(ids) == 15
    assert ids[1:5] == ["row 2", "row 3", "1 (row 4)", "row 5"]


def test_bad_rows_of_a_csv(records: Make) -> None:
    content = b'id,question,answer\n1,q\n2,caf\xe9,x\n3,"a, b",x\n3,c,x\n'
    scenario = records(content, "a.csv")
    assert scenario[2].question == "a, b"
    assert "row 1: 2 cells, but the header names 3 columns" in failure(scenario, 0)
    assert "row 2 (id '2'): not UTF-8: byte 0xe9" in failure(scenario, 1)
    assert "row 4: column 'id': the id '3' is that of row 3" in failure(scenario, 3)


def test_a_damaged_page_of_parquet_names_the_file(records: Make, tmp_path: Path) -> None:
    scenario = records(ROWS, "a.parquet")
    content = bytearray(Path(scenario._table.path).read_bytes())
    content[4:400] = bytes(396)
    path = tmp_path / "b.parquet"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"b\.parquet: cannot be read"):
        Records(path=str(path), columns={"id": None})[0]


def test_a_file_that_was_written_meanwhile_is_refused(records: Make) -> None:
    for suffix in FORMATS:
        scenario = records(ROWS, f"a.{suffix}")
        write(Path(scenario._table.path), ROWS[:3])
        with pytest.raises(DataError, match="has changed since it was opened"):
            scenario[0]


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_without_pyarrow_the_command_that_installs_it_is_said(
    records: Make, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = records(ROWS, f"a.{suffix}")._table.path
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DependencyError, match=r"pip install 'chef-eval\[parquet\]'"):
        Records(path=path)


def test_a_misspelt_path_within_a_column_is_named(records: Make) -> None:
    rows = [{"data": {"query": "a?", "gt": "x"}}]
    scenario = records(rows, "a.jsonl", columns={"question": "data.qery", "answer": "data.gt"})
    error = failure(scenario, 0)
    assert "(column 'data.qery')" in str(error)
    assert "'data' has no 'qery': did you mean 'query'?" in str(error)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("a.tsv", "question\tanswer\nq\tyes,\n", "question\tanswer\nq\tyes\n"),
        ("a.csv", "question;answer\nq;yes,\n", "question;answer\nq;yes\n"),
        ("a.csv", "question,answer,hint\nq,yes,\n", "question,answer,hint\nq,yes\n"),
        ("a.jsonl", '{"question": "q", "answer": "a"},\n', '{"question": "q", "answer": "a"}\n'),
    ],
)
def test_rows_that_differ_in_a_comma_have_two_digests(
    tmp_path: Path, name: str, one: str, other: str
) -> None:
    digests = []
    for text in (one, other):
        (tmp_path / name).write_text(text)
        digests.append(list(open_table(str(tmp_path / name)).digests()))
    assert digests[0] != digests[1]


def test_a_row_with_empty_cells_at_its_end_keeps_the_digest_of_earlier_journals(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.csv").write_text("question,answer,hint\nq,a,\n")
    head = "question\tanswer\thint\n"
    expected = [content_digest(head, b"q,a", size=8)]
    assert list(open_table(str(tmp_path / "a.csv")).digests()) == expected


def test_the_fingerprint_of_questions_alone_is_the_same_each_time(records: Make) -> None:
    keys = {"kind": "vqa", "columns": {"answer": None}}
    prints = {
        records([{"question": "q?"}, {"question": "r?"}], "a.jsonl", **keys).fingerprint()
        for _ in range(3)
    }
    assert len(prints) == 1
