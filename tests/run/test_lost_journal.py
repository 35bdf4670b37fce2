"""A journal that disappears while it is written: the run ends, and its answers are kept."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import FAKES

from chef.cli import main
from chef.errors import ConfigError, RunError
from chef.run.configuration import CONFIG as CONFIG_FILE
from chef.run.folder import RunFolder
from chef.run.journal import JOURNAL, KEPT, load_predictions
from chef.types import Prediction, Status

CONFIG = {"model_cfg": {"model_name": "m"}, "recipe_cfg": {"size": 3}}


def replaced(run: Path) -> None:
    (run / "other").write_bytes((run / JOURNAL).read_bytes())  # the same content is no excuse
    (run / "other").replace(run / JOURNAL)


def a_folder(run: Path) -> None:
    (run / JOURNAL).unlink()
    (run / JOURNAL).mkdir()


LOSSES: dict[str, Callable[[Path], object]] = {
    "deleted": lambda run: (run / JOURNAL).unlink(),
    "emptied": lambda run: (run / JOURNAL).write_bytes(b""),
    "cut": lambda run: (run / JOURNAL).write_bytes((run / JOURNAL).read_bytes()[:-9]),
    "replaced": replaced,
    "a folder": a_folder,
    "lengthened": lambda run: (run / JOURNAL).open("a").write("{}\n"),
    "folder removed": shutil.rmtree,
    "folder moved": lambda run: run.rename(run.with_name("elsewhere")),
}


def answer(name: str) -> Prediction:
    return Prediction(name, Status.OK, f"é {name}", sample={"id": name})


def way_back(text: str) -> str:
    """The command that the message names."""
    (command,) = re.findall("`(.*?)`", text)
    return command


@pytest.mark.parametrize("how", LOSSES)
@pytest.mark.parametrize("moment", ["append", "sync", "write_json", "check", "close"])
def test_a_lost_journal_is_told_once_and_what_is_known_is_kept(
    tmp_path: Path, how: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "a run"
    with RunFolder(run, CONFIG) as folder:
        folder.append(answer("earlier"))
    folder = RunFolder(run, CONFIG)
    folder.append(answer("a"))
    LOSSES[how](run)
    monkeypatch.setattr("chef.run.journal.SYNC_LINES", 1)
    calls: dict[str, Callable[[], object]] = {
        "append": lambda: folder.append(answer("b")),
        "write_json": lambda: folder.write_json("environment.json", {}),
    }
    with pytest.raises(RunError, match="journal was") as caught:
        calls.get(moment, getattr(folder, moment))()
    folder.close()  # says nothing more
    names = {"earlier", "a", *(["b"] if moment == "append" else [])}
    kept = load_predictions(run / KEPT)
    assert kept == {name: answer(name) for name in names}
    with pytest.raises(ConfigError, match="lost its journal"):
        RunFolder(run, CONFIG)
    subprocess.run(["sh", "-c", way_back(str(caught.value))], check=True, timeout=100)
    with RunFolder(run, CONFIG) as folder:
        assert folder.finished == kept


def test_config_yaml_is_written_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    run = tmp_path / "run"
    with RunFolder(run, CONFIG) as folder:
        text = (run / CONFIG_FILE).read_text()
        folder.append(answer("a"))
        (run / CONFIG_FILE).unlink()
        folder.sync()
        assert (run / CONFIG_FILE).read_text() == text
        (run / CONFIG_FILE).write_text("model_cfg: {model_name: other}\n")
    assert (run / CONFIG_FILE).read_text() == text
    assert caplog.text.count("it is written again") == 2
    with RunFolder(run, CONFIG) as folder:
        assert folder.finished


def test_a_full_disk_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    folder = RunFolder(tmp_path / "run", CONFIG)
    folder.append(answer("a"))
    with monkeypatch.context() as patch:
        patch.setattr("chef.run.journal.append", full)
        with pytest.raises(RunError, match="No space left"):
            folder.append(answer("b"))
    folder.close()
    assert not (tmp_path / "run" / KEPT).exists()


EATS = """\
import os
from pathlib import Path
from fakes import Hashing

class Eater(Hashing):
    def score(self, requests):
        for file in Path(os.environ["RESULTS"]).glob("*/*/*/predictions.jsonl"):
            if file.stat().st_size > 4000:
                {how}
        return super().score(requests)
"""


@pytest.mark.parametrize(
    "how", ["file.unlink()", "os.truncate(file, 0)", "import shutil; shutil.rmtree(file.parent)"]
)
def test_the_command_says_how_to_go_on_and_then_goes_on(
    tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(FAKES, tmp_path / "fakes.py")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("RESULTS", str(tmp_path / "out"))
    (tmp_path / "eater.py").write_text(EATS.format(how=how))
    (tmp_path / "m.yaml").write_text("plugins: [eater.py]\nmodel_name: Eater\n")
    (tmp_path / "r.yaml").write_text(
        "plugins: [fakes.py]\nscenario_cfg: {dataset_name: Numbers, size: 40}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    command = ["eval", "--model_cfg", str(tmp_path / "m.yaml"), "--recipe_cfg",
               str(tmp_path / "r.yaml"), "--save_dir", str(tmp_path / "out"),
               "--batch_size", "4"]  # fmt: skip
    monkeypatch.setattr("chef.run.journal.SYNC_LINES", 4)
    assert main(command) == 3
    (run,) = (tmp_path / "out").glob("*/*/*")
    assert not (run / "results.json").exists()
    text = capsys.readouterr().err
    assert "the same command then resumes" in text
    assert "bug" not in text
    kept = load_predictions(run / KEPT)
    assert 0 < len(kept) < 40
    assert main(command) == 2  # not asked again by mistake
    assert way_back(capsys.readouterr().err) == way_back(text)
    subprocess.run(["sh", "-c", way_back(text)], check=True, timeout=100)
    monkeypatch.setenv("RESULTS", str(tmp_path / "none"))
    assert main(command) == 0
    sessions = json.loads((run / "environment.json").read_text())["sessions"]
    assert sessions[-1]["asked"] == 40 - len(kept)
    assert json.loads((run / "results.json").read_text())["coverage"]["scored"] == 40
    found = load_predictions(run / JOURNAL)
    assert {name: found[name] for name in kept} == kept
