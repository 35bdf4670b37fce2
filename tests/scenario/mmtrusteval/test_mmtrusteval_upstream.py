"""What MMTrustEval's own readers do otherwise: ``compat: upstream``."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from mmtrusteval_data import draw, write_csv, write_json

from chef.errors import SampleError


def subsets(made: Any) -> list[str]:
    return [made[place].fields["subset"] for place in range(len(made))]


def test_subjective_preference_has_real_pictures_and_topics(build: Any) -> None:
    name = "subjective-preference-force-image"
    corrected, upstream = build(name), build(name, upstream=True)
    assert all(len(corrected[place].images) == 1 for place in range(4))
    assert all(upstream[place].images == () for place in range(4))
    # The drawn file has the topics of the second half in reversed order.
    assert subsets(upstream) == ["ideology", "culture/lifestyle"] * 2
    assert subsets(corrected) == subsets(upstream)[::-1]
    assert [corrected[place].question for place in range(4)] == [
        upstream[place].question for place in range(4)
    ]


def test_the_first_hundred_and_twenty_items_ask_plainly(build: Any, tmp_path: Path) -> None:
    items = [{"prompt": f"Prompt {number}", "topic": "t"} for number in range(1, 251)]
    write_json(tmp_path / "p.json", items)
    given = {"annotation_file": str(tmp_path / "p.json")}
    plain = build("subjective-preference-plain-text", **given)
    force = build("subjective-preference-force-text", **given)
    assert (len(plain), len(force)) == (120, 130)
    assert (plain[119].question, force[0].question) == ("Prompt 120", "Prompt 121")
    write_json(tmp_path / "p.json", items[:130])
    for upstream in (False, True):
        names = [f"subjective-preference-{kind}-text" for kind in ("plain", "force")]
        parts = [build(name, upstream=upstream, **given) for name in names]
        assert list(map(len, parts)) == [120, 10]


def test_crossmodal_jailbreak_is_whole(build: Any) -> None:
    name = "crossmodal-jailbreak-unrelated"
    corrected, upstream = build(name), build(name, upstream=True)
    assert (len(corrected), len(upstream)) == (18, 10)
    ids = [corrected.sample_id(place) for place in range(10)]
    assert ids == [upstream.sample_id(place) for place in range(10)]


def test_a_truth_that_is_neither_yes_nor_no_is_an_error(build: Any, tmp_path: Path) -> None:
    records = [
        {"image": "0.png", "query": "One?", "truth": "Yes"},
        {"image": "1.png", "query": "Two?", "truth": "Perhaps"},
        {"image": "1.png", "query": "Three?", "truth": "No"},
    ]
    write_json(tmp_path / "q.json", records)
    given = {"annotation_file": str(tmp_path / "q.json")}
    corrected = build("advanced-daily", **given)
    with pytest.raises(SampleError, match=r"q\.json: record 2: its truth is 'Perhaps'"):
        corrected[1]
    assert (corrected[0].answer, corrected[2].answer) == (1, 0)
    assert corrected.sample_id(2) == "1.png#2"
    stale = build("advanced-daily", upstream=True, **given)
    assert [stale[place].answer for place in range(3)] == [1, 1, 0]
    # Of the basic sets, another truth is the target as it is, by either rules.
    assert build("d-basic-object", **given)[1].answer == "Perhaps"


def test_a_column_pairs_questions_with_pictures(build: Any, drawn: Path, tmp_path: Path) -> None:
    rows = [{"question": f"Why {name}?", "image": f"{name}.png"} for name in (10, 1)]
    write_csv(tmp_path / "q.csv", rows)
    made = build("stereo-query-image", annotation_file=str(tmp_path / "q.csv"))
    folder = drawn / "fairness/stereo_query_images"
    assert [made[place].images[0].source for place in range(2)] == [
        str(folder / "10.png"), str(folder / "1.png"),
    ]  # fmt: skip


def test_a_question_without_a_picture_is_an_error(
    build: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_csv(tmp_path / "q.csv", [{"question": f"Why {number}?"} for number in range(4)])
    given = {"annotation_file": str(tmp_path / "q.csv")}
    made = build("stereo-query-image", **given)
    assert len(made) == 4
    assert "4 questions and 3 pictures" in caplog.text
    with pytest.raises(SampleError, match="it has no picture"):
        made[3]
    assert made[2].images
    assert build("stereo-query-text", **given)[3].images == ()


def test_a_missing_picture_shifts_no_other(build: Any, drawn: Path, tmp_path: Path) -> None:
    folder = tmp_path / "images"
    shutil.copytree(drawn / "fairness/vision_subjective_choice_images", folder)
    (folder / "2.png").unlink()
    made = build("vision-preference", image_dir=str(folder))
    with pytest.raises(SampleError, match=r"picture number 2 is missing in .*images"):
        made[1]
    assert made[2].images[0].source == str(folder / "3.png")


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ({"gender_presentation_fem": 0, "gender_presentation_masc": 0}, "it has no gender"),
        ({"skin_tone_1_3": 1, "skin_tone_7_10": 1}, "several of skintone: light, dark"),
    ],
)
def test_rows_of_professions_do_not_misalign(
    build: Any, drawn: Path, tmp_path: Path, flags: dict[str, int], told: str
) -> None:
    lines = (drawn / "fairness/profess_prediction.csv").read_text().splitlines()
    names = lines[0].split(",")
    rows = [dict(zip(names, line.split(","), strict=True)) for line in lines[1:]]
    rows[0] |= {"skin_tone_4_6": 0} if "skin_tone_1_3" in flags else {}
    rows[0] |= flags
    write_csv(tmp_path / "p.csv", rows)
    made = build("profession-pred", annotation_file=str(tmp_path / "p.csv"))
    with pytest.raises(SampleError, match=told):
        made[0]
    assert made[1].fields["extra"] == {"gender": "male", "age": "older", "skintone": "dark"}
    assert made[2].fields["extra"] == {"gender": "female", "age": "young", "skintone": "light"}


def test_pictures_are_in_natural_order(build: Any, tmp_path: Path) -> None:
    for number in (10, 9, 1):
        draw(tmp_path / f"p{number}.png")
    (tmp_path / "notes.txt").write_text("no picture")
    made = build("stereo-generation", image_dir=str(tmp_path))
    assert [made.sample_id(place) for place in range(len(made))] == ["p1.png", "p9.png", "p10.png"]


def test_the_files_may_be_lines_or_lists(build: Any, drawn: Path, tmp_path: Path) -> None:
    lines = (drawn / "privacy/vispr/sampled_vispr_test2017.jsonl").read_text().splitlines()
    write_json(tmp_path / "list.json", [json.loads(line) for line in lines])
    listed = build("vispr-recognition", annotation_file=str(tmp_path / "list.json"))
    assert listed.row_digests() == build("vispr-recognition").row_digests()
