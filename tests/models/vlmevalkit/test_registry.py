"""``model_name: VLMEvalKit``: entries of an installed package's registry, on a stand-in for it."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from chef.cli import main
from chef.common.front_modules import install
from chef.config import load_model
from chef.errors import ConfigError, DependencyError, RunError
from chef.models.api.server_model import ServerModel

#: The interface of VLMEvalKit: a base class of each kind, and the registry of partial classes.
BASE = """
class BaseModel:
    INTERLEAVE = False
    allowed_types = ["text", "image", "video"]
    def __init__(self):
        self.dump_image_func = None
    def use_custom_prompt(self, dataset):
        return False
    def set_dump_image(self, dump_image_func):
        self.dump_image_func = dump_image_func
    def dump_image(self, line, dataset):
        return self.dump_image_func(line)
    def generate(self, message, dataset=None):
        raise AssertionError("sniffs texts")
"""
API = """
import time
class BaseAPI:
    is_api = True
    def __init__(self, retry=10, wait=3, fail_msg="no answer", **kwargs):
        self.fail_msg, self.default_kwargs = fail_msg, kwargs
    def generate(self, message, **kwargs):
        time.sleep(1000)
"""
MODELS = """
from vlmeval.vlm.base import BaseModel
from vlmeval.api.base import BaseAPI
MADE = []
class Local(BaseModel):
    def __init__(self, model_path, **kwargs):
        super().__init__()
        MADE.append(model_path)
        self.model_path, self.kwargs = model_path, kwargs
        if model_path == "missing":
            raise FileNotFoundError("no weights")
    def use_custom_prompt(self, dataset):
        return dataset == "Shapes"
    def build_prompt(self, line, dataset=None):
        paths = self.dump_image(line, dataset)
        return [*({"type": "image", "value": path} for path in paths),
                {"type": "text", "value": "own: " + line["question"]}]
    def generate_inner(self, message, dataset=None):
        said = [part["value"] for part in message if part["type"] == "text"]
        return f"{self.model_path} {self.kwargs} {dataset} {said[0][:4]}"
class Remote(BaseAPI):
    def __init__(self, model, **kwargs):
        self.model = model
        super().__init__(**kwargs)
    def generate_inner(self, inputs, **kwargs):
        if "olor" in inputs[-1]["value"]:
            return 400, self.fail_msg, "refused"
        return 0, f"{self.model} {kwargs['seed']} {kwargs['dataset']}", "log"
"""
CONFIG = """
from functools import partial
from vlmeval.models import Local, Remote
supported_VLM = {
    "small-7b": partial(Local, model_path="org/small", depth=1),
    "missing": partial(Local, model_path="missing"),
    "distant": partial(Remote, model="remote-1", seed=3),
}
"""
FILES = {
    "__init__.py": "",
    "vlm/__init__.py": "",
    "vlm/base.py": BASE,
    "api/__init__.py": "",
    "api/base.py": API,
    "models.py": MODELS,
    "config.py": CONFIG,
}


def forget() -> None:
    for name in [item for item in sys.modules if item.split(".")[0] == "vlmeval"]:
        del sys.modules[name]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that stands for an installed VLMEvalKit."""
    folder = tmp_path / "site" / "vlmeval"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    forget()
    monkeypatch.syspath_prepend(folder.parent)
    yield folder
    forget()


def model_file(folder: Path, entry: str, more: str = "") -> Path:
    path = folder / f"{entry}.yaml"
    path.write_text(f"model_name: VLMEvalKit\nmodel: {entry}\n{more}")
    return path


def run(folder: Path, model: Path, instruction: str = "") -> tuple[int, list[dict]]:  # type: ignore[type-arg]
    recipe = folder / "recipe.yaml"
    recipe.write_text(
        "scenario_cfg: {dataset_name: Shapes, task: mcq, size: 40}\n"
        f"eval_cfg:\n  instruction_cfg: {{{instruction}}}\n"
        "  inferencer_cfg: {inferencer_type: Direct}\n  metric_cfg: {metric_type: basic}\n"
    )
    given = ["--model_cfg", str(model), "--recipe_cfg", str(recipe), "--limit", "6"]
    code = main(["eval", *given, "--save_dir", str(folder / "results"), "--fresh"])
    files = [*(folder / "results").rglob("predictions.jsonl")]
    return code, [json.loads(line) for file in files for line in file.read_text().splitlines()]


def test_a_model_of_the_registry_answers(package: Path, tmp_path: Path) -> None:
    code, lines = run(tmp_path, model_file(tmp_path, "small-7b"))
    assert code == 0
    assert {line["answer"] for line in lines} == {"org/small {'depth': 1} Shapes Ques"}
    assert (tmp_path / "results" / "small-7b").is_dir()


def test_its_own_prompt_and_other_arguments(package: Path, tmp_path: Path) -> None:
    model = model_file(tmp_path, "small-7b", "kwargs: {depth: 2}\n")
    code, lines = run(tmp_path, model, "prompt: model")
    assert code == 0
    assert {line["answer"] for line in lines} == {"org/small {'depth': 2} Shapes own:"}
    assert all(line["trace"]["query"].startswith("<image>\nown: ") for line in lines)


def test_an_entry_behind_a_network_is_asked_by_the_engine(package: Path, tmp_path: Path) -> None:
    path = model_file(tmp_path, "distant", "max_in_flight: 2\n")
    model = load_model(path).model.build()
    assert isinstance(model, ServerModel)
    assert model.traffic.max_in_flight == 2
    _, lines = run(tmp_path, path)
    for line in lines:
        refused = "olor" in line["sample"]["question"]
        assert line["answer"] == (None if refused else "remote-1 3 Shapes")
        assert (line["status"] == "error") == refused
    assert len({line["status"] for line in lines}) == 2


def test_it_is_made_when_it_is_needed(package: Path, tmp_path: Path) -> None:
    model = load_model(model_file(tmp_path, "small-7b")).model.build()
    made = sys.modules["vlmeval.models"].MADE
    fingerprint = model.fingerprint()
    assert made == []
    model.prepare()
    assert made == ["org/small"]
    assert model.fingerprint() == fingerprint
    other = load_model(model_file(tmp_path, "small-7b", "kwargs: {depth: 3}\n")).model.build()
    assert other.fingerprint() != fingerprint
    broken = load_model(model_file(tmp_path, "missing")).model.build()
    with pytest.raises(RunError, match="no weights"):
        broken.prepare()


def test_an_unknown_entry_is_refused(package: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no model 'smal-7b'") as caught:
        load_model(model_file(tmp_path, "smal-7b")).model.build()
    assert "did you mean 'small-7b'?" in str(caught.value)


def test_a_package_that_cannot_be_imported_is_told(package: Path, tmp_path: Path) -> None:
    (package / "config.py").write_text("import no_such_package\n")
    with pytest.raises(DependencyError, match="no_such_package"):
        load_model(model_file(tmp_path, "small-7b")).model.build()


def test_without_the_package_it_says_so(tmp_path: Path) -> None:
    forget()
    install(every=True)  # chef's own names of its modules are no package
    path = model_file(tmp_path, "small-7b")
    with pytest.raises(DependencyError, match="not installed") as caught:
        load_model(path).model.build()
    assert "pip install" in str(caught.value)
    code = textwrap.dedent(
        f"""
        import sys
        from chef.config import load_model
        from chef.vlmevalkit import BaseModel
        load_model({str(path)!r})
        assert "torch" not in sys.modules, "checking a model file needs no torch"
        """
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
