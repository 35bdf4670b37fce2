"""MMBench: its TSV, rotations and variants."""

from __future__ import annotations

import base64
import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import PIL.Image
import pytest

from chef.errors import ConfigError, DataError, SampleError
from chef.metric.vqa.vqa import InstructFollow
from chef.run.subset import draw_indices
from chef.scenario.mmbench import MMBench
from chef.scenario.upstream.chef import MMBench as UpstreamMMBench
from chef.types import Prediction, Status

Write = Callable[..., str]


def png(color: str = "red") -> bytes:
    stream = io.BytesIO()
    PIL.Image.new("RGB", (4, 4), color).save(stream, "PNG")
    return stream.getvalue()


def row(index: int = 241, **cells: str) -> dict[str, str]:
    given = {"question": "Which?", "hint": "Look.", "A": "cat", "B": "dog", "C": "", "D": ""}
    image = base64.b64encode(png()).decode()
    return {"index": str(index), **given, "answer": "B", "image": image, **cells}


@pytest.fixture
def mmbench(write_tsv: Write, tmp_path: Path) -> Callable[..., MMBench]:
    def make(
        rows: list[dict[str, str]] | None = None,
        split: str = "dev",
        kind: type[MMBench] = MMBench,
        **keys: Any,
    ) -> MMBench:
        write_tsv(rows or [row()], name=f"mmbench_{split}_20230712.tsv")
        return kind(base_data_path=str(tmp_path), split=split, **keys)

    return make


def test_a_row_becomes_a_question_in_words(mmbench: Callable[..., MMBench]) -> None:
    sample = mmbench()[0]
    assert sample.id == "241"
    assert sample.question == "Look. Which? There are several options:\n(A) cat\n(B) dog"
    assert (sample.options, sample.answer) == ((), "dog")
    assert sample.fields["gt_choice"] == 1
    assert sample.fields["labels"] == ["A", "B"]
    assert sample.images[0].load().getpixel((0, 0)) == (255, 0, 0)


@pytest.mark.parametrize("ppl", [True, None])
def test_written_answers_in_other_words(mmbench: Callable[..., MMBench], ppl: bool | None) -> None:
    rotated = {"type": "unnatural", "ids": 0}
    sample = mmbench(option_map=rotated, ppl_cfg=ppl)[0]
    assert sample.answer == "(A)"  # B is to be said as A
    said = [
        Prediction(name, Status.OK, answer=name, sample=sample.to_record()) for name in ("A", "B")
    ]
    scores = [entry["metric_result"] for entry in InstructFollow().evaluate(said).samples]
    assert scores == [1.0, 0.0]


def test_letters_to_score(mmbench: Callable[..., MMBench]) -> None:
    sample = mmbench(ppl_cfg={"content_only": False})[0]
    assert (sample.options, sample.answer) == (("(A", "(B"), "(B)")
    assert mmbench(ppl_cfg=True)[0].options == sample.options
    assert mmbench(ppl_cfg={})[0].options == ()
    with pytest.raises(ConfigError, match="content_onyl"):
        mmbench(ppl_cfg={"content_onyl": True})


def test_texts_to_score(mmbench: Callable[..., MMBench]) -> None:
    sample = mmbench(ppl_cfg={"content_only": True})[0]
    assert (sample.options, sample.answer) == (("cat", "dog"), "dog")
    assert "(A) cat" in sample.question


def test_generative(mmbench: Callable[..., MMBench]) -> None:
    sample = mmbench(ppl_cfg={"content_only": False}, generative=True)[0]
    assert sample.question == "Look. Which?"
    assert (sample.options, sample.answer) == (("cat", "dog"), "dog")
    assert "labels" not in sample.fields


def test_option_map(mmbench: Callable[..., MMBench]) -> None:
    sample = mmbench(ppl_cfg=True, option_map={"type": "natural", "ids": 1})[0]
    assert (sample.options, sample.answer) == (("I", "II"), "II")
    assert sample.question.endswith("\nIf the answer is (A), say I. If the answer is (B), say II.")


@pytest.mark.parametrize(
    ("hint", "keys"), [("nan", {}), ("", {}), ("NaN", {}), ("Look.", {"hint": False})]
)
def test_no_hint(hint: str, keys: dict[str, bool], mmbench: Callable[..., MMBench]) -> None:
    assert mmbench([row(hint=hint)], **keys)[0].question.startswith("Which? There are")


def test_upstream_ends_in_a_line_break(mmbench: Callable[..., MMBench]) -> None:
    assert mmbench(kind=UpstreamMMBench, sys_prompt="Options:")[0].question == (
        "Look. Which? Options:\n(A) cat\n(B) dog\n"
    )


