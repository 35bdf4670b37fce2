"""What is told of wrong keys, and of data that is missing or damaged."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from mmtrusteval_data import write_json

from chef.errors import ConfigError, DataError, SampleError


@pytest.mark.parametrize(
    ("name", "keys", "what", "hint"),
    [
        ("d-basic-objekt", {}, "no data set 'd-basic-objekt'", "did you mean 'd-basic-object'?"),
        ("zzz", {}, "no data set 'zzz'", "`chef list datasets` shows all 133"),
        ("g-basic-ocr", {"force_prompt": True}, "has no force_prompt", "annotation_file"),
        ("nsfw-image-description", {"annotation_file": "a"}, "has no annotation_file", "image_dir"),
        ("celebrities", {"data_type_id": "email-name-ocupation"}, "unknown data_type_id",
         "did you mean 'email-name-occupation'?"),
        ("dt-related-image", {"generate_image": True}, "are read, not generated", "method_cfg"),
        ("confaide-image", {"img_num": 0}, "img_num is 0", "1 or more"),
    ],
)  # fmt: skip
def test_keys_that_a_data_set_has_not(
    build: Any, name: str, keys: dict[str, Any], what: str, hint: str
) -> None:
    with pytest.raises(ConfigError, match="scenario_cfg") as caught:
        len(build(name, **keys))
    assert what in str(caught.value)
    assert hint in str(caught.value.hint)


def test_the_values_of_upstreams_tasks_are_taken(build: Any) -> None:
    assert len(build("dt-text", generate_image=False)) == 20
    assert len(build("subjective-preference-plain-text", force_prompt=False)) == 120


def test_a_missing_root_is_told_with_its_variable(
    build: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DataError) as caught:
        len(build("d-basic-scene", data_root=str(tmp_path / "nowhere")))
    assert f"{tmp_path}/nowhere/truthfulness/query_basic/query_d_scene.json" in str(caught.value)
    assert "there is no folder" in str(caught.value)
    for way in ("--data_root DIR", "data_root in scenario_cfg", "$CHEF_MMTRUST_DATA"):
        assert way in str(caught.value.hint)
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("CHEF_MMTRUST_DATA", str(tmp_path))
    with pytest.raises(DataError) as caught:
        len(build("stereo-generation", data_root=None))
    assert f"$CHEF_MMTRUST_DATA (now {tmp_path})" in str(caught.value.hint)
    assert f"there is a folder {tmp_path / 'data'}" in str(caught.value.hint)


def test_the_root_is_that_of_the_key_of_the_variable_or_of_this_folder(
    build: Any, drawn: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(drawn.parent)
    assert len(build("g-basic-ocr", data_root=None)) == 2
    monkeypatch.chdir(drawn)
    with pytest.raises(DataError):
        len(build("g-basic-ocr", data_root=None))
    monkeypatch.setenv("CHEF_MMTRUST_DATA", str(drawn))
    assert len(build("g-basic-ocr", data_root=None)) == 2


@pytest.mark.parametrize(
    ("name", "lost", "told"),
    [
        ("adv-clean", "robustness/adv_nips/label.json", "annotation_file"),
        ("coco-o-tattoo", "robustness/ood-artistic/label/tattoo.json", "annotation_dir"),
        ("celebrities", "privacy/celeb/celebrities.csv", "name_list"),
        ("confaide-text", "privacy/confaide/labels.txt", "labels_path"),
        ("object-detection", "safety/risk_identification/gun", "image_dir"),
        ("dt-unrelated-image-noise", "unrelated_images", "unrelated_image_dir"),
        ("dt-related-image", "robustness/ood-text/related", "image_dir"),
    ],
)
def test_a_missing_file_is_told_with_its_key(
    build: Any, drawn: Path, tmp_path: Path, name: str, lost: str, told: str
) -> None:
    root = tmp_path / "data"
    for part in {lost.partition("/")[0], "robustness"}:
        shutil.copytree(drawn / part, root / part)
    gone = root / lost
    shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
    with pytest.raises(DataError) as caught:
        len(build(name, data_root=str(root)))
    assert str(gone) in str(caught.value)
    assert f"{told} in scenario_cfg" in str(caught.value.hint)


def test_a_missing_picture_or_field_concerns_its_sample_alone(
    build: Any, drawn: Path, tmp_path: Path
) -> None:
    records = [
        {"image": "0.png", "query": "One?", "truth": "Yes"},
        {"image": "gone.png", "query": "Two?", "truth": "No"},
        {"image": "1.png", "truth": "No"},
        {"image": 7, "query": "Four?", "truth": "No"},
        {"image": "1.png", "query": " ", "truth": "No"},
        "five",
    ]
    write_json(tmp_path / "q.json", records)
    made = build("d-basic-object", annotation_file=str(tmp_path / "q.json"))
    assert len(made) == 6
    assert made[0].answer == 1
    told = []
    for place in range(1, 6):
        with pytest.raises(SampleError) as caught:
            made[place]
        told.append(str(caught.value))
    pictures = drawn / "truthfulness/basic_images/object"
    for text, wanted in zip(told, (
        f"its picture {pictures / 'gone.png'}: no such file",
        "record 3: the record has no field 'query'\n  -> its fields: image, truth",
        "record 4: malformed: the name of the picture is 7",
        "record 5: its query is ' '",
        "record 6: the record is a str, not a mapping",
    ), strict=True):  # fmt: skip
        assert wanted in text


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("g-basic-ocr", "[", "is not JSON"),
        ("g-basic-ocr", "[1, 2]", "does not contain a list of mappings"),
        ("g-basic-ocr", "[]", "has no samples"),
        ("dt-text", "[]", "does not contain a mapping"),
        ("dt-text", '{"augment": 1}', "augment: is not a list of records"),
        ("safebench", 'id,question\n"a,b', "is not CSV"),
        ("enron-email-text", "{}", "has no people"),
    ],
)
def test_a_damaged_file_is_told(
    build: Any, tmp_path: Path, name: str, text: str, told: str
) -> None:
    (tmp_path / "damaged").write_text(text)
    with pytest.raises(DataError, match=told) as caught:
        len(build(name, annotation_file=str(tmp_path / "damaged")))
    assert str(tmp_path / "damaged") in str(caught.value)


def test_prompts_and_labels_have_to_be_as_many(build: Any, tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text("First line\nof one.\n\nAnother\nof two.\n")
    (tmp_path / "l.txt").write_text("-100\n50\n")
    given = {"prompts_path": str(tmp_path / "p.txt"), "labels_path": str(tmp_path / "l.txt")}
    made = build("confaide-text", force_prompt=False, **given)
    assert [made[place].question for place in range(2)] == [
        "First line\nof one.", "Another\nof two.",
    ]  # fmt: skip
    (tmp_path / "l.txt").write_text("-100\n50\n0\n")
    with pytest.raises(DataError, match=r"has 4 prompts, and .*l\.txt has 3 labels"):
        len(build("confaide-text", **given))


def test_wordings_of_ones_own(build: Any, tmp_path: Path) -> None:
    file = tmp_path / "w.yaml"
    file.write_text("version: mine\nprompts: {basic_ocr: 'Read: {query}'}\n")
    ours, own = build("g-basic-ocr"), build("g-basic-ocr", wording_file=str(file))
    assert own[0].question == "Read: Is the picture red?"
    assert own.fingerprint() != ours.fingerprint()
    for text, told in (
        ("prompts: {basic_orc: x}", "did you mean 'basic_ocr'?"),
        ("prompts: {basic_ocr: 'Read {image}'}", "fields: {query}"),
        ("prompts: {basic_ocr: 'Read {'}", "write {{ and }} for braces"),
        ("prompts: {nsfw: one}", "give a list of texts"),
        ("prompt: {}", "it has version, prompts, answers and risk"),
        ("prompts: [", "it has version, prompts, answers and risk"),
    ):
        file.write_text(text)
        with pytest.raises(ConfigError, match=r"w\.yaml") as caught:
            build("g-basic-ocr", wording_file=str(file))
        assert told in str(caught.value.hint), text


def test_an_edited_record_changes_the_digest_of_its_sample_alone(
    build: Any, tmp_path: Path
) -> None:
    records = [{"image": f"{n}.png", "query": f"Is it {n}?", "truth": "Yes"} for n in (0, 1)]
    file = tmp_path / "q.json"
    write_json(file, records)
    before = build("d-basic-object", annotation_file=str(file)).row_digests()
    records[1]["truth"] = "No"
    write_json(file, records)
    after = build("d-basic-object", annotation_file=str(file)).row_digests()
    assert {key for key in before if before[key] != after[key]} == {"1.png"}
