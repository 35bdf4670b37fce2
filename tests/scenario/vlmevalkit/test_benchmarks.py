"""Benchmarks by name: the table, files, digests, references between rows, and one's own files."""

from __future__ import annotations

import hashlib
import json
import logging
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fixtures._draw import scene
from lmu_data import (
    choice_row,
    encoded,
    open_row,
    rotations,
    two_images,
    yes_no_rows,
)

from chef.config import load_recipe
from chef.config.shipped import shipped_names
from chef.errors import ConfigError, DataError, SampleError
from chef.instruction.pools import load_pool
from chef.metric import METRICS
from chef.scenario import SCENARIOS, Scenario
from chef.scenario.vlmevalkit import table

Put = Callable[..., Path]
LANGUAGES = ("ar", "cn", "en", "pt", "ru", "tr")
#: The names of the development guide and of the issue.
GUIDE = [
    *(f"MMBench_{split}_{language}" for split in ("DEV", "TEST") for language in ("EN", "CN")),
    *("CCBench", "SEEDBench_IMG", "MME", "CORE_MM", "MMVet", "MMMU_DEV_VAL", "COCO_VAL"),
    *("OCRVQA_TEST", "OCRVQA_TESTCORE", "TextVQA_VAL"),
    *(
        f"VCR_{language}_{level}_{size}"
        for language in ("EN", "ZH")
        for level in ("EASY", "HARD")
        for size in ("ALL", "500", "100")
    ),
    *(f"MMMB_{language}" for language in LANGUAGES),
    *(f"MMBench_dev_{language}" for language in LANGUAGES),
]


def recipe(name: str, **keys: Any) -> dict[str, Any]:
    inferencer = {"inferencer_type": "Direct"}
    return {
        "scenario_cfg": {"dataset_name": name, **keys},
        "eval_cfg": {"inferencer_cfg": inferencer},
    }


def built(name: str, **keys: Any) -> Scenario:
    return load_recipe(recipe(name, **keys)).scenario.build()


@pytest.mark.parametrize("name", GUIDE)
def test_every_name_of_the_guide_is_known(name: str) -> None:
    spec = load_recipe(recipe(name)).scenario
    assert spec.name in (name, f"VLMEvalKit/{name}")
    assert spec.kind.name == name


def test_the_table_is_sound() -> None:
    found, recipes = table.table(), {*shipped_names("recipes")}
    used = {one.family for one in found.benchmarks.values()}
    assert used == {*found.families}
    for name, family in found.families.items():
        assert f"VLMEvalKit/{family.recipe}" in recipes, name
        assert load_pool(family.wording).known
        assert bool(family.judge) == METRICS.get(family.metric).needs_judge
        if family.judge:
            assert family.judge in METRICS.get(family.metric).judge_kinds
    for name, one in found.benchmarks.items():
        assert one.url.startswith("https://") or not one.url, name
        assert len(one.md5) in (0, 32), name
        circular = found.families[one.family].circular
        # Upstream's own rule: these parts of a name make multiple choice circular.
        parts = ("mmbench", "ccbench", "circular", "mmcr")
        is_choice = found.families[one.family].kind == "mcq"
        named = is_choice and any(part in name.lower() for part in parts)
        assert circular == named or "GMAI" in name


def test_a_name_of_both_systems(root: Path, put: Put) -> None:
    put("MME", [row for number in range(2) for row in yes_no_rows(number)])
    scenario = built("MME", check_md5=False)
    assert (scenario.name, len(scenario), scenario.metric) == ("MME", 4, "MMEVQA")
    assert scenario[0].fields["task_type"] == "color"
    assert [scenario.group(index) for index in range(4)] == [
        "color/0.png", "color/0.png", "color/1.png", "color/1.png",
    ]  # fmt: skip
    chefs = load_recipe(recipe("MME", base_data_path=str(root))).scenario
    assert chefs.kind.__module__ == "chef.scenario.yes_no"
    written = load_recipe(recipe("MME")).effective()["scenario_cfg"]["dataset_name"]
    assert load_recipe(recipe(written)).scenario.kind is type(scenario)


def test_a_typo_is_answered_by_the_nearest_name() -> None:
    for typo, meant in (("MMBench_DEV_EM", "MMBench_DEV_EN"), ("mmbench_dev_e", "MMBench_dev_en")):
        with pytest.raises(ConfigError, match=f"did you mean '{meant}'"):
            load_recipe(recipe(typo))
    with pytest.raises(ConfigError, match="did you mean 'check_md5'"):
        load_recipe(recipe("MMStar", chek_md5=False))


