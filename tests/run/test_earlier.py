"""The same command goes on the next day, and says so; a finished run is reported."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from chef import evaluate
from chef.cli import main
from chef.run.folder import JOURNAL

Write = Callable[..., Path]


class Command:
    """The same command, typed on several days."""

    def __init__(self, model: Path, recipe: Path, folder: Path, capsys) -> None:
        self.model, self.recipe, self.folder, self.capsys = model, recipe, folder, capsys
        self.runs = folder / "hashing" / "Numbers"

    def __call__(self, *more: str) -> str:
        """Type it; returns standard error."""
        given = ["--model_cfg", str(self.model), "--recipe_cfg", str(self.recipe)]
        assert main(["eval", *given, "--save_dir", str(self.folder), *more]) == 0
        return self.capsys.readouterr().err

    def cut(self, name: str, lines: int, when: int) -> None:
        """What a killed run leaves: so many answers and no results."""
        journal = self.runs / name / JOURNAL
        journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:lines]))
        (self.runs / name / "results.json").unlink(missing_ok=True)
        os.utime(journal, (when, when))

    def names(self) -> list[str]:
        return sorted(path.name for path in self.runs.iterdir())

    def lines(self, name: str) -> int:
        return len((self.runs / name / JOURNAL).read_bytes().splitlines())


@pytest.fixture
def command(model_file: Path, recipe_file: Write, tmp_path: Path, capsys) -> Command:
    return Command(model_file, recipe_file(), tmp_path / "results", capsys)


def test_the_newest_unfinished_run_goes_on(command: Command) -> None:
    for number, name in enumerate(("20260102", "20260103", "20260101")):
        command("--time", name)
        command.cut(f"r-{name}", 5 + number, when=1_000_000 + number)
    assert "this run of the same configuration goes on; 13 of 20" in command()
    assert command.names() == ["r-20260101", "r-20260102", "r-20260103"]
    assert [command.lines(name) for name in command.names()] == [20, 5, 6]
    assert (command.runs / "r-20260101" / "results.json").exists()


def test_a_finished_run_is_reported_and_not_repeated(command: Command) -> None:
    command("--run_name", "20260101")
    before = (command.runs / "r-20260101" / JOURNAL).read_bytes()
    said = command()
    assert "this run is finished: nothing is asked, and its answers are scored" in said
    assert "r-20260101" in said
    assert "--run_name NAME" in said
    assert command.names() == ["r-20260101"]
    assert (command.runs / "r-20260101" / JOURNAL).read_bytes() == before
    command("--run_name", "again")
    assert command.lines("r-again") == 20


@pytest.mark.parametrize(
    "more", [["--debug"], ["--seed", "1"], ["scenario_cfg.size=40"], ["model_cfg.broken=none"]]
)
def test_another_configuration_starts_a_run_of_its_own(command: Command, more) -> None:
    command("scenario_cfg.size=35", "--run_name", "20260101")
    command.cut("r-20260101", 5, when=1_000_000)
    command("scenario_cfg.size=35", *more)
    assert len(command.names()) == 2
    assert command.lines("r-20260101") == 5
    command("scenario_cfg.size=35")  # and the first one goes on all the same
    assert command.lines("r-20260101") == 35


def test_other_weights_or_data_start_a_run_of_their_own(command: Command) -> None:
    command("--run_name", "20260101")
    file = command.runs / "r-20260101" / "environment.json"
    known = json.loads(file.read_text())
    file.write_text(json.dumps({**known, "model_fingerprint": "others"}))
    command()
    assert len(command.names()) == 2


def test_damaged_and_foreign_folders_are_passed_over(command: Command) -> None:
    command("--run_name", "20260101")
    for name in ("r-20260102", "r-20260103", "rest-20260104"):
        shutil.copytree(command.runs / "r-20260101", command.runs / name)
    (command.runs / "r-20260102" / "config.yaml").write_text("{broken")
    (command.runs / "r-20260103" / "config.yaml").write_text("- a list\n")
    (command.runs / "r-file").touch()
    assert "r-20260101: this run is finished" in command()
    assert len(command.names()) == 5


def test_a_running_run_is_not_started_twice(command: Command) -> None:
    from chef.run.configuration import read_config
    from chef.run.folder import RunFolder

    command("--run_name", "20260101")
    folder = command.runs / "r-20260101"
    given = ["--model_cfg", str(command.model), "--recipe_cfg", str(command.recipe)]
    with RunFolder(folder, read_config(folder)):
        assert main(["eval", *given, "--save_dir", str(command.folder)]) == 3
    assert "another process is writing this run" in command.capsys.readouterr().err


def test_the_same_call_in_python_goes_on(command: Command) -> None:
    first = evaluate(command.model, command.recipe, save_dir=command.folder, name="20260101")
    assert evaluate(command.model, command.recipe, save_dir=command.folder) == first


def test_two_equal_recipes_keep_their_folders(command: Command, recipe_file: Write) -> None:
    """``r-s`` begins like a folder of ``r``; each recipe has its own run all the same."""
    other = str(recipe_file(name="r-s"))
    command("--recipe_cfg", str(command.recipe), other, "--run_name", "20260101")
    command("--recipe_cfg", str(command.recipe), other)
    assert command.names() == ["r-20260101", "r-s-20260101"]
