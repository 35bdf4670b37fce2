"""Models of a checked-out LAMM, and inferencers as ChEF's design names them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from chef.config import load_model, load_recipe
from chef.errors import ConfigError, DependencyError
from chef.image import Image
from chef.types import Generate, Score, Text, Turn

BASE = "class TestBase:\n    def __init__(self, **kwargs):\n        self.kwargs = kwargs\n"
MODEL = """\
from .test_base import TestBase


class TestParrot(TestBase):
    def batch_generate(self, batch_images, batch_prompt, max_new_tokens, **kwargs):
        return [f"{self.kwargs['mark']} {text}" for text in batch_prompt]

    def ppl_inference(self, batch_images, batch_prompt, batch_options, batch_answers, **kwargs):
        return [-float(len(option)) for option in batch_options]


class RemoteParrot(TestBase):
    def __init__(self, api_key="", **kwargs):
        super().__init__(**kwargs)

    def batch_generate(self, batch_images, batch_prompt, max_new_tokens, **kwargs):
        return [open(path, "rb").read()[1:4].decode() for path in batch_images]
"""


@pytest.fixture
def lamm(tmp_path: Path, monkeypatch):
    folder = tmp_path / "src" / "ChEF" / "models"
    folder.mkdir(parents=True)
    for path, text in {
        folder.parent / "__init__.py": "",
        folder / "__init__.py": "",
        folder / "test_base.py": BASE,
        folder / "test_parrot.py": MODEL,
    }.items():
        path.write_text(text)
    for name in [name for name in sys.modules if name.split(".")[0] == "ChEF"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path / "src"))
    yield tmp_path
    for name in [name for name in sys.modules if name.split(".")[0] == "ChEF"]:
        del sys.modules[name]


def asked(text: str, *images: Image) -> tuple[Turn, ...]:
    return (Turn("user", (*images, Text(text))),)


def model_of(folder: Path, name: str, more: str = "") -> object:
    path = folder / "m.yaml"
    path.write_text(f"model_name: ChEF\nmodel: {name}\n{more}")
    return load_model(path).model.build()


@pytest.mark.parametrize("name", ["TestParrot", "Parrot", "parrot"])
def test_a_model_of_the_package_is_asked(lamm: Path, name: str) -> None:
    model = model_of(lamm, name, "kwargs: {mark: loud}\n")
    (reply,) = model.generate([Generate(asked("hello"))])
    assert reply.text == "loud hello"
    (scores,) = model.score([Score(asked("which"), ("a", "bcd"))])
    assert [item.mean for item in scores] == [-1.0, -3.0]


def test_a_class_for_models_behind_a_server_gets_paths(lamm: Path) -> None:
    import PIL.Image

    path = lamm / "dot.png"
    PIL.Image.new("RGB", (4, 4), "red").save(path)
    model = model_of(lamm, "RemoteParrot")
    (reply,) = model.generate([Generate(asked("what", Image(str(path))))])
    assert reply.text == "PNG"


def test_an_unknown_model_is_told(lamm: Path) -> None:
    with pytest.raises(ConfigError, match="no model 'Parot'") as raised:
        model_of(lamm, "Parot")
    assert "Parrot" in str(raised.value)


def test_without_the_package_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(DependencyError, match="LAMM"):
        model_of(tmp_path, "Parrot")


RECIPE = """\
scenario_cfg: {{dataset_name: Shapes, task: mcq, size: 8}}
eval_cfg:
  {examples}inferencer_cfg: {{inferencer_type: {kind}, max_new_tokens: 4}}
  metric_cfg: {{metric_type: Accuracy}}
"""


@pytest.mark.parametrize(
    ("kind", "thinks", "shows"),
    [("CoT", True, False), ("ICL", False, True), ("ICL_CoT", True, True)],
)
def test_inferencers_as_the_design_names_them(
    tmp_path: Path, kind: str, thinks: bool, shows: bool
) -> None:
    path = tmp_path / "r.yaml"
    cfg = "{retriever_type: random, ice_num: 1}"
    examples = f"instruction_cfg: {{incontext_cfg: {cfg}}}\n  " if shows else ""
    path.write_text(RECIPE.format(kind=kind, examples=examples))
    recipe = load_recipe(path)
    assert recipe.inferencer.name == "Direct"
    assert bool(recipe.inferencer.options.get("CoT")) is thinks
    assert (recipe.incontext is not None) is shows
    assert any(f"inferencer_type: {kind} -> Direct" in item for item in recipe.notices)


@pytest.mark.parametrize("name", ["GPT", "Gemini"])
def test_models_behind_a_server_have_a_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text(f"model_name: {name}\n")
    with pytest.raises(ConfigError, match="a model of ChEF") as raised:
        load_model(path)
    assert "configs/models/openai.yaml" in str(raised.value)
