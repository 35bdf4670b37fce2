"""ScienceQA: the text of its questions, other words for its letters, corrupted copies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chef.errors import ConfigError, DataError, SampleError
from chef.scenario.parts.robustness import Verbalizer, read_option_map
from chef.scenario.scienceqa import ScienceQA, split_query
from chef.scenario.upstream.chef import ScienceQA as UpstreamScienceQA

RECORD = {
    "id": "7",
    "image": "sqaimage_images/7.png",
    "query": "Which is a pet?\nContext: Some text.\nOptions: (A) oak (B) cat (C) rock",
    "gt_choice": 1,
    "gt_choices": ["oak", "cat", "rock"],
}


def write(file: Path, records: list[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(records))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "meta_file" / "VQA_ScienceQA.json", [RECORD])
    return tmp_path


def only(root: Path, kind: type[ScienceQA] = ScienceQA, **keys: Any) -> Any:
    return kind(base_data_path=str(root), **keys)[0]


def test_the_context_is_left_out_and_letters_are_scored(root: Path) -> None:
    sample = only(root)
    assert sample.question == "Question: Which is a pet?\nOptions: (A) oak (B) cat (C) rock"
    assert sample.options == ("(A", "(B", "(C")
    assert sample.answer == "(B)"
    assert sample.fields["gt_choice"] == 1
    assert sample.fields["choices"] == sample.fields["gt_choices"] == ["oak", "cat", "rock"]
    assert sample.images[0].name == str(root / "sqaimage_images/7.png")


def test_upstream_keeps_the_line_break(root: Path) -> None:
    question = only(root, UpstreamScienceQA).question
    assert question == "Question: Which is a pet?\nOptions: (A) oak (B) cat (C) rock\n"


def test_options_with_their_content(root: Path) -> None:
    sample = only(root, option_content=True)
    assert sample.options == ("(A) oak", "(B) cat", "(C) rock")
    assert sample.fields["labels"] == ["A", "B", "C"]


def test_generative_shows_no_options_and_scores_texts(root: Path) -> None:
    sample = only(root, generative=True)
    assert sample.question == "Question: Which is a pet?"
    assert sample.options == ("oak", "cat", "rock")
    assert sample.answer == "cat"
    assert "labels" not in sample.fields


@pytest.mark.parametrize("query", ["No options here?", "What? Options: (A) x (B) y"])
def test_a_query_without_a_context(query: str) -> None:
    asked, listed = split_query(query)
    assert "Options" not in asked
    assert listed == query.partition("Options:")[2]


# -- other words for the letters ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "number", "options", "answer"),
    [
        ("natural", 0, ("1", "2", "3"), "2"),
        ("natural", 3, ("(1)", "(2)", "(3)"), "(2)"),
        ("neutral", 1, ("foo", "dog", "hip"), "dog"),
        ("unnatural", 0, ("(B", "(C", "(A"), "(C)"),
        ("unnatural", 1, ("(C", "(A", "(B"), "(A)"),
    ],
)
def test_option_map(
    kind: str, number: int, options: tuple[str, ...], answer: str, root: Path
) -> None:
    sample = only(root, option_map={"type": kind, "ids": number})
    assert (sample.options, sample.answer) == (options, answer)
    assert sample.question.endswith(f"(C), say {options[2]}{')' * (kind == 'unnatural')}.")
    assert sample.question.count("If the answer is (") == 3
    assert sample.fields["gt_choice"] == 1


def test_an_empty_map_is_none() -> None:
    assert read_option_map("") is read_option_map(None) is read_option_map({}) is None


@pytest.mark.parametrize(
    "given",
    [
        {"type": "natrual"},
        {"type": "natural", "ids": 5},
        {"type": "natural", "ids": True},
        {"kind": "natural"},
        "natural",
    ],
)
def test_a_wrong_map_is_refused(given: Any) -> None:
    with pytest.raises(ConfigError, match="option"):
        read_option_map(given)


def test_too_few_words_are_an_error_of_the_sample() -> None:
    assert len(Verbalizer("natural", 2).options(6)) == 6
    with pytest.raises(SampleError, match="6 words"):
        Verbalizer("natural", 2).options(7)


# -- corrupted copies ---------------------------------------------------------------------------


def corrupted(root: Path, ids: tuple[str, ...] = ("9", "7"), choices: int = 3) -> Path:
    folder = root / "crp"
    query = "which pet?\nContext: N/A\nOptions: (A) cat (B) oak (C) rock"
    gone = {"query": query, "gt_choice": 0, "gt_choices": ["cat", "oak", "rock"][:choices]}
    write(folder / "VQA_ScienceQA_C.json", [{**gone, "id": name} for name in ids])
    return folder


def test_corrupted_text_is_found_by_id(root: Path) -> None:
    sample = only(root, text_crp=True, data_c_path=str(corrupted(root)))
    assert sample.question == "Question: which pet?\nOptions: (A) cat (B) oak (C) rock"
    assert (sample.answer, sample.fields["gt_choice"]) == ("(A)", 0)
    assert sample.images[0].name.startswith(str(root / "sqaimage_images"))


def test_corrupted_text_of_another_data_set_is_refused(root: Path) -> None:
    with pytest.raises(SampleError, match="no corrupted form of '7'"):
        only(root, text_crp=True, data_c_path=str(corrupted(root, ids=("9",))))
    with pytest.raises(SampleError, match="2 choices"):
        only(root, text_crp=True, data_c_path=str(corrupted(root, choices=2)))
    other = str(corrupted(root, ids=("9",), choices=2))
    taken = only(root, UpstreamScienceQA, text_crp=True, data_c_path=other)
    assert taken.fields["gt_choice"] == 0


def test_corrupted_images(root: Path) -> None:
    sample = only(root, img_crp=True, data_c_path=str(corrupted(root)))
    assert sample.images[0].name == str(root / "crp" / "sqaimage_images/7.png")
    assert sample.question.startswith("Question: Which is")
    with pytest.raises(DataError, match="no such folder") as caught:
        only(root, img_crp=True, data_c_path=str(root / "nowhere"))
    assert "data_c_path" in str(caught.value)


def test_the_fingerprint_follows_the_corrupted_text(root: Path) -> None:
    keys = {"base_data_path": str(root), "text_crp": True, "data_c_path": str(corrupted(root))}
    before = ScienceQA(**keys).fingerprint()
    corrupted(root, ids=("7", "9"))
    assert ScienceQA(**keys).fingerprint() != before
