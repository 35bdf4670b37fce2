"""One line break between the options of a question and the suffix of the prompt."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chef.instruction.handler import Instruction
from chef.instruction.upstream import ChefInstruction
from chef.scenario.scienceqa import ScienceQA
from chef.scenario.seedbench import SEEDBench
from chef.scenario.upstream.chef import MMBench
from chef.scenario.upstream.chef import ScienceQA as UpstreamScienceQA

RECORD = {
    "id": "7",
    "image": "7.png",
    "query": "Which?\nContext: Text.\nOptions: (A) oak (B) cat",
    "gt_choice": 1,
    "gt_choices": ["oak", "cat"],
}
ROW = {"index": "241", "question": "Which?", "hint": "", "A": "oak", "B": "cat", "answer": "B"}
MAP = {"type": "natural", "ids": 0}
ASKED = "If the answer is (A), say 1. If the answer is (B), say 2."


def scienceqa(root: Path, kind: type[ScienceQA] = UpstreamScienceQA, **keys: Any) -> Any:
    (root / "meta_file").mkdir(exist_ok=True)
    (root / "meta_file" / "VQA_ScienceQA.json").write_text(json.dumps([RECORD]))
    return kind(base_data_path=str(root), **keys)[0]


@pytest.fixture
def mmbench(write_tsv: Callable[..., str]) -> Callable[..., Any]:
    def make(**keys: Any) -> Any:
        root = Path(write_tsv([ROW], name="mmbench_dev_20230712.tsv")).parent
        return MMBench(base_data_path=str(root), **keys)[0]

    return make


@pytest.mark.parametrize("number", range(8))
def test_scienceqa(number: int, tmp_path: Path) -> None:
    words = ChefInstruction("VQA", prompt_assigned_ids=number).word(scienceqa(tmp_path))
    asked, _, suffix = words.partition("(B) cat\n")
    assert asked == "Question: Which?\nOptions: (A) oak "
    assert not suffix.startswith("\n")
    ours = Instruction("VQA", prompt_assigned_ids=number).word(scienceqa(tmp_path, ScienceQA))
    assert words.rstrip("\n") == ours  # id 2 adds nothing, and the default ends with the options


def test_scienceqa_with_other_words(tmp_path: Path) -> None:
    sample = scienceqa(tmp_path, option_map=MAP)
    assert sample.question == f"Question: Which?\nOptions: (A) oak (B) cat\n{ASKED}\n"


def test_mmbench(mmbench: Callable[..., Any]) -> None:
    sample = mmbench(sys_prompt="Options:")
    words = ChefInstruction("VQA").word(sample)
    assert words == "Which? Options:\n(A) oak\n(B) cat\nThe answer is"
    mapped = mmbench(sys_prompt="Options:", option_map=MAP)
    assert mapped.question == f"Which? Options:\n(A) oak\n(B) cat\n{ASKED}\n"


def test_a_corrupted_question_has_no_break_of_its_own(
    mmbench: Callable[..., Any], tmp_path: Path
) -> None:
    record = {"id": 0, "query": "wich? Options: (A) cat (B) oak", "gt_choices": ["cat", "oak"]}
    (tmp_path / "MMBench_C.json").write_text(json.dumps([{**record, "gt_choice": 0}]))
    sample = mmbench(sys_prompt="Options:", text_crp=True, data_c_path=str(tmp_path))
    assert sample.question == "wich? Options:\n(A) cat\n(B) oak"


def test_examples_show_the_question_with_its_break(tmp_path: Path) -> None:
    from chef.instruction.upstream import ChefFormat

    sample = scienceqa(tmp_path)
    asked, answered = ChefFormat().word(sample, lambda _: "", "So {option}")
    assert (asked, answered) == (sample.question, "So (B)")
    assert asked.endswith("(B) cat\n")


def test_the_suffix_of_seedbench_follows_directly(tmp_path: Path) -> None:
    question = {
        "question_id": "1", "data_type": "image", "data_id": "1", "question": "Why?",
        "answer": " B ", **{f"choice_{letter}": letter for letter in "abcd"},
    }  # fmt: skip
    (tmp_path / "SEED-Bench.json").write_text(json.dumps({"questions": [question]}))
    sample = SEEDBench(base_data_path=str(tmp_path))[0]
    words = ChefInstruction("VQA", prompt_assigned_ids=4).word(sample)
    assert words.startswith("Question: Why?\nAnswer:The ")
    assert sample.fields["gt_choice"] == 1  # " B " is B