def test_the_root_is_the_variable_if_it_exists_else_at_home(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert table.root_folder() == root
    monkeypatch.setenv("LMUData", str(tmp_path / "gone"))
    assert table.root_folder() == tmp_path / "home" / "LMUData"
    with pytest.raises(DataError) as caught:
        built("MMStar")
    message = str(caught.value)
    assert f"$LMUData is {tmp_path / 'gone'}, which is no folder" in message
    assert "no such folder, so no MMStar.tsv" in message
    assert "chef prepare MMStar" in message
    with pytest.raises(DataError, match="put the file there"):
        built("MMVP")  # its address is not known


def test_another_root_by_key_relative_to_the_recipe(put: Put, root: Path, tmp_path: Path) -> None:
    put("MMStar", [choice_row(0)])
    put("mine", [choice_row(0)])
    for name, keys in (("MMStar", {"check_md5": False}), ("mine", {})):
        path = tmp_path / "r.yaml"
        path.write_text(json.dumps(recipe(name, data_root="LMUData", **keys)))
        scenario = load_recipe(path).scenario.build()
        assert len(scenario) == 1
    with pytest.raises(DataError, match="no MMStar"):
        built("MMStar", data_root=str(tmp_path / "other"))


def test_the_digest_is_checked(put: Put, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "cache"))
    path = put("MMStar", [choice_row(0)])
    found = hashlib.md5(path.read_bytes()).hexdigest()
    for _ in range(2):  # computed, and kept
        with pytest.raises(DataError) as caught:
            built("MMStar")
        for part in (found, "e1ecd2140806c1b1bbf54b43372efb9e", "check_md5: false", "fetch it"):
            assert part in str(caught.value)
    assert len(built("MMStar", check_md5=False)) == 1
    table.check_digest(path, found, "theirs", "fetch it")
    monkeypatch.setattr(table, "checksum", lambda *_: pytest.fail("computed again"))
    table.check_digest(path, found, "theirs", "fetch it")
    monkeypatch.undo()
    put("MMStar", [choice_row(1), choice_row(2)])
    with pytest.raises(DataError):  # the file has changed, so what is kept is not used
        table.check_digest(path, found, "theirs", "fetch it")


def test_references_backward_forward_and_in_chains(put: Put) -> None:
    first, second = scene(0), scene(1)
    rows = [
        {"image": "c"},  # forward, over two steps
        {"image": encoded(first)},
        {"image": "b"},
        {"image": json.dumps(["b", encoded(second)])},
        {"image": "y"},
        {"image": "x"},
        {"image": "nowhere"},
    ]
    shown = [
        {**choice_row(9), "index": name, **row} for name, row in zip("abcdxyz", rows, strict=True)
    ]
    put("MMStar", shown)
    scenario = built("MMStar", check_md5=False)
    one, other = first.images[0].load().tobytes(), second.images[0].load().tobytes()
    pixels = [[image.load().tobytes() for image in scenario[n].images] for n in range(4)]
    assert pixels == [[one], [one], [one], [one, other]]
    with pytest.raises(SampleError, match="form a circle"):
        scenario[4]
    with pytest.raises(SampleError, match="'nowhere', but no valid row has that index"):
        scenario[6]


def test_rows_without_an_image_are_left_out_as_upstream_does(put: Put, caplog: Any) -> None:
    put("MMStar", [choice_row(0), choice_row(1, image=""), choice_row(2)])
    with caplog.at_level(logging.INFO, logger="chef"):
        scenario = built("MMStar", check_md5=False)
    assert [scenario.sample_id(index) for index in range(len(scenario))] == ["0", "2"]
    assert "1 rows without an image are left out" in caplog.text
    assert len(built("MMStar", check_md5=False, skip_noimg=False)) == 3
    put("MMStar", [choice_row(0, image="", image_path="0.png"), choice_row(1, image="")])
    assert len(built("MMStar", check_md5=False)) == 1
    put("MMStar", [choice_row(1, image="")])
    with pytest.raises(DataError, match="no row has an image"):
        built("MMStar", check_md5=False)


