"""``model_name: MMTrustEval``: models of an installed package, on a stand-in for it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from chef.mmtrusteval import model_zoo
from mmtrusteval.conftest import OWN, loaded

from chef.cli import main
from chef.common.front_modules import install
from chef.config import load_model
from chef.errors import ConfigError, DependencyError, RunError

#: The interface of MMTrustEval's models that its users call.
MODELS = """
MADE = []

class Response:
    def __init__(self, content, finish_reason):
        self.content, self.finish_reason = content, finish_reason

class Chat:
    def __init__(self, model_id, device):
        MADE.append((model_id, device))
        if model_id == "broken-1b":
            raise FileNotFoundError("no weights")
        self.model_id = model_id
    def chat(self, messages, **generation_kwargs):
        content = messages[0]["content"]
        return Response(f"{self.model_id} {sorted(content)} {sorted(generation_kwargs)}", "length")

def load_chatmodel(model_id, device="cuda:0"):
    return Chat(model_id, device)

def model_zoo():
    return ["small-7b", "broken-1b"]
"""


def forget() -> None:
    for name in [item for item in sys.modules if item.split(".")[0] == "mmte"]:
        del sys.modules[name]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that stands for an installed MMTrustEval."""
    folder = tmp_path / "site" / "mmte"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "models.py").write_text(MODELS)
    forget()
    monkeypatch.syspath_prepend(folder.parent)
    yield folder
    forget()


def model_file(folder: Path, name: str, more: str = "") -> Path:
    path = folder / "model.yaml"
    path.write_text(f"model_name: MMTrustEval\nmodel_id: {name}\n{more}")
    return path


def test_a_model_of_the_package_answers(package: Path, tmp_path: Path) -> None:
    path = model_file(tmp_path, "small-7b", "device: cpu\n")
    given = ["--model_cfg", str(path), "--recipe_cfg", "Shapes/direct", "--limit", "2"]
    assert main(["eval", *given, "--save_dir", str(tmp_path / "results")]) == 0
    (file,) = (tmp_path / "results" / "small-7b").rglob("predictions.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    asked = "['image_path', 'text'] ['do_sample', 'max_new_tokens']"
    assert [line["answer"] for line in lines] == [f"small-7b {asked}"] * 2
    assert {line["status"] for line in lines} == {"truncated"}
    assert sys.modules["mmte.models"].MADE == [("small-7b", "cpu")]
    assert "small-7b" in model_zoo()


def test_what_is_wrong_is_told(package: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        load_model(model_file(tmp_path, "smal-7b")).model.build()
    assert "small-7b" in (raised.value.hint or "")
    broken = load_model(model_file(tmp_path, "broken-1b")).model.build()
    with pytest.raises(RunError, match="no weights"):
        broken.prepare()
    forget()
    (package / "models.py").write_text("import no_such_package\n")
    with pytest.raises(DependencyError, match="no_such_package"):
        load_model(model_file(tmp_path, "small-7b")).model.build()


def test_without_the_package_there_are_the_users_own(tmp_path: Path) -> None:
    forget()
    install(every=True)  # chef's own names of its modules are no package
    with pytest.raises(DependencyError, match="not installed"):
        load_model(model_file(tmp_path, "small-7b")).model.build()
    (tmp_path / "own.py").write_text(OWN)
    own = load_model(model_file(tmp_path, "parrot-1", "plugins: [own.py]\n"))
    model = own.model.build()
    assert model.name == "parrot-1"
    assert list(own.plugin_files) == ["own.py"]
    with pytest.raises(DependencyError) as raised:
        load_model(model_file(tmp_path, "parot-1", "plugins: [own.py]\n")).model.build()
    assert "parrot-1" in (raised.value.hint or "")
    other = load_model(model_file(tmp_path, "parrot-2", "plugins: [own.py]\n")).model.build()
    assert model.fingerprint() != other.fingerprint()
    assert loaded(tmp_path / "own.py").Parrot.seen == []
