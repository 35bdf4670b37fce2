"""``vlmeval:NAME``: a data set of an installed VLMEvalKit by its own prompt and scores."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from chef.cli import main
from chef.config import load_recipe
from chef.errors import ChefError, ConfigError, DependencyError

PACKAGE = """\
import pandas as pd


class ImageBaseDataset:
    MODALITY, TYPE = "IMAGE", "VQA"

    def __init__(self, dataset="Few", skip_noimg=True):
        self.dataset_name = dataset
        self.data = pd.DataFrame({"index": [1, 2, 3], "question": ["a", "b", "c"],
                                  "answer": ["x", "y", "z"]})

    @classmethod
    def supported_datasets(cls):
        return []


class Few(ImageBaseDataset):
    @classmethod
    def supported_datasets(cls):
        return ["Few", "Fewer"]

    def dump_image(self, line):
        return []

    def build_prompt(self, line):
        return [dict(type="text", value=f"{self.dataset_name} asks {line['question']}")]

    @classmethod
    def evaluate(cls, eval_file, **judge_kwargs):
        from chef.scenario.hooks.vlmevalkit.files import load
        data = load(eval_file)
        return {"rows": len(data), "answered": float(data["prediction"].map(bool).mean())}


class Clips(Few):
    MODALITY = "VIDEO"

    @classmethod
    def supported_datasets(cls):
        return ["Clips"]
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch):
    from chef.scenario.hooks.packaged import packaged

    def forget() -> None:
        packaged.cache_clear()
        for name in [name for name in sys.modules if name.split(".")[0] == "vlmeval"]:
            del sys.modules[name]

    folder = tmp_path / "site" / "vlmeval" / "dataset"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder / "__init__.py").write_text(PACKAGE)
    forget()
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    yield tmp_path
    forget()


@pytest.mark.parametrize("name", ["Few", "Fewer"])
def test_it_is_asked_and_scored_by_its_class(package: Path, name: str) -> None:
    run = ["eval", "--model_cfg", "tiny", "--recipe_cfg", f"vlmeval:{name}"]
    assert main([*run, "--save_dir", str(package / "r"), "--time", "now"]) == 0
    (file,) = (package / "r").rglob("results.json")
    assert json.loads(file.read_text())["result"]["rows"] == 3
    lines = file.with_name("predictions.jsonl").read_text().splitlines()
    questions = {json.loads(line)["sample"]["question"] for line in lines}
    assert questions == {f"{name} asks {item}" for item in "abc"}


@pytest.mark.parametrize(
    ("name", "said"), [("Feww", "no data set 'Feww'"), ("Clips", "asks no video")]
)
def test_what_it_cannot_ask_it_says(package: Path, name: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load_recipe(f"vlmeval:{name}")


def test_without_the_package_it_says_so() -> None:
    with pytest.raises(ChefError, match="not installed") as raised:
        load_recipe("vlmeval:Few")
    assert isinstance(raised.value, DependencyError)
    assert "PYTHONPATH" in str(raised.value)
