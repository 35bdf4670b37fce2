"""A class that loads weights in its constructor loads them when it is first asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chef.cli import main
from chef.config import load_model
from chef.types import Generate, Text, Turn

SOURCE = """
from vlmeval.vlm.base import BaseModel

class Heavy(BaseModel):
    made = []

    def __init__(self, model_path="x", **kwargs):
        self.weights = [len(self.made)]
        self.kwargs = kwargs
        {more}
        self.made.append(model_path)

    def use_custom_prompt(self, dataset):
        return self.kwargs.get("own", False)

    def generate_inner(self, message, dataset=None):
        return f"{{self.weights}} {{message[0]['value']}}"
"""
Build = Callable[..., Any]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    def build(keys: str = "", more: str = "pass") -> Any:
        (tmp_path / "heavy.py").write_text(SOURCE.format(more=more))
        (tmp_path / "heavy.yaml").write_text(f"plugins: [heavy.py]\nmodel_name: Heavy\n{keys}")
        return load_model(tmp_path / "heavy.yaml").model.build()

    return build


def said(model: Any) -> str:
    (reply,) = model.generate([Generate((Turn("user", (Text("hi"),)),), max_new_tokens=8)])
    return str(reply.text)


def test_it_is_made_once_and_again_after_it_was_closed(build: Build) -> None:
    model = build("model_path: there\n")
    before = model.fingerprint()
    assert (model.name, model.max_images, model.made) == ("Heavy", None, [])
    model.check_settings()
    assert model.made == []
    model.prepare()
    model.prepare()
    assert model.made == ["there"]
    assert said(model) == "[0] hi"
    assert model.fingerprint() == before
    model.close()
    assert "weights" not in vars(model)
    assert model.notices  # what was noted is told after the end
    assert said(model) == "[1] hi"
    assert model.made == ["there", "there"]


def test_another_key_has_another_fingerprint_and_a_password_none(build: Build) -> None:
    found = {build(keys).fingerprint() for keys in ("", "top_k: 3\n", "top_k: 4\n")}
    assert len(found) == 3
    assert build("api_key: secret-1\n").fingerprint() in found


def test_an_attribute_that_is_read_makes_it(build: Build) -> None:
    model = build("own: true\n")
    assert model.use_custom_prompt("MMBench") is True
    assert model.made == ["x"]
    assert not hasattr(model, "chat_inner")


@pytest.mark.parametrize("more", ["self.name = 'mine'", "self.made = ['own']"])
def test_what_would_be_told_wrongly_is_made_at_once(build: Build, more: str) -> None:
    assert "weights" in vars(build(more=more))


def test_a_failing_constructor_fails_each_time(build: Build) -> None:
    model = build(more="open(model_path)")
    for _ in range(2):
        with pytest.raises(FileNotFoundError, match="'x'"):
            model.prepare()
        assert "weights" not in vars(model)


def test_a_dry_run_makes_no_model(
    build: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build(more="raise RuntimeError('I was made')")
    recipe = ["--recipe_cfg", "Shapes/direct", "scenario_cfg.size=4"]
    model = ["--model_cfg", str(tmp_path / "heavy.yaml")]
    assert main(["eval", *model, *recipe, "--dry-run", "--save_dir", str(tmp_path)]) == 0
    assert "first query" in capsys.readouterr().out
    assert main(["eval", *model, *recipe, "--save_dir", str(tmp_path)]) == 3
    assert "I was made" in capsys.readouterr().err
