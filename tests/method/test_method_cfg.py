"""The key ``method_cfg`` of scenarios: checked, part of the configuration, and with other keys."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
import yaml

import chef
from chef.cli import main
from chef.config import load_recipe
from chef.errors import ConfigError
from chef.method.base import WithMethod
from chef.scenario.shapes.scenario import Shapes

COLOR = "unrelated-image-color"
PLUGIN = """
from dataclasses import replace
from chef.method import Method

class Shout(Method):
    def __init__(self, method_id: str, *, marks: int = 1) -> None:
        super().__init__(method_id)
        self.marks = marks

    def transform(self, sample):
        return replace(sample, question=sample.question.upper() + "!" * self.marks)
"""


def recipe(method: Any, **scenario: Any) -> dict[str, Any]:
    return {
        "scenario_cfg": {"dataset_name": "Shapes", "method_cfg": method, **scenario},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PPL"}},
    }


def built(method: Any, **scenario: Any) -> Any:
    return load_recipe(recipe(method, **scenario)).scenario.build()


def test_only_the_image_changes() -> None:
    plain, changed = Shapes(), built({COLOR: {"img_size": [5, 4]}})
    assert isinstance(changed, WithMethod)
    assert len(changed) == len(plain)
    assert changed.random_accuracy == plain.random_accuracy == 0.25
    for index in (0, 7):
        before, after = plain[index], changed[index]
        assert after.images[0].size == (4, 5)
        assert dataclasses.replace(after, images=before.images) == before
        assert (changed.sample_id(index), changed.group(index)) == (
            plain.sample_id(index), plain.group(index)
        )  # fmt: skip


def test_rotations_show_one_image() -> None:
    """The images of the rotations of a question are those of the question."""
    rotations = built({COLOR: {}}, circular=True)
    first = [rotations[index] for index in range(4)]
    assert {sample.fields["circular_group"] for sample in first} == {Shapes().sample_id(0)}
    assert len({sample.images[0].digest for sample in first}) == 1
    assert first[0].images[0].digest == built({COLOR: {}})[0].images[0].digest
    assert len({sample.question for sample in first}) == 4


def test_examples_of_another_split_stay_clean() -> None:
    pool = built({COLOR: {}}).pool()
    clean = Shapes().pool()
    assert pool is not None
    assert clean is not None
    assert pool[0].images[0].digest == clean[0].images[0].digest


@pytest.mark.parametrize("nothing", [None, {}])
def test_no_method(nothing: Any) -> None:
    assert isinstance(built(nothing), Shapes)
    assert "method_cfg" not in load_recipe(recipe(nothing)).scenario.effective()


@pytest.mark.parametrize(
    ("method", "what", "hint"),
    [
        ({"unrelated-image-colour": {}}, "unrelated-image-colour", "'unrelated-image-color'"),
        ({COLOR: {"img_sise": [2, 2]}}, "unknown key", "'img_size'"),
        ({COLOR: {"img_size": "large"}}, "img_size", ""),
        ({COLOR: {"model_cfg": "tiny"}}, "unknown key", ""),
        ({COLOR: {"method_id": "x"}}, "method_id", ""),
        ({COLOR: {}, "noise": {}}, "there are 2 methods", "several are a list"),
        (COLOR, "method_cfg", ""),
        ({COLOR: 3}, COLOR, ""),
    ],
)
def test_mistakes(method: Any, what: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_recipe(recipe(method))
    assert what in str(caught.value)
    assert hint in (caught.value.hint or "")


def test_a_method_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "shout.py").write_text(PLUGIN)
    file = tmp_path / "r.yaml"
    content = {"plugins": ["shout.py"], **recipe({"Shout": {"marks": 2}})}
    file.write_text(yaml.safe_dump(content, sort_keys=False))
    scenario = load_recipe(file).scenario.build()
    assert scenario[0].question == Shapes()[0].question.upper() + "!!"
    file.write_text(file.read_text().replace("marks", "marcs"))
    with pytest.raises(ConfigError, match="unknown key") as caught:
        load_recipe(file)
    assert "marks" in str(caught.value.hint)


def test_folders_are_looked_for_beside_the_recipe(tmp_path: Path) -> None:
    """They are found wherever the command is given, and no part of the configuration."""
    (tmp_path / "photos").mkdir()
    PIL.Image.new("RGB", (3, 3), (1, 2, 3)).save(tmp_path / "photos" / "one.png")
    given = {"nature_src_dir": "photos", "img_dir": str(tmp_path / "images")}
    file = tmp_path / "nature.yaml"
    file.write_text(yaml.safe_dump(recipe({"unrelated-image-nature": given})))
    scenario = load_recipe(file).scenario
    effective = scenario.effective()["method_cfg"]["unrelated-image-nature"]
    assert effective["nature_src_dir"] == "photos"
    assert scenario.build()[0].images[0].view().getpixel((0, 0)) == (1, 2, 3)


def test_the_keys_belong_to_the_run(model_file: Path, tmp_path: Path) -> None:
    """A finished run is shown again; under other keys it is another one, with other images."""
    file, images = tmp_path / "color.yaml", tmp_path / "images"

    def run(**keys: Any) -> Any:
        file.write_text(yaml.safe_dump(recipe({COLOR: {"img_dir": str(images), **keys}})))
        return chef.evaluate(model_file, file, limit=8, save_dir=tmp_path / "runs")

    first = run().folder
    drawn = {image.name for image in images.iterdir()}
    assert len(drawn) == 8
    assert run().folder == first
    second = run(seed=1).folder
    assert second != first
    assert len({image.name for image in images.iterdir()} - drawn) == 8
    for image in images.iterdir():
        image.unlink()
    assert run(seed=1).folder == second, "it is finished, whether the images are there or not"
    assert not list(images.iterdir())


def test_described_and_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "methods"]) == 0
    listed = capsys.readouterr().out
    for name in (
        "unrelated-image-color", "unrelated-image-noise", "unrelated-image-nature",
        "related-image-generated", "related-image-txtembed", "adversarial-untarget-generated",
        "adversarial-target-generated", "noise",
    ):  # fmt: skip
        assert name in listed
        assert main(["list", name]) == 0
        shown = capsys.readouterr().out
        assert "method_cfg" in shown
        assert "see `" not in shown
        assert "  model: " not in shown
        assert "[]" not in shown
        assert ("model_cfg" in shown) == name.startswith("adversarial")
        assert ("target_text" in shown) == (name == "adversarial-target-generated")
