"""The wheel: what is in it, and that it works from any folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT

PARTS = ("setup.py", "pyproject.toml", "README.md", "MANIFEST.in", "configs", "src")


def run(*command: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(
        command, cwd=cwd, env={**kept, **environment}, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, because setuptools writes beside its sources."""
    copy = tmp_path_factory.mktemp("checkout")
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(source, copy / part, ignore=ignored)
        else:
            shutil.copy(source, copy / part)
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps")
    done = run(*pip, "--no-index", "-w", str(copy / "dist"), ".", cwd=copy)
    assert done.returncode == 0, done.stderr
    (file,) = (copy / "dist").glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("installed")
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index")
    # Python compiles the few files that a command imports; pip would compile all of them.
    done = run(*pip, "--no-compile", "--target", str(target), str(wheel), cwd=target)
    assert done.returncode == 0, done.stderr
    return target


def chef(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "chef", *arguments)
    return run(*command, cwd=folder, PYTHONPATH=str(installed))


def test_the_wheel_carries_every_file_that_a_command_reads(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    configs = {f"chef/{path.relative_to(ROOT)}" for path in (ROOT / "configs").rglob("*.yaml")}
    assert len(configs) > 100
    assert configs <= names
    package = ROOT / "src" / "chef"
    data = {
        f"chef/{path.relative_to(package)}"
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert data <= names
    assert "chef/preparing/sources.yaml" in names


def test_names_are_found_from_anywhere(installed: Path, tmp_path: Path) -> None:
    for model, recipe in (
        ("tiny", "Shapes/ppl"),
        ("configs/models/tiny.yaml", "configs/recipes/Shapes/ppl.yaml"),
    ):
        given = ("--model_cfg", model, "--recipe_cfg", recipe, "--dry-run")
        done = chef(installed, tmp_path, "eval", *given)
        assert done.returncode == 0, done.stderr
        assert f"# {installed / 'chef/configs/recipes/Shapes/ppl.yaml'}" in done.stdout
        assert "samples of Shapes, scored by" in done.stdout


def test_a_file_of_the_current_folder_comes_first(installed: Path, tmp_path: Path) -> None:
    own = tmp_path / "configs" / "recipes" / "Shapes" / "ppl.yaml"
    own.parent.mkdir(parents=True)
    text = (ROOT / "configs/recipes/Shapes/ppl.yaml").read_text()
    own.write_text(text.replace("task: mcq", "task: mcq\n  size: 7"))
    recipe = "configs/recipes/Shapes/ppl.yaml"
    done = chef(
        installed, tmp_path, "eval", "--model_cfg", "tiny", "--recipe_cfg", recipe, "--dry-run"
    )
    assert "7 samples of Shapes" in done.stdout


def test_data_can_be_prepared(installed: Path, tmp_path: Path) -> None:
    done = chef(installed, tmp_path, "prepare", "ScienceQA", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "terms:" in done.stdout


def test_recipes_are_listed_and_shown(installed: Path, tmp_path: Path) -> None:
    assert "MMBench/ppl" in chef(installed, tmp_path, "list", "recipes").stdout
    assert "dataset_name: MMBench" in chef(installed, tmp_path, "list", "MMBench/ppl").stdout