def test_images_in_the_folder_of_the_family(put: Put, root: Path) -> None:
    folder = root / "images" / "MMBench"
    folder.mkdir(parents=True)
    scene(0).images[0].load().save(folder / "0.png")
    rows = [{**choice_row(number), "image_path": f"{number}.png"} for number in range(2)]
    for row in rows:
        del row["image"]
    put("MMBench_DEV_EN", rows)
    scenario = built("MMBench_DEV_EN", check_md5=False)
    assert scenario[0].images[0].load().tobytes() == scene(0).images[0].load().tobytes()
    with pytest.raises(SampleError, match="image file not found"):
        scenario[1]


def test_rotations_of_a_file_are_groups(put: Put) -> None:
    put("MMBench_DEV_EN", [row for number in range(2) for row in rotations(number)])
    scenario = built("MMBench_DEV_EN", check_md5=False)
    assert (len(scenario), scenario.metric) == (8, "MMBenchVQA")
    assert [scenario.group(index) for index in (0, 3, 4)] == ["0", "0", "1"]
    assert scenario[1].fields["circular_size"] == 4


def test_blocks_of_rows_stay_together_whatever_their_order(put: Put) -> None:
    put("MMVP", [choice_row(number) for number in (3, 1, 10, 2, 9)])
    scenario = built("MMVP", check_md5=False)
    places = {
        item.id: (item.fields["block"], item.fields["block_place"])
        for item in map(scenario.__getitem__, range(5))
    }
    assert places == {"1": (0, 0), "2": (0, 1), "3": (1, 0), "9": (1, 1), "10": (2, 0)}
    assert [scenario.group(index) for index in range(5)] == [
        "block 1", "block 0", "block 2", "block 0", "block 1",
    ]  # fmt: skip
    put("MMStar", [choice_row(1), choice_row(2)])
    alone = built("MMStar", check_md5=False)
    assert "block" not in alone[0].fields
    assert alone.group(0) is None


def test_rotations_are_built_for_other_multiple_choice(put: Put) -> None:
    row = choice_row(0)
    put("MMStar", [row])
    scenario = built("MMStar", check_md5=False, circular=True)
    assert len(scenario) == 4
    right = row[row["answer"]]
    for index in range(4):
        sample = scenario[index]
        assert f"{sample.answer}. {right}" in sample.question.splitlines()


def test_hallusionbench_keeps_its_sets_together(put: Put) -> None:
    names = ["VD_illusion_1_0_2_1", "VD_illusion_2_0_0_2", "VD_illusion_1_1_0_1"]
    rows = yes_no_rows(0) + yes_no_rows(1)
    same = {"image": rows[0]["image"]}
    shown = [{**row, **same, "index": name} for row, name in zip(rows, names, strict=False)]
    put("HallusionBench", shown)
    scenario = built("HallusionBench", check_md5=False)
    groups = [scenario.group(index) for index in range(3)]
    assert groups == ["VD_illusion/0", "VD_illusion/0", "VD_illusion/1"]


def test_classes_travel_to_workers(put: Put) -> None:
    put("mine", [choice_row(0)])
    for kind in (type(built("mine")), SCENARIOS.get("VCR_EN_EASY_500"), SCENARIOS.get("MMStar")):
        assert pickle.loads(pickle.dumps(kind)) is kind


CAPTION = {"index": "1", "image": encoded(scene(0)), "answer": '["a star"]'}


@pytest.mark.parametrize(
    ("rows", "kind", "metric", "why"),
    [
        ([choice_row(0)], "mcq", "Accuracy", "multiple choice, because it has the columns A and B"),
        (rotations(0), "mcq", "MMBenchVQA", "multiple choice"),
        (yes_no_rows(0), "yesno", "YesNo", "yes or no, because all its answers are yes or no"),
        ([open_row(0)], "vqa", "Accuracy", "open questions, because it has no options"),
        ([CAPTION], "caption", "Caption", "captions, because it has no column 'question'"),
    ],
)
def test_a_file_of_ones_own_is_what_its_columns_say(
    put: Put, caplog: Any, rows: list[dict[str, str]], kind: str, metric: str, why: str
) -> None:
    path = put("My Bench-1.0", rows)
    with caplog.at_level(logging.INFO, logger="chef"):
        scenario = built("My Bench-1.0")
    assert (scenario.name, scenario.metric, len(scenario)) == ("My Bench-1.0", metric, len(rows))
    assert scenario.kind == kind  # type: ignore[attr-defined]
    told = [
        record.getMessage() for record in caplog.records if "of your own" in record.getMessage()
    ]
    assert len(told) == 1
    assert str(path) in told[0]
    assert why in told[0]
    assert scenario[0].images


