"""The first hour: README's commands as written, what is typed next, and pages of the guide.

Everything is typed into a bare shell: README in a fresh checkout, the guide in a folder of its own
with chef installed as pip does. ``CHEF_TEST_INSTALL=1`` also makes the environment for real, which
needs the package index, several GB and minutes.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from document import blocks
from newcomer.checkout import (
    ROOT,
    Typed,
    bare_shell,
    clone,
    command_lines,
    install,
    install_package,
    named_files,
)

README = (ROOT / "README.md").read_text()
GUIDE = ROOT / "docs" / "guide"
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
needs_network = pytest.mark.skipif(
    not os.environ.get("CHEF_TEST_INSTALL"), reason="CHEF_TEST_INSTALL=1 installs for real"
)
#: README's commands that install from the package index.
INSTALLING = ("pip install .", "pip install '.[hub,ray]'")
EVAL = "chef eval --model_cfg tiny --recipe_cfg"


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("newcomer") / "chef"
    clone(target)
    install(target)
    return target


def expect(typed: Typed, *parts: str, code: int = 0) -> None:
    assert typed.code == code, (typed.command, typed.text)
    assert "Traceback" not in typed.text
    for part in parts:
        assert re.search(part, typed.text), (typed.command, part, typed.text)


def test_the_commands_of_readme(fresh: Path) -> None:
    commands = [line for line in command_lines(README) if line not in INSTALLING]
    assert commands[:3] == ["make demo", ". .venv/bin/activate", "chef eval tiny Shapes/ppl"]
    demo, activate, first, *others = bare_shell(fresh, *commands)
    expect(demo, r"500 of 500 samples scored", r"Shapes/ppl", r"Digits/ppl", r"next: \. \.venv")
    assert "making the environment" not in demo.text  # it stands already
    expect(activate)
    expect(first, r"500 of 500 samples scored", r"Run folder: results/tiny/Shapes/ppl-\d{8}")
    assert "nothing is asked" in first.text  # the run of `make demo` is shown
    for typed in others:
        expect(typed)
    assert "scenarios:" in others[-1].text  # of `chef list`


def test_what_is_typed_next(fresh: Path) -> None:
    again = f"{EVAL} Shapes/direct --limit 8 --run_name first"
    _, listed, described, dry, run, same, score, typo, test = bare_shell(
        fresh,
        ". .venv/bin/activate",
        "chef list metrics",
        "chef list Tsv",
        f"{EVAL} Shapes/direct --dry-run",
        again,
        again,
        "chef score results/tiny/Shapes/direct-first",
        f"{EVAL} Shapes/dirct",
        "make --dry-run test",
    )
    expect(listed, r"(?m)^metrics:$", r"(?m)^  Accuracy +\w")
    expect(described, r"(?m)^  path: text \(required\)$", r"dataset_name: Tsv")
    expect(dry, r"# first query \(sample '", r"# reference answer: '\(A\)'")
    folder = "results/tiny/Shapes/direct-first"
    expect(run, r"8/8", rf"8 of 8 samples scored.*Run folder: {folder}")
    expect(same, rf"8 of 8 samples scored.*Run folder: {folder}")
    assert "nothing is asked" in same.text
    expect(score, r"8 of 8 samples scored")
    expect(
        typo, r"(?m)^error: Shapes/dirct: no such file\n  -> did you mean 'Shapes/direct'\?", code=2
    )
    expect(test, r"(?m)^\.venv/bin/pytest -n 4 ")
    assert "pip install" not in test.text
    results = json.loads((fresh / folder / "results.json").read_text())
    assert results["metrics"]["ACC"]["n"] == 8
    assert results["metrics"]["ACC"]["value"] > 50


@pytest.fixture(scope="module")
def guided(fresh: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of one's own; chef is installed in an environment beside it."""
    folder = tmp_path_factory.mktemp("guide") / "mine"
    folder.mkdir()
    install_package(fresh, folder.parent / "venv")
    return folder


def test_the_first_page_of_the_guide(guided: Path) -> None:
    """Its commands as printed, on 80 columns, and what it says that they print."""
    page = GUIDE / "first_run.md"
    typed: dict[str, Typed] = {}
    commands = [line for line in command_lines(page.read_text()) if "pip install" not in line]
    for one in bare_shell(guided, ". ../venv/bin/activate", *commands):
        expect(one)
        typed[one.command] = one
    printed = ""
    for block in blocks(page):
        if block.language == "sh":
            lines = command_lines(f"```sh\n{block.text}```\n")
            printed = "".join(typed[line].text for line in lines if line in typed)
        elif block.language == "text":
            assert block.printed.search(printed), f"{block}:\n{printed}"
    where = bare_shell(guided, "../venv/bin/python -c 'import chef; print(chef.__file__)'")[0]
    assert str(guided.parent / "venv") in where.text  # not that of the checkout


def test_own_parts_in_one_run(guided: Path) -> None:
    """Recipes of that page share the embedded model here; tests/pages types each command."""
    text = (GUIDE / "own_parts.md").read_text()
    files = named_files(text)
    for name, content in files.items():
        (guided / name).write_text(content)
    recipes = [name for name, content in files.items() if "scenario_cfg:" in content]
    assert len(recipes) >= 5
    before = [line for line in command_lines(text) if not line.startswith("chef eval tiny")]
    command = f"chef eval tiny {' '.join(recipes)} --limit 4 --run_name pages"
    _, *made, typed = bare_shell(guided, ". ../venv/bin/activate", *before, command)
    for one in made:
        expect(one)
    expect(typed, *(rf"/{Path(name).stem}-pages" for name in recipes))
    for name in recipes:
        (run,) = (guided / "results" / "tiny").glob(f"*/{Path(name).stem}-pages")
        assert (run / "scores.jsonl").read_text().count("\n") == 4


@needs_network
def test_make_installs_for_real(tmp_path: Path) -> None:
    clone(tmp_path / "chef")
    demo, _, installed, extras, listed = bare_shell(
        tmp_path / "chef",
        "make demo TORCH=cpu",
        ". .venv/bin/activate",
        *INSTALLING,
        "cd / && chef list",
        timeout=3000,
    )
    for typed in (demo, installed, extras, listed):
        expect(typed)
    assert "making the environment" in demo.text
    assert "scenarios:" in listed.text
