"""The key ``name`` of a model file, also of a class that does not take it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import chef
from chef.cli import main
from chef.config.model import load_model

TINY = Path(chef.__file__).parent / "assets" / "tiny"
CLASS = """\
import chef


class Loud(chef.Model):
    def __init__(self, *, text: str = "A") -> None:
        self.text = text

    def generate_one(self, conversation, max_new_tokens):
        return self.text

    def score_one(self, conversation, candidates):
        return [-float(place) for place, _ in enumerate(candidates)]
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loud.py").write_text(CLASS)
    Path("a.yaml").write_text("plugins: [loud.py]\nmodel_name: Loud\n")
    Path("b.yaml").write_text("plugins: [loud.py]\nmodel_name: Loud\ntext: B\nname: b\n")


def test_a_path_may_begin_beside_the_model_file(files: None) -> None:
    Path("inner").mkdir()
    Path("inner/t.jinja").write_text("{{ messages }}")
    shutil.copytree(TINY, "inner/ckpt")
    text = "model_name: HuggingFace\nmodel_path: ckpt\nchat_template: t.jinja\n"
    Path("inner/c.yaml").write_text(text)
    spec = load_model("inner/c.yaml")
    assert spec.model.options["model_path"] == "inner/ckpt"
    assert spec.model.options["chat_template"] == "inner/t.jinja"
    Path("t.jinja").touch()  # the current folder comes first
    assert load_model("inner/c.yaml").model.options["chat_template"] == "t.jinja"
    assert load_model("tiny").model.build().name == "tiny"


def test_an_own_class_is_called_as_its_file_says(files: None) -> None:
    spec = load_model("b.yaml")
    assert (spec.label, spec.model.build().name) == ("b", "b")
    assert spec.effective() == {"model_name": "Loud", "text": "B", "name": "b"}
    assert load_model("a.yaml").model.build().name == "Loud"
    assert "name" not in load_model("a.yaml").effective()
    report = chef.evaluate("b.yaml", "Shapes/ppl", limit=2)
    assert (report.model, report.folder.parts[:2]) == ("b", ("results", "b"))


def test_two_files_of_one_class_run_side_by_side(files: None) -> None:
    command = ["eval", "--model", "a.yaml", "b.yaml", "--recipe", "Shapes/ppl", "--limit", "2"]
    assert main(command) == 0
    assert {item.name for item in Path("results").iterdir()} >= {"Loud", "b"}
    assert main([*command[:4], "a.yaml:name=c", *command[4:]]) == 0
    assert Path("results/c").is_dir()
