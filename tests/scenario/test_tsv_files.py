"""Files of TSV: bad ones, changed ones, large ones, and texts that survive."""

from __future__ import annotations

import hashlib
import pickle
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.errors import DataError, SampleError
from chef.scenario.tsv.scenario import Tsv

Write = Callable[..., str]
MCQ = {"index": "1", "question": "What is it?", "A": "cat", "B": "dog", "C": "", "answer": "B"}


def row(**changes: str) -> dict[str, str]:
    return {**MCQ, **changes}


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"index\tquestion\n", "contains only a header"),
        (b"question\tA\tB\nQ\ta\tb\n", "no column 'index'"),
        (b"index,question\n1,Q\n", "by tabs, not by commas"),
        (b"index\tanswer\n1\tx\n", "no column 'question'"),
        (b"index\tquestion\tquestion\n1\tQ\tQ\n", "'question' twice"),
        ("index\tquestion\n1\tQ\n".encode("utf-16"), "not UTF-8"),
        ("index\tquestion\n1\tcafé\n2\tété\n".encode("latin-1"), "not UTF-8: byte 0xe9"),
        (b"index\tquestion\n1\n2\n", "no row can be used; the first: 1 cells"),
    ],
)
def test_a_bad_file_is_refused(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "bad.tsv"
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        Tsv(path=str(path))
    assert what in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    assert not isinstance(caught.value, SampleError)


def test_options_are_needed_for_multiple_choice(write_tsv: Write) -> None:
    with pytest.raises(DataError, match="no option columns"):
        Tsv(path=write_tsv([{"index": "1", "question": "Q", "A": "a"}]), kind="mcq")


def test_a_missing_file_is_refused_with_its_neighbour(write_tsv: Write, tmp_path: Path) -> None:
    path = Path(write_tsv([MCQ], "MMBench.tsv"))
    for md5 in (None, "0" * 32):
        with pytest.raises(DataError, match=r"cannot be read(.|\n)*did you mean 'MMBench.tsv'"):
            Tsv(path=str(path.with_name("MMBnech.tsv")), md5=md5)
    with pytest.raises(DataError, match="not its folder"):
        Tsv(path=str(tmp_path))
    with pytest.raises(DataError, match="there is no folder"):
        Tsv(path=str(tmp_path / "none" / "x.tsv"))


def test_a_tilde_is_the_home_folder(write_tsv: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(write_tsv([{**MCQ, "image_path": "x.png"}]))
    path.with_name("x.png").touch()
    monkeypatch.setenv("HOME", str(path.parent))
    assert len(Tsv(path=f"~/{path.name}", image_root="~")[0].images) == 1


def test_md5_is_checked_when_given(write_tsv: Write) -> None:
    path = write_tsv([MCQ])
    md5 = hashlib.md5(Path(path).read_bytes()).hexdigest()
    assert len(Tsv(path=path, md5=md5.upper())) == 1
    with pytest.raises(DataError, match=f"md5 is {md5}, expected 0123"):
        Tsv(path=path, md5="0123")


def test_a_file_that_changes_under_the_run_is_noticed(write_tsv: Write) -> None:
    path = write_tsv([MCQ])
    scenario = Tsv(path=path)
    write_tsv([row(question="Another one?")])
    with pytest.raises(DataError, match="has changed since it was opened"):
        scenario[0]


def test_a_bom_and_windows_line_breaks_are_no_data(tmp_path: Path) -> None:
    path = tmp_path / "w.tsv"
    path.write_bytes(b'\xef\xbb\xbf"index"\t"question"\r\n"1"\t"Q"\r\n2\tR\r\n')
    scenario = Tsv(path=str(path))
    assert [(scenario[n].id, scenario[n].question) for n in (0, 1)] == [("1", "Q"), ("2", "R")]


def test_it_travels_to_another_process(write_tsv: Write) -> None:
    scenario = Tsv(path=write_tsv([MCQ]))
    assert pickle.loads(pickle.dumps(scenario))[0] == scenario[0]


TEXT = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20)
WORDS = TEXT.filter(str.strip)


@settings(max_examples=60)
@given(question=WORDS, options=st.lists(TEXT, min_size=2, max_size=26), choice=st.integers(0, 25))
def test_any_text_survives(question: str, options: list[str], choice: int) -> None:
    choice %= len(options)
    labels = [chr(ord("A") + n) for n in range(len(options))]
    cells = ["1", question, *options, labels[choice]]
    lines = [["index", "question", *labels, "answer"], cells]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.tsv"
        quoted = ["\t".join('"' + text.replace('"', '""') + '"' for text in line) for line in lines]
        path.write_bytes("\n".join(quoted).encode())
        sample = Tsv(path=str(path))[0]
    assert sample.fields["choices"] == options
    assert sample.fields["gt_choice"] == choice
    assert f"Question: {question.strip()}\n" in sample.question


def test_start_up_holds_no_images(write_tsv: Write) -> None:
    image = "QUJD" * 75_000
    path = write_tsv([row(index=str(n), image=image) for n in range(100)])
    assert Path(path).stat().st_size > 30_000_000
    tracemalloc.start()
    try:
        scenario = Tsv(path=path)
        assert scenario[50].images
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 6_000_000
