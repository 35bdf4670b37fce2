"""Corrupted data as files in ChEF's layout: written once, and read back by id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import corrupt
import numpy as np
import pytest
from fixtures import mmbench, scienceqa

from chef.config import load_recipe
from chef.errors import ConfigError, DataError, SampleError
from chef.scenario.shapes.scenario import Shapes


def recipe(**scenario: Any) -> dict[str, Any]:
    return {"scenario_cfg": scenario, "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PPL"}}}


def write(folder: Path, content: dict[str, Any], *more: str) -> int:
    import yaml

    file = folder.parent / f"{folder.name}.yaml"
    file.write_text(yaml.safe_dump(content))
    return corrupt.main(["--recipe_cfg", str(file), "--out", str(folder), *more])


def read(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_text())


def test_any_scenario_is_written_and_read_back(tmp_path: Path) -> None:
    folder = tmp_path / "Shapes_C"
    assert write(folder, recipe(dataset_name="Shapes", size=6)) == 0
    questions = read(folder, "Shapes_C.json")
    assert [record["id"] for record in questions] == [Shapes().sample_id(i) for i in range(6)]
    assert {"id", "query", "gt_choices", "gt_choice"} <= set(questions[0])
    steps = read(folder, "Image_Corruptions_info.json")
    assert [len(item["crp_seq"]) for item in steps] == [8] * 6
    assert set(steps[0]["crp_seq"][0]) == {"corruption_type", "severity"}
    texts = read(folder, "Text_Corruptions_info.json")
    assert [step["level"] for step in texts[0]["crps"]] == [
        "basic", "basic", "word", "character", "option"
    ]  # fmt: skip
    assert set(texts[0]["crps"][0]) == {"level", "method", "severity"}
    # Another order of the file is none of another sample.
    (folder / "Shapes_C.json").write_text(json.dumps(questions[::-1]))
    method = {"corrupted-data": {"path": str(folder)}}
    back = load_recipe(recipe(dataset_name="Shapes", size=6, method_cfg=method)).scenario.build()
    live: Any = [{"chef-image-corruptions": {"seed": 2024}}]
    live.append({"chef-text-corruptions": {"seed": 2024}})
    now = load_recipe(recipe(dataset_name="Shapes", size=6, method_cfg=live)).scenario.build()
    for index in range(6):
        assert back[index].question == now[index].question
        assert back[index].fields == now[index].fields
        assert back[index].answer == now[index].answer
        np.testing.assert_array_equal(
            np.asarray(back[index].images[0].view()), np.asarray(now[index].images[0].view())
        )


def test_one_of_the_two_alone(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    write(folder, recipe(dataset_name="Shapes", size=2))
    plain = Shapes(size=2)[1]

    def sample(**keys: bool) -> Any:
        method = {"corrupted-data": {"path": str(folder), **keys}}
        content = recipe(dataset_name="Shapes", size=2, method_cfg=method)
        return load_recipe(content).scenario.build()[1]

    assert sample(images=False).images[0].digest == plain.images[0].digest
    assert sample(images=False).question != plain.question
    assert sample(text=False).question == plain.question
    assert sample(text=False).images[0].digest != plain.images[0].digest


@pytest.mark.parametrize(
    ("name", "key", "root"),
    [("MMBench", "split", "MMBench"), ("ScienceQA", "", "LAMM/2D_Benchmark")],
)
def test_chefs_own_keys_read_what_was_written(
    name: str, key: str, root: str, tmp_path: Path
) -> None:
    """As ChEF's recipes have them: the right text is right, and the images are the written ones."""
    (mmbench if name == "MMBench" else scienceqa).build(tmp_path)
    keys: dict[str, Any] = {"dataset_name": name, "base_data_path": str(tmp_path / root)}
    folder = tmp_path / f"{name}_C"
    assert write(folder, recipe(**keys)) == 0
    crp = {"img_crp": True, "text_crp": True, "data_c_path": str(folder)}
    clean = load_recipe(recipe(**keys)).scenario.build()
    changed = load_recipe(recipe(**keys, **crp)).scenario.build()
    moved = 0
    for index in range(len(clean)):
        before, after = clean[index], changed[index]
        assert before.id == after.id
        rights = [item.fields["choices"][item.fields["gt_choice"]] for item in (before, after)]
        assert rights[0] == rights[1]
        moved += before.fields["choices"] != after.fields["choices"]
        choices, labels = after.fields["choices"], after.fields["labels"]
        for label, text in zip(labels, choices, strict=True):
            assert f"({label}) {text}" in after.question
        assert after.question != before.question
        assert "None" not in after.question
        assert after.images[0].digest != before.images[0].digest
    assert moved


def test_the_same_command_goes_on_and_another_one_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "c"
    content = recipe(dataset_name="Shapes", size=4)
    write(folder, content)
    first = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    (folder / "images" / "2.png").unlink()
    (folder / "Shapes_C.json").unlink()
    write(folder, content)
    assert first == {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert write(folder, content, "--seed", "7") == 2
    assert "other settings" in capsys.readouterr().err


def test_what_is_not_there(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    write(folder, recipe(dataset_name="Shapes", size=2))
    method = {"corrupted-data": {"path": str(folder)}}
    scenario = load_recipe(recipe(dataset_name="Shapes", size=3, method_cfg=method)).scenario
    with pytest.raises(SampleError, match="no corrupted form of 'mcq-test-0-2'"):
        scenario.build()[2]
    (folder / "Shapes_C.json").unlink()
    with pytest.raises(DataError, match="no file of corrupted questions"):
        scenario.build()[0]
    with pytest.raises(ConfigError, match="path"):
        load_recipe(recipe(dataset_name="Shapes", method_cfg={"corrupted-data": {}}))