def test_an_answer_that_is_not_published(put: Put) -> None:
    put("MMMU_TEST", [choice_row(0, answer="?"), choice_row(1, answer="?", A="", B="", C="", D="")])
    scenario = built("MMMU_TEST", check_md5=False)
    assert [scenario[index].answer for index in range(2)] == [None, None]


def test_the_kind_of_ones_own_can_be_said(put: Put) -> None:
    put("mine", [choice_row(0)])
    scenario = built("mine", kind="vqa")
    assert (scenario.metric, scenario[0].options) == ("Accuracy", ())


@pytest.mark.parametrize("name", ["GQA_Spatial", "MyDocVQA", "ChartQAPro", "TextVQA_Part"])
def test_the_name_of_ones_own_file_says_nothing_of_its_scoring(put: Put, name: str) -> None:
    put(name, [open_row(0)])
    own = built(name).metric
    put("plain", [open_row(0)])
    assert own == built("plain").metric


@pytest.mark.parametrize("name", ["../mine", "a/b", ".mine", ""])
def test_a_name_cannot_leave_the_root(put: Put, name: str) -> None:
    put("mine", [choice_row(0)])
    with pytest.raises(ConfigError):
        load_recipe(recipe(name))


def test_an_unknown_name_without_a_file_is_a_typo_or_a_class_of_ones_own(root: Path) -> None:
    with pytest.raises(ConfigError, match="unknown scenario 'mine'"):
        load_recipe(recipe("mine"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answer": "Q"}, "'Q' is not among the options"),
        ({"question": ""}, "the question is missing"),
        ({"image": "[1, "}, "the list in column 'image' cannot be read"),
        ({"image": "not base64!" * 9}, "is not base64"),
        ({"A": "", "B": "", "C": ""}, "only one option"),
    ],
)
def test_a_malformed_row_is_one_error(put: Put, changes: dict[str, str], message: str) -> None:
    put("mine", [choice_row(0), choice_row(1, **changes)])
    scenario = built("mine")
    assert scenario[0].options
    with pytest.raises(SampleError, match=message) as caught:
        scenario[1]
    assert "mine.tsv: row 2 (index '1')" in str(caught.value)


def test_lists_of_images_are_parsed_and_not_executed(put: Put, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    code = f"[open({str(trap)!r}, 'w').write('x')]"
    put("mine", [choice_row(0), choice_row(1, image=code), open_row(2, answer=code)])
    scenario = built("mine")
    with pytest.raises(SampleError):
        scenario[1]
    assert not trap.exists()


def test_a_list_of_one_image_is_one_image(put: Put) -> None:
    put(
        "mine",
        [choice_row(0, image=json.dumps([encoded(scene(0))])), choice_row(1, image=two_images(0))],
    )
    assert [len(built("mine")[index].images) for index in range(2)] == [1, 2]


def test_a_misspelt_table_of_ones_own_is_suggested_before_any_benchmark(
    put: Put, root: Path
) -> None:
    put("mymcq", [choice_row(0)])
    for typo in ("MyMcq", "mymcqq", "my-mcq"):
        with pytest.raises(ConfigError) as caught:
            load_recipe(recipe(typo))
        assert f"did you mean 'mymcq', the table {root / 'mymcq.tsv'}?" in str(caught.value)
    with pytest.raises(ConfigError, match=r"did you mean 'MMStar'\?"):
        load_recipe(recipe("MMStarr"))


def test_a_file_in_other_letters_is_named(root: Path) -> None:
    (root / "mmvp.tsv").write_text("index\tquestion\tA\tB\n1\tWhich?\tx\ty\n")
    with pytest.raises(DataError, match=r"there is no MMVP.tsv\n  -> there is mmvp.tsv: rename it"):
        built("MMVP")


@pytest.mark.parametrize(
    ("header", "told"),
    [
        (
            "index\tprompt\tgt",
            "has no column 'question', and none of images; it has index, prompt, gt",
        ),
        ("id\tquestion\tanswer", "rename the column 'id' to 'index'; or read the table as it is"),
        ("index\tquestoin\tanswer", "rename the column to 'question'"),
    ],
)
def test_columns_of_another_format_are_no_captions(root: Path, header: str, told: str) -> None:
    (root / "mine.tsv").write_text(f"{header}\n1\tWhich?\tx\n")
    with pytest.raises(DataError) as caught:
        load_recipe(recipe("mine")).scenario.build()
    assert told in str(caught.value)
