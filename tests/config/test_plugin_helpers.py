"""A plugin imports files beside it with a dot, and they decide its answers as it does itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from chef.config import ModelSpec, load_model
from chef.config.code_digest import is_same_code
from chef.errors import ConfigError

MODEL = """\
import chef
from {helper} import WORD


class Parrot(chef.Model):
    def generate_one(self, conversation, max_new_tokens):
        from .later import ENDING

        return WORD + ENDING
"""
FILES = {
    "model.yaml": "plugins: [my_model.py]\nmodel_name: Parrot\n",
    "helper.py": "import json\n\nfrom .words import common\n\nWORD = common.WORD\n",
    "json.py": "raise SystemExit('a file of the name of a module of Python')\n",
    "words/__init__.py": "",
    "words/common.py": "from ..deepest import WORD\n",
    "deepest.py": "WORD = 'cat'\n",
    "later.py": "ENDING = '.'\n",
    "unused.py": "WORD = 'cow'\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, FILES | {"my_model.py": MODEL.format(helper=".helper")})
    return tmp_path


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


def spec_of(folder: Path, monkeypatch: pytest.MonkeyPatch) -> ModelSpec:
    """The model file with the digests of files as they are now, as in another process."""
    monkeypatch.setattr("chef.config.plugins._loaded", {})
    return load_model(folder / "model.yaml")


def test_files_beside_a_plugin_are_imported_with_a_dot(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = spec_of(folder, monkeypatch)
    model = spec.model.build()
    assert model.generate_one((), 1) == "cat."
    used = ["deepest.py", "helper.py", "later.py", "my_model.py", "words/__init__.py"]
    assert sorted(spec.plugin_files) == [*used, "words/common.py"]


@pytest.mark.parametrize("name", ["helper.py", "deepest.py", "later.py", "words/common.py"])
def test_an_edit_of_such_a_file_counts_and_a_comment_does_not(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = spec_of(folder, monkeypatch).plugin_files
    file = folder / name
    file.write_text(f"{file.read_text()}# a comment\n")
    commented = spec_of(folder, monkeypatch).plugin_files
    assert all(is_same_code(before[at], commented[at]) for at in before)
    file.write_text(f"{file.read_text()}MORE = 1\n")
    edited = spec_of(folder, monkeypatch).plugin_files
    assert [at for at in before if not is_same_code(before[at], edited[at])] == [name]


def test_a_file_that_is_found_by_the_path_of_python_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = MODEL.format(helper="plain_helper").replace("from .later", "from plain_helper")
    helper = "WORD = 'cat'\nENDING = ''\n"
    write(tmp_path, FILES | {"my_model.py": source, "plain_helper.py": helper})
    with pytest.raises(ConfigError) as caught:
        spec_of(tmp_path, monkeypatch)
    assert "pip" not in str(caught.value.hint)
    assert "from .plain_helper import NAME" in str(caught.value.hint)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert sorted(spec_of(tmp_path, monkeypatch).plugin_files) == ["my_model.py", "plain_helper.py"]


def test_an_edit_while_the_process_runs_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec_of(folder, monkeypatch)
    (folder / "deepest.py").write_text("WORD = 'dog'\n")
    with pytest.raises(ConfigError, match=r"deepest\.py has changed since this process loaded it"):
        load_model(folder / "model.yaml")


def test_what_failed_to_import_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "deepest.py").write_text("WORDS = 'dog'\n")
    with pytest.raises(ConfigError, match=r"cannot import name 'WORD' from '\.deepest'"):
        spec_of(folder, monkeypatch)
    (folder / "deepest.py").write_text("WORD = 'dog'\n")
    assert load_model(folder / "model.yaml").model.build().generate_one((), 1) == "dog."
