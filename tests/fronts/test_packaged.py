"""``vlmeval:NAME``: a data set of VLMEvalKit's classes by its own prompt and scores.

The classes are those of an installed package, or of a folder of files.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from upstream_expected import FILES

from chef.cli import main
from chef.config import load_recipe
from chef.errors import ChefError, ConfigError, DependencyError
from chef.scenario.vlmevalkit.table import VARIABLE

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
    short = "eval_cfg.inferencer_cfg.max_new_tokens=4"
    run = ["eval", "--model_cfg", "tiny", "--recipe_cfg", f"vlmeval:{name}", short]
    assert main([*run, "--save_dir", str(package / "r"), "--time", "now"]) == 0
    (file,) = (package / "r").rglob("results.json")
    assert json.loads(file.read_text())["result"]["rows"] == 3
    lines = file.with_name("predictions.jsonl").read_text().splitlines()
    questions = {json.loads(line)["sample"]["question"] for line in lines}
    assert questions == {f"{name} asks {item}" for item in "abc"}


def test_it_reads_the_data_root_of_the_recipe(package: Path, monkeypatch) -> None:
    """The package reads its variable, and compares digests of its own, unless told otherwise."""
    monkeypatch.setenv("LMUData", "before")
    (package / "data").mkdir()
    seen = 'import os\nseen = (os.environ["LMUData"], dict(self.DATASET_MD5))\n'
    seen = seen.replace("\n", "\n        ") + "type(self).seen.append(seen)\n"
    source = PACKAGE.replace('TYPE = "IMAGE", "VQA"\n', 'TYPE = "IMAGE", "VQA"\n    seen = []\n')
    source = source.replace("    seen = []\n", '    seen = []\n    DATASET_MD5 = {"Few": "01"}\n')
    source = source.replace("        self.data = ", f"        {seen}        self.data = ")
    (package / "site" / "vlmeval" / "dataset" / "__init__.py").write_text(source)
    root = f"scenario_cfg.data_root={package / 'data'}"
    for extra in ([], ["scenario_cfg.check_md5=false"]):
        load_recipe("vlmeval:Few", overrides=[root, *extra]).scenario.build()
    found = sys.modules["vlmeval.dataset"].ImageBaseDataset.seen
    assert found == [(str(package / "data"), {"Few": "01"}), (str(package / "data"), {})]
    assert os.environ[VARIABLE] == "before"


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


def folder_of(place: Path, **files: str) -> Path:
    """A folder ``dataset`` of files with such contents, and one that its package would have."""
    folder = place / "dataset"
    folder.mkdir()
    (folder / "__init__.py").write_text("from .nothing import that_is_here\n")
    for name, content in files.items():
        (folder / f"{name}.py").write_text(content)
    return folder


def test_a_class_of_a_folder_is_asked_by_name(tmp_path: Path, monkeypatch, capsys) -> None:
    """All stand-in files of a folder are one plugin, and no recipe is written."""
    monkeypatch.setenv("LMUData", str(FILES / "vlmeval" / "LMUData"))
    monkeypatch.chdir(FILES)
    short = "eval_cfg.inferencer_cfg.max_new_tokens=4"
    what = ["vlmeval:ToyColourVQA", "plugins=[vlmeval/dataset]", short]
    run = ["eval", "tiny", *what, "--save_dir", str(tmp_path), "--time", "now"]
    assert main(run) == 0
    (file,) = tmp_path.rglob("results.json")
    assert {"Overall", "one", "two"} <= {*json.loads(file.read_text())["result"]}  # its evaluate
    journal = file.with_name("predictions.jsonl").read_text().splitlines()
    queries = [json.loads(line)["trace"]["query"] for line in journal]
    assert len(queries) == 4
    assert all(query.endswith("Name it in one word.") for query in queries)  # its build_prompt
    assert "vlmeval/dataset/toy_colour_vqa.py" in file.with_name("config.yaml").read_text()
    capsys.readouterr()


def test_a_file_that_cannot_be_imported_stops_no_other(tmp_path: Path, caplog) -> None:
    whole = "from .image_base import ImageBaseDataset\nclass Whole(ImageBaseDataset): pass\n"
    folder = folder_of(tmp_path, broken="import no_such_package_at_all\n", whole=whole)
    recipe = load_recipe("vlmeval:Whole", overrides=[f"plugins=[{folder}]"])
    assert recipe.scenario.kind.dataset_class.__name__ == "Whole"
    assert [name.rpartition("/")[2] for name in recipe.plugin_files] == ["whole.py"]
    (line,) = [record.message for record in caplog.records if "broken.py" in record.message]
    assert "no_such_package_at_all" in line


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "has no .py file"),
        ({"part": "x = 1\n"}, "no file that defines an ingredient"),
        ({"part": "import no_such_package_at_all\n"}, "pip install no_such_package_at_all"),
    ],
)
def test_a_folder_without_any_is_refused(files: dict[str, str], said: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path, **files)
    with pytest.raises(ConfigError, match=said):
        load_recipe("vlmeval:Whole", overrides=[f"plugins=[{folder}]"])
