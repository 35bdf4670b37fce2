"""Mistakes that a newcomer makes, with the message of each: see the files in ``mistakes/``.

An entry has the command as typed, the first line of the message (exactly), what a hint says (a part
of it), and the exit code, 2 unless said otherwise. Nothing ever shows a traceback. ``{here}`` is
the current folder, ``{...}`` any text, and ``|`` stands between two hints of which one is shown.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image

from chef.cli import main

FOLDER = Path(__file__).with_name("mistakes")
MISTAKES = [
    item
    for file in sorted(FOLDER.glob("*.yaml"))
    for item in yaml.load(file.read_text(), Loader=yaml.CSafeLoader)
]
RECIPE = """\
scenario_cfg: {dataset_name: Tsv, path: bench.tsv}
eval_cfg:
  inferencer_cfg: {inferencer_type: PPL}
"""
WITH_METRIC = f"plugins: [my_metric.py]\n{RECIPE}  metric_cfg: {{metric_type: Mine}}\n"
#: The newcomer's files, which work. A value in braces stands for one of them.
FILES = {
    "my.yaml": RECIPE,
    "model.yaml": "plugins: [my_model.py]\nmodel_name: Parrot\n",
    "my_model.py": """\
import chef


class Parrot(chef.Model):
    def generate_one(self, conversation, max_new_tokens):
        return "A"

    def score_one(self, conversation, candidates):
        return [-float(number) for number, _ in enumerate(candidates)]
""",
    "bench.tsv": "index | image_path | question | A | B | answer\n"
    + "".join(f"{n} | {n}.png | Which color {n}? | red | blue | A\n" for n in range(4)),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for number in range(4):
        Image.new("RGB", (8, 8), (60 * number, 0, 90)).save(f"{number}.png")
    write(FILES)
    return tmp_path


def write(files: dict[str, str]) -> None:
    known = {"{my.yaml}": RECIPE, "{my_metric.yaml}": WITH_METRIC}
    for name, text in files.items():
        content = known.get(text, text)
        Path(name).write_text(content.replace(" | ", "\t") if name.endswith(".tsv") else content)


def typed(command: str) -> int:
    """The exit code of a command as typed."""
    try:
        return main(shlex.split(command)[1:])
    except SystemExit as stop:
        return int(stop.code or 0)


def test_there_are_enough_of_them() -> None:
    names = [item["mistake"] for item in MISTAKES]
    assert len({*names}) == len(names) >= 40


def test_without_a_mistake_it_works(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("chef eval --model_cfg model.yaml --recipe_cfg my.yaml") == 0
    assert "4 of 4 samples scored" in capsys.readouterr().out


@pytest.mark.parametrize("entry", MISTAKES, ids=[item["mistake"] for item in MISTAKES])
def test_a_mistake(entry: dict[str, Any], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(entry.get("files", {}))
    for command in entry.get("first", ()):
        assert typed(command) == 0
    for name, target in entry.get("links", {}).items():
        Path(name).symlink_to(target)
    capsys.readouterr()
    code = typed(entry["command"].replace("{here}", str(here)))
    out, err = capsys.readouterr()
    assert code == entry.get("code", 2), err
    assert "Traceback (most recent" not in out + err
    for line in entry.get("says", ()):
        assert line.replace("{here}", str(here)) in out.splitlines(), out
    for line in entry.get("notes", ()):
        assert line in err.splitlines(), err
    if "error" in entry:
        errors = [line for line in err.splitlines() if line.startswith("error: ")]
        assert errors, out + err
        assert re.fullmatch(pattern(f"error: {entry['error']}", here), errors[0]), errors[0]
        hints = [line for line in err.splitlines() if line.startswith("  -> ")]
        wanted = entry["hint"].replace("{here}", str(here))
        assert any(one in hint for one in wanted.split("|") for hint in hints), (wanted, hints)


def pattern(text: str, here: Path) -> str:
    """A line with placeholders as a regular expression."""
    return re.escape(text.replace("{here}", str(here))).replace(re.escape("{...}"), ".*")