def test_rotations_are_a_group(mmbench: Callable[..., MMBench]) -> None:
    rows = [row(241), row(252), row(1000241), row(2000241)]
    scenario = mmbench(rows)
    assert [scenario.group(n) for n in range(4)] == ["241", "252", "241", "241"]
    assert [scenario[n].fields["circular_group"] for n in range(4)] == ["241", "252", "241", "241"]
    assert [scenario[n].fields["circular_size"] for n in range(4)] == [3, 1, 3, 3]
    assert mmbench(rows, kind=UpstreamMMBench).group(0) is None


@pytest.mark.parametrize("wanted", [1, 3, 5, 6])
def test_a_subset_has_whole_questions(wanted: int, mmbench: Callable[..., MMBench]) -> None:
    indices = [turn * 1_000_000 + index for turn in range(3) for index in (241, 252, 260)]
    scenario = mmbench([row(index) for index in indices])
    drawn = draw_indices(len(scenario), wanted, 0, scenario.group)
    groups = Counter(scenario.group(index) for index in drawn)
    assert set(groups.values()) == {3}
    assert len(groups) == max(1, wanted // 3)


def test_without_answers_questions_are_asked_and_not_scored(
    mmbench: Callable[..., MMBench],
) -> None:
    sample = mmbench([row(answer="")], split="test", ppl_cfg=True)[0]
    assert sample.options == ("(A", "(B")
    assert sample.answer is None
    assert "gt_choice" not in sample.fields


def test_exported_images_win(mmbench: Callable[..., MMBench], tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "mmbench_image_252.png").write_bytes(png("blue"))
    scenario = mmbench([row(241), row(252)])
    colors = [scenario[n].images[0].load().getpixel((0, 0)) for n in (0, 1)]
    assert colors == [(255, 0, 0), (0, 0, 255)]


def test_bad_rows_are_errors_of_their_own(mmbench: Callable[..., MMBench]) -> None:
    scenario = mmbench([row(1), row(2, answer="E"), row(3, B="")])
    assert scenario[0].id == "1"
    with pytest.raises(SampleError, match="'E' is not among"):
        _ = scenario[1]
    with pytest.raises(SampleError, match="1 options"):
        _ = scenario[2]


def test_a_missing_split_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="mmbench_dve_20230712"):
        len(MMBench(base_data_path=str(tmp_path), split="dve"))


# -- corrupted copies ---------------------------------------------------------------------------


def corrupt(folder: Path, ids: list[Any], truths: list[int]) -> str:
    query = "look which? (odd)\nThere are several options: (A) dog (B) cat"
    records = [
        {"id": name, "query": query, "gt_choices": ["dog", "cat"], "gt_choice": truth}
        for name, truth in zip(ids, truths, strict=True)
    ]
    (folder / "images").mkdir(parents=True)
    (folder / "MMBench_C.json").write_text(json.dumps(records))
    for place, color in enumerate(("red", "green", "blue")):
        (folder / "images" / f"{place}.png").write_bytes(png(color))
    return str(folder)


def test_corrupted_data_is_found_by_id(mmbench: Callable[..., MMBench], tmp_path: Path) -> None:
    folder = corrupt(tmp_path / "C", ["252", "241"], [0, 1])
    keys = {"text_crp": True, "img_crp": True, "data_c_path": folder}
    sample = mmbench([row(241), row(252)], ppl_cfg=True, **keys)[0]
    assert sample.question == ("look which? (odd)\nThere are several options:\n(A) dog\n(B) cat")
    assert (sample.fields["gt_choice"], sample.fields["choices"]) == (1, ["dog", "cat"])
    assert sample.answer == "(B)"
    assert sample.images[0].name.endswith("1.png")
    upstream = mmbench([row(241), row(252)], ppl_cfg=True, kind=UpstreamMMBench, **keys)[0]
    assert upstream.fields["gt_choice"] == 0
    assert upstream.images[0].name.endswith("0.png")


def test_a_wrong_root_of_corrupted_images_is_found_at_once(
    mmbench: Callable[..., MMBench], tmp_path: Path
) -> None:
    with pytest.raises(DataError, match="no such folder"):
        mmbench([row(241)], img_crp=True, data_c_path=str(tmp_path / "nowhere"))


def test_ids_that_are_positions(mmbench: Callable[..., MMBench], tmp_path: Path) -> None:
    folder = corrupt(tmp_path / "C", [0, 1], [0, 1])
    scenario = mmbench([row(241), row(252)], text_crp=True, data_c_path=folder)
    assert [scenario[n].fields["gt_choice"] for n in (0, 1)] == [0, 1]
    assert scenario[1].answer == "cat"


def test_corrupted_and_generative(mmbench: Callable[..., MMBench], tmp_path: Path) -> None:
    folder = corrupt(tmp_path / "C", ["241"], [0])
    sample = mmbench(text_crp=True, data_c_path=folder, generative=True, ppl_cfg=True)[0]
    assert sample.question == "look which? (odd)"
    assert sample.options == ("dog", "cat")
